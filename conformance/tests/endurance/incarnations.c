/* SPDX-License-Identifier: BSD-2-Clause */
/* What a PDC leaves behind must not be found by the next one of its numbers. */
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/tests/endurance/endurance.h"

enum { INCARNATIONS = 4, APART = 0x30000 /* more than 2^16 (PDS-027), and the same low bits */ };

/* The next PDC of that spdcid. */
static struct uet_pdc *again(struct endure *e, struct uet_pdc *old)
{
    struct uet_pdc *p = old ? uet_pdc_new_at(e->tc, old->start_psn + APART) : uet_pdc_new(e->tc);

    if (old) {
        p->pdcid = old->pdcid;
        old->pdcid = 0; /* what comes for it now belongs to the new one */
    }
    struct uet_out syn = uet_any_request(p);
    return goes_well(e, &syn, "the SYN") ? p : NULL;
}

/* It ends with a gap, a response that is not cleared, and a message that is open. */
static bool ends_in_disorder(struct endure *e, struct uet_pdc *p, uint16_t message_id)
{
    struct uet_out bad = refused_write(p, e->m), part[PARTS];

    p->auto_clear = false;
    three_packets(e, p, UET_OP_WRITE, part);
    uet_ses_req_std_message_id_set(part[1].ses, message_id);
    say(e->tc, &bad);
    say(e->tc, &part[1]); /* part[0] lacks below it */
    uet_wait(e->tc, uet_tc_latest(e->tc, UET_US));
    uet_forget_settled(e->tc);
    p->next_psn = part[2].psn;
    say_again(e->tc, &part[0]); /* else the close may be refused */
    uet_wait(e->tc, uet_tc_latest(e->tc, UET_US));
    return closes_pdc(e, p);
}

/* Those PSNs and that message_id again: all of it is new. */
static bool finds_nothing(struct endure *e, struct uet_pdc *p, uint16_t message_id)
{
    struct uet_out first = uet_write(p, e->m, 0, e->bytes + e->round, 64), part[PARTS];
    const struct uet_in *in = uet_answered(e->tc, &first);

    if (!went(e, in && uet_is_ack(&in->packet), "the first WRITE", "is not acknowledged"))
        return false;
    went(e, !(in && is_error_response(in)), "the first WRITE", "gets the answer of an older PDC");
    memory_holds(e->tc, e->requirement, e->m, 0, e->bytes + e->round, 64);
    three_packets(e, p, UET_OP_WRITE, part);
    for (int i = 0; i < PARTS; i++) {
        uet_ses_req_std_message_id_set(part[i].ses, message_id);
        in = uet_answered(e->tc, &part[i]);
        if (!went(e, in && uet_is_ack(&in->packet) && !is_error_response(in),
                  "a packet of the message", "is not taken as new"))
            return false;
    }
    memory_holds(e->tc, e->requirement, e->m, 0, e->bytes, e->n);
    return true;
}

UET_TEST(nothing_of_the_old, .id = "rob.3.5.8.2.nothing-of-the-old-pdc", .requirements = "ROB-041",
         .role = UET_ROLE_TARGET, .needs = "rud write any-request", AT_ONE_POINT,
         .preamble = "A region.",
         .purpose = "A PDC finds nothing of the one that had its numbers before.",
         .stimulus = "A PDC with an error response that is not cleared, PSNs ahead of a gap, and a "
                     "message that is open, is closed; the next one has its spdcid and a Start_PSN "
                     "2^16 times three further on, and uses those PSNs and that message_id; four "
                     "times.",
         .expected = "Each packet of the next PDC is new: the WRITEs are in memory.")
{
    uint32_t n = length_of_three(tc);
    struct uet_memory m = uet_need_memory(tc, n);
    struct endure e = {
        .tc = tc, .requirement = "ROB-041", .m = &m, .bytes = uet_tc_bytes(tc, n), .n = n};
    uint16_t message_id = (uint16_t)(0x4000 | (uet_tc_random(tc) & 0xfff));
    struct uet_pdc *p = NULL;
    uint64_t safety;
    uet_for(tc, "ROB-041");
    for (e.round = 1; e.round <= INCARNATIONS; e.round++) {
        p = again(&e, p);
        if (!p || !ends_in_disorder(&e, p, message_id))
            return;
        if (uet_tc_told(tc, "Syn_Retx_Safety_Time", &safety) && uet_tc_virtual_time(tc))
            uet_wait(tc, safety);
        p = again(&e, p);
        if (!p || !finds_nothing(&e, p, message_id) || !closes_pdc(&e, p))
            return;
    }
}
