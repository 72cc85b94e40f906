/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/cli/selftest/sent.h"

#include <string.h>

#include "conformance/cli/selftest/apart.h"
#include "wire/class.h"

/* A bit for each class. */
struct kinds {
    uint64_t bits[4];
};
_Static_assert(UET_CLASS_HEADER + UET_H_COUNT <= 256, "more classes than bits");

/* In memory that the process which runs the tests shares. */
struct uet_sent {
    struct uet_apart apart;
    size_t size, n, begun; /* bytes of all this; tests; those that have begun */
    struct kinds of[];
};

struct learner {
    const struct uet_target *target;
    struct uet_session session;
    const struct uet_test *const *tests;
    struct uet_sent *sent;
};

static void note(struct kinds *kinds, unsigned class)
{
    kinds->bits[class / 64] |= UINT64_C(1) << class % 64;
}

/* What the FEP sends goes on as it is. */
static struct uet_fate on_frame(void *ctx, uint8_t *frame, uint32_t len)
{
    const struct learner *l = ctx;
    const struct uet_parse_options how = {.protect = l->target->dut.protect};
    struct kinds *kinds = &l->sent->of[l->sent->begun - 1];
    struct uet_packet p;

    if (uet_parse(&p, frame, len, &how) == UET_PARSE_OK) {
        for (unsigned class = 0; class < UET_CLASS_COUNT; class ++)
            if (uet_is_of((uint8_t) class, &p))
                note(kinds, class);
        const uint8_t headers[] = {p.pds, p.ses, p.cp_payload, p.cc_state};
        for (size_t i = 0; i < sizeof(headers); i++)
            note(kinds, (unsigned)UET_CLASS_HEADER + headers[i]);
    }
    return (struct uet_fate){.copies = 1};
}

/* As a fault is put in: after the reset with which a test begins. */
static void listen(void *ctx)
{
    struct learner *l = ctx;
    const struct uet_mutator mutator = {.ctx = l, .frame = on_frame};

    uet_fep_ref_mutate(l->target->ref, &mutator);
}

static void on_begin(void *ctx, const struct uet_test *test)
{
    struct learner *l = ctx;

    uet_apart_begin(&l->sent->apart, test->id);
}

/* In a process of its own. A test that is skipped has no `begin` that could be counted. */
static int run_here(void *ctx)
{
    struct learner *l = ctx;
    const struct uet_selection all = {.no_gate = true};
    const struct uet_run_events events = {.ctx = l, .begin = on_begin};
    struct uet_summary summary = {0};

    for (size_t i = 0; i < l->sent->n; i++) {
        l->sent->begun = i + 1;
        if (uet_run_tests(&l->session, &all, &l->tests[i], 1, &events, &summary) < 0)
            return 1;
    }
    return 0;
}

struct uet_sent *uet_sent_learn(const struct uet_target *target, const struct uet_session *session,
                                const struct uet_test *const *tests, size_t n)
{
    size_t size = sizeof(struct uet_sent) + n * sizeof(struct kinds);
    struct learner l = {.target = target, .session = *session, .tests = tests};

    l.sent = uet_apart_memory(size);
    if (!l.sent)
        return NULL;
    l.sent->size = size;
    l.sent->n = n;
    l.session.prepare = listen;
    l.session.prepare_ctx = &l;
    if (uet_apart_run(&l.sent->apart, run_here, &l, session->ceiling_s + 1) == 0)
        return l.sent;
    uet_sent_free(l.sent);
    return NULL;
}

bool uet_sent_in(const struct uet_sent *sent, size_t test, uint8_t class)
{
    return sent->of[test].bits[class / 64] >> class % 64 & 1;
}

void uet_sent_free(struct uet_sent *sent)
{
    if (sent)
        uet_apart_free(sent, sent->size);
}
