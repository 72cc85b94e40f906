/* SPDX-License-Identifier: BSD-2-Clause */
#include "refimpl/tests/tss/tss_pair.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#define S 1000000000ull

/* A key that nobody guards. */
static struct uet_tss_params keys_of(const struct pair_kind *kind)
{
    struct uet_tss_params k = {.sdi = PAIR_SDI,
                               .mode = kind->mode ? kind->mode : UET_TSS_MODE_CLUSTER,
                               .ssi_mode = kind->ssi,
                               .rekey = kind->rekey,
                               .rekey_mask = kind->rekey ? 0xfffc : 0,
                               .rekey_shift = kind->rekey ? 2 : 0};
    for (unsigned i = 0; i < sizeof k.key; i++)
        k.key[i] = (uint8_t)(i * 11 + 5);
    return k;
}

/* What a server has given its client: the key that both derive (TSS-028). */
static void client(struct uet_tss_params *k, const struct uet_ip *ip, uint32_t ssi)
{
    const uint8_t own[4] = {(uint8_t)(ssi >> 24), (uint8_t)(ssi >> 16), (uint8_t)(ssi >> 8),
                            (uint8_t)ssi};
    struct uet_tss_context c;
    uint8_t out[UET_TSS_DERIVED_LEN];
    uet_tss_context_4(&c, 0, 0, k->ssi_mode ? own : ip->bytes);
    assert_int_equal(uet_tss_derive(out, k->key, UET_TSS_LABEL_SERVER, &c), 0);
    memcpy(k->key, out, sizeof k->key);
    memcpy(k->iv_mask, out + sizeof k->key, sizeof k->iv_mask);
    k->client = UET_CLIENT_SELF;
}

struct uet_fep_domain pair_domain(const struct pair *t, int i)
{
    struct uet_fep_domain d;
    uet_fep_domain_default(&d);
    d.keys = t->keys;
    d.ssi = 0x1000u + (unsigned)i;
    d.start = t->kind.start;
    if (d.keys.mode == UET_TSS_MODE_SERVER && i == 0)
        client(&d.keys, &t->ip[0], d.ssi);
    if (t->kind.change)
        t->kind.change(&d, i);
    return d;
}

static void serve(struct pair *t)
{
    struct uet_service rma = {
        .job_id = PAIR_JOB, .pid_on_fep = PAIR_PID, .resource_index = PAIR_RI};
    struct uet_service send = rma;
    const struct uet_region g = {.job_id = PAIR_JOB,
                                 .pid_on_fep = PAIR_PID,
                                 .resource_index = PAIR_RI,
                                 .key = PAIR_KEY,
                                 .rights = UET_RIGHT_WRITE | UET_RIGHT_READ,
                                 .base = t->region,
                                 .length = sizeof t->region};
    const struct uet_region safe = {.job_id = PAIR_JOB,
                                    .pid_on_fep = PAIR_PID,
                                    .resource_index = PAIR_RI,
                                    .key = PAIR_SAFE_KEY,
                                    .rights = UET_RIGHT_WRITE | UET_RIGHT_READ,
                                    .base = t->region,
                                    .length = sizeof t->region};
    const struct uet_receive r = {.job_id = PAIR_JOB,
                                  .pid_on_fep = PAIR_PID,
                                  .resource_index = PAIR_RI,
                                  .base = t->buffer,
                                  .length = sizeof t->buffer};
    rma.ri_class = UET_RI_RMA;
    send.ri_class = UET_RI_SEND;
    assert_int_equal(uet_fep_service_add(t->fep[1], &rma), 0);
    assert_int_equal(uet_fep_service_add(t->fep[1], &send), 0);
    assert_int_equal(uet_fep_region_add(t->fep[1], &g), 0);
    assert_int_equal(uet_fep_region_add(t->fep[1], &safe), 1);
    assert_int_equal(uet_fep_post_receive(t->fep[1], &r), 0);
}

void pair_init(struct pair *t, const struct pair_kind *kind)
{
    static const char *const text[2][2] = {{"192.0.2.1", "192.0.2.2"},
                                           {"2001:db8::1", "2001:db8::2"}};
    memset(t, 0, sizeof *t);
    t->kind = *kind;
    t->now = S;
    t->keys = keys_of(kind);
    for (uint8_t an = 0; an < 2; an++) {
        struct uet_tss_params k = t->keys;
        k.an = an;
        k.key[0] ^= an; /* the key that a rotation loads */
        assert_int_equal(uet_tss_setup(&t->onlooker[an], &k), 0);
    }
    for (int i = 0; i < 2; i++) {
        struct uet_fep_config c;
        uet_fep_config_default(&c);
        c.seed = kind->seed * 10 + 5u + (unsigned)i;
        c.secret = kind->secret;
        c.protect = kind->beside ? UET_PROTECT_NONE : UET_PROTECT_TSS;
        c.dscp_trimmed = UINT64_C(1) << PAIR_TRIMMED;
        c.max_domains = 2;
        c.over_udp = !kind->native;
        assert_int_equal(uet_ip_parse(&c.address, text[kind->ipv6][i]), 0);
        t->ip[i] = c.address;
        size_t size = uet_fep_size(&c);
        t->memory[i] = malloc(size);
        t->fep[i] = uet_fep_init(t->memory[i], size, &c, t->now);
        assert_non_null(t->fep[i]);
        const struct uet_fep_domain d = pair_domain(t, i);
        assert_int_equal(uet_fep_domain_install(t->fep[i], &d), 0);
    }
    serve(t);
}

void pair_free(struct pair *t)
{
    for (int i = 0; i < 2; i++) {
        uet_fep_erase(t->fep[i]);
        free(t->memory[i]);
        uet_tss_erase(&t->onlooker[i]);
    }
}

/* Who reads packets of server mode must know which way they go. */
static struct uet_tss_sa *onlooker_of(struct pair *t, int from)
{
    struct uet_tss_sa *sa = &t->onlooker[t->h.an];
    if (sa->mode == UET_TSS_MODE_SERVER)
        sa->client = from == 1 ? UET_CLIENT_DST : UET_CLIENT_SRC;
    return sa;
}

struct pair_frame pair_sealed(struct pair *t, struct uet_tss_sa *sa, struct uet_tss_stamp stamp)
{
    struct pair_frame f;
    assert_int_equal(
        uet_tss_seal(sa, &stamp, t->clear, t->clear_len, NULL, f.bytes, sizeof f.bytes, &f.len),
        UET_TSS_OK);
    return f;
}

/* The frame taken last as somebody with the key reads it. */
static void look(struct pair *t, int from)
{
    const struct uet_parse_options options = {.protect = UET_PROTECT_TSS};
    size_t len;
    uet_parse(&t->p, t->taken.bytes, t->taken.len, NULL);
    if (!t->p.tss) {
        t->n_clear++;
        return;
    }
    assert_int_equal(t->p.error, UET_PARSE_SEALED);
    uet_tss_read(&t->h, uet_tss(&t->p));
    assert_int_equal(t->h.reserved, 0); /* TSS-003 */
    assert_int_equal(uet_tss_open(onlooker_of(t, from), t->taken.bytes, t->taken.len, &options,
                                  t->clear, sizeof t->clear, &len, &t->h),
                     UET_TSS_OK);
    t->clear_len = len;
    assert_int_equal(uet_parse(&t->p, t->clear, len, &options), UET_PARSE_OK);
    uint64_t now = (uint64_t)t->h.an << 56 | t->h.counter;
    assert_true(!t->n_sealed[from] || now > t->newest[from]); /* TSS-018, TSS-019 */
    t->newest[from] = now;
    t->n_sealed[from]++;
}

struct pair_frame *pair_take(struct pair *t, int from)
{
    t->taken.len = uet_fep_transmit(t->fep[from], t->taken.bytes, sizeof t->taken.bytes, t->now);
    if (!t->taken.len)
        return NULL;
    look(t, from);
    return &t->taken;
}

void pair_give(struct pair *t, int to, const struct pair_frame *f)
{
    uet_fep_receive(t->fep[to], f->bytes, f->len, t->now);
}

static bool frames(struct pair *t)
{
    bool any = false;
    for (int from = 0; from < 2; from++) {
        struct pair_frame *f;
        while ((f = pair_take(t, from))) {
            any = true;
            pair_give(t, !from, f);
        }
    }
    return any;
}

void pair_run(struct pair *t)
{
    uint64_t end = t->now + 10 * S;
    for (;;) {
        while (frames(t)) {
        }
        uint64_t a = uet_fep_deadline(t->fep[0]), b = uet_fep_deadline(t->fep[1]);
        uint64_t next = a < b ? a : b;
        if (next > end)
            return;
        t->now = next;
        uet_fep_advance(t->fep[0], t->now);
        uet_fep_advance(t->fep[1], t->now);
    }
}

struct uet_operation pair_operation(struct pair *t, uint8_t opcode, uint32_t length)
{
    return (struct uet_operation){.to = t->ip[1],
                                  .opcode = opcode,
                                  .relative = true,
                                  .job_id = PAIR_JOB,
                                  .pid_on_fep = PAIR_PID,
                                  .resource_index = PAIR_RI,
                                  .initiator = 0xabcd,
                                  .key = PAIR_KEY,
                                  .data = t->source,
                                  .into = t->into,
                                  .length = length};
}

static void submit(struct pair *t, uint8_t opcode, uint32_t length)
{
    const struct uet_operation op = pair_operation(t, opcode, length);
    assert_int_equal(uet_fep_submit(t->fep[0], &op, t->now), 0);
}

void pair_write(struct pair *t, uint32_t length)
{
    submit(t, UET_OP_WRITE, length);
}

void pair_read(struct pair *t, uint32_t length)
{
    submit(t, UET_OP_READ, length);
}

void pair_send(struct pair *t, uint32_t length)
{
    submit(t, UET_OP_SEND, length);
}

uint8_t pair_status(struct pair *t, int of)
{
    struct uet_completion c;
    assert_true(uet_fep_completion(t->fep[of], &c));
    return c.status;
}

void pair_write_read_send(struct pair *t)
{
    for (uint32_t i = 0; i < PAIR_BYTES; i++)
        t->source[i] = (uint8_t)(i * 7 + 3);
    pair_write(t, PAIR_BYTES);
    pair_run(t);
    assert_int_equal(pair_status(t, 0), UET_STATUS_OK);
    assert_memory_equal(t->region, t->source, PAIR_BYTES);
    pair_read(t, PAIR_BYTES);
    pair_run(t);
    assert_int_equal(pair_status(t, 0), UET_STATUS_OK);
    assert_memory_equal(t->into, t->region, PAIR_BYTES);
    pair_send(t, 100);
    pair_run(t);
    assert_int_equal(pair_status(t, 0), UET_STATUS_OK);
    assert_int_equal(pair_status(t, 1), UET_STATUS_OK);
    assert_memory_equal(t->buffer, t->source, 100);
}

void pair_finished(struct pair *t)
{
    pair_run(t);
    assert_int_equal(pair_status(t, 0), UET_STATUS_OK);
}

void pair_close(struct pair *t)
{
    uet_fep_close(t->fep[0], NULL, t->now);
    pair_run(t);
    assert_int_equal(uet_fep_pdcs(t->fep[0], true) + uet_fep_pdcs(t->fep[1], false), 0);
}

struct uet_fep_domain_state pair_state(struct pair *t, int i)
{
    struct uet_fep_domain_state s;
    assert_true(uet_fep_domain_get(t->fep[i], 0, &s));
    return s;
}
