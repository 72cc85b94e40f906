/* SPDX-License-Identifier: BSD-2-Clause */
#include "interop/cell.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "interop/endpoint.h"
#include "interop/evidence.h"
#include "interop/judge.h"
#include "interop/net.h"
#include "ut/verbs.h"

const char *const verdict_words[CELL_VERDICTS] = {"pass", "fail", "unsupported", "not-shown",
                                                  "error"};

#define UNSUPPORTED 127
#define READY_MS    20000     /* an endpoint is ready by then */
#define END_MS      30000     /* and has ended so long after SIGTERM: it writes what has come */
#define KEEP_MAX    (8 << 20) /* a longer capture of a cell that passed is not kept */

struct run {
    const struct cell *cell;
    enum verdict verdict;
    json_t *reasons, *result;
    char scratch[64];
    struct net net;
    struct process relay;
    struct endpoint client, server;
    struct content to_server, to_client;
    uint64_t began; /* ms */
    bool stopped;
};

static uint64_t now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* ---- verdict ---- */

/* The worst verdict stays: by this order, which is not that of the words. */
static bool worse(enum verdict a, enum verdict b)
{
    static const int order[] = {[CELL_PASS] = 0,
                                [CELL_NOT_SHOWN] = 1,
                                [CELL_FAIL] = 2,
                                [CELL_UNSUPPORTED] = 3,
                                [CELL_ERROR] = 4};

    return order[a] > order[b];
}

/* Notes why; returns false, for steps after which the cell does not go on. */
__attribute__((format(printf, 4, 5))) static bool note(struct run *run, enum verdict verdict,
                                                       const char *by, const char *format, ...)
{
    char text[600];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    if (worse(verdict, run->verdict))
        run->verdict = verdict;
    json_array_append_new(run->reasons, json_pack("{s:s, s:s, s:s}", "by", by, "verdict",
                                                  verdict_words[verdict], "text", text));
    return false;
}

/* ---- steps before ---- */

static void plan_content(struct run *run)
{
    const struct interop_case *c = run->cell->of;
    const bool small = run->cell->small && c->lengths_small.n > 0;
    const uint64_t key = c->mode == UET_UT_MODE_RUDI ? ENDPOINT_KEY_I : ENDPOINT_KEY;
    struct content *a = &run->to_server, *b = &run->to_client;

    a->n = case_lengths(small ? &c->lengths_small : &c->lengths, a->lengths);
    a->jobs = c->jobs;
    for (int i = 0; i < a->n; i++)
        a->keys[i] = key + (uint64_t)i;
    a->seed = run->cell->seed;
    *b = *a;
    b->seed++;
    if (c->direction != FROM_SERVER) {
        run->client.sends = a;
        run->server.receives = a;
    }
    if (c->direction != TO_SERVER) {
        run->server.sends = b;
        run->client.receives = b;
    }
}

static bool prepare(struct run *run)
{
    char err[300];
    int rc;

    snprintf(run->scratch, sizeof(run->scratch), "/tmp/uetinterop-XXXXXX");
    if (!mkdtemp(run->scratch)) {
        run->scratch[0] = '\0';
        return note(run, CELL_ERROR, "runner", "/tmp: %s", strerror(errno));
    }
    rc = endpoint_prepare(&run->client, run->scratch);
    if (rc == 0)
        rc = endpoint_prepare(&run->server, run->scratch);
    if (rc)
        return note(run, CELL_ERROR, "runner", "%s: %s", run->scratch, strerror(-rc));
    if (net_make(&run->net, err, sizeof(err)))
        return note(run, CELL_ERROR, "runner", "%s", err);
    run->client.namespace = run->net.client;
    run->server.namespace = run->net.server;
    return true;
}

/* ---- the relay ---- */

enum { RELAY_ARGUMENTS = 24 + 2 * TEXTS_MAX };

static bool start_relay(struct run *run)
{
    const struct interop_case *c = run->cell->of;
    char program[PATH_LENGTH], left[PATH_LENGTH], right[PATH_LENGTH], counters[PATH_LENGTH],
        ready[PATH_LENGTH], log[PATH_LENGTH], seed[16];
    const char *const fixed[] = {path_of(program, "%s/uetrelay", run->cell->bin),
                                 "--left",
                                 NET_LEFT,
                                 "--right",
                                 NET_RIGHT,
                                 "--seed",
                                 seed,
                                 "--capture-left",
                                 path_of(left, "%s/client.pcapng", run->cell->folder),
                                 "--capture-right",
                                 path_of(right, "%s/server.pcapng", run->cell->folder),
                                 "--counters",
                                 path_of(counters, "%s/relay.json", run->cell->folder),
                                 "--ready",
                                 path_of(ready, "%s/relay.ready", run->scratch)};
    char *arguments[RELAY_ARGUMENTS] = {NULL};
    size_t n = 0;

    snprintf(seed, sizeof(seed), "%" PRIu32, run->cell->seed);
    for (; n < sizeof(fixed) / sizeof(*fixed); n++)
        arguments[n] = (char *)(uintptr_t)fixed[n];
    for (size_t i = 0; i < c->plan.n; i++) {
        arguments[n++] = (char *)(uintptr_t) "--plan";
        arguments[n++] = (char *)(uintptr_t)c->plan.text[i];
    }
    const struct launch launch = {arguments, environ, NULL,
                                  path_of(log, "%s/relay.log", run->cell->folder), -1};
    if (!process_start(&run->relay, &launch))
        return note(run, CELL_ERROR, "relay", "cannot be started");
    for (int ms = 0; ms < 5000 && !file_exists(ready); ms++) {
        if (process_ended(&run->relay))
            return note(run, CELL_ERROR, "relay", "ended with %d at its start: relay.log",
                        run->relay.status);
        usleep(1000);
    }
    return file_exists(ready) || note(run, CELL_ERROR, "relay", "is not ready after 5 s");
}

/*
 * What the relay itself has lost, as one that is too slow for a burst, is a loss as any other, and
 * it stands in its counters.
 */
static bool only_lost(const struct run *run)
{
    char path[PATH_LENGTH];
    json_t *counters = json_load_file(path_of(path, "%s/relay.json", run->cell->folder), 0, NULL);
    const bool lost = json_is_object(json_object_get(counters, "own_losses")) &&
                      json_is_false(json_object_get(counters, "clean"));

    json_decref(counters);
    return lost;
}

static void stop_relay(struct run *run)
{
    if (run->relay.pid == 0)
        return;
    process_stop(&run->relay, 5000);
    if (run->relay.status != 0 && !(run->relay.status == 1 && only_lost(run)))
        (void)note(run, CELL_ERROR, "relay", "ended with %d: relay.log", run->relay.status);
}

/* ---- endpoints ---- */

static const char *name_of(const struct endpoint *e)
{
    return e->server ? "server" : "client";
}

/* Looks at an endpoint that should still run, or be done; false: it has failed. */
static bool look(struct run *run, struct endpoint *e, bool may_end)
{
    if (e->process.pid && !process_ended(&e->process))
        return true;
    if (e->process.status == UNSUPPORTED)
        return note(run, CELL_UNSUPPORTED, name_of(e), "says that it cannot do this (127)");
    if (e->process.status == 0 && may_end)
        return true;
    return note(run, CELL_FAIL, name_of(e), "ended with %d too early: %s.log", e->process.status,
                name_of(e));
}

/* Sleeps a little; false: the time of the case is over, or somebody has ended the run. */
static bool go_on(struct run *run, uint64_t until, const char *what)
{
    if (run->cell->stop && *run->cell->stop) {
        run->stopped = true;
        return false;
    }
    if (now_ms() > until)
        return note(run, CELL_FAIL, "time", "%s", what);
    usleep(2000);
    return true;
}

static uint64_t until(const struct run *run, double ms)
{
    return now_ms() + (uint64_t)(ms * run->cell->slow);
}

static bool start(struct run *run, struct endpoint *e, int first, int end, bool gets_ready)
{
    const uint64_t limit = until(run, READY_MS);

    if (!endpoint_start(e, first, end))
        return note(run, CELL_ERROR, "runner", "the %s cannot be started", name_of(e));
    while (gets_ready && !endpoint_told(e, "ready"))
        if (!look(run, e, false) ||
            !go_on(run, limit, e->server ? "the server is not ready" : "the client is not ready"))
            return false;
    return true;
}

/* An endpoint is done when it says so, or has ended well by itself. */
static bool is_done(const struct endpoint *e)
{
    return e->process.pid == 0 || endpoint_told(e, "done");
}

static bool wait_done(struct run *run, bool server_acts)
{
    const uint64_t limit = until(run, 1000.0 * run->cell->of->timeout_s);

    while (!is_done(&run->client) || (server_acts && !is_done(&run->server)))
        if (!look(run, &run->client, true) || !look(run, &run->server, false) ||
            !go_on(run, limit, "the case is not done in its time"))
            return false;
    return true;
}

static bool stop(struct run *run, struct endpoint *e)
{
    process_stop(&e->process, (int)(END_MS * run->cell->slow));
    return e->process.status == 0 ||
           note(run, CELL_FAIL, name_of(e), "ended with %d: %s.log", e->process.status, name_of(e));
}

/* ---- the ways through a case ---- */

static void forget_ready(const struct endpoint *e)
{
    char path[PATH_LENGTH];

    unlink(path_of(path, "%s/ready", e->folder));
}

/* The client is told the keys that the server's FEP has chosen itself. */
static bool take_keys(struct run *run)
{
    char path[PATH_LENGTH], why[200];
    struct content *content =
        run->cell->of->direction == FROM_SERVER ? &run->to_client : &run->to_server;

    return content_take_keys(content, path_of(path, "%s/ready", run->server.folder), why,
                             sizeof(why)) ||
           note(run, CELL_FAIL, "server", "UET_READY: %s", why);
}

/* The server is ended in the middle, without a word to its peer, and started again. */
static bool with_server_restarted(struct run *run)
{
    const int n = run->to_server.n, half = n / 2;
    const uint64_t limit = until(run, 1000.0 * run->cell->of->timeout_s);

    if (!start(run, &run->server, 0, half, true) || !take_keys(run) ||
        !start(run, &run->client, 0, n, false))
        return false;
    while (!endpoint_told(&run->client, "paused"))
        if (!look(run, &run->client, false) || !look(run, &run->server, false) ||
            !go_on(run, limit, "the first half is not done in its time"))
            return false;
    if (!stop(run, &run->server))
        return false;
    forget_ready(&run->server);
    if (!start(run, &run->server, half, n, true))
        return false;
    endpoint_let_go(&run->client);
    return wait_done(run, false);
}

/* The client is gone in the middle, its PDCs are not closed, and it comes again. */
static bool with_client_restarted(struct run *run)
{
    const int n = run->to_server.n, half = n / 2;
    char path[PATH_LENGTH];

    if (!start(run, &run->server, 0, n, true) || !take_keys(run) ||
        !start(run, &run->client, 0, half, false) || !wait_done(run, false) ||
        !stop(run, &run->client))
        return false;
    unlink(path_of(path, "%s/done", run->client.folder));
    return start(run, &run->client, half, n, false) && wait_done(run, false);
}

static bool through(struct run *run)
{
    const bool both = run->cell->of->direction == BOTH_WAYS;
    const int n = run->to_server.n;

    if (run->cell->of->restart == RESTART_SERVER)
        return with_server_restarted(run);
    if (run->cell->of->restart == RESTART_CLIENT)
        return with_client_restarted(run);
    if (!start(run, &run->server, 0, n, true) || !take_keys(run) ||
        !start(run, &run->client, 0, n, both))
        return false;
    if (both) {
        endpoint_let_go(&run->server);
        endpoint_let_go(&run->client);
    }
    return wait_done(run, both);
}

/* ---- what came of it ---- */

static void compare(struct run *run, const struct endpoint *from, const struct endpoint *to)
{
    const uint8_t operation = run->cell->of->operation;
    const bool by_name = operation != OP_SEND && operation != OP_RENDEZVOUS_SEND;
    char sent[PATH_LENGTH], arrived[PATH_LENGTH], why[200];
    int wrong;

    if (!from->sends)
        return;
    wrong = content_compare(from->sends, path_of(sent, "%s/in", from->folder),
                            path_of(arrived, "%s/out", to->folder), by_name, why, sizeof(why));
    json_object_set_new(run->result, from->server ? "to_client" : "to_server",
                        json_pack("{s:i, s:i}", "files", from->sends->n, "wrong", wrong));
    if (wrong)
        (void)note(run, CELL_FAIL, "bytes", "%d of %d files of the %s are not there as sent: %s",
                   wrong, from->sends->n, name_of(from), why);
}

/* A target of datagrams says nothing. */
static bool speaks(const struct interop_case *c, bool server)
{
    return c->mode != UET_UT_MODE_UUD || !server || c->direction == BOTH_WAYS;
}

static void judge(struct run *run, bool server)
{
    const char *name = server ? "server" : "client";
    char err[400];
    json_t *side = judge_side(run->cell, server, err, sizeof(err));
    const json_t *first = json_object_get(side, "first");

    if (!side) {
        (void)note(run, CELL_ERROR, "runner", "%s", err);
        return;
    }
    if (json_integer_value(json_object_get(side, "judged")) == 0 && speaks(run->cell->of, server))
        (void)note(run, CELL_FAIL, "capture", "the %s sent no packet that can be judged", name);
    else if (json_is_true(json_object_get(side, "must")))
        (void)note(run, CELL_FAIL, "capture",
                   "the %s breaks %s in frame %" JSON_INTEGER_FORMAT ": %s", name,
                   json_string_value(json_object_get(first, "requirement")),
                   json_integer_value(json_object_get(first, "frame")),
                   json_string_value(json_object_get(first, "message")));
    json_object_set_new(run->result, server ? "server_capture" : "client_capture", side);
}

static void need(struct run *run, const json_t *evidence, const char *name, uint64_t least)
{
    const json_int_t n = json_integer_value(json_object_get(evidence, name));

    if (n < (json_int_t)least)
        (void)note(run, CELL_NOT_SHOWN, "evidence",
                   "%s: %" JSON_INTEGER_FORMAT ", at least %" PRIu64 " are needed", name, n, least);
}

/* Did happen what the case is about? */
static void look_for_evidence(struct run *run)
{
    const struct interop_case *c = run->cell->of;
    char counters[PATH_LENGTH], capture[PATH_LENGTH], err[400], name[32];
    uint64_t least;
    json_t *evidence;

    path_of(counters, "%s/relay.json", run->cell->folder);
    path_of(capture, "%s/client.pcapng", run->cell->folder);
    evidence = evidence_read(counters, capture, err, sizeof(err));
    if (!evidence) {
        (void)note(run, CELL_ERROR, "runner", "%s", err);
        return;
    }
    for (size_t i = 0; i < c->needs.n; i++)
        if (case_need(c->needs.text[i], name, &least))
            need(run, evidence, name, least);
    need(run, evidence, c->ip == IP_6 ? "ipv6" : "ipv4", 1);
    need(run, evidence, c->encapsulation == OVER_IP ? "native" : "udp", 1);
    if (c->protect == PROTECT_CRC)
        need(run, evidence, "crc", 1);
    json_object_set_new(run->result, "evidence", evidence);
}

static void drop_capture(const struct run *run, const char *name)
{
    char path[PATH_LENGTH];
    struct stat st;

    path_of(path, "%s/%s.pcapng", run->cell->folder, name);
    if (!run->cell->keep && stat(path, &st) == 0 && st.st_size > KEEP_MAX)
        unlink(path);
}

static void sum_up(struct run *run, bool went)
{
    if (run->stopped || run->verdict == CELL_ERROR || run->verdict == CELL_UNSUPPORTED)
        return;
    if (went) {
        compare(run, &run->client, &run->server);
        compare(run, &run->server, &run->client);
    }
    look_for_evidence(run);
    judge(run, false);
    judge(run, true);
    if (run->verdict == CELL_PASS) {
        drop_capture(run, "client");
        drop_capture(run, "server");
    }
}

/* ---- the result ---- */

static json_t *result_of(struct run *run)
{
    const struct cell *cell = run->cell;

    json_object_set_new(run->result, "client", json_string(cell->client->name));
    json_object_set_new(run->result, "server", json_string(cell->server->name));
    json_object_set_new(run->result, "case", json_string(cell->of->id));
    json_object_set_new(run->result, "verdict", json_string(verdict_words[run->verdict]));
    json_object_set(run->result, "reasons", run->reasons);
    json_object_set_new(run->result, "seconds",
                        json_real((double)(now_ms() - run->began) / 1000.0));
    return run->result;
}

json_t *cell_unclaimed(const struct cell *cell)
{
    struct run run = {
        .cell = cell, .reasons = json_array(), .result = json_object(), .began = now_ms()};
    const char *client = implementation_lacks(cell->client, cell->of, false);
    const char *server = implementation_lacks(cell->server, cell->of, true);
    json_t *result = NULL;

    if (client)
        (void)note(&run, CELL_UNSUPPORTED, "client", "its manifest claims %s", client);
    if (server)
        (void)note(&run, CELL_UNSUPPORTED, "server", "its manifest claims %s", server);
    if (client || server)
        result = json_incref(result_of(&run));
    json_decref(run.reasons);
    json_decref(run.result);
    return result;
}

static void end_all(struct run *run)
{
    process_kill(&run->client.process);
    process_kill(&run->server.process);
    stop_relay(run);
    process_end_rest();
    net_close(&run->net);
}

json_t *cell_run(const struct cell *cell)
{
    struct run *run = calloc(1, sizeof(*run));
    json_t *result = NULL;
    bool went;

    if (!run)
        return NULL;
    *run = (struct run){.cell = cell,
                        .reasons = json_array(),
                        .result = json_object(),
                        .net = {-1, -1},
                        .client = {.cell = cell, .im = cell->client},
                        .server = {.cell = cell, .im = cell->server, .server = true},
                        .began = now_ms()};
    process_adopt();
    plan_content(run);
    went = prepare(run) && start_relay(run) && through(run);
    went = went && stop(run, &run->client) && stop(run, &run->server);
    if (!went && cell->stop && *cell->stop) /* whatever went wrong: it was ended */
        run->stopped = true;
    end_all(run);
    sum_up(run, went);
    if (!run->stopped)
        result = json_incref(result_of(run));
    json_decref(run->reasons);
    json_decref(run->result);
    if (run->scratch[0])
        folder_remove(run->scratch);
    free(run);
    return result;
}
