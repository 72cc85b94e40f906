/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules for who may open which PDC, under which PDCID and Start_PSN (3.5.6, 3.5.8, 3.5.11.5). */
#include "rules/internal.h"

/* Requests that cannot go on with what another PDC began (3.5.6). */
static bool goes_on_here(uint8_t opcode)
{
    return opcode == UET_OP_WRITE || opcode == UET_OP_READ || opcode == UET_OP_SEND ||
           opcode == UET_OP_TAGGED_SEND;
}

/*
 * 3.5.6: a message stays on one PDC. The first packet of a PDC then begins a message, unless it
 * tries again what another PDC, now broken, had not finished.
 */
static bool one_pdc(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    bool first = t->opens && uet_packet_psn(r->p) == uet_start_psn(r->p);
    if (!first || !uet_track_from_start(t->track) || uet_track_totals(t->track)->pdcs_broken)
        return false;
    return uet_is_ses_std(r->p) && !r->p->error && !uet_ses_req_som(r->ses) &&
           goes_on_here(uet_ses_req_opcode(r->ses)) &&
           uet_violates(r, "the PDC begins in the middle of message %u", uet_ses_message_id(r->p));
}

/* 3.5.8.2: 0 names no PDC, so nobody can have opened one under it. */
static bool answers_zero(const struct uet_ruling *r)
{
    return !uet_dpdcid(r->p) && uet_violates(r, "an ACK for PDCID 0, which names no PDC");
}

static bool all_acked(const struct uet_track_dir *dir)
{
    return !dir->psn_known ||
           (dir->runs_known && uet_psn_diff(dir->acked_psn, dir->highest_psn) >= 0);
}

/* Is the PDC open for sure, and nothing under way after which it could end without a word? */
static bool surely_open(const struct uet_track_pdc *pdc)
{
    return pdc->whole && pdc->established && !pdc->tpdcid_guessed && !pdc->closing &&
           !pdc->closed && !pdc->close_asked_by && !pdc->failed && !pdc->refused && !pdc->n_nacks &&
           all_acked(&pdc->dir[0]) && all_acked(&pdc->dir[1]);
}

/* 3.5.11.5: one PDCID, one PDC at a time to the same FEP. */
static bool ipdcid_taken(const struct uet_ruling *r)
{
    const struct uet_track_pdc *old = r->t->pdc->previous;
    return r->t->opens && old && surely_open(old) &&
           uet_violates(r, "SYN with spdcid 0x%04x, which names the PDC opened in packet %u",
                        uet_spdcid(r->p), old->first_frame);
}

static bool tpdcid_taken(const struct uet_ruling *r)
{
    const struct uet_track_pdc *old = r->t->taken_from;
    return old && !r->t->forward && surely_open(old) &&
           uet_violates(r, "spdcid 0x%04x names the PDC opened in packet %u", uet_spdcid(r->p),
                        old->first_frame);
}

static bool counts_for_random(const struct uet_track_pdc *pdc)
{
    return pdc && pdc->opened_in_sight && pdc->start_known && !pdc->new_start_known;
}

/*
 * 3.5.8.2: Start_PSN is random. Four in a row at equal distances (0 among them) are a counter: by
 * chance that comes once in 2^64. A sealed PDC takes it from its SDI (TSS-057).
 */
static bool random_start(const struct uet_ruling *r)
{
    const struct uet_track_pdc *pdc = r->t->pdc;
    uint32_t start[4];
    if (!r->t->opens || r->p->tss)
        return false;
    for (int i = 0; i < 4; i++, pdc = pdc->earlier) {
        if (!counts_for_random(pdc))
            return false;
        start[i] = pdc->start_psn;
    }
    uint32_t step = start[0] - start[1];
    return start[1] - start[2] == step && start[2] - start[3] == step &&
           uet_violates(r,
                        "Start_PSN 0x%08x follows the three before at steps of %d, required random",
                        start[0], (int32_t)step);
}

/* 3.5.8.2: all answers to the SYNs of one PDC name one TPDCID. */
static bool one_tpdcid(const struct uet_ruling *r)
{
    const struct uet_track_pdc *pdc = r->t->pdc;
    return r->sender && pdc && r->t->mismatch && !r->t->forward && pdc->whole && pdc->established &&
           !pdc->tpdcid_guessed && !pdc->syn_over && !pdc->doubtful && uet_spdcid(r->p) &&
           uet_dpdcid(r->p) == pdc->ipdcid &&
           uet_violates(r,
                        "a SYN of the PDC is answered with spdcid 0x%04x, one before with 0x%04x",
                        uet_spdcid(r->p), pdc->tpdcid);
}

/* 3.5.8.2: UET_NEW_START_PSN says where to begin again. */
static bool new_start(const struct uet_ruling *r)
{
    const struct uet_track_pdc *old = r->t->pdc->previous;
    return r->t->opens && old && old->new_start_known && old->refused &&
           uet_start_psn(r->p) != old->new_start_psn &&
           uet_violates(r, "Start_PSN is 0x%08x, UET_NEW_START_PSN told 0x%08x",
                        uet_start_psn(r->p), old->new_start_psn);
}

/* 3.7.5: one secure domain a PDC. Of the initiator, who opened it so. */
static bool one_sdi(const struct uet_ruling *r)
{
    const struct uet_track_pdc *pdc = r->t->pdc;
    uint32_t sdi = r->p->tss ? r->p->sdi : 0;
    return r->p->tss && uet_is_bound(r) && sdi != pdc->sdi &&
           uet_violates(r, "SDI 0x%06x on a PDC whose packets have SDI 0x%06x", sdi, pdc->sdi);
}

static const struct uet_rule_row rows[] = {
    {{"PDS-008", "a message stays on its PDC"},
     UET_ON_SES_REQUEST,
     UET_NEEDS_ENDS | UET_WHEN_OPENS,
     one_pdc},
    {{"TSS-045", "all packets of a PDC belong to one SDI"},
     UET_ON_SENDS | UET_ON_ANSWERS,
     UET_NEEDS_PDC | UET_WHEN_SEALED,
     one_sdi},
    {{"PDS-017", "a SYN with spdcid 0 opens no PDC"}, UET_ON_ACK, UET_NEEDS_NOTHING, answers_zero},
    {{"PDS-018", "an IPDCID names one PDC at a time"},
     UET_ON_SENDS,
     UET_NEEDS_SENDER | UET_WHEN_OPENS,
     ipdcid_taken},
    {{"PDS-018", "a TPDCID names one PDC at a time"},
     UET_ON_ANSWERS,
     UET_NEEDS_SENDER,
     tpdcid_taken},
    {{"PDS-026", "Start_PSN is random"},
     UET_ON_SENDS,
     UET_NEEDS_PDC | UET_WHEN_OPENS,
     random_start},
    {{"PDS-031", "the SYNs of a PDC are answered with one TPDCID"},
     UET_ON_ACK,
     UET_WHEN_MISMATCH,
     one_tpdcid},
    {{"TSS-064", "UET_NEW_START_PSN is obeyed"},
     UET_ON_SENDS,
     UET_NEEDS_SENDER | UET_WHEN_OPENS,
     new_start},
};

const struct uet_rule_table uet_rules_open = UET_TABLE(rows);
