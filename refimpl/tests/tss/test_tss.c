/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two FEPs of a secure domain (3.7): what they exchange is sealed, packet by packet, and read here
 * with the key, by the functions of wire/ alone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "refimpl/pds/state.h"
#include "refimpl/tests/tss/tss_pair.h"
#include "wire/build.h"

/* ---- operations ---- */

static void write_read_send(struct pair *t)
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

/* Every way of encapsulation, of the key and of the start (TSS-001 to 007, 051, 057, 059). */
static void test_sealed_exchange(void **state)
{
    (void)state;
    for (unsigned way = 0; way < 32; way++) {
        struct pair t;
        const struct pair_kind kind = {.ipv6 = way & 1,
                                       .native = way & 2,
                                       .start = way & 4 ? UET_RANDOM_1RTT_START
                                                        : UET_EXPECTED_0RTT_START,
                                       .ssi = way & 8,
                                       .rekey = way & 16};
        pair_init(&t, &kind);
        write_read_send(&t);
        assert_true(t.n_sealed[0] >= 5 && t.n_sealed[1] >= 3);
        assert_int_equal(t.n_clear, 0);
        assert_int_equal(counter(t.fep[0], "out_auth_pkts"), t.n_sealed[0]);
        assert_int_equal(counter(t.fep[1], "in_auth_pkts"), t.n_sealed[0]);
        assert_int_equal(counter(t.fep[1], "pdc_opened_target"), 1);
        assert_int_equal(counter(t.fep[1], "tx_nack_new_start_psn") > 0, kind.start);
        pair_free(&t);
    }
}

#define FIRST_TSS_BYTE (UET_ETH_BYTES + UET_IPV4_BYTES + UET_UDP_BYTES)

/* One bit of each byte behind UDP: silence, a counter, no state (TSS-013, TSS-042). */
static void test_flipped_bit(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){0});
    pair_write(&t, 40);
    assert_non_null(pair_take(&t, 0));
    const struct pair_frame sent = t.taken;
    for (size_t at = FIRST_TSS_BYTE; at < sent.len; at++) {
        struct pair_frame bad = sent;
        bad.bytes[at] ^= 1;
        pair_give(&t, 1, &bad);
        assert_null(pair_take(&t, 1));
    }
    assert_int_equal(uet_fep_pdcs(t.fep[1], false), 0);
    assert_int_equal(counter(t.fep[1], "in_auth_pkts"), 0);
    assert_int_equal(counter(t.fep[1], "in_invalid_sa"), 1);   /* the AN, in the first byte */
    assert_int_equal(counter(t.fep[1], "in_errored_pkts"), 3); /* the SDI */
    assert_int_equal(counter(t.fep[1], "in_auth_fail_pkts"), sent.len - FIRST_TSS_BYTE - 4);
    pair_give(&t, 1, &sent);
    pair_run(&t);
    assert_int_equal(pair_status(&t, 0), UET_STATUS_OK);
    pair_free(&t);
}

static void finished(struct pair *t)
{
    pair_run(t);
    assert_int_equal(pair_status(t, 0), UET_STATUS_OK);
}

/* A lost packet comes again with another counter (TSS-020), and so does its ACK (TSS-021). */
static void test_again(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){0});
    pair_write(&t, 40);
    assert_non_null(pair_take(&t, 0));
    const struct pair_frame lost = t.taken;
    uint32_t psn = uet_packet_psn(&t.p);
    t.now = uet_fep_deadline(t.fep[0]);
    uet_fep_advance(t.fep[0], t.now);
    assert_non_null(pair_take(&t, 0)); /* of which the counter is higher: pair_take asks for it */
    assert_int_equal(uet_packet_psn(&t.p), psn);
    assert_true(uet_rud_rod_req_retx(uet_pds(&t.p)));
    const struct pair_frame again = t.taken;
    pair_give(&t, 1, &again);
    assert_non_null(pair_take(&t, 1));
    pair_give(&t, 1, &again); /* a repeated packet is a duplicate (TSS-075) */
    assert_non_null(pair_take(&t, 1));
    pair_give(&t, 1, &lost);
    assert_int_equal(counter(t.fep[1], "rx_request_new"), 1);
    pair_give(&t, 0, &t.taken);
    finished(&t);
    pair_free(&t);
}

static void close_pdcs(struct pair *t)
{
    uet_fep_close(t->fep[0], NULL, t->now);
    pair_run(t);
    assert_int_equal(uet_fep_pdcs(t->fep[0], true) + uet_fep_pdcs(t->fep[1], false), 0);
}

static struct uet_fep_domain_state state_of(struct pair *t, int i)
{
    struct uet_fep_domain_state s;
    assert_true(uet_fep_domain_get(t->fep[i], 0, &s));
    return s;
}

/* The floor rises with the close, is told, and a replayed SYN finds it (TSS-056, 058, 066 to 068).
 */
static void test_floor(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){0});
    pair_write(&t, 40);
    assert_non_null(pair_take(&t, 0));
    const struct pair_frame syn = t.taken;
    uint32_t start = uet_start_psn(&t.p);
    assert_true(start >= 65536 && start < INT32_MAX); /* while nobody has told one */
    pair_give(&t, 1, &syn);
    finished(&t);
    close_pdcs(&t);
    uint32_t floor = state_of(&t, 1).expected_psn;
    assert_int_equal(floor, start + 2); /* the WRITE and the Close Command */
    assert_int_equal(state_of(&t, 0).start_psn, floor);
    t.region[0] = 99;
    pair_give(&t, 1, &syn);
    assert_non_null(pair_take(&t, 1));
    assert_true(uet_is_nack(&t.p));
    assert_int_equal(uet_nack_nack_code(uet_pds(&t.p)), UET_NACK_NEW_START_PSN);
    assert_int_equal(uet_nack_payload(uet_pds(&t.p)), floor);
    assert_int_equal(t.region[0], 99);
    pair_run(&t); /* New_PDC_Time */
    assert_int_equal(counter(t.fep[1], "pdc_pending_timeout"), 1);
    pair_write(&t, 40);
    assert_non_null(pair_take(&t, 0));
    assert_int_equal(uet_start_psn(&t.p), floor);
    pair_give(&t, 1, &t.taken);
    finished(&t);
    assert_int_equal(counter(t.fep[1], "tx_nack_new_start_psn"), 1);
    pair_free(&t);
}

/* A PDC that ends otherwise raises it, too; a reset forgets neither floor nor counter. */
static void test_reset(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){0});
    pair_write(&t, 40);
    assert_non_null(pair_take(&t, 0));
    const struct pair_frame syn = t.taken;
    uint32_t psn = uet_packet_psn(&t.p);
    pair_give(&t, 1, &syn);
    finished(&t);
    uint64_t next = state_of(&t, 1).next_counter;
    uet_fep_reset(t.fep[1], t.now);
    assert_int_equal(state_of(&t, 1).expected_psn, psn + 1);
    assert_int_equal(state_of(&t, 1).next_counter, next);
    pair_give(&t, 1, &syn);
    assert_int_equal(uet_fep_pdcs(t.fep[1], false), 1); /* PENDING */
    assert_int_equal(counter(t.fep[1], "rx_request_new"), 0);
    pair_free(&t);
}

/* Packets of both ANs are taken during a rotation; the new key begins at 0 (TSS-033 to 036). */
static void test_rotation(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){0});
    pair_write(&t, 40);
    finished(&t);
    struct uet_tss_params next = t.keys;
    next.an = 1;
    next.key[0] ^= 1;
    assert_int_equal(uet_fep_domain_rotate(t.fep[0], PAIR_SDI, 1), -ENOENT);
    for (int i = 0; i < 2; i++)
        assert_int_equal(uet_fep_domain_load(t.fep[i], &next), 0);
    pair_write(&t, PAIR_BYTES);
    assert_non_null(pair_take(&t, 0));
    const struct pair_frame old = t.taken;
    assert_int_equal(uet_fep_domain_rotate(t.fep[0], PAIR_SDI, 1), 0);
    assert_non_null(pair_take(&t, 0));
    assert_int_equal(t.h.an, 1);
    assert_int_equal(t.h.epoch, 0);
    assert_int_equal(t.h.counter, 0);
    pair_give(&t, 1, &t.taken);
    pair_give(&t, 1, &old);
    finished(&t);
    assert_int_equal(counter(t.fep[0], "tx_retx"), 0);
    assert_int_equal(uet_fep_domain_load(t.fep[1], &t.keys), -EBUSY);
    assert_int_equal(uet_fep_domain_rotate(t.fep[1], PAIR_SDI, 1), 0);
    next.an = 0;
    next.key[1] ^= 7;
    assert_int_equal(uet_fep_domain_load(t.fep[1], &next), 0); /* the first key is no more */
    uint64_t failed = counter(t.fep[1], "in_auth_fail_pkts");
    pair_give(&t, 1, &old);
    assert_int_equal(counter(t.fep[1], "in_auth_fail_pkts"), failed + 1);
    next.rekey = true;
    next.rekey_mask = 0xff00;
    assert_int_equal(uet_fep_domain_load(t.fep[0], &next), -EINVAL);
    pair_free(&t);
}

/* Late epochs, with a lifetime of 16 (TSS-037). */
static void test_epochs(void **state)
{
    static const struct {
        uint16_t epoch;
        bool taken;
    } packets[] = {{65531, true}, {65530, false}, {11, true}, {12, true}, {5000, true}};
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){0});
    assert_int_equal(uet_fep_domain_advance(t.fep[1], PAIR_SDI, 11, 0), 0);
    pair_write(&t, 40);
    assert_non_null(pair_take(&t, 0));
    for (size_t i = 0; i < sizeof packets / sizeof *packets; i++) {
        uint64_t late = counter(t.fep[1], "in_late_pkts"), good = counter(t.fep[1], "in_auth_pkts");
        const struct pair_frame f = pair_sealed(
            &t, &t.onlooker[0], (struct uet_tss_stamp){.epoch = packets[i].epoch, .counter = i});
        pair_give(&t, 1, &f);
        assert_int_equal(counter(t.fep[1], "in_late_pkts"), late + !packets[i].taken);
        assert_int_equal(counter(t.fep[1], "in_auth_pkts"), good + packets[i].taken);
    }
    assert_int_equal(uet_fep_domain_advance(t.fep[1], PAIR_SDI, 10, 0), -EINVAL);
    assert_int_equal(uet_fep_domain_advance(t.fep[1], PAIR_SDI, 11, 0), 0);
    pair_free(&t);
}

static void few_failures(struct uet_fep_domain *d, int i)
{
    d->auth_fail_threshold = 3;
    d->counter_limit = i ? 0 : 4;
}

/* Four wrong ICVs latch the domain until it is enabled, or the FEP reset (TSS-043); trimmed packets
 * do not (TSS-073). */
static void test_latch(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){.change = few_failures});
    pair_write(&t, 40);
    assert_non_null(pair_take(&t, 0));
    const struct pair_frame good = t.taken;
    struct pair_frame bad = good, cut = good;
    cut.len = (size_t)uet_trim(cut.bytes, cut.len, 60, PAIR_TRIMMED);
    for (int i = 0; i < 10; i++)
        pair_give(&t, 1, &cut);
    assert_int_equal(counter(t.fep[1], "in_trimmed_pkts"), 10);
    assert_int_equal(uet_fep_pdcs(t.fep[1], false), 0); /* TSS-071 */
    assert_null(pair_take(&t, 1));
    bad.bytes[bad.len - 1] ^= 1;
    for (int i = 0; i < 4; i++) {
        assert_false(state_of(&t, 1).latched);
        pair_give(&t, 1, &bad);
    }
    assert_true(state_of(&t, 1).latched);
    pair_give(&t, 1, &good);
    assert_int_equal(counter(t.fep[1], "in_invalid"), 1);
    assert_int_equal(counter(t.fep[1], "in_auth_pkts"), 0);
    assert_int_equal(uet_fep_domain_enable(t.fep[1], PAIR_SDI, true), 0);
    pair_give(&t, 1, &good);
    finished(&t);
    for (int i = 0; i < 4; i++)
        pair_give(&t, 1, &bad);
    assert_true(state_of(&t, 1).latched);
    uet_fep_reset(t.fep[1], t.now);
    assert_false(state_of(&t, 1).latched);
    assert_int_equal(state_of(&t, 1).in_auth_fail_pkts, 0);
    pair_free(&t);
}

/* At its limit the counter stops, and with it all that would be sent (TSS-022). */
static void test_counter_limit(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){.change = few_failures});
    for (int i = 0; i < 2; i++) {
        pair_write(&t, PAIR_BYTES);
        pair_run(&t);
    }
    assert_int_equal(t.n_sealed[0], 4);
    assert_int_equal(t.newest[0], 3);
    assert_true(counter(t.fep[0], "out_invoke_fail") > 0);
    pair_free(&t);
}

/* A new key in the other slot takes over where the first is used up; one that was left does not. */
static void test_roll_over(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){.change = few_failures});
    struct uet_tss_params next = t.keys;
    next.an = 1;
    next.key[0] ^= 1;
    for (int i = 0; i < 2; i++)
        assert_int_equal(uet_fep_domain_load(t.fep[i], &next), 0);
    for (int i = 0; i < 2; i++) {
        pair_write(&t, 40);
        finished(&t);
    }
    assert_int_equal(counter(t.fep[0], "out_invoke_fail"), 0);
    for (int i = 0; i < 3; i++) {
        pair_write(&t, PAIR_BYTES);
        pair_run(&t);
    }
    assert_int_equal(t.n_sealed[0], 2 * 4); /* all counters of both keys, and no more */
    assert_int_equal(counter(t.fep[1], "in_auth_pkts"), 2 * 4);
    assert_true(counter(t.fep[0], "out_invoke_fail") > 0);
    pair_free(&t);
}

/* On a known PDC a loss NACK, and the whole packet comes later (TSS-072). */
static void test_trimmed(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){0});
    pair_write(&t, 40);
    finished(&t);
    pair_write(&t, 40);
    assert_non_null(pair_take(&t, 0));
    struct pair_frame cut = t.taken;
    uint32_t psn = uet_packet_psn(&t.p);
    cut.len = (size_t)uet_trim(cut.bytes, cut.len, 60, PAIR_TRIMMED);
    pair_give(&t, 1, &cut);
    assert_non_null(pair_take(&t, 1));
    assert_true(uet_is_nack(&t.p));
    assert_int_equal(uet_nack_nack_code(uet_pds(&t.p)), UET_NACK_TRIMMED);
    assert_int_equal(uet_nack_nack_psn(uet_pds(&t.p)), psn);
    pair_give(&t, 0, &t.taken);
    finished(&t);
    pair_free(&t);
}

static void of_one_job(struct uet_fep_domain *d, int i)
{
    (void)i;
    d->jobs[0] = PAIR_JOB;
    d->n_jobs = 1;
}

/* Another domain with the same key, for another job. */
static void other_domain(struct pair *t, struct uet_tss_sa *sa)
{
    struct uet_fep_domain d = pair_domain(t, 1);
    d.keys.sdi = PAIR_SDI + 1;
    d.jobs[0] = PAIR_JOB + 1;
    assert_int_equal(uet_tss_setup(sa, &d.keys), 0);
    assert_int_equal(uet_fep_domain_install(t->fep[1], &d), 0);
    assert_int_equal(uet_fep_domain_install(t->fep[1], &d), -EEXIST);
    d.keys.sdi++;
    assert_int_equal(uet_fep_domain_install(t->fep[1], &d), -ENOSPC);
}

/* In clear, and of another SDI, whether it opens a PDC or names one (TSS-045, 048, 049). */
static void test_isolation(void **state)
{
    struct pair t;
    struct uet_tss_sa other;
    (void)state;
    pair_init(&t, &(struct pair_kind){.beside = true, .change = of_one_job});
    other_domain(&t, &other);
    for (unsigned i = 0; i < 2; i++) { /* the SYN, then a Request on the PDC */
        pair_write(&t, 40);
        assert_non_null(pair_take(&t, 0));
        const struct pair_frame good = t.taken;
        struct pair_frame wrong = pair_sealed(&t, &other, (struct uet_tss_stamp){.counter = i});
        uint64_t n = counter(t.fep[1], "in_binding_failure_pkts");
        pair_give(&t, 1, &wrong);
        memcpy(wrong.bytes, t.clear, t.clear_len);
        wrong.len = t.clear_len;
        pair_give(&t, 1, &wrong);
        assert_null(pair_take(&t, 1));
        assert_int_equal(counter(t.fep[1], "in_binding_failure_pkts"), n + 2);
        assert_int_equal(counter(t.fep[1], "drop_clear_bound"), i + 1);
        assert_int_equal(counter(t.fep[1], "drop_job_not_served"), 1);
        assert_int_equal(counter(t.fep[1], "drop_other_domain"), i);
        assert_int_equal(counter(t.fep[1], "rx_request_new"), i);
        pair_give(&t, 1, &good);
        finished(&t);
    }
    uet_tss_erase(&other);
    pair_free(&t);
}

/* Another domain may serve the job as well: its packets have no place on this one's PDC (TSS-045).
 */
static void test_other_pdc(void **state)
{
    struct pair t;
    struct uet_tss_sa other;
    (void)state;
    pair_init(&t, &(struct pair_kind){.beside = true, .change = of_one_job});
    struct uet_fep_domain d = pair_domain(&t, 1);
    d.keys.sdi = PAIR_SDI + 1;
    d.n_jobs = 0;
    assert_int_equal(uet_fep_domain_install(t.fep[1], &d), 0);
    assert_int_equal(uet_tss_setup(&other, &d.keys), 0);
    pair_write(&t, 40);
    finished(&t);
    pair_write(&t, 40);
    assert_non_null(pair_take(&t, 0));
    struct pair_frame f = pair_sealed(&t, &other, (struct uet_tss_stamp){.counter = 1});
    pair_give(&t, 1, &f);
    assert_null(pair_take(&t, 1));
    assert_int_equal(counter(t.fep[1], "in_binding_failure_pkts"), 1);
    assert_int_equal(counter(t.fep[1], "rx_request_new"), 1);
    uet_tss_erase(&other);
    pair_free(&t);
}

/* An SSI that is missing, or is not expected (TSS-040, TSS-041). */
static void test_ssi_mode(void **state)
{
    (void)state;
    for (int ssi = 0; ssi < 2; ssi++) {
        struct pair t;
        struct uet_tss_sa other;
        pair_init(&t, &(struct pair_kind){.ssi = ssi});
        struct uet_tss_params keys = t.keys;
        keys.ssi_mode = !ssi;
        assert_int_equal(uet_tss_setup(&other, &keys), 0);
        pair_write(&t, 40);
        assert_non_null(pair_take(&t, 0));
        struct pair_frame f = pair_sealed(&t, &other, (struct uet_tss_stamp){.ssi = 5});
        pair_give(&t, 1, &f);
        assert_null(pair_take(&t, 1));
        assert_int_equal(counter(t.fep[1], "in_invalid"), 1);
        uet_tss_erase(&other);
        pair_free(&t);
    }
}

/* Server mode: FEP 0 is the client, whose key the server derives, with its SSI (TSS-028, 029). */
static void test_server(void **state)
{
    (void)state;
    for (int ssi = 0; ssi < 2; ssi++) {
        struct pair t;
        pair_init(&t, &(struct pair_kind){.mode = UET_TSS_MODE_SERVER, .ssi = ssi});
        const struct uet_operation op = {.to = t.ip[0], .opcode = UET_OP_NO_OP};
        if (ssi) /* whose client has not spoken */
            assert_int_equal(uet_fep_submit(t.fep[1], &op, t.now), -EACCES);
        write_read_send(&t);
        close_pdcs(&t);
        assert_int_equal(uet_fep_submit(t.fep[1], &op, t.now), 0);
        assert_non_null(pair_take(&t, 1));
        if (ssi)
            assert_int_equal(t.h.ssi, 0x1000); /* the client's, in what the server sent last */
        pair_free(&t);
    }
}

/*
 * At a server with SSIs a client names the PDC of another one: so it is when its own has ended in
 * error and the PDCID was given anew. It is told so (Table 3-58), under its own SSI (TSS-029).
 */
static void test_other_client(void **state)
{
    struct pair t;
    struct uet_tss_sa client;
    (void)state;
    pair_init(&t, &(struct pair_kind){.mode = UET_TSS_MODE_SERVER, .ssi = true});
    struct uet_tss_params keys = t.keys;
    keys.client = UET_CLIENT_SRC;
    assert_int_equal(uet_tss_setup(&client, &keys), 0);
    pair_write(&t, 40);
    finished(&t);
    pair_write(&t, 40);
    assert_non_null(pair_take(&t, 0));
    const struct pair_frame good = t.taken;
    t.clear[UET_ETH_BYTES + 14]++; /* of the source; the TTL keeps the checksum right */
    t.clear[UET_ETH_BYTES + 8]--;
    struct pair_frame f = pair_sealed(&t, &client, (struct uet_tss_stamp){.ssi = 0x2000});
    pair_give(&t, 1, &f);
    assert_non_null(pair_take(&t, 1));
    assert_int_equal(t.h.ssi, 0x2000);
    assert_int_equal(t.p.pds, UET_H_NACK);
    assert_int_equal(uet_nack_nack_code(uet_pds(&t.p)), UET_NACK_PDC_HDR_MISMATCH);
    assert_int_equal(uet_nack_spdcid(uet_pds(&t.p)), 0);
    assert_int_equal(counter(t.fep[1], "rx_request_new"), 1); /* isolation holds (TSS-049) */
    pair_give(&t, 1, &good);
    finished(&t);
    uet_tss_erase(&client);
    pair_free(&t);
}

/* Direct mode, with a stored IV mask (TSS-031). */
static void with_mask(struct uet_fep_domain *d, int i)
{
    (void)i;
    d->keys.encrypt_from = 12 + UET_RUD_ROD_REQ_BYTES; /* the PDS header is readable (TSS-014) */
}

static void test_direct(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){.mode = UET_TSS_MODE_DIRECT});
    write_read_send(&t);
    pair_free(&t);
    pair_init(&t, &(struct pair_kind){.change = with_mask});
    for (int an = 0; an < 2; an++)
        t.onlooker[an].encrypt_from = 12 + UET_RUD_ROD_REQ_BYTES;
    pair_write(&t, 40);
    assert_non_null(pair_take(&t, 0));
    struct pair_frame bad = t.taken;
    const size_t at = FIRST_TSS_BYTE + 12;
    assert_memory_equal(bad.bytes + at, uet_pds(&t.p), UET_RUD_ROD_REQ_BYTES);
    const struct pair_frame good = bad;
    bad.bytes[at + 3] ^= 1;
    pair_give(&t, 1, &bad);
    assert_int_equal(counter(t.fep[1], "in_auth_fail_pkts"), 1);
    pair_give(&t, 1, &good);
    finished(&t);
    pair_free(&t);
}

/* Unknown, disabled, without key: silence, and each has its counter (TSS-038, 039). */
static void test_not_installed(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){0});
    pair_write(&t, 40);
    assert_non_null(pair_take(&t, 0));
    const struct pair_frame good = t.taken;
    assert_int_equal(uet_fep_domain_enable(t.fep[1], PAIR_SDI, false), 0);
    pair_give(&t, 1, &good);
    assert_int_equal(counter(t.fep[1], "in_invalid_sa"), 1);
    assert_int_equal(uet_fep_domain_remove(t.fep[1], PAIR_SDI), 0);
    pair_give(&t, 1, &good);
    assert_int_equal(counter(t.fep[1], "in_errored_pkts"), 1);
    assert_null(pair_take(&t, 1));
    const struct uet_operation op = {.to = t.ip[0], .opcode = UET_OP_NO_OP};
    assert_int_equal(uet_fep_submit(t.fep[1], &op, t.now), -EACCES);
    assert_int_equal(uet_fep_control(t.fep[1], &t.ip[0], UET_CTL_NOOP, t.now), -EACCES);
    pair_free(&t);
}

/* What would leave while the domain is disabled does not, and is sent again once it is in use. */
static void test_disabled_sender(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){0});
    pair_write(&t, 40);
    assert_int_equal(uet_fep_domain_enable(t.fep[0], PAIR_SDI, false), 0);
    assert_null(pair_take(&t, 0));
    assert_int_equal(counter(t.fep[0], "out_errored_pkts"), 1);
    assert_int_equal(uet_fep_domain_enable(t.fep[0], PAIR_SDI, true), 0);
    pair_run(&t);
    assert_int_equal(pair_status(&t, 0), UET_STATUS_OK);
    assert_int_equal(t.n_clear, 0);
    pair_free(&t);
}

/* A key that was taken out of its slot opens nothing any more. */
static void test_unloaded(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){0});
    struct uet_tss_params second = t.keys;
    second.an = 1;
    second.key[0] ^= 1;
    for (int i = 0; i < 2; i++)
        assert_int_equal(uet_fep_domain_load(t.fep[i], &second), 0);
    assert_int_equal(uet_fep_domain_rotate(t.fep[0], PAIR_SDI, 1), 0);
    pair_write(&t, 40);
    assert_non_null(pair_take(&t, 0));
    const struct pair_frame good = t.taken;
    assert_int_equal(uet_fep_domain_unload(t.fep[1], PAIR_SDI, 1), 0);
    pair_give(&t, 1, &good);
    assert_int_equal(counter(t.fep[1], "in_invalid_sa"), 1);
    assert_false(state_of(&t, 1).has_key[1]);
    pair_free(&t);
}

/* What fep[0] sends next comes to the other one without TSS header and ICV. */
static void give_in_clear(struct pair *t)
{
    struct pair_frame clear;
    assert_non_null(pair_take(t, 0));
    memcpy(clear.bytes, t->clear, t->clear_len);
    clear.len = t->clear_len;
    pair_give(t, 1, &clear);
}

/*
 * Where a domain serves all jobs nothing in clear has a place, not even a Control Packet without
 * JobID (TSS-048); once it is removed, all has one again (TSS-050).
 */
static void test_removed(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){.beside = true});
    assert_int_equal(uet_fep_control(t.fep[0], &t.ip[1], UET_CTL_NOOP, t.now), 0);
    give_in_clear(&t);
    assert_int_equal(counter(t.fep[1], "drop_clear_bound"), 1);
    assert_int_equal(uet_fep_pdcs(t.fep[1], false), 0);
    assert_int_equal(uet_fep_domain_remove(t.fep[1], PAIR_SDI), 0);
    pair_write(&t, 40);
    give_in_clear(&t);
    assert_int_equal(counter(t.fep[1], "drop_clear_bound"), 1);
    assert_int_equal(counter(t.fep[1], "rx_request_new"), 1);
    pair_free(&t);
}

/* After a restart the counter begins where the host says (TSS-018). */
static void begins_later(struct uet_fep_domain *d, int i)
{
    d->next_counter = i ? 0 : 1000;
    d->epoch = i ? 0 : 2;
}

static void test_restart(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){.change = begins_later});
    pair_write(&t, 40);
    assert_non_null(pair_take(&t, 0));
    assert_int_equal(t.h.counter, 1000);
    assert_int_equal(t.h.epoch, 2);
    pair_give(&t, 1, &t.taken);
    finished(&t);
    pair_free(&t);
}

/* RUDI and UUD are sealed, too (TSS-052, TSS-053). */
static void test_single(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){0});
    struct uet_operation op = pair_operation(&t, UET_OP_WRITE, 500);
    op.mode = UET_MODE_RUDI;
    op.key = PAIR_SAFE_KEY;
    memset(t.source, 7, 500);
    assert_int_equal(uet_fep_submit(t.fep[0], &op, t.now), 0);
    finished(&t);
    assert_memory_equal(t.region, t.source, 500);
    op.opcode = UET_OP_READ;
    assert_int_equal(uet_fep_submit(t.fep[0], &op, t.now), 0);
    finished(&t);
    assert_memory_equal(t.into, t.region, 500);
    op = pair_operation(&t, UET_OP_DATAGRAM_SEND, 100);
    op.mode = UET_MODE_UUD;
    assert_int_equal(uet_fep_submit(t.fep[0], &op, t.now), 0);
    finished(&t);
    assert_int_equal(pair_status(&t, 1), UET_STATUS_OK);
    assert_memory_equal(t.buffer, t.source, 100);
    assert_int_equal(t.n_clear, 0);
    pair_free(&t);
}

/* ECN is not authenticated (TSS-009), the reserved bit is (TSS-010). */
static void test_not_authenticated(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){.ipv6 = true});
    pair_write(&t, 40);
    assert_non_null(pair_take(&t, 0));
    struct pair_frame f = t.taken;
    f.bytes[FIRST_TSS_BYTE + UET_IPV6_BYTES - UET_IPV4_BYTES] ^= 2;
    pair_give(&t, 1, &f);
    assert_int_equal(counter(t.fep[1], "in_auth_fail_pkts"), 1);
    f = t.taken;
    uet_ipv6_ecn_set(f.bytes + UET_ETH_BYTES, UET_ECN_CE);
    pair_give(&t, 1, &f);
    assert_non_null(pair_take(&t, 1));
    assert_true(uet_is_ack(&t.p));
    assert_true(uet_ack_m(uet_pds(&t.p)));
    pair_free(&t);
}

/* A Control Packet asks where to begin (TSS-060); the answer is not the same twice (TSS-059), and
 * only what begins there is taken (TSS-061), as long as the target remembers (TSS-062). */
static void test_asked(void **state)
{
    struct pair t;
    uint32_t told[2] = {0};
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        pair_init(&t, &(struct pair_kind){.start = UET_RANDOM_1RTT_START, .seed = i});
        assert_int_equal(uet_fep_control(t.fep[0], &t.ip[1], UET_CTL_NOOP, t.now), 0);
        assert_non_null(pair_take(&t, 0));
        const struct pair_frame question = t.taken;
        for (int again = 0; again < 2; again++) { /* the same place each time it is asked */
            pair_give(&t, 1, &question);
            assert_non_null(pair_take(&t, 1));
            assert_true(uet_is_nack(&t.p));
            assert_int_equal(uet_nack_nack_code(uet_pds(&t.p)), UET_NACK_NEW_START_PSN);
            assert_true(!again || told[i] == uet_nack_payload(uet_pds(&t.p)));
            told[i] = uet_nack_payload(uet_pds(&t.p));
        }
        assert_int_equal(counter(t.fep[1], "rx_cp"), 0);
        if (i) {
            pair_give(&t, 0, &t.taken);
            assert_non_null(pair_take(&t, 0));
            assert_int_equal(uet_start_psn(&t.p), told[i]);
            pair_give(&t, 1, &t.taken);
            assert_int_equal(counter(t.fep[1], "rx_cp"), 1);
        } else {
            t.now += 6000000; /* New_PDC_Time is 5 ms */
            uet_fep_advance(t.fep[1], t.now);
            assert_int_equal(uet_fep_pdcs(t.fep[1], false), 0);
        }
        pair_free(&t);
    }
    assert_int_not_equal(told[0], told[1]);
}

/* Where the target of a FEP with this seed and secret says that a PDC begins. */
static uint32_t start_told(uint64_t seed, uint64_t secret)
{
    struct pair t;
    pair_init(&t,
              &(struct pair_kind){.start = UET_RANDOM_1RTT_START, .seed = seed, .secret = secret});
    pair_write(&t, 40);
    assert_non_null(pair_take(&t, 0));
    pair_give(&t, 1, &t.taken);
    assert_non_null(pair_take(&t, 1));
    assert_int_equal(uet_nack_nack_code(uet_pds(&t.p)), UET_NACK_NEW_START_PSN);
    uint32_t told = uet_nack_payload(uet_pds(&t.p));
    pair_free(&t);
    return told;
}

/* With a secret the seed, which entropy values may betray, says nothing of Start_PSNs. */
static void test_secret(void **state)
{
    (void)state;
    assert_int_equal(start_told(1, 7), start_told(2, 7));
    assert_int_not_equal(start_told(1, 7), start_told(1, 8));
    assert_int_not_equal(start_told(1, 0), start_told(2, 0));
}

/* The PDC that FEP 0 has opened. */
static struct pdc *pdc_of(struct pair *t)
{
    const struct uet_fep *fep = t->fep[0];
    for (uint32_t id = 1; id <= fep->config.max_pdcs; id++)
        if (fep->pdcs[id].state == PDC_ESTABLISHED && fep->pdcs[id].initiator)
            return &fep->pdcs[id];
    fail_msg("no PDC is open");
    abort();
}

/* Its PSNs do not go round, whatever Limit_PSN_Range says (TSS-055). */
static void test_psn_range(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){0});
    uet_fep_params(t.fep[0])->Limit_PSN_Range = 0;
    pair_write(&t, 40);
    finished(&t);
    struct pdc *pdc = pdc_of(&t);
    pdc->start_psn = pdc->tx.next_psn - (1u << 31) + (1u << 23) + 1; /* one more is too many */
    for (int last = 1; last >= 0; last--) {
        pair_write(&t, 40);
        const struct pair_frame *f = pair_take(&t, 0);
        assert_non_null(f);
        assert_int_equal(t.p.pds, last ? UET_H_RUD_ROD_REQ : UET_H_RUD_ROD_REQ_SYN);
        pair_give(&t, 1, f);
        finished(&t);
    }
    pair_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sealed_exchange),
        cmocka_unit_test(test_flipped_bit),
        cmocka_unit_test(test_again),
        cmocka_unit_test(test_floor),
        cmocka_unit_test(test_reset),
        cmocka_unit_test(test_rotation),
        cmocka_unit_test(test_epochs),
        cmocka_unit_test(test_latch),
        cmocka_unit_test(test_counter_limit),
        cmocka_unit_test(test_roll_over),
        cmocka_unit_test(test_trimmed),
        cmocka_unit_test(test_isolation),
        cmocka_unit_test(test_other_pdc),
        cmocka_unit_test(test_ssi_mode),
        cmocka_unit_test(test_server),
        cmocka_unit_test(test_other_client),
        cmocka_unit_test(test_direct),
        cmocka_unit_test(test_not_installed),
        cmocka_unit_test(test_disabled_sender),
        cmocka_unit_test(test_unloaded),
        cmocka_unit_test(test_removed),
        cmocka_unit_test(test_psn_range),
        cmocka_unit_test(test_restart),
        cmocka_unit_test(test_single),
        cmocka_unit_test(test_not_authenticated),
        cmocka_unit_test(test_asked),
        cmocka_unit_test(test_secret),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
