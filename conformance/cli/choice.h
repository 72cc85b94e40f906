/* SPDX-License-Identifier: BSD-2-Clause */
/* --section, --test and --requirement, which may be given many times: what they choose. */
#ifndef UET_CONFORMANCE_CLI_CHOICE_H
#define UET_CONFORMANCE_CLI_CHOICE_H

#include "conformance/harness/run/runner.h"

/* Words separated by spaces, as struct uet_selection wants them. */
struct uet_choice {
    const char *command; /* for complaints: "run" */
    bool of_tests;       /* what no test answers to is wrong, too */
    char sections[1024], globs[4096], requirements[2048];
};

/* The options, for a table of options; the letters are those of uet_choice_take. */
#define UET_CHOICE_OPTIONS                                                                         \
    {"section", required_argument, NULL, 's'}, {"test", required_argument, NULL, 't'},             \
    {                                                                                              \
        "requirement", required_argument, NULL, 'r'                                                \
    }

#define UET_CHOICE_HELP                                                                            \
    "  --section S      tests of that section and those below it\n"                                \
    "  --test GLOB      tests whose id matches\n"                                                  \
    "  --requirement R  tests that claim it\n"                                                     \
    "                   each of the three may be repeated. A test must match one of the\n"         \
    "                   sections, one of the GLOBs and one of the requirements given\n"

/*
 * Takes one of these options and notes it in the selection. Ids are taken in either case,
 * requirements also as pds-38. False, and one line written, when nothing goes by that name.
 */
bool uet_choice_take(struct uet_choice *choice, int letter, const char *text,
                     struct uet_selection *selection);

#endif
