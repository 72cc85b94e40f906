/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Read data as the tester answers with it: in an ACK, in a Request of the return direction, in a
 * RUDI Response (3.4.4.2, 3.5.12.1). Which packet, when, and whether it gets lost is the test's to
 * say.
 */
#include <string.h>

#include "conformance/harness/elements.h"
#include "conformance/harness/peer/peer.h"

uint32_t uet_read_asked(const struct uet_tc *tc, const struct uet_in *in)
{
    const struct uet_packet *p = &in->packet;
    uint32_t length = uet_ses_request_length(p), mtu = tc->session->dut->payload_mtu;

    if (uet_ses_has_offset(p))
        return uet_ses_req_std_payload_length(uet_ses(p));
    if (uet_in_ses_ext_atomic(p->ext)) /* its length counts two operands, too (SES-166) */
        return uet_element_type(uet_ses_ext_atomic_datatype(uet_ses_ext(p))).bytes;
    return length < mtu ? length : mtu;
}

/*
 * Table 3-12: a READ with the standard header is named by its message_id. Any value is right in
 * response_message_id; a reader is known that looks there (SES-080).
 */
static void data_std(struct uet_out *o, const struct uet_packet *p, uint32_t n)
{
    o->ses_len = UET_SES_RSP_DATA_BYTES;
    uet_ses_rsp_data_response_message_id_set(o->ses, uet_ses_message_id(p));
    uet_ses_rsp_data_read_request_message_id_set(o->ses, uet_ses_message_id(p));
    uet_ses_rsp_data_payload_length_set(o->ses, (uint16_t)n);
    uet_ses_rsp_data_modified_length_set(o->ses, uet_ses_request_length(p));
    uet_ses_rsp_data_message_offset_set(o->ses, uet_ses_message_offset(p));
}

/* Table 3-13: a small or medium one, which has no message_id, by its PSN (RUDI: its pkt_id). */
static void data_small(struct uet_out *o, const struct uet_packet *p, uint32_t n)
{
    o->ses_len = UET_SES_RSP_DATA_SMALL_BYTES;
    uet_ses_rsp_data_small_payload_length_set(o->ses, (uint16_t)n);
    uet_ses_rsp_data_small_original_request_psn_set(o->ses, uet_is_rudi(p) ? uet_pkt_id(p)
                                                                           : uet_packet_psn(p));
}

/* The SES part that answers in, a READ or a fetching atomic; next_hdr of the header that carries
 * it. */
static uint8_t fill_in(struct uet_tc *tc, struct uet_out *o, const struct uet_in *in,
                       const void *message)
{
    const struct uet_packet *p = &in->packet;

    uint8_t opcode = uet_is_ses_request(p) ? uet_ses_req_opcode(uet_ses(p)) : UET_OP_NO_OP;

    if (opcode != UET_OP_READ && opcode != UET_OP_FETCHING_ATOMIC &&
        opcode != UET_OP_TSEND_FETCH_ATOMIC)
        uet_error(tc, "the tester has nothing to answer with data");
    uint32_t n = uet_read_asked(tc, in);
    bool std = uet_is_ses_std(p);
    memset(o->ses, 0, sizeof(o->ses));
    if (std)
        data_std(o, p, n);
    else
        data_small(o, p, n);
    uet_ses_rsp_opcode_set(o->ses, UET_RSP_RESPONSE_W_DATA);
    uet_ses_rsp_return_code_set(o->ses, UET_RC_OK);
    uet_ses_rsp_job_id_set(o->ses, uet_ses_req_job_id(uet_ses(p)));
    o->payload = (const uint8_t *)message + uet_ses_message_offset(p);
    o->payload_len = n;
    return std ? UET_NH_RESPONSE_DATA : UET_NH_RESPONSE_DATA_SMALL;
}

struct uet_out uet_ack_data(struct uet_pdc *pdc, const struct uet_in *in, const void *message)
{
    struct uet_out o = uet_ack(pdc, in);
    uint32_t psn = uet_packet_psn(&in->packet);

    uet_ack_next_hdr_set(o.pds, fill_in(pdc->tc, &o, in, message));
    uet_ack_req_set(o.pds, UET_ACK_REQ_CLEAR);
    if (uet_psn_diff(pdc->cack, psn) >= 0) { /* it waits for the clear (3.5.20.2.2) */
        uet_ack_cack_psn_set(o.pds, psn - 1);
        uet_ack_ack_psn_offset_set(o.pds, 1);
    }
    return o;
}

struct uet_out uet_return_data(struct uet_pdc *pdc, const struct uet_in *in, const void *message)
{
    struct uet_out o = uet_out_on(pdc);

    uet_out_request(&o, fill_in(pdc->tc, &o, in, message));
    return o;
}

struct uet_out uet_rudi_answer_data(struct uet_tc *tc, const struct uet_in *in, const void *message)
{
    struct uet_out o = uet_rudi_answer(tc, in, UET_RC_OK);

    uet_rudi_next_hdr_set(o.pds, fill_in(tc, &o, in, message));
    return o;
}
