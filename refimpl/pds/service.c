/* SPDX-License-Identifier: BSD-2-Clause */
/* What SES asks of the PDS (3.5.4), by PDCID. */
#include "refimpl/pds/pds.h"
#include "refimpl/tss/tss.h"

uint16_t uet_pds_select(struct uet_fep *fep, const struct uet_operation *call,
                        const struct tss_context *begun, bool may_open)
{
    uint32_t n;
    struct tss_context tss;
    if (!uet_sd_of_begun(fep, begun, call->job_id, &call->to, &tss)) /* its domain is out of use */
        return 0;
    if (!may_open && !uet_pdc_by_tuple(fep, call, &tss, &n))
        return 0;
    const struct pdc *pdc = uet_initiator_open(fep, call, &tss);
    return pdc ? pdc->id : 0;
}

bool uet_pds_pdc_free(const struct uet_fep *fep)
{
    return fep->free_head;
}

void uet_pds_tx_request(struct uet_fep *fep, uint16_t pdc)
{
    uet_pdc_ready(fep, pdc_at(fep, pdc));
}

void uet_pds_messages_ended(struct uet_fep *fep, uint16_t pdc)
{
    uet_pdc_messages_ended(fep, pdc_at(fep, pdc));
}

bool uet_pds_slot_free(const struct uet_fep *fep, bool ahead)
{
    return pool_has(&fep->stored, ahead);
}

uint32_t uet_pds_slot_take(struct uet_fep *fep)
{
    return pool_get(&fep->stored);
}

void uet_pds_slot_drop(struct uet_fep *fep, uint32_t slot)
{
    pool_put(&fep->stored, slot);
}

void uet_pds_answer(struct uet_fep *fep, uint16_t pdcid, uint32_t slot, const uint8_t *response)
{
    struct pdc *pdc = pdc_at(fep, pdcid);
    struct stored *s = pool_item(&fep->stored, slot);
    uet_sink_answer(pdc, s, response);
    const struct ack_about about = {
        .psn = s->psn, .entropy = s->entropy, .m = s->m, .retx = s->retx, .response = s->response};
    uet_ack_send(fep, pdc, &about);
    uet_pdc_schedule(fep, pdc);
}

void uet_pds_ask_holder(struct uet_fep *fep, uint16_t pdc)
{
    uet_target_ask_holder(fep, &fep->pdcs[pdc]);
}

const struct uet_ip *uet_pds_peer(const struct uet_fep *fep, uint16_t pdc)
{
    return &fep->pdcs[pdc].peer;
}
