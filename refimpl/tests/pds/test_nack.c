/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every NACK code, 0x00 to 0xff, and what its receiver does (Table 3-58, 3.5.12.7): as a source
 * that knows its TPDCID, on RUD and ROD, as one that does not yet, and as a target whose Close
 * Request is refused. What is expected stands here by hand, from the table.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "refimpl/pds/pds.h"
#include "refimpl/tests/shared/peer.h"

#define MTU      4096u
#define S0       0x10000u
#define WANT_PSN 0x30000u /* payload of UET_NEW_START_PSN */

enum effect {
    IGNORED,
    RETX,        /* the packet again on this PDC, after NACK_Retx_Time */
    RETRY,       /* the message on another PDC */
    RETRY_FATAL, /* the same, and this PDC is closed in error; the peer is told */
    RETRY_GONE,  /* the same, but the peer has no PDC that could be closed */
    FAIL,        /* SES is told, the PDC closed in error; the peer is told */
    FAIL_GONE,
    GO_BACK, /* all from the PSN in the payload */
    RENUMBER,
};

struct row {
    uint8_t code;
    uint8_t open;     /* TPDCID known; on RUD */
    uint8_t creating; /* TPDCID not known, and the NACK does not tell it (spdcid 0) */
    uint8_t target;   /* for a Close Request: RETX, FAIL_GONE or IGNORED */
};

/* Codes that do not stand here are reserved: ignored (PDS-154). */
static const struct row rows[] = {
    {0x01, RETX, RETX, RETX},
    {0x02, RETX, RETX, RETX},
    {0x04, RETX, RETRY, RETX}, /* open: late, another SYN has opened the PDC since */
    {0x05, RETX, RETRY, RETX},
    {0x06, RETX, RETRY, RETX},
    {0x07, RETX, RETX, RETX},
    {0x08, RETX, RETX, RETX},
    {0x09, RETX, RETX, RETX},
    {0x0a, RETX, RETRY, RETX},
    {0x0b, RETX, RETX, RETX},
    {0x0d, IGNORED, IGNORED, IGNORED}, /* of ROD only */
    {0x0e, RETRY_GONE, RETRY_GONE, FAIL_GONE},
    {0x0f, RETRY_GONE, RETRY_GONE, FAIL_GONE},
    {0x10, RETRY_GONE, RETRY_GONE, FAIL_GONE},
    {0x11, FAIL_GONE, FAIL_GONE, FAIL_GONE},
    {0x12, RETX, RETX, RETX},
    {0x13, FAIL, FAIL_GONE, FAIL_GONE}, /* without a TPDCID there is nobody to tell */
    {0x14, RETX, RETX, RETX},
    {0x15, RETRY_GONE, RETRY_GONE, FAIL_GONE},
    {0x16, RETRY_FATAL, RETRY_GONE, FAIL_GONE},
    {0x17, IGNORED, RENUMBER, IGNORED},
    {0x18, RETX, RETX, RETX}, /* contested: none is as right (PDS-144) */
    {0x19, RETRY_FATAL, RETRY_GONE, FAIL_GONE},
    {0x1a, RETX, RETX, RETX},
    {0xfd, RETX, RETX, RETX},
    {0xfe, RETX, RETRY, RETX}, /* as 0x04; that a resend on the open PDC will do is PDS-236 */
    {0xff, FAIL, FAIL_GONE, FAIL_GONE},
};

static struct row row_of(unsigned code)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].code == code)
            return rows[i];
    }
    return (struct row){(uint8_t)code, IGNORED, IGNORED, IGNORED};
}

/* The message begins once more, under another PDCID, after NACK_Retx_Time. */
static void expect_elsewhere(struct peer *t)
{
    const uint16_t old = t->dpdcid;
    no_completion(t);
    advance(t, 1 * MS - 1);
    take_nothing(t);
    advance(t, 1);
    first(t);
    assert_int_not_equal(t->dpdcid, old);
    assert_true(uet_ses_req_som(uet_ses(&t->p)));
}

static void expect_failure(struct peer *t)
{
    assert_int_equal(completion(t).status, UET_STATUS_PDS_ERROR);
    advance(t, 1 * MS);
    take_nothing(t);
}

static void expect_close_command(struct peer *t, uint32_t psn)
{
    assert_int_equal(uet_cp_psn(expect_cp(t, UET_CTL_CLOSE_COMMAND)), psn);
}

/*
 * psn is outstanding, and n - 1 packets after it; next is the PSN after them. On ROD a resend
 * takes along what follows.
 */
static void expect_effect(struct peer *t, enum effect effect, uint32_t psn, uint32_t n)
{
    const bool error = effect >= RETRY_FATAL && effect <= FAIL_GONE;
    switch (effect) {
    case IGNORED:
        advance(t, 5 * MS - 1); /* before the RTO */
        take_nothing(t);
        no_completion(t);
        assert_int_equal(uet_fep_pdcs(t->fep, true), 1);
        break;
    case RETX:
    case GO_BACK:
        advance(t, 1 * MS - 1);
        take_nothing(t);
        advance(t, 1);
        for (uint32_t i = 0; i < (t->rod ? n : 1); i++)
            expect_request(t, psn + i, true);
        take_nothing(t);
        assert_int_equal(counter(t->fep, "nack_retx"), 1);
        break;
    case RETRY:
    case RETRY_GONE:
        take_nothing(t);
        expect_elsewhere(t);
        assert_int_equal(uet_fep_pdcs(t->fep, true), 1);
        break;
    case RETRY_FATAL:
        expect_close_command(t, psn + n);
        expect_elsewhere(t);
        break;
    case FAIL:
        expect_close_command(t, psn + n);
        expect_failure(t);
        break;
    case FAIL_GONE:
        take_nothing(t);
        expect_failure(t);
        assert_int_equal(uet_fep_pdcs(t->fep, true), 0);
        break;
    case RENUMBER:
        first(t);
        assert_int_equal(t->start_psn, WANT_PSN);
        break;
    }
    assert_int_equal(counter(t->fep, "nack_fatal"), error);
}

/* Class PDC_ERR: the PDC stays, and the error is counted. */
static bool is_error_class(unsigned code)
{
    return code == 0x12 || code == 0x14 || code == 0xfe;
}

static void test_open(void **state)
{
    struct peer t;
    (void)state;
    for (unsigned code = 0; code < 256; code++) {
        for (int no_spdcid = 0; no_spdcid < 2; no_spdcid++) {
            peer_init(&t, NULL);
            establish(&t, 3);
            uint32_t psn = t.start_psn + 1;
            expect_request(&t, psn, false);
            expect_request(&t, psn + 1, false);
            nack_with(&t, &(struct nack_spec){.code = (uint8_t)code,
                                              .psn = psn,
                                              .payload = code == 0x17 ? WANT_PSN : psn,
                                              .no_pdc = no_spdcid});
            expect_effect(&t, row_of(code).open, psn, 2);
            assert_int_equal(counter(t.fep, "nack_error"), is_error_class(code));
            peer_free(&t);
        }
    }
}

static void test_rod(void **state)
{
    struct peer t;
    (void)state;
    for (unsigned code = 0; code < 256; code++) {
        peer_init(&t, NULL);
        t.rod = true;
        establish(&t, 3);
        uint32_t psn = t.start_psn + 1;
        expect_request(&t, psn, false);
        expect_request(&t, psn + 1, false);
        bool ooo = code == 0x0d; /* the second came, the first is missing */
        nack_with(&t, &(struct nack_spec){
                          .code = (uint8_t)code, .psn = ooo ? psn + 1 : psn, .payload = psn});
        expect_effect(&t, ooo ? GO_BACK : row_of(code).open, psn, 2);
        peer_free(&t);
    }
}

static void test_creating(void **state)
{
    struct peer t;
    (void)state;
    for (unsigned code = 0; code < 256; code++) {
        peer_init(&t, NULL);
        fep_writes(&t, 10);
        first(&t);
        nack_with(&t, &(struct nack_spec){.code = (uint8_t)code,
                                          .psn = t.start_psn,
                                          .payload = WANT_PSN,
                                          .no_pdc = true});
        expect_effect(&t, row_of(code).creating, t.start_psn, 1);
        peer_free(&t);
    }
}

/* With a spdcid it tells the TPDCID (PDS-035); 0x15 and 0x17 speak of a PDC that is not this one.
 */
static void test_teaches(void **state)
{
    struct peer t;
    (void)state;
    for (unsigned code = 0; code < 256; code++) {
        const struct row row = row_of(code);
        bool reserved = row.open == IGNORED && row.creating == IGNORED && code != 0x0d;
        bool teaches = !reserved && code != 0x15 && code != 0x17;
        enum effect effect = teaches ? row.open : row.creating;
        if (effect != IGNORED && effect != RETX)
            continue;
        peer_init(&t, NULL);
        fep_writes(&t, 10);
        first(&t);
        nack(&t, (uint8_t)code, t.start_psn, t.spdcid);
        fep_writes(&t, 20);
        const uint8_t *h = take(&t);
        assert_int_equal(uet_rud_rod_req_psn(h), t.start_psn + 1);
        assert_int_equal(uet_rud_rod_req_syn(h), !teaches);
        if (teaches)
            assert_int_equal(uet_rud_rod_req_dpdcid(h), t.spdcid);
        peer_free(&t);
    }
}

/* As a target, whose Close Request is the one packet that it has outstanding. */
static void test_target(void **state)
{
    struct peer t;
    (void)state;
    for (unsigned code = 0; code < 256; code++) {
        peer_init(&t, NULL);
        open_pdc(&t, S0);
        uet_fep_close_request(t.fep, NULL, t.now);
        take(&t);
        nack(&t, (uint8_t)code, S0, t.spdcid);
        take_nothing(&t);
        advance(&t, 1 * MS);
        enum effect effect = row_of(code).target;
        if (effect == RETX) {
            const uint8_t *h = take(&t);
            assert_int_equal(uet_cp_psn(h), S0);
            assert_true(uet_cp_retx(h));
        }
        take_nothing(&t);
        assert_int_equal(uet_fep_pdcs(t.fep, false), effect == FAIL_GONE ? 0 : 1);
        peer_free(&t);
    }
}

static void before_1_0_3(struct uet_fep_config *c)
{
    c->spec = UET_SPEC_1_0_2;
}

/* UET_TRIMMED_ACK: a read's data was cut off, the request is sent again; reserved since (D1). */
static void test_trimmed_ack(void **state)
{
    struct peer t;
    (void)state;
    for (int old = 0; old < 2; old++) {
        peer_init(&t, old ? before_1_0_3 : NULL);
        establish(&t, 2);
        uint32_t psn = t.start_psn + 1;
        expect_request(&t, psn, false);
        nack(&t, 0x03, psn, t.spdcid);
        expect_effect(&t, old ? RETX : IGNORED, psn, 1);
        peer_free(&t);
    }
}

/* 0x0B for what is acknowledged by now, and any code for what never was sent: nothing (PDS-134). */
static void test_not_outstanding(void **state)
{
    struct peer t;
    (void)state;
    for (unsigned code = 0; code < 256; code++) {
        peer_init(&t, NULL);
        establish(&t, 2);
        expect_request(&t, t.start_psn + 1, false);
        nack(&t, (uint8_t)code, t.start_psn, t.spdcid);
        nack(&t, (uint8_t)code, t.start_psn + 2, t.spdcid);
        expect_effect(&t, IGNORED, 0, 0);
        assert_int_equal(counter(t.fep, "drop_nack_psn"), 2);
        peer_free(&t);
    }
}

static void noop_first(struct uet_fep_config *c)
{
    assert_int_equal(uet_fep_config_variant(c, "noopfirst"), 0);
    c->params.Max_NACK_Retx_Cnt = 3;
}

/*
 * The NOOP that opens the PDC is refused, and no message has begun: those that wait try another PDC
 * after NACK_Retx_Time, as often as a message that has begun (PDS-135, PDS-136).
 */
static void test_refused_before_any(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, noop_first);
    fep_writes(&t, 10);
    for (unsigned i = 0; i < 4; i++) {
        const uint8_t *h = take(&t);
        assert_true(uet_is_cp(&t.p) && uet_has_syn(&t.p));
        t.dpdcid = uet_cp_spdcid(h);
        nack_with(&t, &(struct nack_spec){.code = 0x04, .psn = uet_cp_psn(h), .no_pdc = true});
        take_nothing(&t);
        advance(&t, 1 * MS); /* NACK_Retx_Time */
    }
    take_nothing(&t);
    assert_int_equal(completion(&t).status, UET_STATUS_PDS_ERROR);
    peer_free(&t);
}

/* Of all codes two say that the peer has no PDC of these numbers: whoever has asked it anything
 * tries elsewhere. */
static void test_unknown_there(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    for (unsigned code = 0; code < UET_NACK_CODES; code++) {
        const struct uet_nack_row *row = &t.fep->law.pds.nacks[code];
        bool unknown = code == UET_NACK_INV_DPDCID || code == UET_NACK_PDC_HDR_MISMATCH;
        assert_int_equal(row->unknown, unknown);
        assert_true(!unknown || (row->peer_gone && row->retry));
    }
    peer_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unknown_there),
        cmocka_unit_test(test_open),
        cmocka_unit_test(test_rod),
        cmocka_unit_test(test_creating),
        cmocka_unit_test(test_teaches),
        cmocka_unit_test(test_target),
        cmocka_unit_test(test_trimmed_ack),
        cmocka_unit_test(test_not_outstanding),
        cmocka_unit_test(test_refused_before_any),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
