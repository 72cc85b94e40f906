/* SPDX-License-Identifier: BSD-2-Clause */
/* What a source sends on credit, and what it has been granted (3.6.14): struct uet_track_ccc. */
#include "track/internal.h"

#define CREDIT_MASK 0xffffffu

struct ccc_key {
    const struct uet_pair *pair;
    uint8_t src, id;
};

struct ccc_entry {
    struct uet_track_ccc ccc; /* first: it is handed out */
    struct ccc_key key;
};

static bool same_ccc(const void *value, const void *key)
{
    const struct ccc_key *a = &((const struct ccc_entry *)value)->key, *b = key;
    return a->pair == b->pair && a->src == b->src && a->id == b->id;
}

static struct uet_track_ccc *find(struct uet_track *track, uint8_t id)
{
    const struct ccc_key key = {.pair = track->pair, .src = track->src, .id = id};
    const uint64_t hash = uet_mix(key.pair->hash, (uint64_t)key.src << 8 | key.id);
    struct ccc_entry *e = uet_map_find(&track->cccs, hash, same_ccc, &key);
    if (!e) {
        e = uet_pool_get(&track->pool, sizeof *e);
        *e = (struct ccc_entry){.ccc = {.id = id}, .key = key};
        uet_map_put(&track->cccs, hash, e);
    }
    return &e->ccc;
}

static bool message_over(const struct uet_packet *p)
{
    return !p->ses || !uet_is_ses_request(p) || uet_ses_req_eom(uet_ses(p));
}

static bool ended(const struct uet_track_pdc *pdc)
{
    return pdc->closed || pdc->failed;
}

/* Has the source of this CCC something on that PDC that is not answered? */
static bool waits(const struct uet_track_pdc *pdc, const struct uet_track_ccc *ccc)
{
    for (int i = 0; i < 2; i++) {
        const struct uet_track_flight *f = &pdc->dir[i].flight;
        if (pdc->dir[i].ccc == ccc && f->sent > f->passed)
            return true;
    }
    return false;
}

void uet_credit_spend(struct uet_track *track)
{
    const struct uet_tracked *t = &track->t;
    struct uet_track_dir *dir = &t->pdc->dir[!t->forward];
    const struct uet_packet *p = &t->packet;
    if (!uet_is_cc_request(p))
        return;
    const uint8_t id = uet_rud_rod_cc_req_ccc_id(uet_pds(p));
    const bool joins = !dir->ccc || dir->ccc->id != id;
    if (joins)
        dir->ccc = find(track, id);
    struct uet_track_ccc *ccc = dir->ccc;
    if (joins) {
        const struct uet_track_pdc *before = ccc->joined;
        ccc->anew = before && ended(before);
        ccc->maybe_anew = before && !ccc->anew && waits(before, ccc);
        ccc->joined = t->pdc;
    }
    const bool idle = t->new_psn && dir->flight.sent <= dir->flight.passed && ccc->over;
    ccc->begins += joins || idle; /* it may be another CCC of that number */
    if (t->new_psn)
        ccc->over = message_over(p);
    /* Nobody grants on a PDC that he does not know: its first packet goes without, each time. */
    if (!joins && !(t->duplicate && uet_has_syn(p)))
        ccc->sent += uet_nominal_bytes(p);
}

void uet_credit_grant(struct uet_track *track, uint32_t credit)
{
    const struct uet_tracked *t = &track->t;
    struct uet_track_ccc *ccc = t->pdc->dir[t->forward].ccc;
    if (!ccc)
        return;
    const uint32_t newer = (credit - ccc->credit) & CREDIT_MASK;
    const bool goes_back = newer > CREDIT_MASK / 2;
    if (!ccc->heard) {
        ccc->heard = true;
        ccc->first = (uint64_t)credit * UET_CREDIT_UNIT;
    } else if (credit != ccc->credit && (ccc->anew || (ccc->maybe_anew && goes_back))) {
        ccc->granted += (uint64_t)credit * UET_CREDIT_UNIT;
        ccc->begins++; /* where the count of another one begins is not public */
        ccc->anew = ccc->maybe_anew = false;
    } else if (goes_back) {
        return; /* it is late */
    } else {
        ccc->granted += (uint64_t)newer * UET_CREDIT_UNIT;
        ccc->maybe_anew = ccc->maybe_anew && !newer; /* the count goes on */
    }
    ccc->credit = credit;
}
