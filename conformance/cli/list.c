/* SPDX-License-Identifier: BSD-2-Clause */
/* uetconform list: the tests, the claims a fep.yaml may make, the plan. */
#include <stdio.h>
#include <stdlib.h>

#include "conformance/cli/args.h"
#include "conformance/cli/commands.h"
#include "conformance/harness/runner.h"

#pragma weak uet_print_plan

static int help(void)
{
    printf("usage: uetconform list [OPTIONS]\n\n"
           "  --section S      tests of that section and those below it\n"
           "  --test GLOB      tests whose id matches\n"
           "  --requirement R  tests that claim it\n"
           "  --profile P      AI-Base, AI-Full, HPC or all\n"
           "  --markdown       the test plan of all tests, for a review\n"
           "  --claims         what `claims` in a fep.yaml may name\n\n"
           "Examples:\n"
           "  uetconform list --section 3.5.8\n"
           "  uetconform list --markdown > plan.md\n");
    return 0;
}

static int list_claims(void)
{
    for (size_t i = 0; i < UET_PICS_COUNT; i++)
        printf("%-20s %s%s\n", uet_pics[i].name, uet_pics[i].meaning,
               uet_pics[i].by_default ? " (by default)" : "");
    return 0;
}

static int list_tests(const struct uet_selection *selection)
{
    size_t n;
    const struct uet_test **tests = uet_select(selection, &n);

    for (size_t i = 0; i < n; i++)
        printf("%-52s %-10s %-24s %s\n", tests[i]->id, uet_role_name(tests[i]->role),
               tests[i]->requirements, tests[i]->purpose);
    free(tests);
    if (n == 0) {
        fprintf(stderr, "uetconform list: no test matches\n");
        return 2;
    }
    return 0;
}

int uet_cmd_list(int argc, char **argv)
{
    static const struct option options[] = {
        {"section", required_argument, NULL, 's'}, {"test", required_argument, NULL, 't'},
        {"profile", required_argument, NULL, 'p'}, {"requirement", required_argument, NULL, 'r'},
        {"markdown", no_argument, NULL, 'm'},      {"claims", no_argument, NULL, 'c'},
        {"help", no_argument, NULL, 'h'},          {NULL, 0, NULL, 0},
    };
    struct uet_selection selection = {0};
    bool markdown = false;
    int c;

    while ((c = uet_args_next("list", argc, argv, options)) != -1) {
        switch (c) {
        case 's':
            selection.section = optarg;
            break;
        case 't':
            selection.glob = optarg;
            break;
        case 'p':
            selection.profile = optarg;
            break;
        case 'r':
            selection.requirement = optarg;
            break;
        case 'm':
            markdown = true;
            break;
        case 'c':
            return list_claims();
        case 'h':
            return help();
        default:
            return 2;
        }
    }
    if (optind < argc) {
        fprintf(stderr, "uetconform list: '%s' is too much; `uetconform list --help`\n",
                argv[optind]);
        return 2;
    }
    return markdown ? uet_print_plan() : list_tests(&selection);
}
