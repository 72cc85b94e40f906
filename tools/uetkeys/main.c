/* SPDX-License-Identifier: BSD-2-Clause */
/* uetkeys: keys for secure domains (3.7), and a small stand-in for a key server. */
#include <stdio.h>
#include <string.h>

#include "tools/uetkeys/command.h"
#include "tools/uetkeys/conn.h"
#include "ut/descriptors.h"
#include "ut/nearest.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *help, *purpose;
} commands[] = {
    {"new", uetkeys_new, uetkeys_new_help, "a new key, in a file of its own or behind others"},
    {"serve", uetkeys_serve, uetkeys_serve_help, "a key server for one secure domain"},
    {"follow", uetkeys_follow, uetkeys_follow_help, "keeps the key file of one member up to date"},
    {"status", uetkeys_ask, uetkeys_ask_help, "what the server does, and who is a member"},
    {"rekey", uetkeys_ask, uetkeys_ask_help, "a new key for all members, without a pause"},
    {"epoch", uetkeys_ask, uetkeys_ask_help, "the next epoch of the key"},
    {"join", uetkeys_ask, uetkeys_ask_help, "a new member, or one that has come back"},
    {"leave", uetkeys_ask, uetkeys_ask_help, "a member less, and a new key for the others"},
};
enum { N_COMMANDS = sizeof commands / sizeof *commands };

static void on_signal(int number)
{
    (void)number;
    uetkeys_stop = 1;
}

static void usage(FILE *out)
{
    fputs("uetkeys COMMAND [OPTION...]: keys for secure domains (3.7)\n\n", out);
    for (size_t i = 0; i < N_COMMANDS; i++)
        fprintf(out, "  %-8s %s\n", commands[i].name, commands[i].purpose);
    fputs(
        "\nHow keys come to FEPs is outside of the standard (the SDME's part): this is a stand-in "
        "for the\nlaboratory. `uetkeys COMMAND --help` tells the options of each, with "
        "examples.\n",
        out);
}

/* What printf could not write must not look like success. */
static int finish(int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    perror("uetkeys: standard output");
    return UETKEYS_USAGE;
}

static bool asks_help(int argc, char **argv)
{
    for (int i = 2; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0)
            return true;
    return false;
}

static int run(const char *name, int argc, char **argv)
{
    for (size_t i = 0; i < N_COMMANDS; i++) {
        if (strcmp(name, commands[i].name) != 0)
            continue;
        if (!asks_help(argc, argv))
            return commands[i].run(argc - 1, argv + 1);
        fputs(commands[i].help, stdout);
        return UETKEYS_DONE;
    }
    char near[200];
    fprintf(
        stderr, "uetkeys: %s%s%s; see uetkeys --help\n", *name ? name : "give a command",
        *name ? " is not a command" : "",
        uet_nearest_in(near, sizeof near, name, &commands[0].name, sizeof commands[0], N_COMMANDS));
    return UETKEYS_USAGE;
}

int main(int argc, char **argv)
{
    const struct sigaction action = {.sa_handler = on_signal}; /* no SA_RESTART: waits must end */
    const char *name = argc > 1 ? argv[1] : "";

    if (!uet_hold_descriptors())
        return UETKEYS_USAGE;
    if (strcmp(name, "--help") == 0) {
        usage(stdout);
        return finish(UETKEYS_DONE);
    }
    if (strcmp(name, "--version") == 0) {
        puts("uetkeys " UETKIT_VERSION);
        return finish(UETKEYS_DONE);
    }
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    conn_wipe_json();
    return finish(run(name, argc, argv));
}
