/* SPDX-License-Identifier: BSD-2-Clause */
/* Of the incarnations of a PDCID: the credit of each (3.6.14). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rules/tests/incarnation.h"

/* What is beside it in these scenes, messages above all, is not looked at. */
static void give_credit(struct scene *s, struct talk_packet *p)
{
    struct uet_violation found[MAX_VIOLATIONS];
    talk_mend(p);
    s->now += US;
    s->t = uet_track_add(s->track, p->frame, p->len, s->now);
    assert_non_null(s->t);
    size_t n = uet_rules_check(s->rules, s->t, found, MAX_VIOLATIONS);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(found[i].requirement, "CMS-077") == 0)
            fail_msg("%s", found[i].message);
    }
}

/* A packet of an incarnation as a CC Request, given; its PSN is so much higher. */
static void spend(struct scene *s, struct talk *talk, enum talk_name name, uint32_t higher)
{
    enum { MORE = UET_RUD_ROD_CC_REQ_BYTES - UET_RUD_ROD_REQ_BYTES };
    const struct talk_packet before = talk->packet[name];
    struct talk_packet *p = &talk->packet[name];
    uint8_t *h = talk_pds(p), *behind = h + UET_RUD_ROD_REQ_BYTES;
    uint8_t *ip = p->frame + UET_ETH_BYTES;
    memmove(behind + MORE, behind, (size_t)(p->frame + p->len - behind));
    memset(behind, 0, MORE);
    p->len += MORE;
    uet_rud_rod_req_type_set(h, UET_PDS_RUD_CC_REQ);
    uet_rud_rod_req_psn_set(h, uet_rud_rod_req_psn(h) + higher);
    uet_ipv4_total_length_set(ip, (uint16_t)(uet_ipv4_total_length(ip) + MORE));
    uet_udp_length_set(ip + UET_IPV4_BYTES, (uint16_t)(uet_udp_length(ip + UET_IPV4_BYTES) + MORE));
    give_credit(s, p);
    talk->packet[name] = before;
}

static void grant(struct scene *s, struct talk *talk, uint32_t credit)
{
    uint8_t *h = talk_pds(&talk->packet[TALK_RNOOP0]);
    uet_cp_ctl_type_set(h, UET_CTL_CREDIT);
    uet_cp_ar_set(h, false);
    uet_cp_psn_set(h, 0);
    uet_cp_payload_credit_credit_set(h + UET_CP_BYTES - UET_CP_PAYLOAD_CREDIT_BYTES, credit);
    give_credit(s, &talk->packet[TALK_RNOOP0]);
}

/*
 * When all PDCs of a CCC have closed it is over: the next one may have its ccc_id, and is granted
 * credit from 0 again.
 */
static void credit_anew(void **state)
{
    (void)state;
    static const struct uet_rules_window window = {.max_credit = 900};
    struct scene s;
    open_scene_with(&s, UET_VANTAGE_TARGET, &window);
    for (unsigned life = 0; life < 2; life++) {
        struct talk *a = live(life, (uint16_t)(1 + life), 1, 0x1000000u << life);
        spend(&s, a, TALK_SYN0, 0);
        give(&s, a, TALK_ACK0);
        grant(&s, a, 1);
        grant(&s, a, 30);
        for (uint32_t i = 0; i < 7; i++)
            spend(&s, a, TALK_REQ2, i);
        run(&s, a, TALK_CLOSE, TALK_CLOSED);
        assert_true(s.t->pdc->closed);
    }
    close_scene(&s);
}

/*
 * A PDC of a CCC fails, and nobody sees it: nothing more comes. The next CCC has its ccc_id, and is
 * granted from 0.
 */
static void credit_after_silence(void **state)
{
    (void)state;
    static const struct uet_rules_window window = {.max_credit = 900};
    struct scene s;
    open_scene_with(&s, UET_VANTAGE_TARGET, &window);
    for (uint16_t life = 0; life < 2; life++) {
        struct talk *a = live(life, (uint16_t)(1 + life), (uint16_t)(1 + life), 0x1000000u << life);
        spend(&s, a, TALK_SYN0, 0);
        give(&s, a, TALK_ACK0);
        grant(&s, a, 1);
        grant(&s, a, 30);
        for (uint32_t i = 0; i < 7; i++)
            spend(&s, a, TALK_REQ2, i);
        assert_false(s.t->pdc->closed);
    }
    close_scene(&s);
}

/* The NOOP of that talk is a Credit Request. */
static void ask_credit(struct scene *s, struct talk *talk)
{
    uint8_t *h = talk_pds(&talk->packet[TALK_NOOP6]);
    uet_cp_ctl_type_set(h, UET_CTL_CREDIT_REQUEST);
    uet_cp_ar_set(h, false);
    uet_cp_psn_set(h, 0);
    give_credit(s, &talk->packet[TALK_NOOP6]);
}

/*
 * A source whose Credit Requests nobody answers closes in error, with Requests that are not
 * acknowledged. One that has been granted credit must wait for the ACKs (3.5.8.3).
 */
static void closed_without_credit(void **state)
{
    (void)state;
    for (int granted = 0; granted < 2; granted++) {
        struct scene s;
        open_scene(&s, UET_VANTAGE_INITIATOR);
        struct talk *a = live(0, 1, 1, 0x1000000);
        run(&s, a, TALK_SYN0, TALK_REQ2);
        ask_credit(&s, a);
        uet_cp_psn_set(talk_pds(&a->packet[TALK_CLOSE]), 0x1000003);
        if (granted) {
            grant(&s, a, 1);
            blame(&s, a, TALK_CLOSE, "PDS-201");
        } else {
            give(&s, a, TALK_CLOSE);
        }
        close_scene(&s);
    }
}

static void comes_by(struct talk *a, enum talk_name name, uint16_t entropy)
{
    uet_udp_src_port_set(a->packet[name].frame + UET_ETH_BYTES + UET_IPV4_BYTES, entropy);
}

/* The Request with PSN 0 was sent, and after it a Credit Request, on another path. */
static struct talk *asked_behind_psn_0(struct scene *s)
{
    open_scene(s, UET_VANTAGE_TARGET);
    struct talk *a = live(0, 1, 1, (uint32_t)-7);
    run(s, a, TALK_SYN0, TALK_REQ7);
    comes_by(a, TALK_NOOP6, 0x5151);
    ask_credit(s, a);
    return a;
}

/*
 * A CP about credit, or a Clear Command, has psn 0, and so may a Request have. A NACK that wants a
 * packet again is for the Request, whose entropy value it has; one that ends the PDC may be for
 * either.
 */
static void refused_behind_credit(void **state)
{
    (void)state;
    struct scene s;
    struct talk *a = asked_behind_psn_0(&s);
    give(&s, a, TALK_NACK7);
    assert_int_equal(s.t->request->pds, UET_H_RUD_ROD_REQ);
    close_scene(&s);
    a = asked_behind_psn_0(&s);
    comes_by(a, TALK_NACK7, 0x5151);
    blame(&s, a, TALK_NACK7, "PDS-112");
    close_scene(&s);
    for (int of_credit = 0; of_credit < 2; of_credit++) {
        a = asked_behind_psn_0(&s);
        nack(a, UET_NACK_INV_DPDCID, a->ipdcid, 0);
        if (of_credit)
            comes_by(a, TALK_NACK7, 0x5151);
        give(&s, a, TALK_NACK7);
        assert_true(s.t->request_unsure);
        close_scene(&s);
    }
}

/* UET_TRIMMED_ACK names the PSN of an ACK: no Request with that number was refused (PDS-223). */
static void trimmed_ack_behind_credit(void **state)
{
    (void)state;
    struct scene s;
    struct talk *a = asked_behind_psn_0(&s);
    struct talk_packet *p = &a->packet[TALK_NACK7];
    uet_nack_nack_code_set(talk_pds(p), UET_NACK_TRIMMED_ACK);
    talk_mend(p);
    s.t = uet_track_add(s.track, p->frame, p->len, s.now + US);
    assert_non_null(s.t);
    assert_non_null(s.t->pdc);
    assert_null(s.t->request);
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(credit_anew),
        cmocka_unit_test(credit_after_silence),
        cmocka_unit_test(closed_without_credit),
        cmocka_unit_test(refused_behind_credit),
        cmocka_unit_test(trimmed_ack_behind_credit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
