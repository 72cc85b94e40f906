/* SPDX-License-Identifier: BSD-2-Clause */
/* uetgen: Ultra Ethernet Transport packets on demand. */
#include <stdio.h>
#include <string.h>

#include "tools/uetgen/command.h"
#include "ut/descriptors.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *purpose;
    const char *help;
} commands[] = {
    {"packet", uetgen_packet, "packets from one line of text, right or wrong", uetgen_packet_help},
    {"corpus", uetgen_corpus, "every header and value, right and wrong, with a manifest",
     uetgen_corpus_help},
    {"scenario", uetgen_scenario, "conversations of two reference FEPs as captures",
     uetgen_scenario_help},
    {"flood", uetgen_flood, "the packets of a line onto an interface, at a rate",
     uetgen_flood_help},
    {"list", uetgen_list, "the names that a line may use", uetgen_list_help},
};
enum { N_COMMANDS = sizeof commands / sizeof *commands };

static void usage(FILE *out)
{
    fputs("uetgen COMMAND [OPTION...]: Ultra Ethernet Transport packets on demand\n\n", out);
    for (size_t i = 0; i < N_COMMANDS; i++)
        fprintf(out, "  %-9s %s\n", commands[i].name, commands[i].purpose);
    fputs("\n`uetgen COMMAND --help` tells the options of each, with examples.\n", out);
}

/* What printf could not write must not look like success. */
static int finish(int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    perror("uetgen: standard output");
    return UETGEN_FAILED;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    if (!uet_hold_descriptors())
        return 2;
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        usage(stdout);
        return finish(UETGEN_DONE);
    }
    if (strcmp(name, "--version") == 0) {
        puts("uetgen " UETKIT_VERSION);
        return finish(UETGEN_DONE);
    }
    for (size_t i = 0; i < N_COMMANDS; i++) {
        if (strcmp(name, commands[i].name) != 0)
            continue;
        for (int a = 2; a < argc && strcmp(argv[a], "--") != 0; a++)
            if (strcmp(argv[a], "--help") == 0) {
                fputs(commands[i].help, stdout);
                return finish(UETGEN_DONE);
            }
        return finish(commands[i].run(argc - 1, argv + 1));
    }
    if (name[0])
        fprintf(stderr, "uetgen: there is no command '%s'; `uetgen --help` lists them\n", name);
    else
        usage(stderr);
    return UETGEN_USAGE;
}
