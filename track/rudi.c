/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * RUDI: no PDC, no PSN. A pkt_id names a Request among those that its source has not yet seen
 * answered (3.5.7.3, 3.5.10.9), and may be used again afterwards.
 */
#include <string.h>

#include "track/internal.h"

/* Does the Request in hand say what the one with its pkt_id said? */
static bool same_request(const struct uet_packet *p, const struct uet_track_psn *psn)
{
    size_t at = uet_headers[psn->pds].bytes;
    if (p->trim != UET_TRIM_NO || !psn->whole_seen)
        return true; /* it cannot be told */
    return p->ses == psn->ses && p->payload_len == psn->payload_len &&
           (!p->ses || memcmp(uet_ses(p), psn->headers + at, uet_headers[p->ses].bytes) == 0);
}

static uint32_t domain_of(const struct uet_packet *p)
{
    return p->tss ? 1 + p->sdi : 0;
}

/*
 * Is it of another domain than what has its pkt_id, or one of the two in clear? Then it answers
 * nothing (TSS-048, TSS-049). NACKs without a PDC may come in clear (contested: TSS-054).
 */
static bool of_another(const struct uet_packet *p, const struct uet_track_psn *asked)
{
    return (p->tss || !uet_is_nack(p)) && asked->domain != domain_of(p);
}

static void take_request(struct uet_track *track)
{
    struct uet_tracked *t = &track->t;
    struct uet_track_psn **slot = uet_loose_slot(track, uet_rudi_key(t->pkt_id));
    track->totals.rudi_requests++;
    if (*slot && same_request(&t->packet, *slot)) {
        t->acknowledged_before = (*slot)->acked_by != 0;
        uet_loss_take(track, *slot);
        uet_repeat(track, *slot);
        track->totals.rudi_resent++;
    } else {
        t->pkt_id_in_use = *slot && !(*slot)->acked_by && !(*slot)->nacked_by;
        if (*slot)
            t->previous_frame = (*slot)->last.number;
        *slot = uet_loose_new(track, t->pkt_id);
        (*slot)->domain = domain_of(&t->packet);
    }
    t->own = *slot;
}

static void take_answer(struct uet_track *track)
{
    struct uet_tracked *t = &track->t;
    struct uet_track_psn *asked = uet_loose_find(track, uet_rudi_key(t->pkt_id));
    bool nack = uet_is_nack(&t->packet);
    if (asked && of_another(&t->packet, asked))
        asked = NULL;
    if (nack)
        track->totals.rudi_nacks++;
    else
        track->totals.rudi_responses++;
    uet_answers(t, asked);
    if (!asked || t->packet.trim != UET_TRIM_NO)
        return;
    if (!nack && uet_is_ses_response_data(&t->packet)) {
        t->asked = asked;
        if (!asked->data_by)
            asked->data_by = t->number;
    }
    if (nack) {
        uet_loss_nacked(track, asked);
    } else if (!asked->acked_by) {
        asked->acked_by = t->number;
        asked->told_ns = t->time_ns;
    }
}

void uet_rudi_take(struct uet_track *track)
{
    struct uet_tracked *t = &track->t;
    t->is_rudi = t->loose = true;
    t->pkt_id = uet_pkt_id(&t->packet);
    if (t->packet.pds == UET_H_RUDI_REQ)
        take_request(track);
    else
        take_answer(track);
}
