/* SPDX-License-Identifier: BSD-2-Clause */
/* What ACKs and NACKs say of the direction they answer (3.5.12, 3.5.12.7). */
#include <string.h>

#include "track/internal.h"

void uet_answers(struct uet_tracked *t, const struct uet_track_psn *psn)
{
    t->request = psn;
    if (!psn)
        return;
    t->request_frame = psn->last.number;
    t->request_time_ns = psn->time_ns;
    t->request_headers = psn->headers;
    t->request_pds = psn->pds;
    t->request_ses = psn->ses;
    t->request_entropy = psn->last.entropy;
    t->request_ecn = psn->last.ecn;
    t->message = psn->message;
    /* Name the newest copy that the answer echoes (3.5.11.8). */
    bool retx = uet_ack_retx(uet_pds(&t->packet));
    for (uint32_t i = 0; i < psn->n_copies && i < UET_TRACK_COPIES; i++)
        if (psn->copy[i].retx == retx && psn->last.retx != retx) {
            t->request_frame = psn->copy[i].number;
            t->request_entropy = psn->copy[i].entropy;
            t->request_ecn = psn->copy[i].ecn;
        }
}

/* A CACK that acknowledges what was never sent is bound to be ignored (PDS-122). */
static bool credible(const struct uet_track *track, const struct uet_track_dir *dir, uint32_t cack)
{
    if (!dir->psn_known)
        return !uet_sees_all(track);
    int32_t ahead = uet_psn_diff(cack, dir->highest_psn);
    return uet_sees_all(track) ? ahead <= 0 : ahead < UET_FAR && ahead > -UET_FAR;
}

static void note_cack(struct uet_track *track, struct uet_track_dir *dir, uint32_t cack)
{
    if (!credible(track, dir, cack))
        return;
    if (!dir->cack_known || uet_psn_diff(cack, dir->cack_psn) > 0)
        dir->cack_psn = cack;
    dir->cack_known = true;
}

static void note_error(struct uet_track_psn *psn, const uint8_t *ses)
{
    if (psn->message && !psn->message->answered_with_error) {
        psn->message->answered_with_error = true;
        psn->message->error_psn = psn->psn;
        uet_message_failed(psn->message);
    }
    if (!psn->has_response) {
        psn->has_response = true;
        memcpy(psn->response, ses, sizeof psn->response);
    }
}

/* Errors and data in ACKs are guaranteed: they wait for a clear (3.4.3.3, 3.5.20.2.2). */
static void note_response(struct uet_track *track, struct uet_track_psn *psn,
                          struct uet_track_dir *dir)
{
    const struct uet_packet *p = &track->t.packet;
    const uint8_t *ses = uet_ses(p);
    bool error = p->ses == UET_H_SES_RSP && uet_ses_rsp_return_code(ses) > UET_RC_OK;
    if (!error && !uet_is_ses_response_data(p))
        return;
    if (error)
        note_error(psn, ses);
    if (uet_ack_req(uet_pds(p)) != UET_ACK_REQ_CLEAR)
        return; /* one failed packet fails the message: the others need no guarantee (3.4.3.3) */
    if (dir->clear_known && uet_psn_diff(psn->psn, dir->clear_psn) <= 0)
        return;
    if (!dir->uncleared_known || uet_psn_diff(psn->psn, dir->uncleared_psn) < 0)
        dir->uncleared_psn = psn->psn;
    dir->uncleared_known = true;
}

static void note_mpr(struct uet_track_dir *dir, uint8_t mpr)
{
    dir->mpr_known = true;
    dir->mpr = mpr;
    if (mpr > dir->highest_mpr)
        dir->highest_mpr = mpr;
    if (!mpr) /* its meaning differs between versions (3.5.5) */
        dir->mpr_missing = true;
}

static void note_closed(struct uet_track *track, const struct uet_track_psn *named)
{
    struct uet_track_pdc *pdc = track->t.pdc;
    const struct uet_track_dir *dir = &pdc->dir[0];
    if (!pdc->closing || pdc->closed)
        return;
    pdc->closed = (named && named->psn == pdc->close_psn) ||
                  (dir->cack_known && uet_psn_diff(dir->cack_psn, pdc->close_psn) >= 0);
    track->totals.pdcs_broken += pdc->closed;
}

static void note_named(struct uet_track *track, struct uet_track_psn *named,
                       struct uet_track_dir *dir)
{
    const struct uet_tracked *t = &track->t;
    if (!dir->named_known || uet_psn_diff(named->psn, dir->named_psn) > 0)
        dir->named_psn = named->psn;
    dir->named_known = true;
    if (!named->acked_by) {
        uint64_t rtt = t->time_ns - named->time_ns;
        if (named->n_copies == 1 && (!dir->min_rtt_ns || rtt < dir->min_rtt_ns))
            dir->min_rtt_ns = rtt ? rtt : 1;
        named->acked_by = t->number;
        named->answered_default = t->packet.ses == UET_H_SES_RSP_DEFAULT;
        named->promised = t->packet.ses == UET_H_SES_RSP_NO_RESPONSE;
    }
    uet_message_data(track, named, !named->data_seen);
    note_response(track, named, dir);
}

static void note_trimmed(const struct uet_tracked *t, struct uet_track_dir *dir)
{
    uint8_t next = uet_ack_next_hdr(uet_pds(&t->packet));
    if (uet_ack_p(uet_pds(&t->packet)))
        return;
    dir->trimmed_ack = true;
    dir->trimmed_ack_data = next == UET_NH_RESPONSE_DATA || next == UET_NH_RESPONSE_DATA_SMALL;
    dir->trimmed_ack_psn = uet_packet_psn(&t->packet);
}

/* Does the FEP at whose end the capture was taken get it damaged, so that it hears nothing? What it
 * sends may be without a checksum yet. */
static bool unheard(const struct uet_track *track)
{
    uint8_t receiver = track->t.forward ? UET_VANTAGE_TARGET : UET_VANTAGE_INITIATOR;
    return track->t.packet.error == UET_PARSE_IP_CHECKSUM && track->config.vantage == receiver;
}

void uet_ack_take(struct uet_track *track)
{
    struct uet_tracked *t = &track->t;
    uet_locate_answer(track);
    if (!t->pdc)
        return;
    bool acked = !t->forward; /* the direction that it acknowledges */
    struct uet_track_dir *dir = &t->pdc->dir[!acked];
    const uint8_t *h = uet_pds(&t->packet);
    t->was = *dir;
    if (t->mismatch || unheard(track))
        return;
    struct uet_track_psn *named = NULL;
    if (uet_ack_p(h)) {
        uet_answers(t, uet_loose_find(track, uet_probe_key(uet_ack_probe_opaque(h))));
    } else {
        named = uet_psn_find(track, t->pdc, acked, uet_packet_psn(&t->packet));
        uet_answers(t, named);
    }
    if (t->packet.trim != UET_TRIM_NO) {
        note_trimmed(t, dir); /* it is no ACK: the Request is sent again (Table 3-61) */
        return;
    }
    if (t->packet.cc_state == UET_H_ACK_CC_STATE_CREDIT)
        uet_credit_grant(track, uet_ack_cc_state_credit_credit(uet_cc_state_of(&t->packet)));
    uet_inflight_acked(track, named);
    note_cack(track, dir, uet_ack_cack_psn(h));
    uet_loss_told(track, named);
    uet_inflight_told(track, named);
    if (named)
        note_named(track, named, dir);
    if (uet_has_sack(&t->packet))
        note_mpr(dir, uet_ack_cc_mpr(h));
    else
        dir->mpr_missing = true;
    uet_dir_advance(track, t->pdc, acked);
    if (acked && uet_ack_req(h) == UET_ACK_REQ_CLOSE)
        uet_asks_to_close(t);
    if (acked)
        note_closed(track, named);
}

/* The target made no PDC, or wants it numbered otherwise: a new SYN may start anew. */
static bool refuses(const struct uet_track_pdc *pdc, const uint8_t *h)
{
    uint8_t code = uet_nack_nack_code(h), spdcid = uet_nack_table[code].spdcid;
    if (code == UET_NACK_NEW_START_PSN)
        return true;
    return !pdc->established && !uet_nack_spdcid(h) &&
           (spdcid == UET_SPDCID_ZERO || spdcid == UET_SPDCID_ZERO_IF_NO_PDC);
}

/*
 * UET_NEW_START_PSN for a PDC that begins there: it was for another packet of the first flight,
 * whose PSN is one of the PDC that came of it.
 */
static bool begun_there(const struct uet_track_pdc *pdc, const uint8_t *h)
{
    return uet_nack_nack_code(h) == UET_NACK_NEW_START_PSN && pdc->start_known &&
           uet_nack_payload(h) == pdc->start_psn;
}

static bool acknowledged(const struct uet_track_dir *dir, const struct uet_track_psn *psn)
{
    return psn->acked_by || (dir->cack_known && uet_psn_diff(psn->psn, dir->cack_psn) <= 0);
}

static void note_failed(struct uet_track_pdc *pdc, uint8_t code, const struct uet_tracked *t,
                        const struct uet_track_psn *psn)
{
    bool moot = acknowledged(&pdc->dir[t->forward], psn);
    pdc->target_told |= t->forward && !moot;
    if (pdc->failed && !pdc->failed_moot)
        return;
    pdc->failed = true;
    pdc->failed_moot = moot;
    pdc->failed_code = code;
    pdc->failed_ns = t->time_ns;
    pdc->failed_forward = t->forward;
}

static void note_nack(struct uet_track *track, const struct uet_track_psn *psn)
{
    const struct uet_tracked *t = &track->t;
    struct uet_track_pdc *pdc = t->pdc;
    const uint8_t *h = uet_pds(&t->packet);
    uint8_t code = uet_nack_nack_code(h);
    bool was_broken = pdc->refused || pdc->closed || pdc->failed;
    pdc->n_nacks++;
    pdc->dir[t->forward].mpr_missing = true;
    if (begun_there(pdc, h))
        return;
    if (code == UET_NACK_NEW_START_PSN) {
        pdc->new_start_known = true;
        pdc->new_start_psn = uet_nack_payload(h);
    }
    if (refuses(pdc, h))
        pdc->refused = true;
    else if (code == UET_NACK_INV_DPDCID && pdc->closing)
        pdc->closed = true; /* its Close Command was repeated after the target was done (3.5.8.3) */
    else if (uet_nack_table[code].nack_class == UET_CLASS_PDC_FATAL)
        note_failed(pdc, code, t, psn);
    track->totals.pdcs_broken += !was_broken && (pdc->refused || pdc->closed || pdc->failed);
}

static bool is_ack_request(const struct uet_track_psn *psn)
{
    return uet_in_cp(psn->pds) && uet_cp_ctl_type(psn->headers) == UET_CTL_ACK_REQUEST;
}

/* CPs whose psn, mostly 0, is that of no packet: what is about clears and credit, Probes (3.5.16).
 */
static bool names_no_psn(const struct uet_track_psn *psn)
{
    static const bool of_cp[16] = {[UET_CTL_CLEAR_COMMAND] = true,
                                   [UET_CTL_CLEAR_REQUEST] = true,
                                   [UET_CTL_PROBE] = true,
                                   [UET_CTL_CREDIT] = true,
                                   [UET_CTL_CREDIT_REQUEST] = true};
    return uet_in_cp(psn->pds) && of_cp[uet_cp_ctl_type(psn->headers)];
}

/* A NACK for what takes no PSN, newer than the packet of the PDC that has the number, if any has.
 */
static bool is_for_loose(const struct uet_tracked *t, const struct uet_track_psn *loose,
                         const struct uet_track_psn *psn)
{
    if (!loose || !psn)
        return loose != NULL;
    /* Nobody asks for one of these once more (Table 3-58). */
    if (names_no_psn(loose) &&
        uet_nack_table[uet_nack_nack_code(uet_pds(&t->packet))].nack_class != UET_CLASS_PDC_FATAL)
        return false;
    return loose->last.number > psn->last.number;
}

void uet_nack_take(struct uet_track *track)
{
    struct uet_tracked *t = &track->t;
    uet_locate_answer(track);
    if (uet_nack_nack_code(uet_pds(&t->packet)) == UET_NACK_TRIMMED_ACK) {
        if (t->pdc)
            t->was = t->pdc->dir[t->forward];
        return; /* it answers an ACK, whatever has the same PSN in the other direction (PDS-223) */
    }
    struct uet_track_psn *loose = uet_loose_find(track, uet_packet_psn(&t->packet));
    struct uet_track_psn *psn =
        t->pdc ? uet_psn_find(track, t->pdc, !t->forward, uet_packet_psn(&t->packet)) : NULL;
    if (is_for_loose(t, loose, psn)) {
        /* It answers a packet that is no part of the PDC's run, and says nothing of the PDC. */
        t->loose = true;
        t->mismatch = false;
        uet_answers(t, loose);
        t->request_unsure = psn && names_no_psn(loose);
        if (!loose->nacked_by)
            loose->nacked_by = t->number;
        loose->nack_code = uet_nack_nack_code(uet_pds(&t->packet));
        /* It answers what was asked about that PSN (3.5.16.2). A Probe, whose psn is no PSN, may be
         * what is remembered under the same number. */
        if (psn && (psn->ack_requested || is_ack_request(loose)))
            uet_loss_nacked(track, psn);
        return;
    }
    if (!t->pdc)
        return;
    t->was = t->pdc->dir[t->forward];
    uet_answers(t, psn);
    if (t->mismatch || !psn || t->packet.trim != UET_TRIM_NO || unheard(track))
        return;
    uet_loss_nacked(track, psn);
    uet_inflight_nacked(track, psn);
    note_nack(track, psn);
}
