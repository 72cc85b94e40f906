/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Data that operations of this FEP fetch: it comes in an ACK, in a RUDI Response or in a Request on
 * the return direction (3.5.12.1), in any order, and nothing is written but what was asked for.
 */
#include "refimpl/ses/operation.h"
#include "refimpl/ses/ses.h"

/* What its header says (Tables 3-12 and 3-13). */
struct data {
    bool small;
    uint8_t return_code;
    uint16_t message_id, length;
    uint32_t job_id, psn, total, offset;
};

static struct data data_of(const struct uet_packet *p)
{
    const uint8_t *s = uet_ses(p);
    struct data d = {
        .small = p->ses == UET_H_SES_RSP_DATA_SMALL,
        .return_code = uet_ses_rsp_return_code(s),
        .job_id = uet_ses_rsp_job_id(s),
    };
    if (d.small) {
        d.length = uet_ses_rsp_data_small_payload_length(s);
        d.psn = uet_ses_rsp_data_small_original_request_psn(s);
        return d;
    }
    d.message_id = uet_ses_rsp_data_read_request_message_id(s);
    d.length = uet_ses_rsp_data_payload_length(s);
    d.total = uet_ses_rsp_data_modified_length(s);
    d.offset = uet_ses_rsp_data_message_offset(s);
    return d;
}

/* ---- what has come ---- */

static uint32_t packet_no(const struct uet_fep *fep, uint32_t offset)
{
    return offset / fep->config.payload_mtu;
}

bool uet_fetched_all(const struct uet_fep *fep, const struct operation *op)
{
    return op->return_code != UET_RC_OK ||
           (uint64_t)op->n_have * fep->config.payload_mtu >= op->call.length;
}

static bool has(const struct uet_fep *fep, const struct operation *op, uint32_t offset)
{
    uint32_t n = packet_no(fep, offset);
    return n < op->n_have || op->have >> (n - op->n_have) & 1;
}

static void note(const struct uet_fep *fep, struct operation *op, uint32_t offset)
{
    op->have |= 1ull << (packet_no(fep, offset) - op->n_have);
    for (; op->have & 1; op->have >>= 1)
        op->n_have++;
}

/* ---- does it belong, and where? ---- */

static bool fetches(const struct uet_fep *fep, const struct operation *op)
{
    return uet_ses_op_of(fep, op)->fetches;
}

static bool names(const struct uet_fep *fep, const struct operation *op, const struct data *d)
{
    if (!fetches(fep, op) || (op->state != OP_SENDING && op->state != OP_SENT))
        return false;
    if (op->call.header == UET_OP_HEADER_STD)
        return !d->small && d->message_id == op->message_id;
    /* RUDI: the Response echoes the pkt_id, which is all that names it there. */
    return d->small && (d->psn == op->psn || op->call.mode == UET_MODE_RUDI);
}

/* One of the packets that went out, whole: not a byte lies anywhere else. */
static bool fits(const struct uet_fep *fep, const struct operation *op, const struct data *d,
                 const struct uet_packet *p)
{
    uint32_t mtu = fep->config.payload_mtu;
    if (d->job_id != op->call.job_id || d->offset % mtu || d->offset >= op->sent ||
        d->length > p->payload_len || (!d->small && d->total != uet_ses_asks(fep, op)))
        return false;
    uint32_t left = op->call.length - d->offset;
    return d->length == (left < mtu ? left : mtu);
}

/* The READ of this PDC to which the data belongs, as it says itself; counted and 0: none. */
static uint32_t find(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p)
{
    const struct data d = data_of(p);
    for (uint32_t id = ses_pdc_at(fep, pdc)->ops_head; id; id = op_at(fep, id)->next) {
        if (names(fep, op_at(fep, id), &d))
            return id;
    }
    COUNT(fep, drop_read_unknown);
    return 0;
}

bool uet_ses_answers_fetch(struct uet_fep *fep, const struct ses_segment *packet,
                           const struct uet_packet *p)
{
    const struct operation *op = packet->op ? op_at(fep, packet->op) : NULL;
    bool read = op && fetches(fep, op);
    if (!uet_is_ses_response_data(p)) {
        bool rudi = read && op->call.mode == UET_MODE_RUDI && packet->length;
        uint8_t code = uet_is_ses_response(p) ? uet_ses_rsp_return_code(uet_ses(p)) : UET_RC_NULL;
        return !rudi || (code != UET_RC_OK && code != UET_RC_NULL); /* there it has no other way */
    }
    const struct data d = data_of(p);
    bool right = read && names(fep, op, &d) &&
                 (d.return_code != UET_RC_OK || fits(fep, op, &d, p)) && d.offset == packet->offset;
    if (!right)
        COUNT(fep, drop_read_data);
    return right;
}

void uet_ses_fetch_take(struct uet_fep *fep, uint32_t id, const struct uet_packet *p)
{
    struct operation *op = op_at(fep, id);
    const struct data d = data_of(p);
    if (d.return_code != UET_RC_OK) {
        if (op->return_code == UET_RC_OK)
            op->return_code = d.return_code;
        return;
    }
    if (!fits(fep, op, &d, p) || op->return_code != UET_RC_OK) {
        COUNT(fep, drop_read_data);
        return;
    }
    if (has(fep, op, d.offset)) {
        COUNT(fep, drop_read_again);
        return;
    }
    COUNT(fep, rx_read_data);
    uet_ses_op_of(fep, op)->take(op, d.offset, p->frame + p->payload_offset, d.length);
    note(fep, op, d.offset);
}

uint32_t uet_ses_returned(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                          uint8_t response[UET_SES_RSP_BYTES], bool *last)
{
    uint32_t id = find(fep, pdc, p);
    uet_ses_default_response(response, p); /* data is answered like anything else (SES-082) */
    if (!id)
        return 0;
    const struct operation *op = op_at(fep, id);
    uet_ses_rsp_return_code_set(response, UET_RC_OK);
    uet_ses_rsp_modified_length_set(response, uet_ses_asks(fep, op)); /* SES-179 */
    uet_ses_fetch_take(fep, id, p);
    *last = !uet_ses_incomplete(fep, op);
    return id;
}
