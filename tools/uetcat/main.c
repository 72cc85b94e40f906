/* SPDX-License-Identifier: BSD-2-Clause */
/* uetcat: probing Ultra Ethernet Transport by hand. */
#include <stdio.h>
#include <string.h>

#include "tools/uetcat/command.h"
#include "ut/descriptors.h"

static const struct uetcat_command *const commands[] = {
    &uetcat_ping,   &uetcat_probe,  &uetcat_read,   &uetcat_write,  &uetcat_send,  &uetcat_tsend,
    &uetcat_atomic, &uetcat_listen, &uetcat_replay, &uetcat_decode, &uetcat_craft,
};
enum { N_COMMANDS = sizeof commands / sizeof *commands };

static void usage(FILE *out)
{
    fputs("uetcat COMMAND [OPTION...]: Ultra Ethernet Transport by hand\n\n", out);
    for (size_t i = 0; i < N_COMMANDS; i++)
        fprintf(out, "  %-8s %s\n", commands[i]->name, commands[i]->purpose);
    fputs("\n`uetcat COMMAND --help` tells the options of each, with examples.\n", out);
}

/* What printf could not write must not look like success. */
static int finish(int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    perror("uetcat: standard output");
    return UETCAT_USAGE;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    if (!uet_hold_descriptors())
        return UETCAT_USAGE;
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        usage(stdout);
        return finish(UETCAT_YES);
    }
    if (strcmp(name, "--version") == 0) {
        puts("uetcat " UETKIT_VERSION);
        return finish(UETCAT_YES);
    }
    for (size_t i = 0; i < N_COMMANDS; i++) {
        if (strcmp(name, commands[i]->name) != 0)
            continue;
        for (int a = 2; a < argc && strcmp(argv[a], "--") != 0; a++)
            if (strcmp(argv[a], "--help") == 0) {
                uetcat_help(commands[i]);
                return finish(UETCAT_YES);
            }
        return finish(commands[i]->run(argc - 1, argv + 1));
    }
    if (name[0])
        fprintf(stderr, "uetcat: there is no command '%s'; `uetcat --help` lists them\n", name);
    else
        usage(stderr);
    return UETCAT_USAGE;
}
