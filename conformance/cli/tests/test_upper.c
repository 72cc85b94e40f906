/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Upper testers that know less than the suite would like. A test that needs a missing verb, mode or
 * argument is skipped (docs/upper-tester.md): it is no error of the tester's, and no failure.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "conformance/cli/target/secure.h"
#include "conformance/fep_ref.h"
#include "conformance/harness/run/runner.h"

#define MAX 16

#ifndef UET_EVERY
#define UET_EVERY 1 /* which of the upper testers are tried */
#endif

/* What an upper tester does not know. */
struct lack {
    const char *name;
    const char *variant; /* of the FEP below it; NULL: the usual one */
    const char *secure;  /* how that seals; NULL: not */
    const char *verbs[MAX], *arguments[MAX];
    const char *modes[5];    /* what hello tells instead; empty: what the FEP tells */
    const char *untold[MAX]; /* keys that its completions leave out */
    bool tells_no_modes, tells_no_params;
    bool keeps_state; /* what a test left under way may disturb the next: inconc, no more */
};

static const struct lack lacks[] = {
    {.name = "set", .verbs = {"set"}},
    /* Timers that cannot be set: long ones, and such as fire before a tester in real time acts. */
    {.name = "set, long timers", .verbs = {"set"}, .variant = "careful"},
    {.name = "set, late answers", .verbs = {"set"}, .variant = "lazy"},
    {.name = "set, short timers", .verbs = {"set"}, .variant = "eager"},
    {.name = "set, idle PDCs close", .verbs = {"set"}, .variant = "hasty"},
    {.name = "set, small", .verbs = {"set"}, .variant = "tiny"},
    {.name = "service", .verbs = {"service"}},
    {.name = "reg_mem", .verbs = {"reg_mem"}},
    {.name = "get_mem", .verbs = {"get_mem"}},
    {.name = "post_recv", .verbs = {"post_recv"}},
    {.name = "send", .verbs = {"send"}},
    {.name = "write", .verbs = {"write"}},
    {.name = "no_op", .verbs = {"no_op"}},
    {.name = "read", .verbs = {"read"}},
    {.name = "wait", .verbs = {"wait"}},
    {.name = "close", .verbs = {"close", "close_request"}},
    {.name = "reset", .verbs = {"reset"}, .keeps_state = true},
    {.name = "all but the eight that docs/upper-tester.md begins with",
     .verbs = {"set", "service", "no_op", "read", "close", "close_request", "counters"}},
    {.name = "modes untold", .tells_no_modes = true, .arguments = {"mode"}},
    {.name = "rud alone", .modes = {"rud"}},
    {.name = "rud and rod", .modes = {"rud", "rod"}},
    {.name = "rudi refused though told", .arguments = {"mode"}},
    {.name = "traffic_class", .arguments = {"traffic_class"}},
    {.name = "reserved", .arguments = {"reserved"}},
    {.name = "header", .arguments = {"header"}},
    {.name = "header_data", .arguments = {"header_data"}},
    {.name = "initiator", .arguments = {"initiator"}},
    {.name = "generation", .arguments = {"generation"}},
    {.name = "relative", .arguments = {"relative"}},
    {.name = "data", .arguments = {"data"}},
    {.name = "seed", .arguments = {"seed"}},
    {.name = "services as they are", .arguments = {"disabled", "generation"}},
    {.name = "regions of one kind", .arguments = {"any_job", "rights", "fill", "truncate"}},
    {.name = "what has a default",
     .arguments = {"mode", "traffic_class", "reserved", "header", "header_data", "initiator",
                   "generation", "disabled", "any_job", "rights", "fill", "truncate", "data",
                   "delivery_complete"}},
    {.name = "parameters untold", .tells_no_params = true},
    {.name = "completions of status alone",
     .untold = {"length", "job_id", "initiator", "peer", "match_bits"}},
};

/* At a FEP that seals: the tests of 3.7 alone. What changes keys also puts them back. */
static const struct lack sealed_lacks[] = {
    {.name = "domains and restart",
     .secure = "cluster",
     .verbs = {"install_domain", "rotate", "advance_counter", "enable_domain", "remove_domain",
               "restart"}},
    {.name = "install_domain", .secure = "cluster", .verbs = {"install_domain"}},
    {.name = "rotate", .secure = "cluster", .verbs = {"rotate"}},
    {.name = "enable_domain", .secure = "cluster", .verbs = {"enable_domain"}},
    {.name = "no key in a request, of memory nor of a domain",
     .secure = "cluster",
     .arguments = {"key"}},
};

/* The upper tester in the way: it refuses what it lacks and passes all else on. */
struct poor {
    const struct lack *lack;
    struct uet_ut *behind;
    unsigned refused;
    uint64_t *asks; /* bits of what it is asked for (bit_of) */
};

/* ---- what each test asks for ---- */

#define MAX_TESTS 4096

/* In a run at an upper tester that lacks nothing. */
static struct {
    uint64_t asks[MAX_TESTS];
    bool passed[MAX_TESTS];
    size_t begun;
} usual;

/* A bit for each verb and each argument that some upper tester lacks; 0 for all others. */
static uint64_t bit_of(const char *name)
{
    static const char *known[64];
    size_t n = 0;

    if (!known[0])
        for (size_t i = 0; i < sizeof(lacks) / sizeof(lacks[0]); i++)
            for (size_t k = 0; k < 2 * MAX; k++) {
                const char *one = k < MAX ? lacks[i].verbs[k] : lacks[i].arguments[k - MAX];
                size_t at = 0;

                while (at < n && one && strcmp(known[at], one) != 0)
                    at++;
                assert_true(n < 64);
                if (one && at == n)
                    known[n++] = one;
            }
    for (size_t i = 0; i < 64 && known[i]; i++)
        if (strcmp(known[i], name) == 0)
            return UINT64_C(1) << i;
    return 0;
}

/* Bits of what an upper tester lacks. Who hears of fewer modes asks for fewer: that argument. */
static uint64_t bits_of(const struct lack *lack)
{
    uint64_t bits = lack->modes[0] || lack->tells_no_modes ? bit_of("mode") : 0;

    for (size_t i = 0; i < MAX && lack->verbs[i]; i++)
        bits |= bit_of(lack->verbs[i]);
    for (size_t i = 0; i < MAX && lack->arguments[i]; i++)
        bits |= bit_of(lack->arguments[i]);
    return lack->untold[0] ? bits | bit_of("wait") : bits;
}

/*
 * Tests that ask for nothing that is lacking run as they always do: those that may run otherwise
 * are moved to the front. How many.
 */
static size_t choose(const struct lack *lack, const struct uet_test **tests, size_t n,
                     size_t *passed)
{
    bool all = lack->variant || lack->keeps_state || lack->tells_no_params;
    size_t chosen = 0;

    *passed = 0;
    for (size_t i = 0; i < n; i++)
        if (all || usual.asks[i] & bits_of(lack))
            tests[chosen++] = tests[i];
        else
            *passed += usual.passed[i];
    return chosen;
}

/* ---- an upper tester that lacks something ---- */

static bool among(const char *const *names, const char *name)
{
    for (size_t i = 0; i < MAX && names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static const char *unknown_argument(const struct lack *lack, const json_t *request)
{
    const char *key;
    json_t *value;

    json_object_foreach((json_t *)(uintptr_t)request, key, value)
    {
        if (!json_is_null(value) && among(lack->arguments, key))
            return key;
    }
    return NULL;
}

static void tell_less(const struct lack *lack, json_t *hello)
{
    json_t *verbs = json_object_get(hello, "verbs");

    for (size_t i = json_array_size(verbs); i-- > 0;)
        if (among(lack->verbs, json_string_value(json_array_get(verbs, i))))
            json_array_remove(verbs, i);
    if (lack->tells_no_modes)
        json_object_del(hello, "modes");
    if (lack->tells_no_params)
        json_object_del(hello, "params");
    if (!lack->modes[0])
        return;
    json_t *modes = json_array();
    for (size_t i = 0; lack->modes[i]; i++)
        json_array_append_new(modes, json_string(lack->modes[i]));
    json_object_set_new(hello, "modes", modes);
}

static void tell_less_of_each(const struct lack *lack, json_t *reply)
{
    size_t i;
    json_t *completion;

    json_array_foreach(json_object_get(reply, "completions"), i, completion)
    {
        for (size_t k = 0; k < MAX && lack->untold[k]; k++)
            json_object_del(completion, lack->untold[k]);
    }
}

static json_t *refuse(struct poor *poor, const char *what, const char *name)
{
    char text[80];

    poor->refused++;
    snprintf(text, sizeof(text), "there is no %s \"%s\"", what, name);
    return json_pack("{s:b, s:s}", "ok", false, "error", text);
}

/* A FEP without `service` opens what memory and receives need. */
static void open_service(struct poor *poor, const json_t *request, const char *verb)
{
    const char *class = strcmp(verb, "reg_mem") == 0 ? "rma"
                        : strcmp(verb, "post_recv") == 0
                            ? (json_object_get(request, "match_bits") ? "tagged" : "send")
                            : NULL;
    json_t *reply = NULL;

    if (!class || !among(poor->lack->verbs, "service"))
        return;
    uet_ut_call(poor->behind,
                json_pack("{s:s, s:O, s:O, s:O, s:s}", "verb", "service", "job_id",
                          json_object_get(request, "job_id"), "pid_on_fep",
                          json_object_get(request, "pid_on_fep"), "resource_index",
                          json_object_get(request, "resource_index"), "class", class),
                &reply);
    json_decref(reply);
}

static void note_request(uint64_t *asks, json_t *request)
{
    const char *key;
    json_t *value;

    *asks |= bit_of(json_string_value(json_object_get(request, "verb")));
    json_object_foreach(request, key, value)
    {
        *asks |= json_is_null(value) ? 0 : bit_of(key);
    }
}

static json_t *handle(void *ctx, json_t *request)
{
    struct poor *poor = ctx;
    const char *verb = json_string_value(json_object_get(request, "verb"));
    const char *unknown = unknown_argument(poor->lack, request);
    json_t *id = json_incref(json_object_get(request, "id")), *reply = NULL;

    if (poor->asks)
        note_request(&poor->asks[usual.begun], request);
    if (among(poor->lack->verbs, verb))
        reply = refuse(poor, "verb", verb);
    else if (unknown)
        reply = refuse(poor, "argument", unknown);
    else {
        open_service(poor, request, verb);
        uet_ut_call(poor->behind, json_incref(request), &reply);
    }
    assert_non_null(reply);
    if (strcmp(verb, "hello") == 0)
        tell_less(poor->lack, reply);
    tell_less_of_each(poor->lack, reply);
    json_object_set_new(reply, "id", id);
    return reply;
}

struct watch {
    const struct lack *lack;
    bool learns;
    unsigned wrong, inconc;
};

static int on_done(void *ctx, const struct uet_result *r)
{
    struct watch *w = ctx;

    if (w->learns)
        usual.passed[usual.begun++] = r->verdict == UET_PASS;
    w->inconc += w->lack->keeps_state && r->verdict == UET_INCONC;
    if (r->verdict == UET_ERROR || r->verdict == UET_FAIL ||
        (!w->lack->keeps_state && r->verdict != UET_PASS && r->verdict != UET_SKIP)) {
        w->wrong++;
        print_message("    %s %s: %.300s\n", uet_verdict_name(r->verdict), r->id, r->message);
    }
    if (r->verdict == UET_SKIP && r->skip_reason == UET_SKIP_OTHER) {
        w->wrong++;
        print_message("    %s is skipped for no reason: %s\n", r->id, r->message);
    }
    return 0;
}

/* Opens the FEP and runs these tests. How many of them are not as they should be. */
static unsigned try_tests(struct poor *poor, const struct uet_test *const *tests, size_t n,
                          struct uet_summary *summary)
{
    static struct uet_session session;
    const struct uet_selection all = {0};
    struct watch watch = {.lack = poor->lack, .learns = poor->asks != NULL};
    const struct uet_run_events events = {.ctx = &watch, .done = on_done};
    struct uet_target t = {0};
    char err[300];

    if (poor->lack->secure)
        assert_int_equal(uet_secure_of_seed(&t, 1, poor->lack->secure, false, err, sizeof(err)), 0);
    const struct uet_fep_ref_kind kind = {
        .seed = 1, .variant = poor->lack->variant, .keys = t.keys};
    assert_int_equal(uet_fep_ref_open_as(&t.ref, &kind, err, sizeof(err)), 0);
    t.dut = *uet_fep_ref_dut(t.ref);
    if (t.keys)
        assert_int_equal(uet_secure_domains(&t, err, sizeof(err)), 0);
    poor->behind = uet_fep_ref_ut(t.ref);
    uet_session_default(&session);
    session.dut = &t.dut;
    session.port = uet_fep_ref_port(t.ref);
    session.ut = uet_ut_local(handle, poor);
    assert_non_null(session.ut);
    assert_int_equal(uet_run_tests(&session, &all, tests, n, &events, summary), 0);
    uet_ut_close(session.ut);
    uet_fep_ref_close(t.ref);
    uet_secure_close(&t);
    return watch.wrong;
}

static unsigned run_suite(const struct lack *lack)
{
    const struct uet_selection all = {0};
    struct uet_summary summary = {0};
    struct poor poor = {.lack = lack};
    size_t n, passed;
    const struct uet_test **tests = uet_select(&all, &n);
    assert_non_null(tests);
    size_t n_chosen = choose(lack, tests, n, &passed);
    unsigned wrong = try_tests(&poor, tests, n_chosen, &summary);

    print_message("%s: %u refused; %u pass, %u skip, %zu ask for nothing of it\n", lack->name,
                  poor.refused, summary.pass, summary.skip, n - n_chosen);
    if (summary.pass + passed < n / 4) {
        print_message("    fewer than a quarter of the tests ran\n");
        wrong++;
    }
    free(tests);
    return wrong;
}

static void learn_what_is_asked(void)
{
    static const struct lack nothing = {.name = "nothing"};
    const struct uet_selection all = {0};
    struct poor poor = {.lack = &nothing, .asks = usual.asks};
    size_t n;
    const struct uet_test **tests = uet_select(&all, &n);

    assert_non_null(tests);
    assert_true(n <= MAX_TESTS);
    try_tests(&poor, tests, n, &(struct uet_summary){0});
    assert_int_equal(usual.begun, n);
    free(tests);
}

static size_t every = UET_EVERY; /* or what the command line says */

static void what_lacks_is_skipped(void **state)
{
    unsigned wrong = 0;

    (void)state;
    learn_what_is_asked();
    for (size_t i = 0; i < sizeof(lacks) / sizeof(lacks[0]); i += every)
        wrong += run_suite(&lacks[i]);
    assert_int_equal(wrong, 0);
}

static void what_lacks_is_skipped_sealed(void **state)
{
    const struct uet_selection all = {0};
    unsigned wrong = 0;
    size_t n, sealed = 0;
    const struct uet_test **tests = uet_select(&all, &n);

    (void)state;
    assert_non_null(tests);
    for (size_t i = 0; i < n; i++)
        if (uet_test_needs(tests[i], "tss"))
            tests[sealed++] = tests[i];
    for (size_t i = 0; i < sizeof(sealed_lacks) / sizeof(sealed_lacks[0]); i++) {
        struct poor poor = {.lack = &sealed_lacks[i]};
        struct uet_summary summary = {0};

        wrong += try_tests(&poor, tests, sealed, &summary);
        print_message("%s: %u refused; %u pass, %u skip\n", poor.lack->name, poor.refused,
                      summary.pass, summary.skip);
        assert_true(poor.refused && summary.pass > sealed / 4);
    }
    free(tests);
    assert_int_equal(wrong, 0);
}

int main(int argc, char **argv)
{
    if (argc > 1 && atoi(argv[1]) > 0)
        every = (size_t)atoi(argv[1]);

    const struct CMUnitTest tests[] = {cmocka_unit_test(what_lacks_is_skipped),
                                       cmocka_unit_test(what_lacks_is_skipped_sealed)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
