/* SPDX-License-Identifier: BSD-2-Clause */
/* Rewriting and comparing of replay, on packets made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tools/uetcat/replay/compare.h"
#include "tools/uetcat/replay/map.h"
#include "wire/build.h"

/* From PDC 0x0101 and 0x2001 at PSN 0xffffffff to 0x0a0a and 0x0b0b at PSN 0x10. */
static const struct replay_map map = {0x11, 0x0a0a, 0x0b0b};

/* A packet: its PDS header and what stands behind it, without addresses. */
struct made {
    struct uet_build b;
    uint8_t frame[300];
    uint8_t *h;
    struct replay_item item;
    uint8_t bytes[300];
};

static void begin(struct made *m, enum uet_header_id id, enum uet_pds_type type)
{
    const struct uet_route r = {.src = {4, {192, 0, 2, 1}}, .dst = {4, {192, 0, 2, 2}}};
    memset(m, 0, sizeof *m);
    uet_build_start(&m->b, m->frame, sizeof m->frame, &r);
    m->h = uet_build_pds(&m->b, id);
    uet_pds_prologue_type_set(m->h, (uint8_t)type);
}

static struct replay_item *end(struct made *m)
{
    const struct uet_parse_options options = {.start = UET_START_PDS};
    int len = uet_build_finish(&m->b, UET_PROTECT_NONE, NULL);
    assert_true(len > 0);
    m->item.number = 7;
    m->item.bytes = m->bytes;
    m->item.len = (uint32_t)len - m->b.pds_offset;
    memcpy(m->bytes, m->frame + m->b.pds_offset, m->item.len);
    assert_int_equal(uet_parse(&m->item.packet, m->bytes, m->item.len, &options), UET_PARSE_OK);
    return &m->item;
}

/* Rewritten; nothing may change but the bytes that are listed, as {offset, byte}, up to -1. */
static void rewritten(struct made *m, const int *want)
{
    uint8_t expected[300];
    struct replay_item *item = end(m);
    memcpy(expected, m->bytes, item->len);
    for (; *want >= 0; want += 2)
        expected[want[0]] = (uint8_t)want[1];
    replay_rewrite(m->bytes, &item->packet, &map);
    assert_memory_equal(m->bytes, expected, item->len);
}

/* Offsets of Table 3-33: psn 4, spdcid 8, dpdcid 10. */
static void a_request(void **state)
{
    static const int want[] = {4, 0, 5, 0, 6, 0, 7, 0x10, 8, 0x0a, 9, 0x0a, 10, 0x0b, 11, 0x0b, -1};
    struct made m;
    (void)state;
    begin(&m, UET_H_RUD_ROD_REQ, UET_PDS_RUD_REQ);
    uet_rud_rod_req_next_hdr_set(m.h, UET_NH_REQUEST_STD);
    uet_rud_rod_req_psn_set(m.h, 0xffffffff); /* wraps */
    uet_rud_rod_req_clear_psn_offset_set(m.h, -3);
    uet_rud_rod_req_spdcid_set(m.h, 0x0101);
    uet_rud_rod_req_dpdcid_set(m.h, 0x2001);
    uet_ses_req_std_message_id_set(uet_build_ses(&m.b, UET_H_SES_REQ_STD_SOM1), 3);
    rewritten(&m, want);
    assert_true(replay_needs_dpdcid(&m.item.packet));
}

static void a_syn_keeps_its_offset(void **state)
{
    static const int want[] = {4, 0, 5, 0, 6, 0, 7, 0x13, 8, 0x0a, 9, 0x0a, -1};
    struct made m;
    (void)state;
    begin(&m, UET_H_RUD_ROD_REQ_SYN, UET_PDS_ROD_REQ);
    uet_rud_rod_req_next_hdr_set(m.h, UET_NH_REQUEST_STD);
    uet_rud_rod_req_syn_set(m.h, true);
    uet_rud_rod_req_psn_set(m.h, 2);
    uet_rud_rod_req_psn_offset_set(m.h, 3);
    uet_rud_rod_req_spdcid_set(m.h, 0x0101);
    uet_build_ses(&m.b, UET_H_SES_REQ_STD_SOM1);
    rewritten(&m, want);
    assert_false(replay_needs_dpdcid(&m.item.packet));
}

static void an_ack(void **state)
{
    static const int want[] = {7, 0x16, 8, 0x0a, 9, 0x0a, 10, 0x0b, 11, 0x0b, -1};
    struct made m;
    (void)state;
    begin(&m, UET_H_ACK, UET_PDS_ACK);
    uet_ack_cack_psn_set(m.h, 5);
    uet_ack_ack_psn_offset_set(m.h, -2);
    uet_ack_spdcid_set(m.h, 0x2001);
    uet_ack_dpdcid_set(m.h, 0x0101);
    rewritten(&m, want);
}

/* The small Response with data names the PSN of its request (3.4.2.6). */
static void small_data(void **state)
{
    struct made m;
    (void)state;
    begin(&m, UET_H_RUD_ROD_REQ, UET_PDS_RUD_REQ);
    uet_rud_rod_req_next_hdr_set(m.h, UET_NH_RESPONSE_DATA_SMALL);
    uet_rud_rod_req_spdcid_set(m.h, 1);
    uet_rud_rod_req_dpdcid_set(m.h, 2);
    uint8_t *s = uet_build_ses(&m.b, UET_H_SES_RSP_DATA_SMALL);
    uet_ses_rsp_data_small_original_request_psn_set(s, 0x100);
    struct replay_item *item = end(&m);
    replay_rewrite(m.bytes, &item->packet, &map);
    assert_int_equal(uet_ses_rsp_data_small_original_request_psn(uet_ses(&item->packet)), 0x111);
}

static void nacks(void **state)
{
    static const struct {
        uint8_t code;
        uint32_t payload;
    } cases[] = {{UET_NACK_ROD_OOO, 0x31},
                 {UET_NACK_NEW_START_PSN, 0x31},
                 {UET_NACK_NO_PDC_AVAIL, 0x20},
                 {UET_NACK_CLOSING_IN_ERR, 0x20}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct made m;
        begin(&m, UET_H_NACK, UET_PDS_NACK);
        uet_nack_nack_code_set(m.h, cases[i].code);
        uet_nack_nack_psn_set(m.h, 0x20);
        uet_nack_dpdcid_set(m.h, 0x0101); /* without PDC: spdcid 0 stays */
        uet_nack_payload_set(m.h, 0x20);
        struct replay_item *item = end(&m);
        replay_rewrite(m.bytes, &item->packet, &map);
        assert_int_equal(uet_nack_nack_psn(m.bytes), 0x31);
        assert_int_equal(uet_nack_payload(m.bytes), cases[i].payload);
        assert_int_equal(uet_nack_spdcid(m.bytes), 0);
        assert_int_equal(uet_nack_dpdcid(m.bytes), 0x0b0b);
    }
}

/* Which Control Packets name a PSN, and which of them in the payload (3.5.16). */
static void control_packets(void **state)
{
    static const struct {
        uint8_t ctl_type;
        uint32_t psn, payload;
    } cases[] = {{UET_CTL_NOOP, 0x31, 0x20},          {UET_CTL_ACK_REQUEST, 0x31, 0x20},
                 {UET_CTL_CLEAR_COMMAND, 0x20, 0x31}, {UET_CTL_CLEAR_REQUEST, 0x20, 0x31},
                 {UET_CTL_CLOSE_COMMAND, 0x31, 0x20}, {UET_CTL_PROBE, 0x31, 0x31},
                 {UET_CTL_CREDIT, 0x20, 0x20}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct made m;
        begin(&m, UET_H_CP, UET_PDS_CP);
        uet_cp_ctl_type_set(m.h, cases[i].ctl_type);
        uet_cp_psn_set(m.h, 0x20);
        uet_cp_spdcid_set(m.h, 1);
        uet_cp_dpdcid_set(m.h, 2);
        uet_cp_payload_value_set(m.h, 0x20);
        struct replay_item *item = end(&m);
        replay_rewrite(m.bytes, &item->packet, &map);
        assert_int_equal(uet_cp_psn(m.bytes), cases[i].psn);
        assert_int_equal(uet_cp_payload_value(m.bytes), cases[i].payload);
    }
}

static void a_rudi_request(void **state)
{
    struct made m;
    (void)state;
    begin(&m, UET_H_RUDI_REQ, UET_PDS_RUDI_REQ);
    uet_rudi_pkt_id_set(m.h, 9);
    uet_rudi_next_hdr_set(m.h, UET_NH_REQUEST_STD);
    uet_build_ses(&m.b, UET_H_SES_REQ_STD_SOM1);
    struct replay_item *item = end(&m);
    replay_rewrite(m.bytes, &item->packet, &map);
    assert_int_equal(uet_pkt_id(&item->packet), 0x1a);
}

/* ---- comparing ---- */

static struct replay_differences differences;

static int tear_down(void **state)
{
    (void)state;
    replay_differences_free(&differences);
    return 0;
}

static void made_ack(struct made *m, uint32_t cack, int16_t offset, enum uet_ses_return_code code)
{
    begin(m, UET_H_ACK, UET_PDS_ACK);
    uet_ack_cack_psn_set(m->h, cack);
    uet_ack_ack_psn_offset_set(m->h, offset);
    uet_ack_next_hdr_set(m->h, UET_NH_RESPONSE);
    uint8_t *s = uet_build_ses(&m->b, UET_H_SES_RSP);
    uet_ses_rsp_opcode_set(s, code == UET_RC_OK ? UET_RSP_DEFAULT_RESPONSE : UET_RSP_RESPONSE);
    uet_ses_rsp_return_code_set(s, (uint8_t)code);
    uet_ses_rsp_message_id_set(s, 5);
    end(m);
}

static void made_nack(struct made *m, uint32_t psn, uint8_t code)
{
    begin(m, UET_H_NACK, UET_PDS_NACK);
    uet_nack_nack_code_set(m->h, code);
    uet_nack_nack_psn_set(m->h, psn);
    end(m);
}

static void the_moment_does_not_count(void **state)
{
    struct made e, g;
    (void)state;
    made_ack(&e, 10, 0, UET_RC_OK);
    made_ack(&g, 8, 2, UET_RC_OK); /* another CACK_PSN, the same ACK_PSN */
    uet_ack_m_set(g.bytes, true);
    uet_ack_req_set(g.bytes, 1);
    assert_int_equal(replay_fits(&e.item, &g.item), REPLAY_FIT_SAME);
    assert_true(replay_compare(&differences, &e.item, &g.item));
    assert_int_equal(differences.n, 0);
    made_ack(&g, 10, 1, UET_RC_OK); /* of another packet */
    assert_int_equal(replay_fits(&e.item, &g.item), REPLAY_FIT_NOT);
    made_ack(&g, 10, 0, UET_RC_OK);
    g.item.pdc = 1;
    assert_int_equal(replay_fits(&e.item, &g.item), REPLAY_FIT_NOT);
}

static void another_code(void **state)
{
    struct made e, g;
    (void)state;
    made_ack(&e, 10, 0, UET_RC_NO_MATCH);
    made_ack(&g, 10, 0, UET_RC_BAD_MKEY);
    assert_false(replay_compare(&differences, &e.item, &g.item));
    assert_int_equal(differences.n, 1);
    assert_string_equal(differences.at[0].what,
                        "return_code is RC_BAD_MKEY (28), and was RC_NO_MATCH (5)");
    assert_int_equal(differences.at[0].first, 7);
    e.item.number = 9;
    assert_false(replay_compare(&differences, &e.item, &g.item)); /* once more: counted */
    assert_int_equal(differences.n, 1);
    assert_int_equal(differences.at[0].n, 2);
    assert_int_equal(differences.at[0].first, 7);
}

static void a_nack_instead(void **state)
{
    struct made e, g;
    (void)state;
    made_ack(&e, 10, 0, UET_RC_OK);
    made_nack(&g, 10, UET_NACK_NO_PDC_AVAIL);
    assert_int_equal(replay_fits(&e.item, &g.item), REPLAY_FIT_INSTEAD);
    assert_false(replay_compare(&differences, &e.item, &g.item));
    assert_string_equal(differences.at[0].what,
                        "the NACK UET_NO_PDC_AVAIL came in the place of an answer");
    assert_false(replay_compare(&differences, &g.item, &e.item));
    assert_string_equal(differences.at[1].what,
                        "an answer came in the place of the NACK UET_NO_PDC_AVAIL");
}

static void other_data(void **state)
{
    struct made made[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct made *m = &made[i];
        begin(m, UET_H_RUD_ROD_REQ, UET_PDS_RUD_REQ);
        uet_rud_rod_req_next_hdr_set(m->h, UET_NH_RESPONSE_DATA);
        uint8_t *s = uet_build_ses(&m->b, UET_H_SES_RSP_DATA);
        uet_ses_rsp_data_response_message_id_set(s, i ? 77 : 5); /* the target's to choose */
        uet_ses_rsp_data_payload_length_set(s, 4);
        uet_build_payload(&m->b, i ? "abXd" : "abcd", 4);
        end(m);
    }
    assert_int_equal(replay_fits(&made[0].item, &made[1].item), REPLAY_FIT_SAME);
    assert_false(replay_compare(&differences, &made[0].item, &made[1].item));
    assert_int_equal(differences.n, 1);
    assert_string_equal(differences.at[0].what, "byte 2 of the data is 0x58, and was 0x63");
}

static void house_and_plain(void **state)
{
    struct made m;
    (void)state;
    made_ack(&m, 1, 0, UET_RC_OK);
    assert_true(replay_is_plain_ack(&m.item.packet));
    assert_false(replay_keeps_house(&m.item.packet));
    made_ack(&m, 1, 0, UET_RC_BAD_MKEY);
    assert_false(replay_is_plain_ack(&m.item.packet));
    for (uint8_t type = UET_CTL_NOOP; type <= UET_CTL_CREDIT_REQUEST; type++) {
        begin(&m, UET_H_CP, UET_PDS_CP);
        uet_cp_ctl_type_set(m.h, type);
        assert_int_equal(replay_keeps_house(&end(&m)->packet), type != UET_CTL_NOOP &&
                                                                   type != UET_CTL_CLOSE_COMMAND &&
                                                                   type != UET_CTL_CLOSE_REQUEST);
    }
}

#define COMPARES(f) cmocka_unit_test_teardown(f, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request),
        cmocka_unit_test(a_syn_keeps_its_offset),
        cmocka_unit_test(an_ack),
        cmocka_unit_test(small_data),
        cmocka_unit_test(nacks),
        cmocka_unit_test(control_packets),
        cmocka_unit_test(a_rudi_request),
        COMPARES(the_moment_does_not_count),
        COMPARES(another_code),
        COMPARES(a_nack_instead),
        COMPARES(other_data),
        COMPARES(house_and_plain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
