/* SPDX-License-Identifier: BSD-2-Clause */
/* uetkeys status, rekey, epoch, join, leave: one request to the key server. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tools/idle_option.h"
#include "tools/uetkeys/command.h"
#include "tools/uetkeys/conn.h"

const char uetkeys_ask_help[] =
    "usage: uetkeys status|rekey|epoch --control unix:PATH\n"
    "       uetkeys join|leave --control unix:PATH NAME\n"
    "Asks the server (`uetkeys serve`), and waits until all members that are connected have what\n"
    "follows.\n"
    "\n"
    "  status  what it does: idle, or the step of a change; who is a member\n"
    "  rekey   a new key: loaded in the idle slot everywhere, then sealed with, then the old one\n"
    "          is gone\n"
    "  epoch   the next epoch of the key\n"
    "  join    a new member; one that is there already has come back without its counters, which\n"
    "          makes a new epoch\n"
    "  leave   a member less, whose file is removed; the others get a new key\n"
    "\n"
    "  --control unix:PATH  where the server listens\n"
    "  --json               the server's reply as it came\n"
    "  --help\n"
    "\n"
    "Examples:\n"
    "  uetkeys status --control unix:/run/keys.sock\n"
    "  uetkeys join --control unix:/run/keys.sock c\n"
    "  uetkeys rekey --control unix:/run/keys.sock\n";

static const struct option options[] = {
    {"control", required_argument, NULL, 'c'},
    {"json", no_argument, NULL, 'j'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

/* The state, a line a member; REFUSED when one that is connected has not what it should. */
static int tell(const json_t *reply)
{
    const json_t *members = json_object_get(reply, "members"), *m;
    int status = UETKEYS_DONE;
    size_t i;

    printf("sdi 0x%06llx, %s, slot %lld, epoch %lld\n",
           (long long)json_integer_value(json_object_get(reply, "sdi")),
           json_string_value(json_object_get(reply, "step")),
           (long long)json_integer_value(json_object_get(reply, "tx")),
           (long long)json_integer_value(json_object_get(reply, "epoch")));
    json_array_foreach((json_t *)(uintptr_t)members, i, m)
    {
        bool here = json_is_true(json_object_get(m, "here"));
        bool current = json_is_true(json_object_get(m, "current"));

        printf("  %s, ssi %lld: %s\n", json_string_value(json_object_get(m, "name")),
               (long long)json_integer_value(json_object_get(m, "ssi")),
               !here     ? "not connected"
               : current ? "has all"
                         : "has not said that it has the last change");
        if (here && !current)
            status = UETKEYS_REFUSED;
    }
    return status;
}

static int finish(const char *command, const json_t *reply, bool json)
{
    bool ok = json_is_true(json_object_get(reply, "ok"));
    const char *error = json_string_value(json_object_get(reply, "error"));

    if (json) {
        json_dumpf(reply, stdout, JSON_COMPACT);
        putchar('\n');
    }
    if (!ok) {
        fprintf(stderr, "uetkeys %s: the server refuses: %s\n", command, error ? error : "?");
        return UETKEYS_REFUSED;
    }
    return json ? UETKEYS_DONE : tell(reply);
}

static json_t *next(struct conn *c)
{
    json_t *reply;
    bool bad;
    int n = 1;

    while (!(reply = conn_next(c, &bad)) && !bad && (n > 0 || n == -EAGAIN) && !uetkeys_stop)
        n = conn_read(c);
    return reply;
}

static int ask(const char *command, const char *control, const char *name, bool json)
{
    char who[40];
    struct conn c;
    snprintf(who, sizeof who, "uetkeys %s", command);
    int fd = conn_dial(who, control), status = UETKEYS_REFUSED;

    if (fd < 0 || !conn_open(&c, fd))
        return UETKEYS_USAGE;
    json_t *request = json_pack("{s:i, s:s}", "id", 1, "verb", command);
    if (name)
        json_object_set_new(request, "name", json_string(name));
    json_t *reply = conn_write(&c, request) ? NULL : next(&c);
    if (reply)
        status = finish(command, reply, json);
    else if (uetkeys_stop)
        status = 130;
    else
        fprintf(stderr, "uetkeys %s: the server has gone\n", command);
    json_decref(reply);
    conn_close(&c);
    return status;
}

int uetkeys_ask(int argc, char **argv)
{
    const char *command = argv[0], *control = NULL;
    bool named = strcmp(command, "join") == 0 || strcmp(command, "leave") == 0, json = false;
    char who[40];
    int c;

    snprintf(who, sizeof who, "uetkeys %s", command);
    opterr = 0;
    while ((c = getopt_long(argc, argv, ":", options, NULL)) != -1) {
        if (c == '?' || c == ':')
            return uet_bad_option(who, c, argv, options);
        if (c == 'c')
            control = optarg;
        else
            json = true;
    }
    (void)uet_idle_options(who, argc, argv, ":", options, NULL, NULL);
    if (optind + named != argc)
        return uetkeys_wrong(command, "%s; see uetkeys %s --help",
                             named ? "give one NAME" : "it takes no NAME", command);
    return ask(command, control, named ? argv[optind] : NULL, json);
}
