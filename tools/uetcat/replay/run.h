/* SPDX-License-Identifier: BSD-2-Clause */
/* Sends what a plan has to a FEP, and finds for each answer of the capture the one that came. */
#ifndef UETCAT_REPLAY_RUN_H
#define UETCAT_REPLAY_RUN_H

#include "tools/uetcat/domain.h"
#include "tools/uetcat/link.h"
#include "tools/uetcat/replay/compare.h"
#include "tools/uetcat/replay/plan.h"

/* A PDC of the plan as it is now. */
struct replay_live {
    uint16_t ipdcid, tpdcid; /* tpdcid 0: not told yet */
    uint32_t shift;          /* from PSNs of the capture to those of now */
    bool sent, rod;
    uint32_t highest_psn; /* of ours, of now; meaningful with sent */
    unsigned begun_anew;  /* where the FEP said, by UET_NEW_START_PSN */
    bool close_sent, closed;
    const struct uet_track_pdc *track; /* the tracker's, NULL: nothing was sent */
};

struct replay_run {
    struct uetcat_link *link;   /* open */
    struct uetcat_seals *seals; /* for what is sent sealed; NULL without --keys */
    struct uetcat_domain *keys; /* for what comes sealed; without --keys there are none in it */
    struct replay_plan *plan;
    bool fast;    /* do not wait for the times of the capture */
    bool verbose; /* a line for each packet */
    struct replay_differences *differences;
    /* ---- what it came to ---- */
    uint64_t sent, unsent;       /* packets of ours; not sent for want of a DPDCID */
    uint64_t same, differ;       /* answers that were found */
    uint64_t coalesced, missing; /* covered by a CACK_PSN only; not come at all */
    uint64_t beside;             /* came, and stand for nothing in the capture */
    uint64_t again, house;       /* copies, and CPs that keep house: not compared */
    /* ---- */
    struct replay_live *live;
    struct uet_track *track; /* of what is sent and comes */
    size_t oldest;           /* the first item that is not over */
    uint64_t sent_ns;
    uint8_t clear[UET_FRAME_MAX]; /* of the sealed packet looked at last */
};

/* False without memory, after a message. */
bool replay_run(struct replay_run *r);
void replay_run_free(struct replay_run *r);

#endif
