/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Many PDCs: 65,535 in one FEP, every PDCID there is, and a million over 16 FEPs in this process.
 * Each is opened by a SYN that is answered, holds its state and takes the next packet.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "refimpl/fep.h"
#include "refimpl/pds/pds.h"
#include "refimpl/tests/shared/counter.h"
#include "wire/build.h"

/* Sanitizers make it eight times as slow: there an eighth of the million must do. */
#if defined(__SANITIZE_ADDRESS__)
#define FEPS 2
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FEPS 2
#endif
#endif
#ifndef FEPS
#define FEPS 16
#endif

enum { PDCS = 65535, FRAME = 256 };

/* What congestion control keeps in a PDC, as source and as destination. */
#define BYTES_OF(type, member) sizeof(((struct type *)0)->member)
#define CC_OF_A_PDC                                                                                \
    (BYTES_OF(pdc, ccc) + BYTES_OF(pdc, moved_at) + BYTES_OF(source, inflight) +                   \
     BYTES_OF(source, sent_bytes) + BYTES_OF(source, acked_bytes) +                                \
     BYTES_OF(source, arrived_bytes) + BYTES_OF(source, newly_rcvd) + BYTES_OF(source, demand) +   \
     BYTES_OF(source, n_credit_asks) + BYTES_OF(sink, rcvd_bytes) + BYTES_OF(sink, n_above) +      \
     3 * BYTES_OF(sink, grantee))

struct many {
    struct uet_fep *fep;
    void *memory;
    size_t bytes;
    struct uet_ip ip, peer;
};

static void many_open(struct many *m)
{
    struct uet_fep_config c;
    uet_fep_config_default(&c);
    assert_int_equal(uet_ip_parse(&m->ip, "2001:db8::1"), 0);
    assert_int_equal(uet_ip_parse(&m->peer, "2001:db8::2"), 0);
    c.address = m->ip;
    c.max_pdcs = PDCS;
    m->bytes = uet_fep_size(&c);
    m->memory = malloc(m->bytes);
    assert_non_null(m->memory);
    m->fep = uet_fep_init(m->memory, m->bytes, &c, 1);
    assert_non_null(m->fep);
}

/* A NO_OP from the peer's PDC `spdcid`: opens it, or with a TPDCID comes after that. */
static void no_op(struct many *m, uint16_t spdcid, uint32_t psn, uint16_t tpdcid)
{
    const struct uet_route route = {.src = m->peer, .dst = m->ip, .entropy = 0x4242};
    uint8_t frame[FRAME];
    struct uet_build b;
    uet_build_start(&b, frame, sizeof frame, &route);
    uint8_t *h = uet_build_pds(&b, UET_H_RUD_ROD_REQ);
    uet_rud_rod_req_type_set(h, UET_PDS_RUD_REQ);
    uet_rud_rod_req_next_hdr_set(h, UET_NH_REQUEST_STD);
    uet_rud_rod_req_ar_set(h, true);
    uet_rud_rod_req_syn_set(h, !tpdcid);
    uet_rud_rod_req_psn_set(h, psn);
    uet_rud_rod_req_clear_psn_offset_set(h, -1);
    uet_rud_rod_req_spdcid_set(h, spdcid);
    if (tpdcid)
        uet_rud_rod_req_dpdcid_set(h, tpdcid);
    uint8_t *s = uet_build_ses(&b, UET_H_SES_REQ_STD_SOM1);
    uet_ses_req_opcode_set(s, UET_OP_NO_OP);
    uet_ses_req_som_set(s, true);
    uet_ses_req_eom_set(s, true);
    uet_ses_req_std_message_id_set(s, 1);
    int n = uet_build_finish(&b, UET_PROTECT_NONE, NULL);
    assert_true(n > 0);
    uet_fep_receive(m->fep, frame, (size_t)n, 1);
}

/* The ACK of that PSN; its spdcid. */
static uint16_t acknowledged(struct many *m, uint16_t spdcid, uint32_t psn)
{
    uint8_t frame[UET_FRAME_MAX];
    struct uet_packet p;
    size_t n = uet_fep_transmit(m->fep, frame, sizeof frame, 1);
    assert_int_equal(uet_parse(&p, frame, n, NULL), UET_PARSE_OK);
    if (!uet_is_ack(&p))
        fail_msg("%s for PDC %u", uet_headers[p.pds].name, spdcid);
    assert_int_equal(uet_ack_cack_psn(uet_pds(&p)), psn);
    assert_int_equal(uet_dpdcid(&p), spdcid);
    assert_int_not_equal(uet_spdcid(&p), 0);
    return uet_spdcid(&p);
}

static void fill(struct many *m, uint16_t *tpdcid, uint8_t *used)
{
    memset(used, 0, PDCS + 1);
    for (uint32_t i = 1; i <= PDCS; i++) {
        uint32_t psn = i * 2654435761u;
        no_op(m, (uint16_t)i, psn, 0);
        tpdcid[i] = acknowledged(m, (uint16_t)i, psn);
        assert_int_equal(used[tpdcid[i]]++, 0); /* PDS-018 */
    }
    assert_int_equal(uet_fep_pdcs(m->fep, false), PDCS);
}

static uint16_t tpdcids[PDCS + 1];
static uint8_t used[PDCS + 1];

static void test_every_pdcid(void **state)
{
    struct many m;
    (void)state;
    many_open(&m);
    assert_in_range(uet_fep_pdc_size(), 1, 512);
    assert_in_range(m.bytes / PDCS, 1, 512 + 256 + 96); /* a PDC, a CCC, a source of credit */
    assert_true(sizeof(struct ccc) <= 256);             /* all of a destination */
    assert_true(CC_OF_A_PDC <= 64);                     /* and what a PDC has of it */
    fill(&m, tpdcids, used);
    no_op(&m, 0xffff, 77, 0); /* the same SYN's Start_PSN differs: another incarnation (PDS-037) */
    assert_int_equal(counter(m.fep, "tx_nack_invalid_syn"), 1);
    m.peer.bytes[15] = 3;
    no_op(&m, 1, 77, 0); /* another peer: there is no PDC left */
    assert_int_equal(counter(m.fep, "tx_nack_no_pdc_avail"), 1);
    m.peer.bytes[15] = 2;
    uint8_t frame[UET_FRAME_MAX];
    while (uet_fep_transmit(m.fep, frame, sizeof frame, 1))
        ;
    for (uint32_t i = 1; i <= PDCS; i += 97) { /* each still knows where it stands */
        uint32_t psn = i * 2654435761u + 1;
        no_op(&m, (uint16_t)i, psn, tpdcids[i]);
        assert_int_equal(acknowledged(&m, (uint16_t)i, psn), tpdcids[i]);
    }
    free(m.memory);
}

static void test_a_million(void **state)
{
    static struct many m[FEPS];
    size_t total = 0;
    (void)state;
    for (unsigned i = 0; i < FEPS; i++) {
        many_open(&m[i]);
        fill(&m[i], tpdcids, used);
    }
    for (unsigned i = 0; i < FEPS; i++) {
        total += uet_fep_pdcs(m[i].fep, false);
        free(m[i].memory);
    }
    assert_int_equal(total, FEPS * PDCS); /* 16: 1,048,560 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_pdcid),
        cmocka_unit_test(test_a_million),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
