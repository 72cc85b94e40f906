/* SPDX-License-Identifier: BSD-2-Clause */
/* RCCC between PDCs and cms/ (credit.c). Private to pds/. */
#ifndef UET_REFIMPL_PDS_CREDIT_H
#define UET_REFIMPL_PDS_CREDIT_H

#include "refimpl/cms/cms.h"
#include "refimpl/pds/state.h"
#include "wire/packet.h"

/* Of a Request in the middle of its message: nominal size without payload. */
#define UET_CREDIT_HEADERS 112u

/* ---- the source ---- */

/* Is the PDC bound to credit? Only then what follows but uet_credit_end may be called. */
static inline bool uet_credit_rules(const struct uet_fep *fep, const struct pdc *pdc)
{
    return pdc->ccc && uet_cc_of(uet_ccc_at(fep, pdc->ccc))->credit;
}
/* It has so many nominal bytes to send. */
void uet_credit_count(const struct uet_fep *fep, struct pdc *pdc, uint32_t demand);
/* A Request has left. */
void uet_credit_sent(struct pdc *pdc);
/* Writes req_cc_state into the Request of this packet (CMS-076). */
void uet_credit_write(struct uet_fep *fep, const struct pdc *pdc, const struct tx_packet *packet,
                      uint8_t *h);
/* It may not send: if credit lacks, TIMER_CREDIT runs from now on. rto: of as many questions. */
void uet_credit_await(const struct uet_fep *fep, struct pdc *pdc, uint64_t rto);
/* Has nobody answered as many questions as there may be resends (PDS-158)? */
bool uet_credit_alone(const struct uet_fep *fep, const struct pdc *pdc);
/* It has asked twice and got nothing: UET_INV_DPDCID that names no PSN speaks of what it asked. */
bool uet_credit_asked_in_vain(const struct pdc *pdc, uint32_t psn);
/* Does a Credit Request go now? Then this is its payload. */
bool uet_credit_ask(const struct uet_fep *fep, struct pdc *pdc, uint32_t *payload);
/* So many units were granted in all; false: the PDC has no use for it. */
bool uet_credit_take(const struct uet_fep *fep, struct pdc *pdc, uint32_t credit);

/* ---- the destination ---- */

/* What a Request of the peer's tells, trimmed or not; ... */
void uet_credit_heard(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p);
/* ... or a Credit Request, which asks. */
void uet_credit_wanted(struct uet_fep *fep, struct pdc *pdc, uint8_t ccc_id, uint32_t target,
                       bool asks);
/* ---- both ---- */

void uet_credit_end(struct uet_fep *fep, struct pdc *pdc);

#endif
