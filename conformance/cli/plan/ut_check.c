/* SPDX-License-Identifier: BSD-2-Clause */
/* uetconform ut-check: an upper tester by itself, before any packet is judged. */
#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/adapter/adapter.h"
#include "conformance/cli/args.h"
#include "conformance/cli/commands.h"
#include "conformance/cli/plan/served.h"
#include "conformance/report/outfile.h"
#include "tools/idle_option.h"

static const char help[] =
    "usage: uetconform ut-check --control WHERE [--peer WHERE] [OPTIONS]\n"
    "       uetconform ut-check --fep FILE.yaml [--peer WHERE] [OPTIONS]\n"
    "Tries an upper tester (docs/upper-tester.md) verb by verb: what works, what it refuses, and\n"
    "what it answers otherwise than the page says. No packet is looked at. The FEP is reset on\n"
    "the way: let nobody else use it.\n\n"
    "  --control W    where the upper tester is: the path of a socket, tcp:HOST:PORT, or\n"
    "                 exec:COMMAND, which is started for this\n"
    "  --fep F        take it (control) from this fep.yaml\n"
    "  --peer W       that of a second FEP, which the first one reaches: operations are started\n"
    "                 at the first, and their bytes looked for at the second\n"
    "  --verb V       only the checks of that verb\n"
    "  --wait MS      how long an operation may take (default 2000)\n"
    "  --no-tests     do not find out how many tests of the suite remain\n"
    "  --json F       the results for a machine; - is standard output\n"
    "  --verbose      also a line for each check that works\n\n"
    "A verb that is refused or not there is no mistake: tests that need it are skipped, and the\n"
    "suite says so. With --peer, how many tests remain is found out at the reference FEP, which\n"
    "then refuses the same: some seconds. Exit status: 0 nothing is wrong; 1 something is, or the\n"
    "upper tester went away; 2 usage or set-up; 130 interrupted.\n\n"
    "Examples:\n"
    "  uetfep --port uet1 --address 192.0.2.2 --bare --control unix:/tmp/a.sock\n"
    "  uetconform ut-check --control /tmp/a.sock\n"
    "  uetconform ut-check --control /tmp/a.sock --peer /tmp/b.sock --json ut.json\n";

struct settings {
    const char *control, *fep, *peer, *json, *verb;
    uint64_t wait_ms;
    bool verbose, no_tests;
    FILE *out; /* for a person */
};

struct tally {
    const struct settings *settings;
    unsigned how[UET_ADAPTER_HOWS];
    json_t *rows;
    struct uet_served *served;       /* NULL: the tests are not counted */
    struct uet_served_counts counts; /* of them, once they are */
    bool counted;
    const char *verb; /* of the row before */
};

static volatile sig_atomic_t stopped;

static void on_signal(int number)
{
    (void)number;
    stopped = 1;
}

static bool set_option(struct settings *s, int c)
{
    switch (c) {
    case 'c':
        return uet_args_once("ut-check", "control", optarg, &s->control);
    case 'f':
        return uet_args_once("ut-check", "fep", optarg, &s->fep);
    case 'p':
        return uet_args_once("ut-check", "peer", optarg, &s->peer);
    case 'V':
        return uet_args_once("ut-check", "verb", optarg, &s->verb);
    case 'w':
        return uet_args_number("ut-check", "wait", optarg, 1, 600000, &s->wait_ms);
    case 'j':
        return uet_args_once("ut-check", "json", optarg, &s->json);
    case 'n':
        s->no_tests = true;
        return true;
    case 'v':
        s->verbose = true;
        return true;
    default:
        return false;
    }
}

/* ---- what is told ---- */

/* A verb is one block: its name once, a line for each check that has something to say. */
static void on_done(void *ctx, const struct uet_adapter_result *r)
{
    struct tally *tally = ctx;
    const struct settings *s = tally->settings;
    bool quiet = r->how == UET_ADAPTER_WORKS && !s->verbose;

    tally->how[r->how]++;
    if (tally->served)
        uet_served_note(tally->served, r);
    json_array_append_new(tally->rows,
                          json_pack("{s:s, s:s, s:s, s:s}", "verb", r->verb, "check", r->what,
                                    "result", uet_adapter_hows[r->how], "text", r->text));
    if (quiet)
        return;
    fprintf(s->out, "%-23s %-9s  %s\n",
            tally->verb && strcmp(tally->verb, r->verb) == 0 ? "" : r->verb,
            uet_adapter_hows[r->how], r->what);
    if (r->text[0])
        fprintf(s->out, "%35s%s\n", "", r->text);
    tally->verb = r->verb;
}

static void put_totals(const struct tally *tally, int rc)
{
    FILE *out = tally->settings->out;

    fprintf(out, "%s%u checks work, %u refused, %u not there, %u wrong", tally->verb ? "\n" : "",
            tally->how[UET_ADAPTER_WORKS], tally->how[UET_ADAPTER_REFUSED],
            tally->how[UET_ADAPTER_ABSENT], tally->how[UET_ADAPTER_WRONG]);
    if (tally->how[UET_ADAPTER_NOT_TRIED])
        fprintf(out, ", %u not tried: they take a second FEP (--peer)",
                tally->how[UET_ADAPTER_NOT_TRIED]);
    fputc('\n', out);
    if (tally->counted)
        fprintf(out,
                "it can serve %zu of %zu tests of the FEP as initiator, %zu of %zu as target\n",
                tally->counts.initiator, tally->counts.of_initiator, tally->counts.target,
                tally->counts.of_target);
    if (rc == -EPIPE)
        fputs("an upper tester went away: what comes after was not tried\n", out);
    if (rc == -EINTR)
        fputs("interrupted: what comes after was not tried\n", out);
}

static int put_json(const struct tally *tally, const char *path, bool whole)
{
    json_t *counts = json_object(), *all;
    char *text;
    FILE *out;
    int rc;

    for (int h = 0; h < UET_ADAPTER_HOWS; h++)
        json_object_set_new(counts, uet_adapter_hows[h], json_integer(tally->how[h]));
    all = json_pack("{s:b, s:o, s:O}", "whole", whole, "summary", counts, "checks", tally->rows);
    if (all && tally->counted)
        json_object_set_new(
            all, "tests",
            json_pack("{s:i, s:i, s:i, s:i}", "initiator", (int)tally->counts.initiator,
                      "of_initiator", (int)tally->counts.of_initiator, "target",
                      (int)tally->counts.target, "of_target", (int)tally->counts.of_target));
    text = all ? json_dumps(all, JSON_INDENT(2)) : NULL;
    json_decref(all);
    if (!text)
        return uet_setup_error("ut-check", "no memory left for the JSON report");
    out = uet_outfile_is_stdout(path) ? stdout : fopen(path, "w");
    rc = !out || fprintf(out, "%s\n", text) < 0;
    if (out && out != stdout)
        rc |= fclose(out) != 0;
    free(text);
    return rc ? uet_setup_error("ut-check", "--json %s: %s", path, strerror(errno)) : 0;
}

/* ---- the command ---- */

static int read_settings(struct settings *s, int argc, char **argv)
{
    static const struct option options[] = {
        {"control", required_argument, NULL, 'c'}, {"fep", required_argument, NULL, 'f'},
        {"peer", required_argument, NULL, 'p'},    {"verb", required_argument, NULL, 'V'},
        {"wait", required_argument, NULL, 'w'},    {"json", required_argument, NULL, 'j'},
        {"no-tests", no_argument, NULL, 'n'},      {"verbose", no_argument, NULL, 'v'},
        {"help", no_argument, NULL, 'h'},          {NULL, 0, NULL, 0}};
    static const struct uet_idle_option idle[] = {
        {"no-tests", NULL, "peer"}, {"no-tests", "verb", NULL}, {NULL, NULL, NULL}};
    int c;

    if (!uet_args_used("ut-check", argc, argv, options, idle))
        return 2;
    while ((c = uet_args_next("ut-check", argc, argv, options)) != -1) {
        if (c == 'h') {
            fputs(help, stdout);
            return 0;
        }
        if (c == '?' || !set_option(s, c))
            return 2;
    }
    if (!uet_args_no_more("ut-check", argc, argv))
        return 2;
    if (!s->control == !s->fep)
        return uet_usage("ut-check", "needs one of --control SOCKET and --fep FILE.yaml");
    if (s->fep && !uet_args_spares("ut-check", s->fep, s->json))
        return 2;
    return -1;
}

/* The socket; NULL, and a line written, when there is none. */
static const char *control_of(const struct settings *s, struct uet_dut *dut)
{
    char err[UET_DUT_ERRORS];

    if (!s->fep)
        return s->control;
    if (uet_dut_read(dut, s->fep, err, sizeof(err)) != 0)
        uet_setup_error("ut-check", "%s", err);
    else if (!dut->control[0])
        uet_setup_error("ut-check", "%s: no 'control': the FEP has no upper tester to check",
                        s->fep);
    else
        return dut->control;
    return NULL;
}

static bool connect_to(struct uet_ut **ut, const char *option, const char *path)
{
    static const char begins[] = "control ";
    char err[256];
    const char *why = err;
    json_t *reply = NULL;
    int rc = uet_ut_connect(ut, path, 10000, err, sizeof(err));

    /* Who says nothing to `hello` is not there. */
    if (!rc && uet_ut_told(*ut, &reply) < 0 && (*ut)->lost) {
        rc = -EPIPE;
        const char *said = (*ut)->error;

        snprintf(err, sizeof(err), "%.120s: %s%.120s", path,
                 strncmp(said, "hello:", 6) == 0 ? "" : "hello: ", said);
    }
    json_decref(reply);
    if (!rc)
        return true;
    if (strncmp(err, begins, strlen(begins)) == 0)
        why += strlen(begins);
    uet_setup_error("ut-check", "--%s %s", option, why);
    return false;
}

/* What is refused is known only when all was tried; 0, or -EINTR. */
static int count_tests(struct tally *tally, bool codes)
{
    char err[256];
    int rc = uet_served_count(tally->served, codes, &stopped, &tally->counts, err, sizeof(err));

    tally->counted = rc == 0;
    if (rc && rc != -EINTR)
        fprintf(tally->settings->out, "%s\n", err);
    return rc == -EINTR ? rc : 0;
}

static int check_it(const struct settings *s, struct uet_ut *ut, struct uet_ut *peer)
{
    struct tally tally = {.settings = s,
                          .rows = json_array(),
                          .served = peer && !s->verb && !s->no_tests ? uet_served_new(ut) : NULL};
    struct uet_adapter adapter = {.ut = ut,
                                  .peer = peer,
                                  .verb = s->verb,
                                  .wait_ms = (unsigned)s->wait_ms,
                                  .stop = &stopped,
                                  .done = on_done,
                                  .ctx = &tally};
    int rc = uet_adapter_check(&adapter);
    if (!rc && tally.served)
        rc = count_tests(&tally, adapter.tells_codes);
    int status = rc == -EINTR ? UET_EXIT_INTERRUPTED : rc || tally.how[UET_ADAPTER_WRONG] ? 1 : 0;

    if (s->verb && json_array_size(tally.rows) == 0)
        status = uet_setup_error("ut-check", "--verb %s: there is no check of it", s->verb);
    put_totals(&tally, rc);
    if (s->json && put_json(&tally, s->json, rc == 0) != 0)
        status = 2;
    json_decref(tally.rows);
    uet_served_free(tally.served);
    return status;
}

int uet_cmd_ut_check(int argc, char **argv)
{
    struct settings s = {.wait_ms = 2000, .out = stdout};
    static struct uet_dut dut;
    struct uet_ut *ut = NULL, *peer = NULL;
    int status = read_settings(&s, argc, argv);

    if (status >= 0)
        return status;
    if (s.json && uet_outfile_is_stdout(s.json))
        s.out = stderr;
    const char *control = control_of(&s, &dut);
    status = 2;
    if (control && connect_to(&ut, s.fep ? "fep" : "control", control) &&
        (!s.peer || connect_to(&peer, "peer", s.peer))) {
        signal(SIGINT, on_signal);
        signal(SIGTERM, on_signal);
        status = check_it(&s, ut, peer);
    }
    uet_ut_close(peer);
    uet_ut_close(ut);
    return status;
}
