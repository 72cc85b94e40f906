/* SPDX-License-Identifier: BSD-2-Clause */
/* uetcat: probing Ultra Ethernet Transport by hand. */
#include <stdio.h>
#include <string.h>

#include "tools/uetcat/command.h"
#include "ut/descriptors.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *purpose;
    const char *help;
} commands[] = {
    {"ping", uetcat_ping, "is a FEP there, and how long does it take to answer", uetcat_ping_help},
    {"read", uetcat_read, "the bytes of a FEP's memory", uetcat_read_help},
    {"write", uetcat_write, "bytes to a FEP's memory", uetcat_write_help},
    {"send", uetcat_send, "bytes to a receive that waits at a FEP", uetcat_send_help},
    {"tsend", uetcat_tsend, "bytes to the receive of a tag", uetcat_tsend_help},
    {"atomic", uetcat_atomic, "an atomic on an element of a FEP's memory", uetcat_atomic_help},
    {"listen", uetcat_listen, "a FEP on the terminal: shows what comes", uetcat_listen_help},
    {"decode", uetcat_decode, "what do these bytes, or this capture, say", uetcat_decode_help},
    {"craft", uetcat_craft, "bytes from a line of text", uetcat_craft_help},
};
enum { N_COMMANDS = sizeof commands / sizeof *commands };

static void usage(FILE *out)
{
    fputs("uetcat COMMAND [OPTION...]: Ultra Ethernet Transport by hand\n\n", out);
    for (size_t i = 0; i < N_COMMANDS; i++)
        fprintf(out, "  %-8s %s\n", commands[i].name, commands[i].purpose);
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
        if (strcmp(name, commands[i].name) != 0)
            continue;
        for (int a = 2; a < argc && strcmp(argv[a], "--") != 0; a++)
            if (strcmp(argv[a], "--help") == 0) {
                fputs(commands[i].help, stdout);
                return finish(UETCAT_YES);
            }
        return finish(commands[i].run(argc - 1, argv + 1));
    }
    if (name[0])
        fprintf(stderr, "uetcat: there is no command '%s'; `uetcat --help` lists them\n", name);
    else
        usage(stderr);
    return UETCAT_USAGE;
}
