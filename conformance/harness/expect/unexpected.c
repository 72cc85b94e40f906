/* SPDX-License-Identifier: BSD-2-Clause */
/* What came and nobody expected: tolerated, or a fault of the FEP. */
#include <string.h>

#include "conformance/harness/expect/expect.h"

void uet_tolerate(struct uet_tc *tc, const struct uet_want *want)
{
    if (tc->n_tolerated == UET_MAX_TOLERATED)
        uet_error(tc, "a test tolerates at most %d kinds of packets", UET_MAX_TOLERATED);
    struct uet_want *w = &tc->tolerated[tc->n_tolerated++];
    uint8_t *codes = uet_tc_alloc(tc, want->n_codes + 1);
    *w = *want;
    w->codes = codes;
    if (want->n_codes)
        memcpy(codes, want->codes, want->n_codes);
}

/*
 * What a conforming FEP may send at any time: ACKs, CPs, resends, NACKs that change nothing; as
 * initiator also requests. The rules judge them. A packet for a PDC of an earlier test is late, not
 * wrong.
 */
bool uet_tc_tolerates(const struct uet_tc *tc, const struct uet_in *in)
{
    const struct uet_packet *p = &in->packet;

    for (size_t i = 0; i < tc->n_tolerated; i++)
        if (uet_want_matches(&tc->tolerated[i], in))
            return true;
    if (p->error != UET_PARSE_OK)
        return false;
    if (uet_is_request(p) && uet_has_syn(p) && !in->pdc) /* or it goes on with an earlier test's */
        return tc->test->role == UET_ROLE_INITIATOR || tc->keeps_state;
    if (in->pdc && in->pdc->aside)
        return true;
    if (!in->pdc || uet_is_ack(p) || uet_is_cp(p) || in->retransmission)
        return true;
    if (in->tolerated)
        return true;
    return uet_is_request(p) && tc->test->role == UET_ROLE_INITIATOR;
}

/* "SYN", "Request", "CLOSE_COMMAND": what the tester sent under that PSN; NULL: nothing. */
static const char *what_was_sent(const struct uet_pdc *pdc, uint32_t psn)
{
    for (const struct uet_sent *s = pdc->sent; s; s = s->next) {
        const struct uet_out *o = &s->out;

        if (o->psn != psn)
            continue;
        if (uet_out_is(o, UET_PDS_CP))
            return uet_enum_name(UET_ENUM_PDS_CTL_TYPE, uet_cp_ctl_type(o->pds));
        if (uet_out_is_request(o))
            return uet_rud_rod_req_syn(o->pds) ? "SYN" : "Request";
    }
    return NULL;
}

/* A refusal names what is refused, and why. */
static void uncalled(struct uet_tc *tc, const struct uet_in *in)
{
    const struct uet_packet *p = &in->packet;
    bool nack = uet_is_nack(p);
    const char *what = nack && in->pdc ? what_was_sent(in->pdc, uet_packet_psn(p)) : NULL;
    uint8_t code = nack ? uet_nack_nack_code(uet_pds(p)) : 0;

    if (what)
        uet_tc_worsen(tc, UET_FAIL, tc->claim, in,
                      "the %s of PSN 0x%08x was refused with %s, which nothing calls for", what,
                      uet_packet_psn(p), uet_enum_name(UET_ENUM_PDS_NACK_CODE, code));
    else
        uet_tc_worsen(tc, UET_FAIL, tc->claim, in, "a packet came that nothing calls for");
}

void uet_tc_judge_unexpected(struct uet_tc *tc)
{
    for (const struct uet_in *in = tc->in_first; in; in = in->next) {
        if (in->consumed)
            continue;
        if (uet_tc_tolerates(tc, in) || uet_tells_no_room(in)) {
            uet_record_note(&tc->record, in->frame, "tolerated");
            continue;
        }
        if (in->packet.error != UET_PARSE_OK)
            uet_tc_worsen(tc, UET_FAIL, tc->claim, in,
                          "the FEP sent a packet that is malformed: %s",
                          uet_parse_error_text((enum uet_parse_error)in->packet.error));
        else if (tc->result->verdict != UET_SKIP) /* which left before it was called for */
            uncalled(tc, in);
    }
}
