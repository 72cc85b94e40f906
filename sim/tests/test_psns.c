/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What psns.c takes for another incarnation, and what it blames: FEP 0 opens PDCs, FEP 1 is their
 * target. The packets are those of a correct conversation.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "sim/scenario/internal.h"
#include "track/tests/talk.h"

struct scene {
    struct scenario scenario;
    struct sim_run run;
    struct sim_result result;
    struct sim_plan plan;
    struct psns *psns;
    struct talk talk;
};

static void make_fep(struct scene *s, uint16_t host, const struct uet_ip *address)
{
    struct uet_fep_config *config = &s->plan.fep[host];
    struct sim_fep *fep = &s->scenario.feps[host];
    size_t size;

    uet_fep_config_default(config);
    config->address = *address;
    size = uet_fep_size(config);
    fep->memory = malloc(size);
    fep->fep = uet_fep_init(fep->memory, size, config, 0);
    assert_non_null(fep->fep);
    fep->incarnation = 1;
    fep->up = true;
}

static void setup(struct scene *s)
{
    memset(s, 0, sizeof(*s));
    talk_default(&s->talk);
    s->plan.n_feps = 2;
    make_fep(s, 0, &s->talk.initiator);
    make_fep(s, 1, &s->talk.target);
    while (strcmp(uet_fep_counter_name(s->scenario.opened_counters[0]), "frames_in") != 0)
        s->scenario.opened_counters[0]++;
    s->scenario.n_opened_counters = 1;
    s->scenario.plan = &s->plan;
    s->scenario.run = &s->run;
    s->scenario.result = &s->result;
    s->psns = psns_new();
    assert_non_null(s->psns);
}

static void teardown(struct scene *s)
{
    for (size_t i = 0; i < 2; i++)
        free(s->scenario.feps[i].memory);
    psns_free(s->psns);
}

/* A PDC of the FEP has gone, for all that its counters tell: any one of them stands for it. */
static void another_goes(struct scene *s, uint16_t host)
{
    const uint8_t frame[1] = {0};
    struct sim_fep *fep = &s->scenario.feps[host];

    uet_fep_receive(fep->fep, frame, sizeof(frame), 0);
}

/* What follows is of a PDC with these PDCIDs that begins here. */
static void begin(struct scene *s, uint16_t ipdcid, uint16_t tpdcid, uint32_t start)
{
    s->talk.ipdcid = ipdcid;
    s->talk.tpdcid = tpdcid;
    s->talk.start = start;
    talk_write(&s->talk);
}

static void sent(struct scene *s, uint16_t host, enum talk_name name)
{
    struct talk_packet *p = &s->talk.packet[name];

    talk_mend(p);
    psns_sent(&s->scenario, s->psns, host, p->frame, (uint32_t)p->len);
}

static void received(struct scene *s, uint16_t host, enum talk_name name)
{
    struct talk_packet *p = &s->talk.packet[name];

    talk_mend(p);
    psns_received(&s->scenario, s->psns, host, p->frame, (uint32_t)p->len);
}

static uint16_t spdcid_of(struct scene *s, enum talk_name name)
{
    const uint8_t *h = talk_pds(&s->talk.packet[name]);

    return name == TALK_READ_ACK0 ? uet_ack_spdcid(h) : uet_rud_rod_req_spdcid(h);
}

static void close_request_psn(struct scene *s, uint32_t psn)
{
    uet_cp_psn_set(talk_pds(&s->talk.packet[TALK_CLOSE_REQUEST]), psn);
}

static void holds(const struct scene *s)
{
    if (s->result.breach.what != SIM_NOTHING)
        fail_msg("%s", s->result.breach.text);
}

/*
 * A late copy of the SYN comes after the close and opens a PDC of the same PDCIDs (PDS-054). The
 * target had told another peer's PDCID by its own before.
 */
static void ghost_after_close(void **state)
{
    struct scene s;
    (void)state;

    setup(&s);
    begin(&s, 4, 1, 0x1000000);
    sent(&s, 0, TALK_SYN0);
    close_request_psn(&s, 0x1000000);
    sent(&s, 1, TALK_CLOSE_REQUEST);
    begin(&s, 1, 1, 0x2000000);
    sent(&s, 0, TALK_SYN0);
    sent(&s, 1, TALK_ACK0);
    close_request_psn(&s, 0x2000000);
    sent(&s, 1, TALK_CLOSE_REQUEST);
    received(&s, 1, TALK_CLOSE);
    sent(&s, 1, TALK_CLOSED);
    sent(&s, 1, TALK_ACK0); /* CACK_PSN of a PDC that begins */
    holds(&s);
    teardown(&s);
}

/* The same, and the target sends read data in it: CLEAR_PSN, too, begins anew. */
static void ghost_clear(void **state)
{
    struct scene s;
    (void)state;

    for (int closed = 0; closed < 2; closed++) {
        setup(&s);
        begin(&s, 1, 1, 0x2000000);
        sent(&s, 0, TALK_READ_SYN0);
        sent(&s, 1, TALK_READ_DATA0);
        uet_rud_rod_req_clear_psn_offset_set(talk_pds(&s.talk.packet[TALK_READ_DATA1]), -1);
        sent(&s, 1, TALK_READ_DATA1);
        if (closed) {
            received(&s, 1, TALK_READ_CLOSE);
            another_goes(&s, 1);
        }
        sent(&s, 1, TALK_READ_DATA0);
        assert_int_equal(s.result.breach.what, closed ? SIM_NOTHING : SIM_CLEAR);
        teardown(&s);
    }
}

/*
 * The target has closed the PDC, and has had another one of the same PDCIDs since, of which only
 * ACKs were sent: what a late SYN then opens at the PSNs of the first begins anew.
 */
static void ghost_of_the_last_but_one(void **state)
{
    struct scene s;
    (void)state;

    setup(&s);
    begin(&s, 1, 1, 0x2000000);
    sent(&s, 0, TALK_READ_SYN0);
    sent(&s, 1, TALK_READ_ACK0);
    sent(&s, 1, TALK_READ_DATA0);
    uet_rud_rod_req_clear_psn_offset_set(talk_pds(&s.talk.packet[TALK_READ_DATA1]), -1);
    sent(&s, 1, TALK_READ_DATA1);
    received(&s, 1, TALK_READ_CLOSE);
    sent(&s, 1, TALK_READ_CLOSED);
    another_goes(&s, 1);
    begin(&s, spdcid_of(&s, TALK_READ_SYN0), spdcid_of(&s, TALK_READ_ACK0), 0x4000000);
    sent(&s, 1, TALK_ACK0);
    begin(&s, 1, 1, 0x2000000);
    sent(&s, 1, TALK_READ_ACK0);
    sent(&s, 1, TALK_READ_DATA0);
    holds(&s);
    teardown(&s);
}

/* The same PDCID was an initiator's first: its PSNs are not those of the return direction. */
static void initiator_before(void **state)
{
    struct scene s;
    (void)state;

    setup(&s);
    begin(&s, 1, 1, 0x2000000);
    sent(&s, 0, TALK_SYN0);
    sent(&s, 0, TALK_RACK0);
    sent(&s, 0, TALK_CLOSE);
    another_goes(&s, 0);
    begin(&s, 1, 1, 0x4000000);
    sent(&s, 0, TALK_RACK0);
    begin(&s, 1, 1, 0x2002000); /* near the first, by chance, and beyond its window */
    sent(&s, 0, TALK_REQ2);
    holds(&s);
    teardown(&s);
}

/*
 * Another FEP was restarted, and what its peers had heard of it is forgotten: they go on from where
 * they were. A PDC that begins after that is judged.
 */
static void goes_on_after_restart(void **state)
{
    struct scene s;
    (void)state;

    setup(&s);
    begin(&s, 3, 1, 0x2000000);
    sent(&s, 0, TALK_SYN0);
    psns_forget(&s.scenario, s.psns, 1);
    uet_rud_rod_req_retx_set(talk_pds(&s.talk.packet[TALK_SYN1]), true);
    sent(&s, 0, TALK_SYN1);
    uet_rud_rod_req_psn_set(talk_pds(&s.talk.packet[TALK_REQ2]), 0x2000000 + 8 * 128);
    sent(&s, 0, TALK_REQ2);
    holds(&s);
    begin(&s, 3, 1, 0x4000000);
    sent(&s, 0, TALK_SYN0);
    uet_rud_rod_req_psn_set(talk_pds(&s.talk.packet[TALK_REQ2]), 0x4000000 + 8 * 128);
    sent(&s, 0, TALK_REQ2);
    assert_int_equal(s.result.breach.what, SIM_WINDOW);
    teardown(&s);
}

/*
 * What is known of a PDCID is forgotten when the peer of its newest PDC is restarted; an older PDC
 * of it may still be open at another FEP.
 */
static void older_pdc_of_forgotten(void **state)
{
    struct scene s;
    (void)state;

    setup(&s);
    begin(&s, 3, 1, 0x2000000);
    close_request_psn(&s, 0x2000000);
    sent(&s, 1, TALK_CLOSE_REQUEST);
    assert_int_equal(s.result.breach.what, SIM_WINDOW); /* nobody has opened it */
    teardown(&s);
    setup(&s);
    begin(&s, 3, 1, 0x4000000);
    sent(&s, 0, TALK_SYN0);
    psns_forget(&s.scenario, s.psns, 1);
    begin(&s, 3, 1, 0x2000000);
    close_request_psn(&s, 0x2000000);
    sent(&s, 1, TALK_CLOSE_REQUEST);
    holds(&s);
    teardown(&s);
}

/* Without a close CACK_PSN goes back. */
static void cack_back(void **state)
{
    struct scene s;
    (void)state;

    setup(&s);
    begin(&s, 1, 1, 0x2000000);
    sent(&s, 1, TALK_ACK2);
    holds(&s);
    sent(&s, 1, TALK_ACK0);
    assert_int_equal(s.result.breach.what, SIM_CACK);
    teardown(&s);
}

/*
 * A PDC goes, and another one has its PDCID. A FEP that answers late still owes ACKs of the first
 * one; one that does not cannot have two CACK_PSNs of what is now the other one.
 */
static void answered_late(uint64_t delay_ns, uint8_t breach)
{
    struct scene s;

    setup(&s);
    s.plan.choices[1].answer_delay_ns = delay_ns;
    begin(&s, 1, 1, 0x2000000);
    s.scenario.now = 1000;
    another_goes(&s, 1);
    sent(&s, 1, TALK_ACK0);
    s.scenario.now = 1900;
    sent(&s, 1, TALK_ACK2);
    sent(&s, 1, TALK_ACK0);
    assert_int_equal(s.result.breach.what, breach);
    teardown(&s);
}

static void late_answer(void **state)
{
    (void)state;
    answered_late(1000, SIM_NOTHING);
    answered_late(800, SIM_CACK);
    answered_late(0, SIM_CACK);
}

/*
 * The initiator was restarted and uses its PDCID again, at PSNs that happen to lie near: the target
 * asks after the PDC that it still has.
 */
static void near_after_restart(void **state)
{
    struct scene s;
    (void)state;

    setup(&s);
    psns_forget(&s.scenario, s.psns, 0);
    s.scenario.feps[0].incarnation = 2;
    begin(&s, 3, 1, 0x2000000);
    sent(&s, 0, TALK_SYN0);
    close_request_psn(&s, 0x2000000 + 8 * 128 + 1);
    sent(&s, 1, TALK_CLOSE_REQUEST);
    holds(&s);
    teardown(&s);
}

/*
 * A late Close Command names a PDCID that is an initiator's by now; nobody has opened its return
 * direction, and what it sends is no less its own.
 */
static void late_close(void **state)
{
    struct scene s;
    (void)state;

    setup(&s);
    begin(&s, 3, 1, 0x2000000);
    sent(&s, 0, TALK_SYN0);
    begin(&s, 1, 3, 0x1000000);
    received(&s, 0, TALK_CLOSE);
    another_goes(&s, 0);
    begin(&s, 3, 1, 0x2000000);
    sent(&s, 0, TALK_REQ2);
    holds(&s);
    teardown(&s);
}

/*
 * A SYN was refused, its PDC is gone, and the other FEP opens one at PSNs below: it gets the same
 * PDCID, and sends data there. Before the PDC is gone its CLEAR_PSN may not go back.
 */
static void refused(struct scene *s, bool gone)
{
    struct uet_ip other;
    uint32_t above;
    uint16_t id;
    uint8_t *nack;

    setup(s);
    begin(s, 1, 3, 0x1000000);
    id = spdcid_of(s, TALK_READ_ACK0);
    above = uet_rud_rod_req_psn(talk_pds(&s->talk.packet[TALK_READ_SYN0])) + 0x100;
    other = s->talk.initiator;
    s->talk.initiator = s->talk.target;
    s->talk.target = other;
    begin(s, id, 1, above);
    sent(s, 1, TALK_SYN0);
    nack = talk_pds(&s->talk.packet[TALK_REFUSED_NACK]);
    uet_nack_nack_psn_set(nack, above);
    uet_nack_dpdcid_set(nack, id);
    received(s, 1, TALK_REFUSED_NACK);
    if (gone)
        another_goes(s, 1);
    s->talk.target = s->talk.initiator;
    s->talk.initiator = other;
    begin(s, 1, 3, 0x1000000);
    sent(s, 0, TALK_READ_SYN0);
    sent(s, 1, TALK_READ_ACK0);
    sent(s, 1, TALK_READ_DATA0);
}

static void target_after_refusal(void **state)
{
    struct scene s;
    (void)state;

    refused(&s, true);
    holds(&s);
    teardown(&s);
    refused(&s, false);
    assert_int_equal(s.result.breach.what, SIM_CLEAR);
    teardown(&s);
}

/* Without a restart that PSN lies beyond the window: 8 times 128 PSNs from Start_PSN on. */
static void beyond_window(void **state)
{
    struct scene s;
    (void)state;

    setup(&s);
    begin(&s, 3, 1, 0x2000000);
    sent(&s, 0, TALK_SYN0);
    close_request_psn(&s, 0x2000000 + 8 * 128 - 1);
    sent(&s, 1, TALK_CLOSE_REQUEST);
    holds(&s);
    close_request_psn(&s, 0x2000000 + 8 * 128);
    sent(&s, 1, TALK_CLOSE_REQUEST);
    assert_int_equal(s.result.breach.what, SIM_WINDOW);
    teardown(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ghost_after_close),
        cmocka_unit_test(ghost_clear),
        cmocka_unit_test(ghost_of_the_last_but_one),
        cmocka_unit_test(initiator_before),
        cmocka_unit_test(goes_on_after_restart),
        cmocka_unit_test(late_close),
        cmocka_unit_test(older_pdc_of_forgotten),
        cmocka_unit_test(cack_back),
        cmocka_unit_test(late_answer),
        cmocka_unit_test(near_after_restart),
        cmocka_unit_test(target_after_refusal),
        cmocka_unit_test(beyond_window),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
