/* SPDX-License-Identifier: BSD-2-Clause */
/* uetkeys serve: one secure domain, its members and who commands it, at a Unix socket. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tools/idle_option.h"
#include "tools/uetkeys/command.h"
#include "tools/uetkeys/conn.h"
#include "tools/uetkeys/group.h"
#include "ut/args.h"
#include "ut/listen.h"
#include "wire/keyfile.h"
#include "wire/secret.h"

const char uetkeys_serve_help[] =
    "usage: uetkeys serve --control unix:PATH [option...]\n"
    "A key server for one secure domain, until Ctrl-C. It makes the keys itself and keeps them in\n"
    "memory alone. A re-key has three steps: the new key is loaded everywhere, then sealed with,\n"
    "then the old one is gone (docs/uetkeys.md). How keys come to FEPs is outside of the "
    "standard.\n"
    "\n"
    "  --control unix:PATH  where it listens; the socket is for this user alone\n"
    "  --sdi N              the secure domain, 24 bits (1)\n"
    "  --mode M             direct, cluster (default) or server\n"
    "  --ssi                packets carry an SSI, each member its own; always so in modes direct\n"
    "                       and server\n"
    "  --server NAME        mode server: the member that is the server (required)\n"
    "  --member NAME        a member from the start; may be given again\n"
    "  --start S, --jobs LIST\n"
    "                       of UET_DOMAIN in the members' files (uetkeys new --help)\n"
    "  --every TIME         a re-key by itself, as 10s or 5min; never by default\n"
    "  --settle TIME        between two steps, for FEPs that read their files and packets on\n"
    "                       their way (1s)\n"
    "  --answer TIME        how long a member may take for a step; then it goes on without (5s)\n"
    "  --keylog FILE        each key is added to FILE, too: a key log for Wireshark\n"
    "  --help\n"
    "\n"
    "Examples:\n"
    "  uetkeys serve --control unix:/run/keys.sock --member a --member b --every 5min\n"
    "  uetkeys follow --control unix:/run/keys.sock --name a a.keys\n"
    "  uetkeys rekey --control unix:/run/keys.sock\n";

/* Members, and some who command. */
enum { CLIENTS_MAX = GROUP_MEMBERS_MAX + 16 };

struct client {
    struct conn conn;             /* fd -1: nobody */
    char member[MEMBER_NAME_MAX]; /* that it is; "" for others */
    json_t *waits;                /* the id of a request that is answered when the change is over */
};

struct server {
    struct group_config config;
    struct group group;
    const char *control, *keylog;
    const char *members[GROUP_MEMBERS_MAX];
    size_t n_members;
    struct uet_listener at;
    struct client clients[CLIENTS_MAX];
    uint64_t logged; /* keys of so many re-keys are in the key log, and the first */
    bool log_begun;
    uint8_t told_step;
};

static uint64_t now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

static void hang_up(struct server *s, struct client *c)
{
    struct member *m = *c->member ? group_find(&s->group, c->member) : NULL;

    if (m)
        m->here = false;
    json_decref(c->waits);
    conn_close(&c->conn);
    *c = (struct client){.conn.fd = -1};
}

static void answer(struct server *s, struct client *c, json_t *reply)
{
    if (conn_write(&c->conn, reply))
        hang_up(s, c);
}

/* ---- what members are told ---- */

static void push(struct server *s, struct client *c, struct member *m)
{
    char *text = uet_secret_new(GROUP_FILE_MAX);
    size_t n = text ? group_file(&s->group, m, text, GROUP_FILE_MAX) : 0;

    m->told = s->group.news;
    if (n)
        answer(s, c,
               json_pack("{s:I, s:s, s:s#}", "news", (json_int_t)m->told, "step",
                         group_step_name(&s->group), "file", text, (int)n));
    else
        hang_up(s, c);
    uet_secret_free(text);
}

static void push_all(struct server *s)
{
    for (struct client *c = s->clients; c < s->clients + CLIENTS_MAX; c++) {
        struct member *m = c->conn.fd >= 0 && *c->member ? group_find(&s->group, c->member) : NULL;

        if (m && m->told < s->group.news)
            push(s, c, m);
    }
}

/* ---- replies ---- */

static json_t *members(const struct group *g)
{
    json_t *list = json_array();

    for (size_t i = 0; i < g->n_members; i++) {
        const struct member *m = &g->members[i];

        json_array_append_new(list, json_pack("{s:s, s:I, s:b, s:b}", "name", m->name, "ssi",
                                              (json_int_t)m->ssi, "here", m->here, "current",
                                              m->here && m->has == g->news));
    }
    return list;
}

static json_t *state(const struct group *g, json_t *id)
{
    return json_pack("{s:O?, s:b, s:I, s:s, s:i, s:i, s:I, s:o}", "id", id, "ok", 1, "sdi",
                     (json_int_t)g->config.sdi, "step", group_step_name(g), "tx", g->tx, "epoch",
                     g->epoch[g->tx], "rekeys", (json_int_t)g->n_rekeys, "members", members(g));
}

static void refuse(struct server *s, struct client *c, json_t *id, const char *why)
{
    answer(s, c, json_pack("{s:O?, s:b, s:s}", "id", id, "ok", 0, "error", why));
}

/* ---- requests ---- */

/* A change has begun, or why it cannot: it is answered when it is over. */
static void begun(struct client *c, struct uet_args *args, const char *wrong)
{
    if (wrong)
        uet_arg_refuse(args, "%s", wrong);
    else
        c->waits = json_incref(json_object_get(args->request, "id"));
    if (!wrong && !c->waits)
        c->waits = json_null();
}

static void do_status(struct server *s, struct client *c, struct uet_args *args)
{
    answer(s, c, state(&s->group, json_object_get(args->request, "id")));
}

static void do_rekey(struct server *s, struct client *c, struct uet_args *args)
{
    begun(c, args, group_rekey(&s->group, now()));
}

static void do_epoch(struct server *s, struct client *c, struct uet_args *args)
{
    begun(c, args, group_epoch(&s->group, now()));
}

static void do_join(struct server *s, struct client *c, struct uet_args *args)
{
    const char *name = uet_arg_text(args, "name", true);

    if (!args->error[0])
        begun(c, args, group_join(&s->group, name, now()));
}

/* Its connection ends with a word on why. */
static void dismiss(struct server *s, const char *name)
{
    for (struct client *c = s->clients; c < s->clients + CLIENTS_MAX; c++)
        if (c->conn.fd >= 0 && strcmp(c->member, name) == 0) {
            (void)conn_write(&c->conn, json_pack("{s:b}", "gone", 1));
            hang_up(s, c);
        }
}

static void do_leave(struct server *s, struct client *c, struct uet_args *args)
{
    const char *name = uet_arg_text(args, "name", true);
    const char *wrong = args->error[0] ? args->error : group_leave(&s->group, name, now());

    if (s->config.mode == UET_TSS_MODE_SERVER && name && strcmp(name, s->config.server) == 0 &&
        !wrong)
        printf("uetkeys: the server itself has left: its clients have nobody to talk to\n");
    begun(c, args, wrong);
    if (!wrong)
        dismiss(s, name);
}

static void do_follow(struct server *s, struct client *c, struct uet_args *args)
{
    const char *name = uet_arg_text(args, "name", true);
    struct member *m = name ? group_find(&s->group, name) : NULL;

    if (name && !m)
        uet_arg_refuse(args, "%.63s is no member: `uetkeys join` makes it one", name);
    else if (m && m->here)
        uet_arg_refuse(args, "somebody follows %.63s already", name);
    if (args->error[0] || !m)
        return;
    m->here = true;
    m->told = m->has = 0;
    if (!s->group.news)
        s->group.news = 1; /* so that the first file is news */
    snprintf(c->member, sizeof c->member, "%s", name);
    printf("uetkeys: %s is here\n", name);
    answer(s, c, json_pack("{s:O?, s:b}", "id", json_object_get(args->request, "id"), "ok", 1));
}

/* No reply: it is one itself. */
static void do_has(struct server *s, struct client *c, struct uet_args *args)
{
    uint64_t news = uet_arg_number(args, "news", UINT64_MAX, true);
    struct member *m = *c->member ? group_find(&s->group, c->member) : NULL;

    if (!m)
        uet_arg_refuse(args, "\"follow\" comes first");
    else if (!args->error[0])
        group_has(&s->group, m, news, now());
}

static const struct {
    const char *name;
    void (*run)(struct server *s, struct client *c, struct uet_args *args);
    const char *args[2];
} verbs[] = {
    {"status", do_status, {NULL}}, {"rekey", do_rekey, {NULL}},   {"epoch", do_epoch, {NULL}},
    {"join", do_join, {"name"}},   {"leave", do_leave, {"name"}}, {"follow", do_follow, {"name"}},
    {"has", do_has, {"news"}},
};
enum { N_VERBS = sizeof verbs / sizeof *verbs };

static void serve_request(struct server *s, struct client *c, json_t *request)
{
    struct uet_args args = {.request = request};
    const char *name = uet_arg_text(&args, "verb", true);
    size_t i = 0;

    while (i < N_VERBS && name && strcmp(name, verbs[i].name) != 0)
        i++;
    if (name && i == N_VERBS)
        uet_arg_refuse(&args,
                       "there is no verb \"%.40s\": status, rekey, epoch, join, leave, "
                       "follow, has are known",
                       name);
    if (!args.error[0])
        uet_arg_only(&args, verbs[i].args);
    if (!args.error[0] && c->waits)
        uet_arg_refuse(&args, "wait for the reply to the last request");
    if (!args.error[0])
        verbs[i].run(s, c, &args);
    if (args.error[0])
        refuse(s, c, json_object_get(request, "id"), args.error);
}

/* Requests of a client until it has no more, or has gone. */
static void serve_client(struct server *s, struct client *c)
{
    int n = conn_read(&c->conn);
    json_t *request;
    bool bad = false;

    if (n == -EAGAIN)
        return;
    if (n == -EMSGSIZE)
        refuse(s, c, NULL, "a line has at most 8191 bytes");
    while (n > 0 && c->conn.fd >= 0 && (request = conn_next(&c->conn, &bad))) {
        serve_request(s, c, request);
        json_decref(request);
    }
    if (bad && c->conn.fd >= 0)
        refuse(s, c, NULL, "a request is one JSON object on a line");
    if (c->conn.fd >= 0 && (n <= 0 || bad))
        hang_up(s, c);
}

/* ---- the loop ---- */

static void accept_client(struct server *s)
{
    int fd = accept(s->at.fd, NULL, NULL);
    struct client *c = s->clients;

    while (c < s->clients + CLIENTS_MAX && c->conn.fd >= 0)
        c++;
    if (fd < 0)
        return;
    if (c == s->clients + CLIENTS_MAX) {
        close(fd);
        return;
    }
    /* One that does not read is left behind, not waited for. */
    (void)fcntl(fd, F_SETFD, FD_CLOEXEC);
    (void)fcntl(fd, F_SETFL, O_NONBLOCK);
    if (!conn_open(&c->conn, fd))
        printf("uetkeys: no memory for another client\n");
}

static int open_log(const struct server *s)
{
    return open(s->keylog, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

/* A line for the key log of each key that is loaded, once. */
static void log_keys(struct server *s)
{
    const struct group *g = &s->group;
    const struct member all = {.name = ""};
    uint64_t loaded = g->n_rekeys + (g->step == STEP_LOAD);
    char *text, *line;

    if (!s->keylog || (s->log_begun && loaded == s->logged))
        return;
    int fd = open_log(s);
    if (fd < 0)
        printf("uetkeys: %s: %s\n", s->keylog, strerror(errno));
    text = uet_secret_new(GROUP_FILE_MAX);
    struct group_config config = g->config;
    config.server = ""; /* the key itself, for all */
    struct group view = *g;
    view.config = config;
    size_t n = text && fd >= 0 ? group_file(&view, &all, text, GROUP_FILE_MAX) : 0;
    uint8_t an = g->step == STEP_LOAD ? !g->tx : g->tx;
    char want[16];
    snprintf(want, sizeof want, " an=%u ", an);
    for (line = text; n && line && (line = strstr(line, "UET_SD ")); line++) {
        size_t len = strcspn(line, "\n") + 1;
        const char *at = strstr(line, want);

        if (at && at < line + len && write(fd, line, len) != (ssize_t)len)
            printf("uetkeys: %s: %s\n", s->keylog, strerror(errno));
    }
    s->log_begun = true;
    s->logged = loaded;
    uet_secret_free(text);
    if (fd >= 0)
        close(fd);
}

/* After each change: members hear of it, and who waits for its end. */
static void spread(struct server *s)
{
    struct group *g = &s->group;

    group_advance(g, now());
    log_keys(s);
    push_all(s);
    if (g->step != s->told_step) {
        printf("uetkeys: %s: slot %u, epoch %u\n", group_step_name(g), g->tx, g->epoch[g->tx]);
        fflush(stdout);
    }
    s->told_step = g->step;
    for (struct client *c = s->clients; !g->step && c < s->clients + CLIENTS_MAX; c++)
        if (c->conn.fd >= 0 && c->waits) {
            json_t *reply = state(g, c->waits);

            json_decref(c->waits);
            c->waits = NULL;
            answer(s, c, reply);
        }
}

/* Until the next deadline; NULL: for ever. */
static const struct timespec *wait_for(const struct server *s, struct timespec *t)
{
    uint64_t at = group_deadline(&s->group), now_ns = now(), ns = at > now_ns ? at - now_ns : 0;

    *t = (struct timespec){.tv_sec = (time_t)(ns / UINT64_C(1000000000)),
                           .tv_nsec = (long)(ns % UINT64_C(1000000000))};
    return at == UINT64_MAX ? NULL : t;
}

static void loop(struct server *s)
{
    struct pollfd fds[CLIENTS_MAX + 1];
    sigset_t ours, before;
    struct timespec t;

    /* They come while it waits and only then, so that none is missed. */
    sigemptyset(&ours);
    sigaddset(&ours, SIGINT);
    sigaddset(&ours, SIGTERM);
    sigprocmask(SIG_BLOCK, &ours, &before);
    while (!uetkeys_stop) {
        spread(s);
        fds[CLIENTS_MAX] = (struct pollfd){.fd = s->at.fd, .events = POLLIN};
        for (size_t i = 0; i < CLIENTS_MAX; i++)
            fds[i] = (struct pollfd){.fd = s->clients[i].conn.fd, .events = POLLIN};
        if (ppoll(fds, CLIENTS_MAX + 1, wait_for(s, &t), &before) < 0)
            continue;
        for (size_t i = 0; i < CLIENTS_MAX; i++)
            if (fds[i].revents && s->clients[i].conn.fd == fds[i].fd && fds[i].fd >= 0)
                serve_client(s, &s->clients[i]);
        if (fds[CLIENTS_MAX].revents)
            accept_client(s);
    }
}

/* ---- options ---- */

static const struct option options[] = {
    {"control", required_argument, NULL, 'c'}, {"sdi", required_argument, NULL, 's'},
    {"mode", required_argument, NULL, 'm'},    {"ssi", no_argument, NULL, 'i'},
    {"server", required_argument, NULL, 'r'},  {"member", required_argument, NULL, 'n'},
    {"start", required_argument, NULL, 't'},   {"jobs", required_argument, NULL, 'j'},
    {"every", required_argument, NULL, 'e'},   {"settle", required_argument, NULL, 'w'},
    {"answer", required_argument, NULL, 'a'},  {"keylog", required_argument, NULL, 'k'},
    {"help", no_argument, NULL, 'h'},          {NULL, 0, NULL, 0},
};

static int take_mode(struct group_config *g, const char *text)
{
    static const char *const modes[] = {[UET_TSS_MODE_DIRECT] = "direct",
                                        [UET_TSS_MODE_CLUSTER] = "cluster",
                                        [UET_TSS_MODE_SERVER] = "server"};

    for (uint8_t i = UET_TSS_MODE_DIRECT; i <= UET_TSS_MODE_SERVER; i++)
        if (strcmp(text, modes[i]) == 0) {
            g->mode = i;
            return 0;
        }
    return uetkeys_wrong("serve", "--mode '%s': give direct, cluster or server", text);
}

static int take_sdi(struct group_config *g, const char *text)
{
    char *end;
    unsigned long n = strtoul(text, &end, 0);

    g->sdi = (uint32_t)n;
    return *text >= '0' && *text <= '9' && !*end && n <= 0xffffff
               ? 0
               : uetkeys_wrong("serve", "--sdi '%s': give a number of 24 bits", text);
}

static int take_time(const char *option, uint64_t *ns)
{
    return uetkeys_time("serve", option, optarg, ns) ? 0 : UETKEYS_USAGE;
}

static int take_every(uint64_t *ns)
{
    if (take_time("every", ns))
        return UETKEYS_USAGE;
    return *ns ? 0 : uetkeys_wrong("serve", "--every 0: leave it out for no re-key by itself");
}

static int take_option(struct server *s, int c)
{
    struct group_config *g = &s->config;

    switch (c) {
    case 'c':
        s->control = optarg;
        return 0;
    case 's':
        return take_sdi(g, optarg);
    case 'm':
        return take_mode(g, optarg);
    case 'i':
        g->ssi = true;
        return 0;
    case 'r':
        g->server = optarg;
        return 0;
    case 'n':
        if (s->n_members == GROUP_MEMBERS_MAX)
            return uetkeys_wrong("serve", "--member: at most 64");
        s->members[s->n_members++] = optarg;
        return 0;
    case 't':
        g->start = optarg;
        return 0;
    case 'j':
        g->jobs = optarg;
        return 0;
    case 'e':
        return take_every(&g->every_ns);
    case 'w':
        return take_time("settle", &g->settle_ns);
    case 'a':
        return take_time("answer", &g->answer_ns);
    default:
        s->keylog = optarg;
        return 0;
    }
}

static int read_options(struct server *s, int argc, char **argv)
{
    static const char *const many[] = {"member", NULL};
    struct group_config *g = &s->config;
    int c, rc = 0;

    opterr = 0;
    while (!rc && (c = getopt_long(argc, argv, ":", options, NULL)) != -1)
        rc = c == '?' || c == ':' ? uet_bad_option("uetkeys serve", c, argv, options)
                                  : take_option(s, c);
    if (!rc)
        (void)uet_idle_options("uetkeys serve", argc, argv, ":", options, NULL, many);
    if (!rc && optind < argc)
        rc = uetkeys_wrong("serve", "what is '%s'? see uetkeys serve --help", argv[optind]);
    if (!rc && !conn_path("uetkeys serve", s->control))
        rc = UETKEYS_USAGE;
    if (!rc && (g->mode == UET_TSS_MODE_SERVER) != (g->server != NULL))
        rc = uetkeys_wrong("serve", "--mode server and --server NAME belong together");
    if (!rc && g->ssi && g->mode != UET_TSS_MODE_CLUSTER)
        fputs("uetkeys serve: --ssi: no effect, as packets carry an SSI in any other mode than "
              "cluster\n",
              stderr);
    g->ssi = g->ssi || g->mode != UET_TSS_MODE_CLUSTER;
    return rc;
}

/* ---- begin and end ---- */

/* Whether keys will come into the log, and who could read them there. */
static int try_log(const struct server *s)
{
    struct stat st;
    int fd = open_log(s);

    if (fd < 0)
        return uetkeys_wrong("serve", "--keylog %s: cannot be written: %s", s->keylog,
                             strerror(errno));
    if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_mode & (S_IRWXG | S_IRWXO))
        fprintf(stderr,
                "uetkeys serve: --keylog %s: keys come into a file that others may use (mode "
                "%04o): chmod 600 %s\n",
                s->keylog, (unsigned)st.st_mode & 07777, s->keylog);
    close(fd);
    return 0;
}

/* The file of a member must be one that FEPs take: bad --start and --jobs show here. */
static int try_file(struct server *s)
{
    const struct member nobody = {.name = "nobody", .ssi = 1};
    char *text = uet_secret_new(GROUP_FILE_MAX), err[300] = "no memory left";
    size_t n = text ? group_file(&s->group, &nobody, text, GROUP_FILE_MAX) : 0;
    struct uet_keyfile *file =
        n ? uet_keyfile_parse(text, n, "--start, --jobs", err, sizeof err) : NULL;
    int rc = file ? 0 : uetkeys_wrong("serve", "%s", err);

    uet_keyfile_free(file);
    uet_secret_free(text);
    return rc;
}

static int begin(struct server *s)
{
    int rc = group_begin(&s->group, &s->config, now())
                 ? 0
                 : uetkeys_wrong("serve", "no memory, or the system gives no random bytes");

    for (size_t i = 0; !rc && i < s->n_members; i++) {
        const char *wrong = group_find(&s->group, s->members[i])
                                ? "is given twice"
                                : group_join(&s->group, s->members[i], now());

        if (wrong)
            rc = uetkeys_wrong("serve", "--member '%s': %s", s->members[i], wrong);
    }
    return rc ? rc : try_file(s);
}

static int open_and_loop(struct server *s)
{
    char err[300];
    mode_t before = umask(077); /* the socket is its owner's */
    int rc = uet_listen(&s->at, s->control, err, sizeof err);

    umask(before);
    if (rc)
        return uetkeys_wrong("serve", "--%s", err);
    printf("uetkeys: ready on %s\n", s->control);
    fflush(stdout);
    loop(s);
    uet_listener_close(&s->at);
    for (size_t i = 0; i < CLIENTS_MAX; i++)
        if (s->clients[i].conn.fd >= 0)
            hang_up(s, &s->clients[i]);
    return UETKEYS_DONE;
}

int uetkeys_serve(int argc, char **argv)
{
    static struct server s = {.config = {.sdi = 1,
                                         .mode = UET_TSS_MODE_CLUSTER,
                                         .settle_ns = UINT64_C(1000000000),
                                         .answer_ns = UINT64_C(5000000000)}};
    int rc = read_options(&s, argc, argv);

    for (size_t i = 0; i < CLIENTS_MAX; i++)
        s.clients[i].conn.fd = -1;
    if (rc)
        return rc;
    uetkeys_guard("serve");
    rc = begin(&s);
    if (!rc && s.keylog)
        rc = try_log(&s);
    if (!rc)
        rc = open_and_loop(&s);
    group_end(&s.group);
    return rc;
}
