/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rendezvous (3.4, Figure 3-15): a send brings its first bytes itself, eagerly, and tells where the
 * others may be read; the target reads them when it has a receive: from the first packet on that
 * takes it, while the others of the eager part still come (SES-156). What the target remembers
 * meanwhile is a held send (held.c), of which the eager bytes are not kept.
 */
#include "refimpl/ses/operation.h"
#include "refimpl/ses/ses.h"

/* ---- the target ---- */

void uet_rendezvous_size(const struct uet_fep *fep, const struct uet_packet *p,
                         struct ses_request *r)
{
    uet_deliver_size(fep, p, r);
    r->carried = p->ext == UET_H_SES_EXT_RENDEZVOUS
                     ? uet_ses_ext_rendezvous_eager_length(uet_ses_ext(p))
                     : UINT32_MAX;
}

/* In every packet (SES-171), and no more eager bytes than there are. */
uint8_t uet_rendezvous_check(const struct uet_fep *fep, const struct uet_packet *p,
                             const struct ses_request *r)
{
    if (p->ext != UET_H_SES_EXT_RENDEZVOUS || r->carried > r->length)
        return UET_RC_OP_VIOLATION;
    return uet_deliver_check(fep, p, r);
}

/* A place to remember it while the rest is read. */
uint8_t uet_rendezvous_lacks(struct uet_fep *fep, const struct message *m,
                             const struct ses_plan *plan)
{
    bool begins = plan->receive && !(m && m->receive);
    return begins && uet_held_lacks(fep, plan) ? UET_NACK_NO_RESOURCE : 0;
}

/* The first packet of several that takes the receive: its message. */
static uint32_t begin(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                      const struct ses_plan *plan)
{
    const struct ses_op *op = plan->request.op;
    uint32_t id = plan->message ? plan->message : uet_message_new(fep, pdc, &plan->request);
    message_at(fep, id)->rest = op->begins ? op->begins(fep, p, plan) : 0;
    return id;
}

void uet_rendezvous_commit(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                           const struct ses_plan *plan)
{
    if (plan->held) {
        uet_held_commit(fep, pdc, p, plan);
        return;
    }
    struct ses_plan known = *plan;
    if (plan->receive && !plan->single &&
        !(plan->message && message_at(fep, plan->message)->receive))
        known.message = begin(fep, pdc, p, plan);
    uet_deliver_commit(fep, pdc, p, &known);
}

/* Contested: read_offset is that of the whole message, so the rest lies behind the eager part. */
void uet_rendezvous_read(struct uet_fep *fep, const struct held *h, uint32_t from, uint32_t to)
{
    const struct ses_request *r = &h->request;
    const struct uet_operation call = {
        .to = h->from,
        .opcode = r->op->reads,
        .mode = UET_MODE_RUD,
        .relative = r->rel,
        .job_id = r->job_id,
        .pid_on_fep = h->read.pid_on_fep,
        .resource_index = h->read.resource_index,
        .ri_generation = h->read.ri_generation,
        .key = h->read.key,
        .buffer_offset = h->read.offset + from,
        .into = receive_at(fep, h->receive)->call.base + r->buffer_offset + from,
        .length = to - from,
    };
    COUNT(fep, ses_rendezvous_read);
    uet_ses_submit_own(fep, &call, 0, h);
}

struct ses_read_address uet_rendezvous_address(const struct uet_packet *p)
{
    const uint8_t *e = uet_ses_ext(p);
    return (struct ses_read_address){
        .pid_on_fep = uet_ses_ext_rendezvous_read_pid_on_fep(e),
        .resource_index = uet_ses_ext_rendezvous_read_resource_index(e),
        .ri_generation = uet_ses_ext_rendezvous_read_ri_generation(e),
        .offset = uet_ses_ext_rendezvous_read_offset(e),
        .key = uet_ses_ext_rendezvous_read_memory_key(e),
    };
}

/* ---- the initiator ---- */

uint32_t uet_rendezvous_carries(const struct uet_operation *call)
{
    return call->eager;
}

/* Its bytes lie in a region that may be read. */
bool uet_rendezvous_valid(const struct uet_fep *fep, const struct uet_operation *call)
{
    const struct uet_region *g = uet_region_of(fep, call->region);
    if (!g || *uet_region_reader(fep, call->region) || !(g->rights & UET_RIGHT_READ) ||
        call->eager > call->length || !call->length)
        return false;
    const uint64_t at = (uint64_t)(call->data - g->base);
    return call->data >= g->base && at <= g->length && call->length <= g->length - at;
}

void uet_rendezvous_write(const struct operation *op, const struct ses_segment *seg,
                          struct uet_build *b)
{
    const struct uet_region *g = op->region;
    uint8_t *e = uet_build_ext(b, UET_H_SES_EXT_RENDEZVOUS);
    uet_ses_ext_rendezvous_eager_length_set(e, op->call.eager);
    uet_ses_ext_rendezvous_read_pid_on_fep_set(e, g->pid_on_fep);
    uet_ses_ext_rendezvous_read_resource_index_set(e, g->resource_index);
    uet_ses_ext_rendezvous_read_offset_set(e, (uint64_t)(op->call.data - g->base));
    uet_ses_ext_rendezvous_read_memory_key_set(e, g->key);
    uet_deliver_write(op, seg, b);
}

/*
 * Bytes that the target is still to read. Of a send that it holds it reads all but what it says to
 * have kept; else all behind the eager part, or less when its receive is too short for that.
 */
uint32_t uet_rendezvous_to_read(const struct operation *op)
{
    const uint32_t length = op->call.length, eager = op->call.eager;
    if (op->overflow)
        return op->modified < length ? length - op->modified : 0;
    bool truncated = op->modified_known && op->modified < length && op->modified != eager;
    uint32_t end = truncated ? op->modified : length;
    return end > eager ? end - eager : 0;
}

bool uet_rendezvous_was_read(const struct uet_fep *fep, const struct operation *op)
{
    return uet_rendezvous_arrived(op) >= op->to_read && !uet_region_parts(fep, op->call.region);
}

/* ---- the initiator: how much of it has been read ---- */

static uint32_t id_of(const struct part *part)
{
    return part->small ? part->psn : part->message_id;
}

static struct reading *find(struct operation *op, const struct part *part)
{
    for (struct reading *r = op->readings; r < op->readings + READINGS; r++)
        if (r->total && r->run == part->run && r->id == id_of(part))
            return r;
    return NULL;
}

/* A free place; if need be of a READ that is over, or of one that is done: its bytes are counted
 * for good. */
static struct reading *room(struct operation *op)
{
    struct reading *over = NULL, *done = NULL;
    for (struct reading *r = op->readings; r < op->readings + READINGS; r++) {
        if (!r->total)
            return r;
        if (r->over)
            over = r;
        else if (r->arrived == r->total)
            done = r;
    }
    if (!over && done)
        op->settled += done->total;
    return over ? over : done;
}

/*
 * A packet of a READ is served. A READ of the same bytes before it was given up and is tried again,
 * on another PDC perhaps (PDS-008): what has come of that one counts no more, for the target waits
 * for all of the new one. Of more READs at once than are remembered nothing is counted.
 */
void uet_rendezvous_reading(struct uet_fep *fep, const struct ses_plan *plan)
{
    const struct part *part = &plan->part;
    struct operation *op = op_at(fep, part->reader & 0xffff);
    if (op->irt != part->reader || find(op, part))
        return;
    const uint64_t from = plan->request.buffer_offset, to = from + part->total;
    for (struct reading *r = op->readings; r < op->readings + READINGS; r++)
        if (r->from < to && from < r->from + r->total)
            r->over = true;
    struct reading *r = room(op);
    if (r)
        *r = (struct reading){part->run, id_of(part), part->total, from, 0, false};
}

/*
 * On RUDI each packet is a READ by itself, by its pkt_id, and a copy of it no other one. Nothing
 * tells when its data arrives.
 */
void uet_rendezvous_read_once(struct uet_fep *fep, const struct ses_plan *plan)
{
    struct ses_plan one = *plan;
    one.part.small = true;
    one.part.total = one.part.length;
    one.request.buffer_offset += one.part.offset;
    uet_rendezvous_reading(fep, &one);
    uet_rendezvous_reads(fep, &one.part, true);
}

/* Of data that may be lost the READ has failed: the target gives up, or reads all of it anew. */
void uet_rendezvous_reads(struct uet_fep *fep, const struct part *part, bool arrived)
{
    struct operation *op = op_at(fep, part->reader & 0xffff);
    if (op->irt != part->reader) /* it has ended */
        return;
    struct reading *r = find(op, part);
    if (r && arrived)
        r->arrived = r->total - r->arrived < part->length ? r->total : r->arrived + part->length;
    else if (r)
        r->over = true;
    if (op->parked)
        op->not_before = time_after(fep->now, fep->params.Deferral_Time);
    fep->dispatch = true; /* it is looked at then */
}

uint32_t uet_rendezvous_arrived(const struct operation *op)
{
    uint32_t bytes = op->settled;
    for (const struct reading *r = op->readings; r < op->readings + READINGS; r++)
        bytes += r->over ? 0 : r->arrived;
    return bytes;
}

void uet_rendezvous_forget(struct operation *op)
{
    op->settled = 0;
    memset(op->readings, 0, sizeof op->readings);
}
