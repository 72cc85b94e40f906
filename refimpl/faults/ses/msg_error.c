/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of UET_MSG_ERROR, of both sides (ses/msg_error.c). */
#include "refimpl/faults/ses/about.h"
#include "refimpl/ses/checks.h"

static uint8_t no_error(const struct uet_fep *fep, const struct uet_packet *p,
                        const struct ses_request *r)
{
    (void)fep, (void)p, (void)r;
    return UET_RC_OK;
}

static void stop_is_good(struct uet_law *law)
{
    law->ses.ops[UET_OP_MSG_ERROR].check = no_error;
}

static bool any_message(struct ses_judged *j)
{
    (void)j;
    return true;
}

static void stop_of_nothing_is_good(struct uet_law *law)
{
    stop_is_good(law);
    law->ses.checks[SES_CHECK_MESSAGE_KNOWN].holds = any_message;
}

/* memo: the PSN of the last, and that there was one. */
static bool stop_noted(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_opcode(&f->p, UET_OP_MSG_ERROR))
        *f->memo = UINT64_C(1) << 32 | uet_packet_psn(&f->p);
    return true;
}

static bool stop_without_clear(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ack(&f->p) && *f->memo && uet_packet_psn(&f->p) == (uint32_t)*f->memo)
        uet_ack_req_set(uet_fault_pds(f), UET_ACK_NO_REQUEST);
    return true;
}

static bool stops_at_nothing(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ses_request(&f->p) && uet_ses_req_opcode(uet_ses(&f->p)) == UET_OP_MSG_ERROR)
        uet_ses_req_std_message_offset_set(uet_fault_ses(f), 0);
    return true;
}

static bool stops_at_acked(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (!uet_is_ses_request(&f->p) || uet_ses_req_opcode(uet_ses(&f->p)) != UET_OP_MSG_ERROR)
        return true;
    const struct pdc *pdc = uet_pdc_by_id(fep, uet_spdcid(&f->p));
    uint8_t *s = uet_fault_ses(f);
    uint32_t sent = uet_ses_req_std_message_offset(s);
    uint32_t open = pdc ? (pdc->tx.n_packets - 1u) * fep->config.payload_mtu : 0;
    uet_ses_req_std_message_offset_set(s, open < sent ? sent - open : 0);
    return true;
}

static bool stops_with_som(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ses_request(&f->p) && uet_ses_req_opcode(uet_ses(&f->p)) == UET_OP_MSG_ERROR)
        uet_ses_req_som_set(uet_fault_ses(f), true);
    return true;
}

static void end_as_a_write(struct ses_op *op)
{
    op->stops = op->stops ? UET_OP_WRITE : 0;
}

static void stops_by_a_write(struct uet_law *law)
{
    uet_fault_each_op(law, end_as_a_write);
}

static bool stops_everywhere(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (!is_opcode(&f->p, UET_OP_MSG_ERROR))
        return true;
    for (uint16_t pdc = 1; pdc <= fep->config.max_pdcs; pdc++) {
        uint32_t id = uet_message_find(fep, pdc, uet_ses_req_std_message_id(uet_fault_ses(f)));
        if (id)
            message_at(fep, id)->return_code = UET_RC_INITIATOR_ERROR;
    }
    return true;
}

/* All of it is under way, and the error comes back. */
static void stops_what_is_sent(struct uet_fep *fep, uint64_t *memo)
{
    for (uint32_t id = 1; id <= fep->operations.n; id++) {
        struct operation *op = op_at(fep, id);
        if (op->state != OP_SENT || op->return_code == UET_RC_OK || !op->unacked || *memo == id)
            continue;
        *memo = id;
        op->state = OP_SENDING;
        ses_pdc_at(fep, op->pdc)->op_next = id;
        uet_pds_tx_request(fep, op->pdc);
    }
}

static bool rod_goes_without(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !(is_opcode(&f->p, UET_OP_MSG_ERROR) && uet_is_rod_request(&f->p));
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_SES_117_STOP, .in = stop_noted, .out = stop_without_clear},
    {VIOLATION_SES_125, .out = stops_at_nothing},
    {VIOLATION_SES_125_ACKED, .out = stops_at_acked},
    {VIOLATION_SES_125_SOM, .out = stops_with_som},
    {VIOLATION_SES_125_OPCODE, .rows = stops_by_a_write},
    {VIOLATION_SES_126, .after = stops_what_is_sent},
    {VIOLATION_SES_127, .rows = stop_is_good},
    {VIOLATION_SES_128_ANY_PDC, .in = stops_everywhere},
    {VIOLATION_SES_128, .rows = stop_of_nothing_is_good},
    {VIOLATION_SES_125_ROD, .out = rod_goes_without},
};

UET_FAULT_WAYS(uet_faults_of_msg_error, ways);
