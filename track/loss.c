/* SPDX-License-Identifier: BSD-2-Clause */
/* Losses and why packets are sent again (3.5.15, 3.5.21), as far as the packets between tell. */
#include "track/internal.h"

const char *uet_resent_name(enum uet_resent cause)
{
    static const char *const names[UET_RESENT_CAUSES] = {
        [UET_RESENT_NO] = "not sent again",
        [UET_RESENT_UNSEEN] = "the original was not captured",
        [UET_RESENT_TRIMMED] = "trimmed by a switch",
        [UET_RESENT_NACK] = "asked for by a NACK",
        [UET_RESENT_GO_BACK] = "go-back-N after UET_ROD_OOO",
        [UET_RESENT_GAP] = "a later PSN was received",
        [UET_RESENT_SILENCE] = "no answer in time",
        [UET_RESENT_NEEDLESS] = "it had been acknowledged",
    };
    return (unsigned)cause < UET_RESENT_CAUSES ? names[cause] : "?";
}

/* The direction in which the packet in hand travels; NULL without a PDC. */
static struct uet_track_dir *dir_of(const struct uet_tracked *t)
{
    return t->pdc ? &t->pdc->dir[!t->forward] : NULL;
}

static bool trim_code(uint8_t code)
{
    return code == UET_NACK_TRIMMED || code == UET_NACK_TRIMMED_LASTHOP;
}

/* What was heard since the copy before this one decides. */
static enum uet_resent cause_of(const struct uet_tracked *t, const struct uet_track_psn *psn)
{
    const struct uet_track_dir *dir = dir_of(t);
    uint32_t before = psn->last.number;
    if (psn->renacked_by > before && psn->nack_code != UET_NACK_ROD_OOO)
        return trim_code(psn->nack_code) ? UET_RESENT_TRIMMED : UET_RESENT_NACK;
    if (dir && dir->gap_known && dir->gap_by > before && uet_psn_diff(psn->psn, dir->gap_psn) >= 0)
        return UET_RESENT_GO_BACK;
    if (t->acknowledged_before)
        return UET_RESENT_NEEDLESS;
    if (psn->last.trimmed)
        return UET_RESENT_TRIMMED;
    if (dir && dir->told_known && dir->told_by > before &&
        uet_psn_diff(dir->told_psn, psn->psn) > 0)
        return UET_RESENT_GAP;
    return UET_RESENT_SILENCE;
}

void uet_loss_take(struct uet_track *track, const struct uet_track_psn *psn)
{
    struct uet_tracked *t = &track->t;
    struct uet_track_dir *dir = dir_of(t);
    bool retx = uet_rud_rod_req_retx(uet_pds(&t->packet));
    if (dir && dir->refused_known && psn && psn->psn == dir->refused_psn)
        dir->refused_known = false; /* another copy: it may be received now */
    if (!retx)
        return;
    t->resent = (uint8_t)(psn ? cause_of(t, psn) : UET_RESENT_UNSEEN);
    track->totals.resent[t->resent]++;
    if (!dir)
        return;
    t->pdc->resent[t->resent]++;
    dir->resent_known = true;
    dir->resent_psn = uet_packet_psn(&t->packet);
}

/* May the NACK answer a copy of this PSN that was sent after the newest copy of the gap's? */
static bool sent_since(const struct uet_track *track, const struct uet_track_psn *psn, uint32_t gap)
{
    const struct uet_tracked *t = &track->t;
    const struct uet_track_psn *missing = uet_psn_find(track, t->pdc, !t->forward, gap);
    return uet_nack_retx(uet_pds(&t->packet)) && missing && psn->last.number > missing->last.number;
}

static void note_gap(const struct uet_track *track, const struct uet_track_psn *psn,
                     struct uet_track_dir *dir)
{
    uint32_t expected = uet_nack_payload(uet_pds(&track->t.packet)), number = track->t.number;
    if (dir->gap_known && uet_psn_diff(expected, dir->gap_psn) < 0)
        return; /* it is late: Expected_PSN never goes back */
    if (!dir->gap_known || dir->gap_psn != expected) {
        dir->gap_known = true;
        dir->gap_psn = expected;
        dir->gap_by = number;
    } else if (sent_since(track, psn, expected)) {
        dir->gap_anew_by = number;
    } else {
        dir->gap_again_ns = track->t.time_ns;
        dir->gap_again_by = number; /* more NACKs of one gap do not go back again (3.5.21) */
    }
}

/* Its only copy was refused: the PSN is not received until another comes (3.5.12.7). */
static void note_refused(struct uet_track_dir *dir, const struct uet_track_psn *psn, uint8_t code)
{
    bool lower = !dir->refused_known || uet_psn_diff(psn->psn, dir->refused_psn) < 0;
    bool behind = !dir->cack_known || uet_psn_diff(psn->psn, dir->cack_psn) <= 0;
    if (psn->n_copies != 1 || psn->acked_by || !lower || !uet_nack_refuses(code))
        return;
    if (code == UET_NACK_PSN_OOR_WINDOW && behind)
        return; /* so old that the window has left it, and received long ago (3.5.12.5) */
    dir->refused_known = true;
    dir->refused_psn = psn->psn;
    dir->refused_code = code;
}

bool uet_nack_refuses(uint8_t code)
{
    return trim_code(code) || (code >= UET_NACK_NO_PKT_BUFFER && code <= UET_NACK_PSN_OOR_WINDOW) ||
           code == UET_NACK_ROD_OOO;
}

void uet_loss_nacked(struct uet_track *track, struct uet_track_psn *psn)
{
    const struct uet_tracked *t = &track->t;
    uint8_t code = uet_nack_nack_code(uet_pds(&t->packet));
    if (!psn->nacked_by)
        psn->nacked_by = t->number;
    psn->renacked_by = t->number;
    if (code != UET_NACK_ROD_OOO)
        psn->wanted_by = t->number;
    psn->nack_code = code;
    if (!t->pdc)
        return;
    struct uet_track_dir *dir = &t->pdc->dir[t->forward];
    if (code == UET_NACK_ROD_OOO)
        note_gap(track, psn, dir);
    note_refused(dir, psn, code);
}

static void note_told(struct uet_track_dir *dir, uint32_t psn, uint32_t number)
{
    if (dir->told_known && uet_psn_diff(psn, dir->told_psn) < 0)
        return;
    dir->told_known = true;
    dir->told_psn = psn;
    dir->told_by = number;
}

static void tell(const struct uet_tracked *t, struct uet_track_psn *psn)
{
    bool probe = uet_ack_p(uet_pds(&t->packet));
    if (psn->told_by && (probe || !psn->told_to_probe))
        return;
    psn->told_to_probe = probe;
    psn->told_by = t->number;
    psn->told_ns = t->time_ns;
}

/*
 * Each set bit is a PSN received (3.5.11.14); the highest one is what a loss is inferred from. What
 * CACK_PSN covers is acknowledged anyway.
 */
static void told_by_sack(struct uet_track *track, struct uet_track_dir *dir)
{
    const struct uet_tracked *t = &track->t;
    const uint8_t *h = uet_pds(&t->packet);
    uint64_t bits = uet_ack_cc_sack_bitmap(h);
    uint32_t cack = uet_ack_cack_psn(h), psn = uet_psn_add(cack, uet_ack_cc_sack_psn_offset(h));
    for (; bits; bits >>= 1, psn++) {
        bool beyond = (bits & 1) && uet_psn_diff(psn, cack) > 0;
        struct uet_track_psn *told = beyond ? uet_psn_find(track, t->pdc, !t->forward, psn) : NULL;
        if (!told)
            continue;
        tell(t, told);
        note_told(dir, psn, t->number);
    }
}

void uet_loss_told(struct uet_track *track, struct uet_track_psn *named)
{
    const struct uet_tracked *t = &track->t;
    struct uet_track_dir *dir = &t->pdc->dir[t->forward];
    if (named) {
        tell(t, named);
        note_told(dir, named->psn, t->number);
    }
    if (uet_has_sack(&t->packet))
        told_by_sack(track, dir);
}
