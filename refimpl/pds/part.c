/* SPDX-License-Identifier: BSD-2-Clause */
/* What a target keeps of the reads it serves, and the queue of its return direction (T10). */
#include "refimpl/pds/pds.h"

/* Does data in ACKs wait for its clear, which may wait for what closes a gap? */
static bool data_stored(const struct uet_fep *fep, const struct pdc *pdc)
{
    const struct stored *s = NULL;
    for (uint32_t id = pdc->rx.stored; id && !(s && s->part); id = s->next)
        s = pool_item(&fep->stored, id);
    return s && s->part;
}

/*
 * A share that shrinks with what is free: one PDC whose data is not acknowledged does not stop the
 * reads of all others. But what closes a gap must get through when data in ACKs waits for that.
 */
bool uet_part_room(const struct uet_fep *fep, const struct pdc *pdc, bool in_ack, bool ahead)
{
    bool share = pdc->n_parts < fep->parts.n - fep->parts.used;
    return pool_has(&fep->parts, ahead) && (share || (!ahead && (in_ack || data_stored(fep, pdc))));
}

static uint32_t part_new(struct uet_fep *fep, struct pdc *pdc, const struct part *part)
{
    uint32_t id = pool_get(&fep->parts);
    if (!id)
        return 0;
    *part_at(fep, id) = *part;
    uet_ses_part_begins(fep, part);
    pdc->n_parts++;
    return id;
}

static uint8_t *kept_bytes(const struct uet_fep *fep, uint32_t kept)
{
    return (uint8_t *)pool_item(&fep->kept, kept) + sizeof(uint32_t);
}

uint32_t uet_part_keep(struct uet_fep *fep, struct pdc *pdc, const struct part *part)
{
    uint32_t kept = pool_get(&fep->kept);
    struct part own = *part;
    own.region = 0; /* its reader stays: it waits until this has arrived */
    own.kept = kept;
    own.from = kept_bytes(fep, kept);
    uint32_t id = kept ? part_new(fep, pdc, &own) : 0;
    if (!id) {
        if (kept)
            pool_put(&fep->kept, kept);
        return 0;
    }
    memcpy(kept_bytes(fep, kept), part->from, part->length);
    return id;
}

void uet_part_free(struct uet_fep *fep, struct pdc *pdc, uint32_t id, enum part_fate fate)
{
    if (!id)
        return;
    uint32_t kept = part_at(fep, id)->kept;
    uet_ses_part_ends(fep, part_at(fep, id), fate);
    if (kept) {
        uet_reply_forget(fep, kept_bytes(fep, kept));
        pool_put(&fep->kept, kept);
    }
    pdc->n_parts--;
    pool_put(&fep->parts, id);
    if (!pdc->initiator)
        uet_pdc_messages_ended(fep, pdc);
}

void uet_part_append(struct uet_fep *fep, struct pdc *pdc, uint32_t id)
{
    part_at(fep, id)->next = 0;
    if (pdc->parts_tail)
        part_at(fep, pdc->parts_tail)->next = id;
    else
        pdc->parts_head = id;
    pdc->parts_tail = id;
    uet_pdc_ready(fep, pdc);
}

void uet_part_queue(struct uet_fep *fep, struct pdc *pdc, const struct part *part)
{
    uint32_t id = part->region ? part_new(fep, pdc, part) : uet_part_keep(fep, pdc, part);
    if (id)
        fep->law.queue_part(fep, pdc, id);
}

uint32_t uet_part_take(struct uet_fep *fep, struct pdc *pdc)
{
    uint32_t id = pdc->parts_head;
    pdc->parts_head = part_at(fep, id)->next;
    if (!pdc->parts_head)
        pdc->parts_tail = 0;
    return id;
}

void uet_part_forget_queue(struct uet_fep *fep, struct pdc *pdc)
{
    while (pdc->parts_head)
        uet_part_free(fep, pdc, uet_part_take(fep, pdc), PART_LOST);
}
