/* SPDX-License-Identifier: BSD-2-Clause */
/* PDCs that a peer opened, and that end in each way. */
#include "conformance/harness/steps/trims.h"
#include "conformance/tests/endurance/endurance.h"
#include "conformance/tests/nscc.h"

static bool opens_and_closes(struct endure *e)
{
    struct uet_pdc *p = opens_pdc(e);

    return p && closes_pdc(e, p);
}

UET_TEST(pdcs_closed, .id = "rob.3.5.8.3.pdcs-closed", .requirements = "ROB-035 ROB-036",
         .role = UET_ROLE_TARGET, .needs = "rud any-request", AT_ONE_POINT, .preamble = "None.",
         .purpose = "PDCs that their initiator closes leave their room for others.",
         .stimulus = "A PDC is opened and closed, more often than the FEP has PDCs.",
         .expected = "Each SYN and each Close Command is acknowledged; then the FEP serves as "
                     "before.")
{
    endure(&(struct endure){.tc = tc, .requirement = "ROB-035"}, opens_and_closes);
}

#define COUNTED       4u  /* WRITEs: what they leave in rcvd_bytes is more than rounding */
#define COUNTED_BYTES 16u /* what has no data need not count */

/* The SYN's ACK counts the SYN alone. */
static bool counts_anew(struct endure *e)
{
    struct uet_pdc *p = uet_pdc_new(e->tc);

    for (unsigned i = 0; i < COUNTED; i++) {
        struct uet_out o = uet_write(p, e->m, 0, e->bytes, COUNTED_BYTES);
        const struct uet_in *in = uet_answered(e->tc, &o);
        uint32_t size = (nominal_of(&o) + UET_RCVD_BYTES_UNIT - 1) / UET_RCVD_BYTES_UNIT;
        if (!went(e, in && uet_is_ack(&in->packet), "a Request", "is not acknowledged") || !in)
            return false;
        if (i == 0 && in->packet.cc_state != UET_H_ACK_CC_STATE_NSCC)
            uet_skip(e->tc, "the ACKs of this FEP have no NSCC state");
        uet_look_at(e->tc, in);
        if (i == 0 &&
            !uet_check(e->tc, "CMS-021",
                       uet_ack_cc_state_nscc_rcvd_bytes(uet_cc_state_of(&in->packet)) == size,
                       "rcvd_bytes of the first ACK of PDC %u is not %u", e->round, size))
            return false;
    }
    return closes_pdc(e, p);
}

UET_TEST(pdcs_count_anew, .id = "rob.3.6.13.8.rcvd-bytes-begin-anew",
         .requirements = "CMS-021 ROB-035", .role = UET_ROLE_TARGET, .needs = "rud write ack-cc",
         AT_ONE_POINT, .preamble = "A region.",
         .purpose = "rcvd_bytes begins at 0 on each PDC, whatever PDC was there before.",
         .stimulus = "A PDC is opened, gets four WRITEs of 16 bytes, and is closed, more often "
                     "than the FEP has PDCs.",
         .expected = "In the ACK of the SYN rcvd_bytes is the size of the SYN, rounded up to 256.")
{
    struct uet_memory m = uet_need_memory(tc, length_of_three(tc));
    endure(
        &(struct endure){
            .tc = tc, .requirement = "ROB-035", .m = &m, .bytes = uet_tc_bytes(tc, COUNTED_BYTES)},
        counts_anew);
}

static bool opens_and_closes_reserved(struct endure *e)
{
    struct uet_pdc *p = uet_pdc_new(e->tc);
    struct uet_out syn = uet_any_request(p);

    uet_rud_rod_req_use_rsv_pdc_set(syn.pds, true);
    return goes_well(e, &syn, "the SYN with use_rsv_pdc") && closes_pdc(e, p);
}

UET_TEST(reserved_pdcs_closed, .id = "rob.3.5.8.3.reserved-pdcs-closed",
         .requirements = "ROB-035 ROB-036", .role = UET_ROLE_TARGET,
         .needs = "rud any-request reserved-pdcs", AT_ONE_POINT, .preamble = "None.",
         .purpose = "PDCs of the reserved pool go back to it when their initiator closes them.",
         .stimulus = "A PDC is opened by a SYN with use_rsv_pdc=1, and closed, more often than the "
                     "FEP has PDCs.",
         .expected = "Each SYN and each Close Command is acknowledged; then the FEP serves as "
                     "before.")
{
    endure(&(struct endure){.tc = tc, .requirement = "ROB-035"}, opens_and_closes_reserved);
}

/* The SYN asks for no ACK. */
static bool opens_unasked(struct endure *e)
{
    struct uet_pdc *p = uet_pdc_new(e->tc);
    struct uet_out syn = uet_any_request(p);

    ask_no_ack(&syn);
    say(e->tc, &syn);
    bool at_once = maybe(e->tc, ACK_OF(&syn)) != NULL;
    return went(e, at_once, "the SYN with ar=0", "is not acknowledged") && closes_pdc(e, p);
}

UET_TEST(pdcs_unasked, .id = "rob.3.5.8.2.each-opening-acknowledged",
         .requirements = "ROB-041 PDS-033", .role = UET_ROLE_TARGET, .needs = "rud any-request",
         AT_ONE_POINT, .preamble = "None.",
         .purpose = "The packet that opens a PDC is acknowledged at once, whatever PDC was there "
                    "before.",
         .stimulus = "A PDC is opened by a SYN with ar=0, and closed, more often than the FEP has "
                     "PDCs.",
         .expected = "Each SYN and each Close Command is acknowledged; then the FEP serves as "
                     "before.")
{
    endure(&(struct endure){.tc = tc, .requirement = "ROB-041"}, opens_unasked);
}

/* ---- the FEP wants to close ---- */

static bool closes_as_asked(struct endure *e)
{
    struct uet_pdc *p = opens_pdc(e);

    if (!p)
        return false;
    uet_did(e->tc, uet_ut_close_request(uet_tc_ut(e->tc), &p->self), "close_request");
    if (!maybe(e->tc, CP_ON(p, UET_CTL_CLOSE_REQUEST)))
        uet_skip(e->tc, "the FEP sends no Close Request");
    return closes_pdc(e, p);
}

UET_TEST(pdcs_closed_as_asked, .id = "rob.3.5.8.3.pdcs-closed-as-asked", .requirements = "ROB-036",
         .role = UET_ROLE_TARGET, .needs = "rud any-request upper-tester", AT_ONE_POINT,
         .preamble = "None.", .purpose = "PDCs whose close the target asks for leave their room.",
         .stimulus = "A PDC is opened; the upper tester makes the FEP send a Close Request, and "
                     "the peer closes; more often than the FEP has PDCs.",
         .expected = "Each SYN and each Close Command is acknowledged; then the FEP serves as "
                     "before.")
{
    close_req_long(tc);
    endure(&(struct endure){.tc = tc, .requirement = "ROB-036"}, closes_as_asked);
}

#define MOST_WAITS_NS (2000 * UET_MS) /* of all rounds */

/* A batch of PDCs whose close the FEP asks for in vain. */
static bool asks_in_vain(struct endure *e)
{
    struct uet_tc *tc = e->tc;
    struct uet_pdc *p[32] = {NULL};
    uint64_t limit = uet_tc_param(tc, "Close_REQ_Time");

    for (unsigned i = 0; i < e->each; i++) {
        p[i] = opens_pdc(e);
        if (!p[i])
            return false;
    }
    uet_did(tc, uet_ut_close_request(uet_tc_ut(tc), &p[0]->self), "close_request");
    uet_wait(tc, uet_tc_latest(tc, limit) + uet_tc_latest(tc, UET_MS));
    for (unsigned i = 0; i < e->each; i++)
        p[i]->closed = true;
    return true;
}

UET_TEST(pdcs_given_up, .id = "rob.3.5.8.3.pdcs-given-up", .requirements = "ROB-036",
         .role = UET_ROLE_TARGET, .needs = "rud any-request upper-tester",
         .params = "Close_REQ_Time max-pdcs", AT_ONE_POINT, .preamble = "None.",
         .purpose = "PDCs that the target gives up after Close_REQ_Time leave their room.",
         .stimulus = "PDCs are opened, half as many as the FEP has; it asks for their close, which "
                     "is acknowledged, and no Close Command comes; again and again.",
         .expected = "Each SYN is acknowledged once Close_REQ_Time is over; then the FEP serves as "
                     "before.")
{
    uint64_t limit = uet_tc_latest(tc, uet_tc_param(tc, "Close_REQ_Time"));
    unsigned each = batch(tc, "max-pdcs");
    if (!uet_tc_virtual_time(tc) && limit * (rounds(tc) / each) > MOST_WAITS_NS)
        uet_skip_for(tc, UET_SKIP_PARAMETER, "Close_REQ_Time is too long for so many rounds");
    tolerate(tc, NACK_ON(NULL, UET_NACK_CLOSING_IN_ERR));
    endure(&(struct endure){.tc = tc, .requirement = "ROB-036", .each = each, .waits = true},
           asks_in_vain);
}

/* ---- SYNs that open nothing ---- */

/* On a PDC that is open, another SYN of its spdcid, of a Start_PSN far away (3.5.8.2). */
static bool refuses_a_syn(struct endure *e)
{
    struct uet_pdc *p = opens_pdc(e), *other = uet_pdc_new(e->tc);
    struct uet_out syn = uet_any_request(other);

    if (!p)
        return false;
    other->auto_close = false;
    uet_rud_rod_req_spdcid_set(syn.pds, p->pdcid);
    say(e->tc, &syn);
    maybe(e->tc, .kind = UET_WANT_ANSWER, .with_psn = true, .psn = syn.psn);
    return is_gone(e, p);
}

UET_TEST(syns_refused, .id = "rob.3.5.8.2.syns-refused", .requirements = "ROB-036",
         .role = UET_ROLE_TARGET, .needs = "rud any-request", AT_ONE_POINT, .preamble = "None.",
         .purpose = "A SYN that is refused takes no PDC.",
         .stimulus = "A PDC is opened; a SYN with its spdcid and a Start_PSN far away; the PDC is "
                     "closed; more often than the FEP has PDCs.",
         .expected = "Each first SYN and each Close Command is acknowledged; then the FEP serves "
                     "as before. What comes of the second SYN is no matter.")
{
    tolerate(tc, ANSWER_ON(NULL));
    endure(&(struct endure){.tc = tc, .requirement = "ROB-036", .waits = true}, refuses_a_syn);
}

static bool trims_a_syn(struct endure *e)
{
    struct uet_pdc *p = uet_pdc_new(e->tc);
    struct uet_out syn = uet_write(p, e->m, 0, e->bytes, DATA);
    struct uet_out cut = trimmed(e->tc, &syn, "dscp-trimmed");

    p->auto_close = false;
    say(e->tc, &cut);
    if (e->round % 16 == 0) /* the answers, if there are any */
        uet_wait(e->tc, uet_tc_latest(e->tc, UET_US));
    while (e->round % 16 == 0 && maybe(e->tc, REFUSAL_ON(NULL), .within = UET_US))
        ;
    return true;
}

UET_TEST(syns_trimmed, .id = "rob.3.5.8.2.syns-trimmed", .requirements = "ROB-036",
         .role = UET_ROLE_TARGET, .needs = "rud write trimming", .params = "dscp-trimmed",
         AT_ONE_POINT, .preamble = "A region.", .purpose = "A trimmed SYN takes no PDC.",
         .stimulus = "Trimmed SYNs with ever new spdcids, more than the FEP has PDCs.",
         .expected = "Then the FEP serves as before. What comes of them is no matter.")
{
    struct uet_memory m = uet_need_memory(tc, length_of_three(tc));
    tolerate(tc, REFUSAL_ON(NULL));
    endure(
        &(struct endure){
            .tc = tc, .requirement = "ROB-036", .m = &m, .bytes = uet_tc_bytes(tc, DATA)},
        trims_a_syn);
}

#define AT_ONCE 16u /* so few that a FEP which answers each has PDCs for them */

/* SYNs whose SES header lacks its last bytes. One that is answered may have opened its PDC
 * (SES-159). */
static bool cuts_syns(struct endure *e)
{
    struct uet_out syn[AT_ONCE];

    for (unsigned i = 0; i < e->each; i++) {
        syn[i] = uet_write(uet_pdc_new(e->tc), e->m, 0, "", 0);
        syn[i].pdc->auto_close = false;
        syn[i].ses_len = (uint16_t)((e->round * e->each + i) % UET_SES_REQ_STD_SOM1_BYTES);
        say(e->tc, &syn[i]);
    }
    for (unsigned i = 0; i < e->each; i++) { /* the first one waits for all */
        const struct uet_in *in = i ? maybe(e->tc, ANSWER_TO(&syn[i]), .within = UET_US)
                                    : maybe(e->tc, ANSWER_TO(&syn[i]));
        if (in && uet_is_ack(&in->packet) && !is_gone(e, syn[i].pdc))
            return false;
    }
    return true;
}

UET_TEST(syns_cut, .id = "rob.3.5.8.2.syns-cut", .requirements = "ROB-028 ROB-036",
         .role = UET_ROLE_TARGET, .needs = "rud write", AT_ONE_POINT, .preamble = "A region.",
         .purpose = "A SYN too short for its SES header takes no PDC.",
         .stimulus =
             "SYNs with ever new spdcids whose standard header is cut to 0 to 43 bytes, more "
             "than the FEP has PDCs.",
         .expected = "Then the FEP serves as before. What comes of them is no matter.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    tolerate(tc, ANSWER_ON(NULL));
    const unsigned each = batch(tc, "max-pdcs");
    endure(&(struct endure){.tc = tc,
                            .requirement = "ROB-036",
                            .m = &m,
                            .each = each < AT_ONCE ? each : AT_ONCE,
                            .waits = true},
           cuts_syns);
}

/* What the next PDC of the tester's with those numbers would be. */
static struct uet_pdc *same_numbers(struct uet_tc *tc, struct uet_pdc *p)
{
    struct uet_pdc *late = uet_pdc_new_at(tc, p->start_psn);

    late->pdcid = p->pdcid;
    late->entropy = p->entropy;
    late->next_psn++;
    late->auto_close = false;
    late->unfinished = true; /* it may open when nobody waits for that any more */
    p->pdcid = 0;
    return late;
}

/* A copy of the SYN comes when its PDC is over; what it opens is closed, too. */
static bool comes_late(struct endure *e)
{
    struct uet_pdc *p = uet_pdc_new(e->tc);
    struct uet_out syn = uet_any_request(p);

    if (!goes_well(e, &syn, "the SYN") || !closes_pdc(e, p))
        return false;
    struct uet_pdc *late = syn.pdc = same_numbers(e->tc, p);
    uet_forget(e->tc);
    say_again(e->tc, &syn);
    const struct uet_in *in = maybe(e->tc, ANSWER_ON(late), .within = uet_tc_latest(e->tc, UET_MS));
    if (!in || !uet_is_ack(&in->packet))
        return true;
    /* An ACK for a copy may tell that it is one, and of no PDC: then the close is refused. */
    struct uet_out close = uet_cp(late, UET_CTL_CLOSE_COMMAND);
    uet_answered(e->tc, &close);
    return true;
}

UET_TEST(syns_late, .id = "rob.3.5.8.2.syns-late", .requirements = "ROB-036",
         .role = UET_ROLE_TARGET, .needs = "rud any-request", AT_ONE_POINT, .preamble = "None.",
         .purpose = "A late copy of a SYN takes no PDC for ever.",
         .stimulus = "A PDC is opened and closed; its SYN comes again, and where that opens a PDC "
                     "it is closed; more often than the FEP has PDCs.",
         .expected = "Each first SYN is acknowledged, as soon as what guards against late ones is "
                     "over (Syn_Retx_Safety_Time); then the FEP serves as before.")
{
    tolerate(tc, REFUSAL_ON(NULL));
    endure(&(struct endure){.tc = tc, .requirement = "ROB-036", .waits = true}, comes_late);
}

static bool sends_a_rod_syn_ahead(struct endure *e)
{
    struct uet_pdc *p = uet_pdc_new(e->tc);

    p->rod = true;
    p->auto_close = false;
    p->next_psn++;
    struct uet_out syn = uet_any_request(p);
    say(e->tc, &syn);
    maybe(e->tc, ANSWER_TO(&syn), .within = uet_tc_latest(e->tc, UET_MS));
    return true;
}

UET_TEST(
    rod_syns_ahead, .id = "rob.3.5.8.2.rod-syns-ahead", .requirements = "ROB-036",
    .role = UET_ROLE_TARGET, .needs = "rod any-request", AT_ONE_POINT, .preamble = "None.",
    .purpose = "A ROD SYN that is refused for coming ahead of the first takes no PDC for ever.",
    .stimulus = "ROD SYNs with psn_offset 1 and ever new spdcids, more than the FEP has PDCs.",
    .expected = "Then the FEP serves as before. What comes of them is no matter.")
{
    tolerate(tc, ANSWER_ON(NULL));
    endure(&(struct endure){.tc = tc, .requirement = "ROB-036"}, sends_a_rod_syn_ahead);
}

/* ---- a timer that has outlived its PDC ---- */

UET_TEST(old_timer, .id = "rob.3.5.8.3.timer-of-the-old-pdc", .requirements = "ROB-041",
         .role = UET_ROLE_TARGET, .needs = "rud any-request upper-tester",
         .params = "Close_REQ_Time max-pdcs", AT_ONE_POINT, .preamble = "None.",
         .purpose = "The time that a PDC had for its close does not end the next of its number.",
         .stimulus = "PDCs are opened, and closed when the FEP asks for it, as many as it has; "
                     "another one is opened; Close_REQ_Time goes by.",
         .expected = "That one serves on, or the FEP asks for its close.")
{
    uint64_t limit = uet_tc_latest(tc, uet_tc_param(tc, "Close_REQ_Time"));
    struct endure e = {.tc = tc, .requirement = "ROB-041"};
    if (!uet_tc_virtual_time(tc) && limit > MOST_WAITS_NS)
        uet_skip_for(tc, UET_SKIP_PARAMETER, "Close_REQ_Time is too long to wait for");
    uint64_t most = uet_tc_param(tc, "max-pdcs");
    for (uint64_t i = 0; i < most && i < 1024; i++)
        if (!closes_as_asked(&e))
            return;
    struct uet_pdc *p = uet_pdc_open(tc);
    uet_wait(tc, limit);
    still_serves(tc, "ROB-041", p);
}
