/* SPDX-License-Identifier: BSD-2-Clause */
/* uetkeys follow: a member's end, which keeps its key file as the server says. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/idle_option.h"
#include "tools/uetkeys/command.h"
#include "tools/uetkeys/conn.h"
#include "wire/keyfile.h"

const char uetkeys_follow_help[] =
    "usage: uetkeys follow --control unix:PATH --name NAME [option...] FILE\n"
    "Keeps FILE as the key server wants it for the member NAME, until Ctrl-C. A FEP beside it "
    "that\n"
    "watches its file (uetfep --keys FILE) follows each change. FILE is replaced at once, and its\n"
    "owner alone can read it.\n"
    "\n"
    "  --control unix:PATH  where the server listens\n"
    "  --name NAME          the member; `uetkeys join` makes it one\n"
    "  --once               end when FILE is written for the first time\n"
    "  --help\n"
    "\n"
    "Examples:\n"
    "  uetkeys follow --control unix:/run/keys.sock --name a a.keys &\n"
    "  uetfep --port uet1 --address 192.0.2.2 --keys a.keys\n";

static const struct option options[] = {
    {"control", required_argument, NULL, 'c'},
    {"name", required_argument, NULL, 'n'},
    {"once", no_argument, NULL, 'o'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

struct follower {
    struct conn conn;
    const char *control, *name, *path;
    bool once, wrote;
};

/* Writes what the server has sent, if a FEP would take it, and says so. -1: go on. */
static int take_news(struct follower *f, const json_t *object)
{
    const json_t *text = json_object_get(object, "file"), *news = json_object_get(object, "news");
    const char *bytes = json_string_value(text);
    size_t n = json_string_length(text);
    char err[300];
    struct uet_keyfile *file =
        bytes ? uet_keyfile_parse(bytes, n, "what the server sends", err, sizeof err) : NULL;

    if (!file)
        return uetkeys_wrong("follow", "%s", bytes ? err : "the server sends what is no key file");
    uet_keyfile_free(file);
    int rc = uetkeys_replace(f->path, bytes, n);
    if (rc)
        return uetkeys_wrong("follow", "%s: cannot be written: %s", f->path, strerror(-rc));
    printf("uetkeys: %s: %s\n", f->path, json_string_value(json_object_get(object, "step")));
    fflush(stdout);
    f->wrote = true;
    if (conn_write(&f->conn, json_pack("{s:i, s:s, s:I}", "id", 2, "verb", "has", "news",
                                       json_integer_value(news))))
        return uetkeys_wrong("follow", "the server has gone; %s stays as it is", f->path);
    return f->once ? UETKEYS_DONE : -1;
}

/* One line of the server; -1: go on. */
static int take(struct follower *f, const json_t *object)
{
    const char *error = json_string_value(json_object_get(object, "error"));

    if (json_is_true(json_object_get(object, "gone"))) {
        unlink(f->path);
        uetkeys_wrong("follow", "%s is no member any more: %s is removed", f->name, f->path);
        return UETKEYS_REFUSED;
    }
    if (error) {
        uetkeys_wrong("follow", "the server refuses: %s", error);
        return UETKEYS_REFUSED;
    }
    return json_object_get(object, "file") ? take_news(f, object) : -1;
}

static int follow(struct follower *f)
{
    int status = conn_write(
            &f->conn, json_pack("{s:i, s:s, s:s}", "id", 1, "verb", "follow", "name", f->name)),
        n = 1;
    json_t *object;
    bool bad = false;

    status = status ? UETKEYS_REFUSED : -1;
    while (status < 0 && !uetkeys_stop && !bad && (n > 0 || n == -EAGAIN)) {
        while (status < 0 && (object = conn_next(&f->conn, &bad))) {
            status = take(f, object);
            json_decref(object);
        }
        if (status < 0 && !bad)
            n = conn_read(&f->conn);
    }
    if (status >= 0 || uetkeys_stop)
        return status >= 0 ? status : UETKEYS_DONE;
    uetkeys_wrong("follow", "the server has gone%s%s%s", f->wrote ? "; " : "",
                  f->wrote ? f->path : "", f->wrote ? " stays as it is" : "");
    return UETKEYS_REFUSED;
}

int uetkeys_follow(int argc, char **argv)
{
    struct follower f = {0};
    int c;

    opterr = 0;
    while ((c = getopt_long(argc, argv, ":", options, NULL)) != -1) {
        if (c == '?' || c == ':')
            return uet_bad_option("uetkeys follow", c, argv, options);
        if (c == 'c')
            f.control = optarg;
        else if (c == 'n')
            f.name = optarg;
        else
            f.once = true;
    }
    (void)uet_idle_options("uetkeys follow", argc, argv, ":", options, NULL, NULL);
    if (!f.name)
        return uetkeys_wrong("follow", "give --name NAME, the member whose file it is");
    if (optind + 1 != argc)
        return uetkeys_wrong("follow", "%s; see uetkeys follow --help",
                             optind < argc ? "one FILE, not several" : "FILE is missing");
    f.path = argv[optind];
    int fd = conn_dial("uetkeys follow", f.control);
    if (fd < 0 || !conn_open(&f.conn, fd))
        return UETKEYS_USAGE;
    uetkeys_guard("follow");
    c = follow(&f);
    conn_close(&f.conn);
    return c;
}
