/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Receives posted, taken back and matched in any order, beside a list that is looked through from
 * its beginning: the oldest receive that matches takes the send, with bits to ignore or without,
 * for any initiator or one, any job or one (3.4.1.3.8, SES-090 to 096). And writes beside lists of
 * services and regions (3.4.1.3, SES-050, SES-051).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "refimpl/tests/shared/peer.h"
#include "wire/splitmix.h"

enum { S0 = 1000, MAX = 200, STEPS = 20000, SEEDS = 6 };

/* Few of each, so that much matches; tags that differ in high bits alone, too. */
static const uint32_t jobs[] = {JOB, JOB + 1}, initiators[] = {0xabcd, 0x1abcd, 7};
static const uint16_t pids[] = {PID, PID + 1}, ris[] = {RI, RI + 1};
static const uint64_t tags[] = {1, 2, 1 | 1ull << 63, 1 | 1ull << 48, 0xffff};
/* Without the bits that are a vendor's (Table 2-13). */
static const uint64_t keys[] = {1, 2, 1 | 1ull << 63, 1 | 1ull << 40, 0xffff};
static const uint64_t ignored[] = {0, 0, 0, 3, 1ull << 63, UINT64_MAX};

struct model {
    struct uet_receive list[MAX]; /* in the order of posting */
    unsigned n;
    uint64_t token, seed;
    uint32_t psn;
};

static struct model m;

#define ANY_OF(what) what[uet_splitmix64(&m.seed) % (sizeof(what) / sizeof *(what))]

static bool chance(unsigned percent)
{
    return uet_splitmix64(&m.seed) % 100 < percent;
}

/* ---- the list ---- */

static void forget_at(unsigned i)
{
    m.n--;
    memmove(&m.list[i], &m.list[i + 1], (m.n - i) * sizeof m.list[0]);
}

static bool fits(const struct uet_receive *v, const struct req *r)
{
    const bool tagged = r->opcode == UET_OP_TAGGED_SEND;
    if (v->pid_on_fep != r->pid || v->resource_index != r->ri || v->tagged != tagged)
        return false;
    return !tagged || (((v->match_bits ^ r->key) & ~v->ignore) == 0 &&
                       (v->any_initiator || v->initiator == r->initiator));
}

/* The place of the receive that should be taken; n: none. */
static unsigned expected(const struct req *r, bool *refused)
{
    *refused = false;
    for (unsigned i = 0; i < m.n; i++) {
        const struct uet_receive *v = &m.list[i];
        if (!fits(v, r))
            continue;
        if (v->any_job || v->job_id == r->job_id)
            return i;
        *refused |= r->abs; /* a relative address does not even name it */
    }
    return m.n;
}

/* ---- the FEP ---- */

static void many(struct uet_fep_config *c)
{
    c->max_receives = MAX;
    c->max_held = 0;
}

static void open_services(struct peer *t)
{
    for (unsigned i = 0; i < 16; i++) {
        const struct uet_service s = {.job_id = jobs[i & 1],
                                      .pid_on_fep = pids[i >> 1 & 1],
                                      .resource_index = ris[i >> 2 & 1],
                                      .ri_class = i & 8 ? UET_RI_TAGGED : UET_RI_SEND};
        int rc = uet_fep_service_add(t->fep, &s);
        assert_true(rc == 0 || rc == -EEXIST);
    }
}

static void post_one(struct peer *t)
{
    static uint8_t byte;
    struct uet_receive v = {.job_id = ANY_OF(jobs),
                            .any_job = chance(20),
                            .pid_on_fep = ANY_OF(pids),
                            .resource_index = ANY_OF(ris),
                            .base = &byte,
                            .length = 1,
                            .token = ++m.token};
    if (chance(80)) {
        v.tagged = true;
        v.match_bits = ANY_OF(tags);
        v.ignore = ANY_OF(ignored);
        v.any_initiator = chance(30);
        v.initiator = ANY_OF(initiators);
    }
    assert_int_equal(uet_fep_post_receive(t->fep, &v), m.n < MAX ? 0 : -ENOSPC);
    if (m.n < MAX)
        m.list[m.n++] = v;
}

static void take_back_one(struct peer *t)
{
    if (!m.n)
        return;
    unsigned i = (unsigned)(uet_splitmix64(&m.seed) % m.n);
    assert_int_equal(uet_fep_receive_remove(t->fep, &m.list[i]), 0);
    assert_int_equal(uet_fep_receive_remove(t->fep, &m.list[i]), -ENOENT);
    forget_at(i);
}

static uint8_t ask(struct peer *t, struct req *r)
{
    r->psn = ++m.psn;
    r->clear = m.psn - 1;
    request(t, r);
    take(t);
    assert_true(uet_is_ack(&t->p));
    return uet_ses_rsp_return_code(uet_ses(&t->p));
}

static void send_one(struct peer *t)
{
    struct req r = {.opcode = chance(80) ? UET_OP_TAGGED_SEND : UET_OP_SEND,
                    .message_id = 9,
                    .no_syn = true,
                    .ar = true,
                    .has_clear = true,
                    .abs = chance(30),
                    .job_id = ANY_OF(jobs),
                    .pid = ANY_OF(pids),
                    .ri = ANY_OF(ris),
                    .key = ANY_OF(tags),
                    .initiator = ANY_OF(initiators),
                    .length = 1,
                    .payload = 1};
    bool refused;
    const unsigned i = expected(&r, &refused);
    const uint8_t code = ask(t, &r);
    if (i == m.n) {
        assert_int_equal(code, refused ? UET_RC_PERM_VIOLATION : UET_RC_NO_MATCH);
        no_completion(t);
        return;
    }
    assert_int_equal(code, UET_RC_OK);
    const struct uet_completion c = completion(t);
    assert_int_equal(c.token, m.list[i].token);
    forget_at(i);
}

static void test_random(void **state)
{
    static struct peer t;
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        m = (struct model){.seed = seed, .psn = S0};
        peer_init(&t, many);
        open_services(&t);
        open_pdc(&t, S0);
        for (unsigned step = 0; step < STEPS; step++) {
            if (chance(48))
                post_one(&t);
            else if (chance(5))
                take_back_one(&t);
            else
                send_one(&t);
        }
        peer_free(&t);
    }
}

/* ---- services and regions: what a write finds, or which name of it is unknown ---- */

enum { REGIONS = 24 };

struct shelf {
    struct uet_service services[18];
    unsigned n_services;
    struct uet_region regions[REGIONS]; /* base NULL: none */
    int handle[REGIONS];
    uint8_t bytes[REGIONS];
};

static struct shelf shelf;

/* That of the peer itself, {JOB, PID, RI} of both classes, is there. */
static void open_some(struct peer *t)
{
    for (unsigned i = 0; i < 16; i++) {
        const struct uet_service s = {.job_id = jobs[i & 1],
                                      .pid_on_fep = pids[i >> 1 & 1],
                                      .resource_index = ris[i >> 2 & 1],
                                      .ri_class = i & 8 ? UET_RI_RMA : UET_RI_SEND};
        int rc = chance(25) || !(i & 7) ? uet_fep_service_add(t->fep, &s) : -ENOENT;
        if (rc == 0 || rc == -EEXIST)
            shelf.services[shelf.n_services++] = s;
    }
}

static bool overlaps(const struct uet_region *a, const struct uet_region *b)
{
    return a->key == b->key && a->pid_on_fep == b->pid_on_fep &&
           a->resource_index == b->resource_index && a->any_job == b->any_job &&
           (a->any_job || a->job_id == b->job_id);
}

static void change_region(struct peer *t)
{
    unsigned at = (unsigned)(uet_splitmix64(&m.seed) % REGIONS);
    const struct uet_region g = {.job_id = ANY_OF(jobs),
                                 .any_job = chance(20),
                                 .pid_on_fep = ANY_OF(pids),
                                 .resource_index = ANY_OF(ris),
                                 .key = ANY_OF(keys),
                                 .rights = UET_RIGHT_WRITE,
                                 .base = &shelf.bytes[at],
                                 .length = 1};
    if (shelf.regions[at].base) {
        assert_int_equal(uet_fep_region_remove(t->fep, shelf.handle[at]), 0);
        shelf.regions[at].base = NULL;
        return;
    }
    bool taken = false;
    for (unsigned i = 0; i < REGIONS; i++)
        taken |= shelf.regions[i].base && overlaps(&shelf.regions[i], &g);
    shelf.handle[at] = uet_fep_region_add(t->fep, &g);
    assert_int_equal(shelf.handle[at] < 0, taken);
    if (!taken)
        shelf.regions[at] = g;
}

/* What is wrong with its address, if anything. */
static uint8_t expected_of_address(const struct req *r)
{
    bool job = r->abs, pid = false;
    for (unsigned i = 0; i < shelf.n_services; i++) {
        const struct uet_service *s = &shelf.services[i];
        if (!r->abs && s->job_id != r->job_id)
            continue;
        job = true;
        if (s->pid_on_fep != r->pid)
            continue;
        pid = true;
        if (s->resource_index == r->ri && s->ri_class == UET_RI_RMA)
            return UET_RC_OK;
    }
    return !job ? UET_RC_BAD_JOB_ID : !pid ? UET_RC_BAD_PID : UET_RC_BAD_INDEX;
}

/* Its job's own region goes before one of any job. */
static uint8_t expected_of_key(const struct req *r, unsigned *at)
{
    bool others = false;
    for (unsigned i = 0; i < REGIONS; i++) {
        const struct uet_region *g = &shelf.regions[i];
        if (!g->base || g->key != r->key || g->pid_on_fep != r->pid || g->resource_index != r->ri)
            continue;
        bool own = !g->any_job && g->job_id == r->job_id;
        others |= !g->any_job && !own;
        if (own || (g->any_job && *at == REGIONS))
            *at = i;
    }
    return *at < REGIONS ? UET_RC_OK : others && r->abs ? UET_RC_PERM_VIOLATION : UET_RC_BAD_MKEY;
}

static void write_one(struct peer *t)
{
    unsigned at = REGIONS;
    struct req r = {.opcode = UET_OP_WRITE,
                    .message_id = 9,
                    .no_syn = true,
                    .ar = true,
                    .has_clear = true,
                    .abs = chance(30),
                    .job_id = chance(5) ? JOB + 2 : ANY_OF(jobs),
                    .pid = chance(5) ? PID + 2 : ANY_OF(pids),
                    .ri = ANY_OF(ris),
                    .key = ANY_OF(keys),
                    .length = 1,
                    .payload = 1,
                    .fill = (uint8_t)(1 + uet_splitmix64(&m.seed) % 255)};
    uint8_t code = expected_of_address(&r);
    if (code == UET_RC_OK)
        code = expected_of_key(&r, &at);
    memset(shelf.bytes, 0, sizeof shelf.bytes);
    assert_int_equal(ask(t, &r), code);
    for (unsigned i = 0; i < REGIONS; i++)
        assert_int_equal(shelf.bytes[i], code == UET_RC_OK && i == at ? r.fill : 0);
}

static void test_random_writes(void **state)
{
    static struct peer t;
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        m = (struct model){.seed = seed, .psn = S0};
        shelf = (struct shelf){0};
        peer_init(&t, NULL);
        assert_int_equal(uet_fep_region_remove(t.fep, 0), 0);
        open_some(&t);
        open_pdc(&t, S0);
        for (unsigned step = 0; step < STEPS / 4; step++) {
            if (chance(30))
                change_region(&t);
            else
                write_one(&t);
        }
        peer_free(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random),
                                       cmocka_unit_test(test_random_writes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
