/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules for PSNs, retransmissions and CLEAR_PSN in Requests (3.5.11.4, 3.5.15). */
#include <string.h>

#include "rules/internal.h"

/* Was this PSN first seen as a resend? Then the capture began after it, and higher ones were sent.
 */
static bool seen_late(const struct uet_tracked *t, uint32_t psn)
{
    const struct uet_track_psn *first = uet_track_find_psn(t->track, t->pdc, t->forward, psn);
    return !first || first->copy[0].retx;
}

/*
 * 3.5.11.4: +1 for each new PSN. Whether a Probe takes a PSN is not settled (3.5.16.5): as many
 * PSNs as Probes were sent may be missing. Not judged: a PDC joined late that the target denies.
 */
static bool consecutive(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    uint32_t psn = uet_packet_psn(r->p);
    if (t->loose || !t->new_psn || !t->was.psn_known || seen_late(t, t->was.highest_psn) ||
        (t->pdc->failed && !t->pdc->opened_in_sight))
        return false;
    uint32_t missing = psn - t->was.highest_psn - 1;
    return missing > t->was.n_probes &&
           uet_violates(r, "new PSN 0x%08x after 0x%08x, required 0x%08x", psn, t->was.highest_psn,
                        t->was.highest_psn + 1);
}

/*
 * A second copy with retx = 0. Unless nothing is captured twice, equal packets may be one; and
 * where copies may pass each other, the first must be the original, not a resend (retx = 1).
 */
static bool resent_without_retx(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    if (!t->duplicate || uet_is_retx(r))
        return false;
    if (r->vantage == UET_VANTAGE_BOTH)
        return true;
    return !t->own->copy[0].retx && !t->same_frame;
}

/* Same SES header and payload size; ie may come later, when the source loses data (3.4.5.4.1). */
static bool same_content(const struct uet_packet *p, const struct uet_track_psn *own)
{
    const uint8_t *was = uet_ses_of(own);
    if (p->error || !p->ses || !was || uet_ses_req_ie(uet_ses(p)) || uet_ses_req_ie(was))
        return true;
    return p->ses == own->ses && p->payload_len == own->payload_len &&
           memcmp(uet_ses(p), was, uet_headers[p->ses].bytes) == 0;
}

/* 3.5.11.8, 3.5.15: a retransmission has the same PSN and content, and retx = 1. */
static bool retransmission(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    if (resent_without_retx(r))
        return uet_violates(r, "PSN 0x%08x again (packet %u) with retx 0, required 1",
                            uet_packet_psn(r->p), t->previous_frame);
    return t->duplicate && uet_was_request(t->own) && !same_content(r->p, t->own) &&
           uet_violates(r, "PSN 0x%08x again with another SES header or payload than in packet %u",
                        uet_packet_psn(r->p), t->own->copy[0].number);
}

/* 3.5.16: CPs that take a PSN are retransmitted like Requests. */
static bool cp_retransmission(const struct uet_ruling *r)
{
    return resent_without_retx(r) &&
           uet_violates(r, "PSN 0x%08x again (packet %u) with retx 0, required 1",
                        uet_packet_psn(r->p), r->t->previous_frame);
}

/*
 * 3.5.11.4.4, 3.5.20.1: CLEAR_PSN covers only what is acknowledged. An ACK stands in the capture
 * before its effect, at either end.
 */
static bool clear_horizon(const struct uet_ruling *r)
{
    const struct uet_track_dir *was = &r->t->was;
    return !r->t->loose && was->runs_known &&
           uet_psn_diff(uet_clear_psn(r->p), was->acked_psn) > 0 &&
           uet_violates(r, "CLEAR_PSN is 0x%08x, but only up to 0x%08x is acknowledged",
                        uet_clear_psn(r->p), was->acked_psn);
}

/* 3.5.11.4.4: CLEAR_PSN starts at Start_PSN - 1. The first PSN goes out before any ACK. */
static bool clear_start(const struct uet_ruling *r)
{
    const struct uet_track_pdc *pdc = r->t->pdc;
    bool known = uet_is_syn(r->p) || (r->ends && pdc && !r->t->loose && pdc->opened_in_sight);
    if (!known)
        return false;
    uint32_t start = uet_is_syn(r->p) ? uet_start_psn(r->p) : pdc->start_psn;
    uint32_t clear = uet_clear_psn(r->p);
    if (uet_psn_diff(clear, start - 1) < 0)
        return uet_violates(r, "CLEAR_PSN is 0x%08x, below Start_PSN - 1 = 0x%08x", clear,
                            start - 1);
    return uet_packet_psn(r->p) == start && !uet_is_retx(r) && clear != start - 1 &&
           uet_violates(r, "CLEAR_PSN of the first PSN is 0x%08x, required Start_PSN - 1 = 0x%08x",
                        clear, start - 1);
}

/* 3.5.11.4.4: never positive. */
static bool clear_offset(const struct uet_ruling *r)
{
    int16_t offset = uet_rud_rod_req_clear_psn_offset(r->pds);
    return offset > 0 && uet_violates(r, "clear_psn_offset is %d, never above 0", offset);
}

/* 3.5.11.4.4: CLEAR_PSN never goes back from one new PSN to the next. Resends may repeat an old
 * one. */
static bool clear_monotonic(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    uint32_t clear = uet_clear_psn(r->p);
    if (t->loose || uet_is_retx(r))
        return false;
    if (r->sender && t->new_psn && t->was.clear_known && uet_psn_diff(clear, t->was.clear_psn) < 0)
        return uet_violates(r, "CLEAR_PSN goes back from 0x%08x to 0x%08x", t->was.clear_psn,
                            clear);
    const struct uet_track_psn *b = t->before;
    if (!b || !uet_was_request(b) || b->copy[0].retx)
        return false;
    uint32_t old = uet_psn_add(b->psn, uet_rud_rod_req_clear_psn_offset(b->headers));
    return !t->duplicate && uet_psn_diff(clear, old) < 0 &&
           uet_violates(r, "CLEAR_PSN is 0x%08x, that of the PSN before is 0x%08x", clear, old);
}

/* 3.5.15. */
static bool resend_ar(const struct uet_ruling *r)
{
    return uet_is_retx(r) && !uet_rud_rod_req_ar(r->pds) &&
           uet_violates(r, "a retransmission with ar 0");
}

static const struct uet_rule_row rows[] = {
    {{"PDS-056", "new PSNs are consecutive"}, UET_ON_SENDS, UET_NEEDS_SENDER, consecutive},
    {{"PDS-058", "a retransmission has retx 1 and the same content"},
     UET_ON_REQUEST,
     UET_NEEDS_PSN | UET_WHEN_DUPLICATE,
     retransmission},
    {{"PDS-070", "CLEAR_PSN covers only what is acknowledged"},
     UET_ON_REQUEST,
     UET_NEEDS_ENDS,
     clear_horizon},
    {{"PDS-071", "CLEAR_PSN starts at Start_PSN - 1"},
     UET_ON_REQUEST,
     UET_WHEN_SYN | UET_WHEN_ENDS,
     clear_start},
    {{"PDS-072", "clear_psn_offset is never positive"},
     UET_ON_REQUEST,
     UET_NEEDS_NOTHING,
     clear_offset},
    {{"PDS-073", "CLEAR_PSN never goes back"}, UET_ON_REQUEST, UET_NEEDS_PSN, clear_monotonic},
    {{"PDS-164", "retransmissions ask for an ACK"}, UET_ON_REQUEST, UET_WHEN_RETX, resend_ar},
    {{"PDS-197", "a resent CP has retx 1"},
     UET_ON_CP,
     UET_NEEDS_PSN | UET_WHEN_DUPLICATE,
     cp_retransmission},
};

const struct uet_rule_table uet_rules_psn = UET_TABLE(rows);
