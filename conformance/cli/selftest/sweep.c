/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/cli/selftest/sweep.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/cli/args.h"
#include "conformance/cli/selftest/apart.h"
#include "conformance/cli/selftest/sent.h"
#include "conformance/cli/selftest/sweep_doc.h"
#include "conformance/cli/target/target.h"
#include "conformance/harness/run/outside.h"
#include "conformance/harness/run/runner.h"
#include "conformance/report/outfile.h"
#include "conformance/report/run_json.h"
#include "conformance/violate/mutate.h"
#include "wire/class.h"

/* What becomes of a mutant. The tests run in a process of their own and write it down here. */
struct outcome {
    struct uet_apart apart;
    struct uet_impaired impaired;
    char killer[100];
};

struct sweep {
    struct uet_target target;
    struct uet_session session;
    struct uet_impairment mutant;
    const struct uet_test **tests;
    size_t n_tests;
    struct uet_sent *sent;       /* in which of them */
    size_t *order;               /* their numbers; who has noticed a mutant lately comes first */
    const struct uet_test **try; /* those in which something is altered, in that order */
    size_t n_try;
    struct outcome *of;
    uint64_t every, n_seen; /* each so many of n_seen is tried */
    bool verbose;
    FILE *say; /* what is for a person: standard error when a report takes standard output */
    size_t n_mutants, n_killed, n_not_sent, n_permitted;
    json_t *survivors, *unsent;
};

static void prepare(void *ctx)
{
    struct sweep *s = ctx;

    uet_fep_ref_impair(s->target.ref, &s->mutant, &s->of->impaired);
}

static void on_begin(void *ctx, const struct uet_test *test)
{
    struct sweep *s = ctx;

    uet_apart_begin(&s->of->apart, test->id);
}

/* The first test that notices ends the run. */
static int on_done(void *ctx, const struct uet_result *r)
{
    struct sweep *s = ctx;

    if (r->verdict != UET_FAIL && !uet_outside_fails(r, s->session.strict))
        return 0;
    snprintf(s->of->killer, sizeof(s->of->killer), "%s", r->id);
    return 1;
}

/* The field that is altered, or what is done to the packet. */
static const char *what(const struct uet_impairment *v)
{
    static const char *const done[] = {[UET_IMPAIR_DROP] = "dropped",
                                       [UET_IMPAIR_DUPLICATE] = "duplicated",
                                       [UET_IMPAIR_DELAY] = "delayed"};

    return v->action == UET_IMPAIR_XOR ? v->field : done[v->action];
}

/* Nobody noticed the mutant. */
static int survives(struct sweep *s, const struct uet_impairment *v)
{
    const char *header = uet_class_name(v->packets), *why = uet_permitted(header, what(v));

    if (why && s->verbose)
        fprintf(s->say, "permitted %s %s: %s\n", header, what(v), why);
    if (!why)
        fprintf(s->say, "SURVIVES  %s %s\n", header, what(v));
    s->n_permitted += why != NULL;
    return json_array_append_new(
        s->survivors, json_pack("{ssssss?}", "header", header, "what", what(v), "permitted", why));
}

/* ---- which tests ---- */

static void choose(struct sweep *s, uint8_t packets)
{
    s->n_try = 0;
    for (size_t i = 0; i < s->n_tests; i++)
        if (uet_sent_in(s->sent, s->order[i], packets))
            s->try[s->n_try++] = s->tests[s->order[i]];
}

/* It has noticed a mutant, and will notice others of its kind. */
static void to_the_front(struct sweep *s, const char *killer)
{
    size_t at = 0;

    while (at < s->n_tests && strcmp(s->tests[s->order[at]]->id, killer) != 0)
        at++;
    if (at == s->n_tests)
        return; /* what the tests broke beside their subject has a name of its own */
    size_t test = s->order[at];
    memmove(s->order + 1, s->order, at * sizeof(s->order[0]));
    s->order[0] = test;
}

/* ---- one mutant ---- */

/* In a process of its own. */
static int run_here(void *ctx)
{
    struct sweep *s = ctx;
    const struct uet_selection all = {.no_gate = true};
    const struct uet_run_events events = {.ctx = s, .begin = on_begin, .done = on_done};
    struct uet_summary summary = {0};

    uet_fep_ref_watch(s->target.ref, &s->of->apart.inside);
    return uet_run_tests(&s->session, &all, s->try, s->n_try, &events, &summary) < 0 ? 1 : 0;
}

static void killed(struct sweep *s, const struct uet_impairment *v, const char *killer)
{
    s->n_killed++;
    to_the_front(s, killer);
    if (s->verbose)
        fprintf(s->say, "killed    %s %s: %s\n", uet_class_name(v->packets), what(v), killer);
}

static void not_sent(struct sweep *s, const struct uet_impairment *v)
{
    s->n_not_sent++;
    if (s->verbose)
        fprintf(s->say, "not sent  %s %s\n", uet_class_name(v->packets), what(v));
}

static int try_mutant(struct sweep *s, const struct uet_impairment *v)
{
    struct outcome *o = s->of;
    int rc = 0;

    if (s->n_seen++ % s->every != s->session.seed % s->every)
        return 0;
    s->mutant = *v;
    *o = (struct outcome){0};
    choose(s, v->packets);
    if (s->n_try > 0)
        rc = uet_apart_run(&o->apart, run_here, s, s->session.ceiling_s + 1);
    bool lost = rc == -ETIME || rc == -ECHILD;
    if (rc && !lost)
        return rc;
    s->n_mutants++;
    if (lost && !o->apart.inside)
        fprintf(s->say, "SURVIVES  %s %s: the tester did not come back from %s\n",
                uet_class_name(v->packets), what(v), o->apart.test);
    else if (o->killer[0] || lost)
        killed(s, v, lost ? o->apart.test : o->killer);
    else if (o->impaired.harmed > 0)
        return survives(s, v);
    else
        not_sent(s, v);
    return 0;
}

/* ---- all of them ---- */

/* Where the fields of a header stand in a packet; false for headers below PDS. */
static bool place_of(size_t id, uint8_t *place)
{
    const struct uet_header *h = &uet_headers[id];

    if (h->layer != UET_LAYER_PDS && h->layer != UET_LAYER_SES)
        return false;
    if (id == UET_H_PDS_PROLOGUE || id == UET_H_CRC_TRAILER)
        return false; /* the one is part of the others, the other is made right again */
    *place = h->layer == UET_LAYER_SES                   ? UET_IN_SES
             : strncmp(h->name, "cp_payload", 10) == 0   ? UET_IN_CP
             : strncmp(h->name, "ack_cc_state", 12) == 0 ? UET_IN_CC
                                                         : UET_IN_PDS;
    return true;
}

/* Every field of this header, in the packets of a class. */
static int sweep_fields(struct sweep *s, struct uet_impairment v, size_t id)
{
    int rc = 0;

    v.action = UET_IMPAIR_XOR;
    v.operand = 1;
    for (size_t i = 0; i < uet_headers[id].n_fields && !rc; i++) {
        const struct uet_field *f = uet_headers[id].fields[i];

        v.field = f->name;
        if (f->width <= 64)
            rc = try_mutant(s, &v);
    }
    return rc;
}

/* What befalls whole packets of a class. */
static int sweep_packets(struct sweep *s, struct uet_impairment v)
{
    v.action = UET_IMPAIR_DROP;
    int rc = try_mutant(s, &v);
    v.action = UET_IMPAIR_DUPLICATE;
    rc = rc ? rc : try_mutant(s, &v);
    v.action = UET_IMPAIR_DELAY;
    v.operand = 2000000000; /* 2 s: past every response time */
    return rc ? rc : try_mutant(s, &v);
}

static int sweep_header(struct sweep *s, size_t id)
{
    struct uet_impairment v = {.packets = (uint8_t)(UET_CLASS_HEADER + id)};

    if (!place_of(id, &v.place))
        return 0;
    size_t n_mutants = s->n_mutants, n_not_sent = s->n_not_sent;
    int rc = sweep_fields(s, v, id);
    if (!rc && v.place != UET_IN_CC) /* as often there as its ACK */
        rc = sweep_packets(s, v);
    if (!rc && s->n_mutants - n_mutants == s->n_not_sent - n_not_sent)
        rc = json_array_append_new(s->unsent, json_string(uet_headers[id].name));
    return rc;
}

/*
 * Packets whose headers others have, too, but with a meaning of their own: what harms them alone
 * must be noticed, too. The header whose fields are altered.
 */
static const struct {
    uint8_t packets, place, header;
} apart[] = {
    {UET_CLASS_READ, UET_IN_SES, UET_H_SES_REQ_STD_SOM1},
    {UET_CLASS_READ, UET_IN_SES, UET_H_SES_REQ_STD_SOM0},
    {UET_CLASS_ACK_DATA, UET_IN_PDS, UET_H_ACK},
    {UET_CLASS_ACK_DATA, UET_IN_SES, UET_H_SES_RSP_DATA},
    {UET_CLASS_RETURN_DATA, UET_IN_PDS, UET_H_RUD_ROD_REQ},
    {UET_CLASS_RETURN_DATA, UET_IN_SES, UET_H_SES_RSP_DATA},
    {UET_CLASS_RETURN_RETX, UET_IN_PDS, UET_H_RUD_ROD_REQ},
    {UET_CLASS_RUDI_DATA, UET_IN_SES, UET_H_SES_RSP_DATA},
};

static int sweep_apart(struct sweep *s)
{
    int rc = 0;

    for (size_t i = 0; i < sizeof(apart) / sizeof(apart[0]) && !rc; i++) {
        const struct uet_impairment v = {.packets = apart[i].packets, .place = apart[i].place};
        bool again = i > 0 && apart[i].packets == apart[i - 1].packets;

        rc = sweep_fields(s, v, apart[i].header);
        if (!rc && !again)
            rc = sweep_packets(s, v);
    }
    return rc;
}

static int write_json(const struct sweep *s, const char *path)
{
    json_t *doc = json_pack("{sIsIsIsIsO}", "every", (json_int_t)s->every, "mutants",
                            (json_int_t)s->n_mutants, "killed", (json_int_t)s->n_killed, "not_sent",
                            (json_int_t)s->n_not_sent, "survivors", s->survivors);
    char err[600];

    if (uet_json_write(doc, path, err, sizeof(err)) == 0)
        return 0;
    return uet_setup_error("selftest", "%s", err);
}

/*
 * The FEP has sent something before it is broken, whichever test comes first then: its very first
 * message_id is 1, which a mutant would make 0, and that alone is none (SES-030).
 */
static int begin_work(struct sweep *s)
{
    const struct uet_selection all = {0};
    const struct uet_run_events nobody = {0};
    struct uet_summary summary = {0};
    size_t n = 0;

    while (n < s->n_tests && s->tests[n]->sanity)
        n++;
    return uet_run_tests(&s->session, &all, s->tests, n, &nobody, &summary);
}

/* The tests, and what is sent in them. 0, or 2 with a line of why. */
static int learn(struct sweep *s)
{
    const struct uet_selection all = {0};

    s->session.dut = &s->target.dut;
    s->session.port = s->target.port;
    s->session.ut = s->target.ut;
    s->tests = uet_select(&all, &s->n_tests);
    s->try = calloc(s->n_tests + 1, sizeof(s->try[0]));
    s->order = calloc(s->n_tests + 1, sizeof(s->order[0]));
    if (!s->tests || !s->try || !s->order)
        return uet_setup_error("selftest", "not enough memory");
    for (size_t i = 0; i < s->n_tests; i++)
        s->order[i] = i;
    if (begin_work(s) < 0)
        return uet_setup_error("selftest", "the sanity tests did not end");
    s->sent = uet_sent_learn(&s->target, &s->session, s->tests, s->n_tests);
    s->session.prepare = prepare;
    s->session.prepare_ctx = s;
    return s->sent ? 0 : uet_setup_error("selftest", "the run without a mutant did not end");
}

static int sweep(struct sweep *s, const char *json, const char *doc)
{
    int rc = 0;

    s->survivors = json_array();
    s->unsent = json_array();
    for (size_t id = 1; id < uet_n_headers && !rc; id++)
        rc = sweep_header(s, id);
    rc = rc ? rc : sweep_apart(s);
    size_t alive = s->n_mutants - s->n_killed - s->n_not_sent - s->n_permitted;
    uet_sweep_tell_part(s->say, s->every, s->n_seen, "mutants");
    fprintf(s->say, "%zu mutants, %zu killed, %zu never sent, %zu survive by right, %zu survive\n",
            s->n_mutants, s->n_killed, s->n_not_sent, s->n_permitted, alive);
    if (!rc && json)
        rc = write_json(s, json);
    if (!rc && doc)
        rc = uet_sweep_doc(doc, s->survivors, s->unsent);
    json_decref(s->survivors);
    json_decref(s->unsent);
    return rc ? 2 : alive > 0;
}

void uet_sweep_tell_part(FILE *say, uint64_t every, uint64_t n, const char *of)
{
    if (every > 1)
        fprintf(say, "a part: one of %llu of %llu %s; another --seed has others\n",
                (unsigned long long)every, (unsigned long long)n, of);
}

int uet_sweep(const struct uet_sweep_how *how)
{
    struct sweep *s = calloc(1, sizeof(*s));
    char err[512];
    int status = 2;

    if (s)
        s->of = uet_apart_memory(sizeof(*s->of));
    if (!s || !s->of) {
        free(s);
        return uet_setup_error("selftest", "not enough memory");
    }
    uet_session_default(&s->session);
    s->session.seed = how->seed;
    s->session.ceiling_s = how->ceiling_s;
    s->session.strict = true; /* a finding notices, too */
    s->every = how->every;
    s->verbose = how->verbose;
    s->say = uet_outfile_is_stdout(how->json) || uet_outfile_is_stdout(how->doc) ? stderr : stdout;
    if (uet_target_open(&s->target, "ref", how->seed, err, sizeof(err)) == 0) {
        status = learn(s);
        if (status == 0)
            status = sweep(s, how->json, how->doc);
        uet_sent_free(s->sent);
        free(s->order);
        free(s->try);
        free(s->tests);
        uet_target_close(&s->target);
    } else {
        uet_setup_error("selftest", "%s", err);
    }
    uet_apart_free(s->of, sizeof(*s->of));
    free(s);
    return status;
}
