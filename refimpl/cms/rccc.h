/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * RCCC (3.6.14): the destination says how much may be sent to it. Its pseudocode is not public:
 * this is the rule set of the UEC's simulator, as far as the sections name the same events. Credit
 * is counted from 0 when a CCC begins, in units of 256 nominal bytes, 24 bits on the wire
 * (3.6.10.4).
 */
#ifndef UET_REFIMPL_CMS_RCCC_H
#define UET_REFIMPL_CMS_RCCC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/addr.h"

struct uet_fep;
struct uet_packet;
struct ccc;
struct uet_cc_ack;
struct uet_cc_nack;

#define UET_CREDIT_MASK 0xffffffu

/* How far `a` is ahead of `b`, modulo 2^24; not above 0: not ahead. */
static inline int32_t uet_credit_ahead(uint32_t a, uint32_t b)
{
    uint32_t by = (a - b) & UET_CREDIT_MASK;
    return by < 0x800000u ? (int32_t)by : (int32_t)by - 0x1000000;
}

/* ---- rccc.c: the source (3.6.14.2 - 3.6.14.4) ---- */

struct uet_rccc {
    int32_t credit;     /* nominal bytes that may be sent; below 0 by less than a packet */
    uint32_t demand;    /* nominal bytes that wait to be sent, of all PDCs */
    uint32_t last;      /* the newest credit heard, in units */
    uint32_t told;      /* the newest credit_target sent, in units */
    uint64_t asked_at;  /* the last Credit Request; 0: none so far */
    uint64_t heard;     /* bytes of credit heard so far, ... */
    uint64_t spent;     /* ... that went with packets, ... */
    uint64_t discarded; /* ... or were above what may be in hand */
    uint8_t news;       /* how often credit came, on whichever PDC; goes round */
    uint8_t id;         /* ccc_id: no other CCC to the destination has it */
    bool speculates;    /* nothing was heard of it so far */
};

void uet_rccc_begin(struct uet_fep *fep, struct ccc *ccc);
bool uet_rccc_may_send(const struct uet_fep *fep, const struct ccc *ccc);
bool uet_rccc_asks(const struct uet_fep *fep, const struct ccc *ccc);
void uet_rccc_sent(struct ccc *ccc, uint32_t bytes);
void uet_rccc_acked(struct uet_fep *fep, struct ccc *ccc, const struct uet_cc_ack *ack);
void uet_rccc_nacked(struct uet_fep *fep, struct ccc *ccc, const struct uet_cc_nack *nack);
void uet_rccc_inferred(struct uet_fep *fep, struct ccc *ccc, uint32_t bytes);
/* The destination has granted so many units in all (OnCreditUpdate); false: that was known. */
bool uet_rccc_credit(const struct uet_fep *fep, struct ccc *ccc, uint32_t units);
/* credit_target, when a packet of so many bytes takes its share of demand and credit (0: none). */
uint32_t uet_rccc_target(const struct uet_fep *fep, struct ccc *ccc, uint32_t demand,
                         uint32_t packet);

/* ---- grants.c: the destination (3.6.14.5, 3.6.14.6) ---- */

/* A CCC of a peer, that sends here. */
struct grantee {
    uint32_t next;          /* of the pool; of its hash chain */
    uint32_t after, before; /* in its line */
    struct uet_ip from;
    uint8_t ccc_id;
    uint8_t line;
    uint16_t n_pdcs;          /* that told of it */
    uint16_t pdc;             /* one of them: that told of it last */
    bool known;               /* its wants have come */
    uint32_t target, granted; /* in units, modulo 2^24 */
};

/* Credit for one source's CCC. */
struct uet_grant {
    uint16_t pdc;    /* that it goes by */
    uint32_t credit; /* in units, in all so far */
};

size_t uet_grants_item_size(void);
void uet_grants_reset(struct uet_fep *fep);
/* The PDC of this peer tells of its CCC: the number by which it is known here. */
uint32_t uet_grants_join(struct uet_fep *fep, const struct uet_ip *from, uint8_t ccc_id);
uint8_t uet_grants_ccc_id(const struct uet_fep *fep, uint32_t id);
/* One of the PDCs that told of it; 0: none has said so far what it wants. */
uint16_t uet_grants_pdc(const struct uet_fep *fep, uint32_t id);
/* A PDC ends that told of it; another one that does, or 0, takes its place. */
void uet_grants_leave(struct uet_fep *fep, uint32_t id, uint16_t other);
/*
 * It wants credit up to here, says this PDC, by which it gets what comes next; asks: it is to hear,
 * even if it has all of that. Of what it wants at once more than MaxWnd and a grant is not heeded.
 */
void uet_grants_want(struct uet_fep *fep, uint32_t id, uint16_t pdc, uint32_t target, bool asks);
/* The next grant that is due; false: none is. */
bool uet_grants_next(struct uet_fep *fep, struct uet_grant *grant);
uint64_t uet_grants_deadline(const struct uet_fep *fep);
/* How much it was granted so far, in units. */
uint32_t uet_grants_given(const struct uet_fep *fep, uint32_t id);

/* ---- arc.c: the destination's aggregate rate control ---- */

#define UET_ARC_ONE 65536u /* the whole line */

void uet_arc_reset(struct uet_fep *fep);
/* After every call of the FEP: while ARC or RCCC is off, what was before is forgotten. */
void uet_arc_settle(struct uet_fep *fep);
/* How much of its line the FEP grants, of UET_ARC_ONE; with ARC or RCCC off all of it. */
uint32_t uet_arc_rate(const struct uet_fep *fep);
/* A CC Request has come, whole or trimmed. */
void uet_arc_heard(struct uet_fep *fep, const struct uet_packet *p, bool trimmed);

#endif
