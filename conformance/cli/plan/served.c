/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/cli/plan/served.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/cli/target/target.h"
#include "ut/known.h"

enum { REFUSALS = 64 };

/* An argument, and the one value of it that is refused (NULL: any). */
struct refusal {
    const char *verb; /* "send": of every operation */
    char key[24];
    const char *value;
};

struct uet_served {
    json_t *told; /* the reply to `hello` */
    struct refusal refusals[REFUSALS];
    size_t n;
    struct uet_ut *ref; /* of the reference FEP, which answers what is not refused */
    const struct uet_session *full, *narrowed;
    struct uet_served_counts *counts;
};

struct uet_served *uet_served_new(struct uet_ut *ut)
{
    struct uet_served *s = calloc(1, sizeof(*s));

    if (s && uet_ut_call(ut, json_pack("{s:s}", "verb", "hello"), &s->told) == 0)
        return s;
    uet_served_free(s);
    return NULL;
}

void uet_served_free(struct uet_served *s)
{
    if (s)
        json_decref(s->told);
    free(s);
}

void uet_served_note(struct uet_served *s, const struct uet_adapter_result *r)
{
    if (r->how != UET_ADAPTER_REFUSED || !r->asks || s->n == REFUSALS)
        return;
    struct refusal *one = &s->refusals[s->n++];
    const char *equals = strchr(r->asks, '=');

    one->verb = r->verb;
    one->value = equals ? equals + 1 : NULL;
    snprintf(one->key, sizeof(one->key), "%.*s", (int)strcspn(r->asks, "="), r->asks);
}

/* ---- an upper tester that can no more than that ---- */

static bool lists(const struct uet_served *s, const char *key, const char *name, bool untold)
{
    const json_t *list = json_object_get(s->told, key);
    bool found = !list && untold;

    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *text = json_string_value(json_array_get(list, i));

        found |= text && strcmp(text, name) == 0;
    }
    return found;
}

/* Absent, it is false, or zero: what an argument of text or of any number has not. */
static bool has_value(const json_t *value, const char *wanted)
{
    if (!wanted)
        return value && !json_is_null(value);
    if (strcmp(wanted, "false") == 0)
        return !json_is_true(value);
    return json_is_string(value) && strcmp(json_string_value(value), wanted) == 0;
}

static bool is_refused(const struct uet_served *s, const json_t *request, const char *verb,
                       const char **what)
{
    const struct uet_ut_verb *known = uet_ut_known_find(verb);
    const json_t *mode = json_object_get(request, "mode");
    const char *mode_name = json_is_string(mode) ? json_string_value(mode) : "rud";

    *what = verb;
    if (!lists(s, "verbs", verb, false))
        return true;
    *what = "mode";
    if (known && known->operation && !lists(s, "modes", mode_name, strcmp(mode_name, "rud") == 0))
        return true;
    for (size_t i = 0; i < s->n; i++) {
        const struct refusal *r = &s->refusals[i];
        bool of_all = strcmp(r->verb, "send") == 0 && known && known->operation;

        *what = r->key;
        if ((of_all || strcmp(r->verb, verb) == 0) &&
            has_value(json_object_get(request, r->key), r->value))
            return true;
    }
    return false;
}

/* The verbs and modes are its own, all else that of the reference FEP. */
static void narrow(const struct uet_served *s, json_t *reply)
{
    static const char *const keys[] = {"verbs", "modes"};

    for (size_t i = 0; i < 2; i++) {
        json_t *own = json_object_get(s->told, keys[i]);

        if (own)
            json_object_set(reply, keys[i], own);
        else
            json_object_del(reply, keys[i]);
    }
}

static json_t *answer(void *ctx, json_t *request)
{
    struct uet_served *s = ctx;
    const char *verb = json_string_value(json_object_get(request, "verb")), *what;
    json_t *reply = NULL;

    if (verb && is_refused(s, request, verb, &what)) {
        char why[100];

        if (what == verb)
            uet_ut_not_there(verb, why, sizeof(why));
        else
            snprintf(why, sizeof(why), "\"%s\" is refused", what);
        return json_pack("{s:O, s:b, s:s}", "id", json_object_get(request, "id"), "ok", 0, "error",
                         why);
    }
    if (s->ref->ops->call(s->ref, request, &reply) == 0 && verb && strcmp(verb, "hello") == 0)
        narrow(s, reply);
    return reply;
}

/* ---- the tests ---- */

static bool is_beyond(const struct uet_served *s, const struct uet_test *test,
                      const struct uet_result *r)
{
    char why[200];
    uint8_t reason;

    return r->verdict == UET_SKIP &&
           (r->skip_reason == UET_SKIP_VERB || r->skip_reason == UET_SKIP_CLAIMED ||
            r->skip_reason == UET_SKIP_LISTED ||
            uet_tc_skips(s->narrowed, test, why, sizeof(why), &reason));
}

static int on_done(void *ctx, const struct uet_result *r)
{
    struct uet_served *s = ctx;
    const struct uet_test *test = uet_test_find(r->id);
    char why[200];
    uint8_t reason;

    if (!test || uet_tc_skips(s->full, test, why, sizeof(why), &reason) ||
        (r->verdict == UET_SKIP && !is_beyond(s, test, r)))
        return 0;
    size_t *of =
        test->role == UET_ROLE_INITIATOR ? &s->counts->of_initiator : &s->counts->of_target;
    size_t *n = test->role == UET_ROLE_INITIATOR ? &s->counts->initiator : &s->counts->target;
    ++*of;
    *n += r->verdict != UET_SKIP;
    return 0;
}

static int run(struct uet_served *s, struct uet_session *session)
{
    const struct uet_selection all = {.no_gate = true};
    const struct uet_run_events events = {.ctx = s, .done = on_done};
    struct uet_summary summary = {0};
    size_t n = 0;
    const struct uet_test **tests = uet_select(&all, &n);
    int rc = tests ? uet_run_tests(session, &all, tests, n, &events, &summary) : -ENOMEM;

    free(tests);
    return rc;
}

int uet_served_count(struct uet_served *s, bool codes, volatile sig_atomic_t *stop,
                     struct uet_served_counts *counts, char *err, size_t errlen)
{
    static struct uet_target target;
    static struct uet_session full, narrowed;
    static struct uet_dut dut;
    int rc = uet_target_open(&target, "ref", 1, err, errlen);

    if (rc)
        return rc;
    uet_session_default(&full);
    full.dut = &target.dut;
    full.port = target.port;
    full.ut = target.ut;
    full.spec = uet_target_spec(&target);
    narrowed = full;
    dut = target.dut;
    dut.claims[UET_PICS_RETURN_CODES] &= codes;
    narrowed.dut = &dut;
    narrowed.stop = stop;
    narrowed.ut = uet_ut_local(answer, s);
    *counts = (struct uet_served_counts){0};
    s->ref = target.ut;
    s->full = &full;
    s->narrowed = &narrowed;
    s->counts = counts;
    rc = narrowed.ut ? run(s, &narrowed) : -ENOMEM;
    if (rc && rc != -EINTR)
        snprintf(err, errlen, "the tests that it can serve were not counted: %s",
                 rc == -ECONNABORTED ? narrowed.ended : strerror(-rc));
    uet_ut_close(narrowed.ut);
    uet_target_close(&target);
    return rc;
}

/* ---- a rehearsal ---- */

enum { BUFFERS = 16 };

static int open_index(struct uet_ut *ut, uint32_t job_id, uint16_t pid_on_fep,
                      uint16_t resource_index, uint8_t ri_class)
{
    const struct uet_ut_service service = {.job_id = job_id,
                                           .pid_on_fep = pid_on_fep,
                                           .resource_index = resource_index,
                                           .ri_class = ri_class};

    return uet_ut_service(ut, &service);
}

static int post(struct uet_ut *ut, const struct uet_dut_receive *r)
{
    json_t *reply = NULL;
    int rc = open_index(ut, r->job_id, r->pid_on_fep, r->resource_index, UET_UT_SEND);

    if (rc)
        return rc;
    rc = uet_ut_call(ut,
                     json_pack("{s:s, s:i, s:i, s:i, s:I, s:b}", "verb", "post_recv", "job_id",
                               (int)r->job_id, "pid_on_fep", r->pid_on_fep, "resource_index",
                               r->resource_index, "length", (json_int_t)r->length, "repost", 1),
                     &reply);

    json_decref(reply);
    return rc;
}

/* What fep.yaml says stands ready, as a FEP without upper tester has it. */
static int make_ready(struct uet_ut *ut, const struct uet_dut *dut)
{
    int rc = 0;

    for (size_t i = 0; i < dut->n_memory && rc == 0; i++) {
        const struct uet_dut_memory *m = &dut->memory[i];
        const struct uet_ut_memory memory = {.job_id = m->job_id,
                                             .pid_on_fep = m->pid_on_fep,
                                             .resource_index = m->resource_index,
                                             .key = m->key,
                                             .length = (uint32_t)m->length};

        rc = open_index(ut, m->job_id, m->pid_on_fep, m->resource_index, UET_UT_RMA);
        if (!rc)
            rc = uet_ut_reg_mem(ut, &memory, NULL, NULL);
    }
    for (size_t i = 0; i < BUFFERS * dut->n_receives && rc == 0; i++)
        rc = post(ut, &dut->receives[i / BUFFERS]);
    return rc;
}

/* The reference FEP with what is told of the other. */
static void tell_as(struct uet_dut *as, const struct uet_dut *dut)
{
    memcpy(as->claims, dut->claims, sizeof(as->claims));
    as->atomics = dut->atomics;
    memcpy(as->memory, dut->memory, sizeof(as->memory));
    as->n_memory = dut->n_memory;
    memcpy(as->receives, dut->receives, sizeof(as->receives));
    as->n_receives = dut->n_receives;
    memcpy(as->params, dut->params, sizeof(as->params));
    as->n_params = dut->n_params;
    as->restart_each_test = dut->restart_each_test;
}

/* What is rehearsed, by what is told of the other FEP. */
struct rehearsed {
    struct uet_ut *ref;
    const struct uet_dut *dut;
    bool stands_ready; /* there is no upper tester */
};

/* As the command of fep.yaml would. */
static int begin_anew(void *ctx, char *why, size_t size)
{
    const struct rehearsed *r = ctx;
    int rc = uet_ut_reset(r->ref);

    if (!rc && r->stands_ready)
        rc = make_ready(r->ref, r->dut);
    snprintf(why, size, "%s", rc ? r->ref->error : "");
    return rc;
}

int uet_rehearse(const struct uet_dut *dut, struct uet_ut *ut, const struct uet_test *const *tests,
                 size_t n, const struct uet_run_events *events, char *err, size_t errlen)
{
    static struct uet_target target;
    static struct uet_session session;
    const struct uet_selection all = {.no_gate = true};
    struct uet_summary summary = {0};
    struct uet_served *s = NULL;
    const struct uet_target_as as = {
        .seed = 1, .spec = UET_TARGET_SPEC_UNTOLD, .keys_of = dut->keys[0] ? dut : NULL};
    int rc = uet_target_open_as(&target, "ref", &as, err, errlen);

    if (rc)
        return rc;
    tell_as(&target.dut, dut);
    uet_session_default(&session);
    session.dut = &target.dut;
    session.port = target.port;
    session.spec = uet_target_spec(&target);
    if (ut && (s = uet_served_new(ut)) != NULL) {
        s->ref = target.ut;
        session.ut = uet_ut_local(answer, s);
    }
    struct rehearsed rehearsed = {.ref = target.ut, .dut = dut, .stands_ready = !ut};
    if (dut->restart_each_test) {
        session.restart = begin_anew;
        session.restart_ctx = &rehearsed;
    }
    rc = ut ? (session.ut ? 0 : -ENOMEM) : make_ready(target.ut, dut);
    if (!rc)
        rc = uet_run_tests(&session, &all, tests, n, events, &summary);
    if (rc)
        snprintf(err, errlen, "%s",
                 rc == -ECONNABORTED   ? session.ended
                 : target.ut->error[0] ? target.ut->error
                                       : strerror(-rc));
    uet_ut_close(session.ut);
    uet_served_free(s);
    uet_target_close(&target);
    session.restart_ctx = NULL; /* it ends here, and the session stays */
    return rc;
}
