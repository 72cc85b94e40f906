/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules for Control Packets (3.5.10.8, 3.5.16). */
#include "rules/internal.h"

/* psn, ar, retx and syn are 0 in CPs that nobody tracks; the first that is not. */
static const char *not_zero(const struct uet_ruling *r)
{
    if (uet_cp_psn(r->pds))
        return "psn";
    if (uet_cp_ar(r->pds))
        return "ar";
    if (uet_cp_retx(r->pds))
        return "retx";
    return uet_cp_syn(r->pds) ? "syn" : NULL;
}

/*
 * 3.5.16.3.1: not tracked, not retransmitted; the payload is the cumulative CLEAR_PSN, which
 * covers only what is acknowledged.
 */
static bool clear_command(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    if (uet_ctl(r) != UET_CTL_CLEAR_COMMAND)
        return false;
    const char *field = not_zero(r);
    if (field)
        return uet_violates(r, "Clear Command with %s not 0", field);
    uint32_t clear = uet_cp_payload_value(r->pds);
    if (!r->ends || !t->pdc || t->mismatch || !t->was.runs_known)
        return false;
    return uet_psn_diff(clear, t->was.acked_psn) > 0 &&
           uet_violates(r, "Clear Command for 0x%08x, but only up to 0x%08x is acknowledged", clear,
                        t->was.acked_psn);
}

/* 3.5.16.3. */
static bool clear_request(const struct uet_ruling *r)
{
    const char *field = uet_ctl(r) == UET_CTL_CLEAR_REQUEST ? not_zero(r) : NULL;
    return field && uet_violates(r, "Clear Request with %s not 0", field);
}

/* 3.5.16.2: it asks about a PSN of its own direction, and takes no new one. */
static bool ack_request(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    return uet_ctl(r) == UET_CTL_ACK_REQUEST && t->pdc->whole &&
           !uet_track_find_psn(t->track, t->pdc, t->forward, uet_cp_psn(r->pds)) &&
           uet_violates(r, "ACK Request for PSN 0x%08x, which was never sent", uet_cp_psn(r->pds));
}

/* 3.5.16.2: it names the message of that PSN, or none. What a return PSN has for one is free. */
static bool asked_message(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    if (uet_ctl(r) != UET_CTL_ACK_REQUEST)
        return false;
    const struct uet_track_psn *psn =
        uet_track_find_psn(t->track, t->pdc, t->forward, uet_cp_psn(r->pds));
    uint16_t told = (uint16_t)uet_cp_payload_value(r->pds);
    if (!told || !psn || psn->mixed || !uet_original_seen(psn) || !uet_was_request(psn) ||
        !uet_ses_id_is_std(psn->ses))
        return false;
    uint16_t id = uet_ses_req_std_message_id(uet_ses_of(psn));
    return told != id &&
           uet_violates(r, "ACK Request with message_id %u, that of the PSN is %u", told, id);
}

/* 3.5.16: Credit is fire and forget. */
static bool credit(const struct uet_ruling *r)
{
    const char *field = uet_ctl(r) == UET_CTL_CREDIT ? not_zero(r) : NULL;
    return field && uet_violates(r, "Credit with %s not 0", field);
}

/* 3.5.16: isrod names the mode where a CP may open a PDC. */
static bool isrod(const struct uet_ruling *r)
{
    uint8_t ctl = uet_ctl(r);
    return uet_cp_isrod(r->pds) && ctl != UET_CTL_NOOP && ctl != UET_CTL_NEGOTIATION &&
           uet_violates(r, "isrod is 1 in a %s CP, reserved there",
                        uet_enum_name(UET_ENUM_PDS_CTL_TYPE, ctl));
}

static bool reserved_type(const struct uet_ruling *r)
{
    return uet_ctl(r) > UET_CTL_NEGOTIATION &&
           uet_violates(r, "ctl_type %u is reserved", uet_ctl(r));
}

/* 3.5.10.8. */
static bool payload(const struct uet_ruling *r)
{
    uint8_t ctl = uet_ctl(r);
    bool none = ctl == UET_CTL_NOOP || ctl == UET_CTL_CLOSE_COMMAND || ctl == UET_CTL_CLOSE_REQUEST;
    return none && uet_cp_payload_value(r->pds) &&
           uet_violates(r, "payload 0x%08x in a %s CP, which has none",
                        uet_cp_payload_value(r->pds), uet_enum_name(UET_ENUM_PDS_CTL_TYPE, ctl));
}

static const struct uet_rule_row rows[] = {
    {{"PDS-082", "the fields of a Clear Command"}, UET_ON_CP, UET_NEEDS_NOTHING, clear_command},
    {{"PDS-084", "the fields of a Clear Request"}, UET_ON_CP, UET_NEEDS_NOTHING, clear_request},
    {{"PDS-188", "isrod only in NOOP and Negotiation"}, UET_ON_CP, UET_NEEDS_NOTHING, isrod},
    {{"PDS-189", "an ACK Request names a PSN that was sent"},
     UET_ON_CP,
     UET_NEEDS_SENDER,
     ack_request},
    {{"PDS-189", "an ACK Request names the message of its PSN or none"},
     UET_ON_CP,
     UET_NEEDS_PDC,
     asked_message},
    {{"PDS-195", "the fields of a Credit"}, UET_ON_CP, UET_NEEDS_NOTHING, credit},
    {{"PDS-196", "reserved ctl_type values are not sent"},
     UET_ON_CP,
     UET_NEEDS_NOTHING,
     reserved_type},
    {{"PDS-198", "a CP without payload has 0 there"}, UET_ON_CP, UET_NEEDS_NOTHING, payload},
};

const struct uet_rule_table uet_rules_cp = UET_TABLE(rows);
