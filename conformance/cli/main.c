/* SPDX-License-Identifier: BSD-2-Clause */
/* uetconform: a table of sub-commands. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "conformance/cli/commands.h"
#include "ut/descriptors.h"
#include "ut/nearest.h"

struct command {
    const char *name;
    int (*function)(int argc, char **argv);
    const char *help;
};

static const struct command commands[] = {
    {"run", uet_cmd_run, "test a FEP: the reference FEP, or the one of a fep.yaml"},
    {"quick", uet_cmd_quick, "a first verdict on a FEP of which only the address is known"},
    {"plan", uet_cmd_plan, "before a run: what will run at a FEP, what not, and why"},
    {"list", uet_cmd_list, "list the tests; --markdown prints the test plan"},
    {"check", uet_cmd_check, "judge a capture by the rules"},
    {"ut-check", uet_cmd_ut_check, "try an upper tester by itself, verb by verb"},
    {"explain", uet_cmd_explain, "what a requirement says and how it is tested"},
    {"coverage", uet_cmd_coverage, "which requirements have a test, and a test that was tried"},
    {"selftest", uet_cmd_selftest, "does each test catch a FEP that breaks its requirement?"},
    {"report", uet_cmd_report, "write reports anew from a JSON report"},
    {"diff", uet_cmd_diff, "what changed between two JSON reports"},
};

#define N_COMMANDS (sizeof(commands) / sizeof(commands[0]))

static int usage(FILE *out, int status)
{
    fprintf(out, "usage: uetconform COMMAND [OPTIONS]\n\n"
                 "Conformance tests for Ultra Ethernet Transport.\n\n");
    for (size_t i = 0; i < N_COMMANDS; i++)
        fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].help);
    fprintf(out,
            "\nExamples:\n"
            "  uetconform run --fep ref\n"
            "  uetconform run --fep fep.yaml --section 3.5.8 --html report.html\n"
            "  uetconform explain PDS-038\n"
            "\n`uetconform COMMAND --help` tells the options of a command.\n"
            "Exit status: 0 all passed; 1 something did not, or the run ended early; "
            "2 usage or\nset-up; 3 nothing was judged (check); 130 interrupted (Ctrl-C, SIGTERM).\n"
            "docs/exit-status.md has them all.\n");
    return status;
}

/* Why standard output takes nothing; an earlier write has kept it to itself when errno is 0. */
static int why_not_written(void)
{
    if (!errno && write(STDOUT_FILENO, "\n", 1) == 1)
        return EIO;
    return errno;
}

/* The status, unless what was printed did not arrive: a full disk is told. */
static int written(int status)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    fprintf(stderr, "uetconform: standard output cannot be written: %s\n",
            strerror(why_not_written()));
    return 2;
}

int main(int argc, char **argv)
{
    if (!uet_hold_descriptors())
        return 2;
    if (argc < 2)
        return usage(stderr, 2);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0)
        return usage(stdout, 0);
    if (strcmp(argv[1], "--version") == 0) {
        printf("uetconform %s\n", UETKIT_VERSION);
        return 0;
    }
    for (size_t i = 0; i < N_COMMANDS; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return written(commands[i].function(argc - 1, argv + 1));
    char guess[320];
    fprintf(stderr, "uetconform: unknown command '%s'%s; `uetconform --help` lists them\n", argv[1],
            uet_nearest_in(guess, sizeof(guess), argv[1], &commands[0].name, sizeof(commands[0]),
                           N_COMMANDS));
    return 2;
}
