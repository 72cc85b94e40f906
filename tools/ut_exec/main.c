/* SPDX-License-Identifier: BSD-2-Clause */
/* ut-exec: an upper tester made of a vendor's own commands. docs/ut-exec.md */
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/bad_option.h"
#include "tools/idle_option.h"
#include "tools/ut_exec/verbs.h"
#include "ut/descriptors.h"
#include "ut/server.h"

#define NAME "ut-exec"

static const char usage[] =
    "usage: " NAME " [--control WHERE] [--timeout MS] TEMPLATE\n"
    "An upper tester (docs/upper-tester.md) that runs a command for each verb. TEMPLATE has a\n"
    "line a verb, `VERB: COMMAND`; docs/ut-exec.md tells what a command gets and says.\n"
    "\n"
    "  --control WHERE  listen on unix:PATH or tcp:HOST:PORT; without it the line is standard\n"
    "                   input and output, as `control: exec:" NAME " TEMPLATE` in fep.yaml wants\n"
    "  --timeout MS     what a command that is no operation may take (4000)\n"
    "  --check          read the template, tell its verbs, and end\n"
    "  --help, --version\n"
    "\n"
    "Examples:\n"
    "  " NAME " --check my-nic.verbs\n"
    "  uetconform ut-check --control 'exec:" NAME " my-nic.verbs' --verbose\n";

static volatile sig_atomic_t stop;

static void on_signal(int number)
{
    (void)number;
    stop = 1;
}

struct options {
    const char *control, *template;
    unsigned long timeout_ms;
    bool check;
};

static int fail(const char *format, const char *text)
{
    fputs(NAME ": ", stderr);
    fprintf(stderr, format, text);
    fputc('\n', stderr);
    return 2;
}

static int set_timeout(struct options *o, const char *text)
{
    char *end;

    errno = 0;
    o->timeout_ms = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || o->timeout_ms < 1 || o->timeout_ms > 60000)
        return fail("--timeout: '%s' is no number from 1 to 60000", text);
    return 0;
}

/* -1: go on; else the exit status. */
static int read_options(struct options *o, int argc, char **argv)
{
    static const struct option known[] = {
        {"control", required_argument, NULL, 'c'}, {"timeout", required_argument, NULL, 't'},
        {"check", no_argument, NULL, 'k'},         {"help", no_argument, NULL, 'h'},
        {"version", no_argument, NULL, 'v'},       {NULL, 0, NULL, 0}};
    static const struct uet_idle_option idle[] = {
        {"control", "check", NULL}, {"timeout", "check", NULL}, {NULL, NULL, NULL}};
    int c, rc = 0;

    opterr = 0;
    while (!rc && (c = getopt_long(argc, argv, ":", known, NULL)) != -1) {
        if (c == 'h')
            return fputs(usage, stdout) < 0 || fflush(stdout) ? fail("%s", strerror(errno)) : 0;
        if (c == 'v')
            return printf(NAME " %s\n", UETKIT_VERSION) < 0 ? 2 : 0;
        if (c == '?' || c == ':')
            return uet_bad_option(NAME, c, argv, known);
        if (c == 'c')
            o->control = optarg;
        else if (c == 'k')
            o->check = true;
        else
            rc = set_timeout(o, optarg);
    }
    if (!rc && uet_idle_options(NAME, argc, argv, ":", known, idle, NULL) >= 0)
        rc = 2;
    if (rc)
        return rc;
    if (optind + 1 != argc)
        return fail("%s; --help tells more",
                    optind < argc ? "one TEMPLATE, not several" : "TEMPLATE is missing");
    o->template = argv[optind];
    return -1;
}

static int tell(const struct template *t)
{
    for (size_t i = 0; i < t->n; i++)
        printf("%-24s %s%s\n", t->verbs[i].verb->name, t->verbs[i].command,
               t->verbs[i].background ? " &" : "");
    if (t->ignored)
        printf("%-24s %s\n", "(ignored)", t->ignored);
    return fflush(stdout) ? fail("%s", strerror(errno)) : 0;
}

static int serve(struct adapter *a, const char *control)
{
    struct uet_ut_server *server;
    char err[400];

    if (uet_ut_server_open(&server, control, err, sizeof(err)) != 0)
        return fail("--%s", err);
    printf(NAME ": ready\n");
    fflush(stdout);
    while (!stop) {
        struct pollfd polls[UET_UT_SERVER_FDS];

        uet_ut_server_poll(server, adapter_handle, a);
        if (uet_ut_server_wait(server, polls))
            poll(polls, UET_UT_SERVER_FDS, -1);
    }
    uet_ut_server_close(server);
    return 0;
}

int main(int argc, char **argv)
{
    struct options o = {.timeout_ms = 4000};
    struct template t;
    struct adapter a = {.template = &t, .next_handle = 1};
    const struct sigaction on_end = {.sa_handler = on_signal}; /* no SA_RESTART: ends getline */
    char err[400];
    int rc = uet_hold_descriptors() ? read_options(&o, argc, argv) : 2;

    if (rc >= 0)
        return rc;
    rc = template_read(&t, o.template, err, sizeof(err)) ? fail("%s", err) : 0;
    if (!rc && o.check) {
        rc = tell(&t);
    } else if (!rc) {
        a.timeout_ms = (int)o.timeout_ms;
        a.ended = json_array();
        sigaction(SIGINT, &on_end, NULL);
        sigaction(SIGTERM, &on_end, NULL);
        signal(SIGPIPE, SIG_IGN);
        if (o.control)
            rc = serve(&a, o.control);
        else
            uet_ut_speak(adapter_handle, NULL, &a, &stop);
        adapter_end(&a);
    }
    template_free(&t);
    return rc;
}
