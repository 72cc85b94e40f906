/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets of the tester that belong to no PDC: RUDI and UUD (3.5.7.3, 3.5.7.4). */
#include "conformance/harness/peer/peer.h"

static struct uet_out start(struct uet_tc *tc)
{
    return uet_out_start(tc, tc->session->dut->tester[0],
                         (uint16_t)(49152 + uet_tc_random(tc) % 16384));
}

static struct uet_out rudi(struct uet_tc *tc, uint8_t opcode, const struct uet_memory *m,
                           uint64_t offset, const void *data, uint32_t n)
{
    struct uet_out o = start(tc);

    o.psn = tc->next_pkt_id++;
    o.pds_len = UET_RUDI_REQ_BYTES;
    uet_rudi_type_set(o.pds, UET_PDS_RUDI_REQ);
    uet_rudi_next_hdr_set(o.pds, UET_NH_REQUEST_STD);
    uet_rudi_pkt_id_set(o.pds, o.psn);
    uet_out_standard(tc, &o, opcode, m, offset, data, n);
    return o;
}

struct uet_out uet_rudi_write(struct uet_tc *tc, const struct uet_memory *m, uint64_t offset,
                              const void *data, uint32_t n)
{
    return rudi(tc, UET_OP_WRITE, m, offset, data, n);
}

struct uet_out uet_rudi_read(struct uet_tc *tc, const struct uet_memory *m, uint64_t offset,
                             uint32_t n)
{
    return rudi(tc, UET_OP_READ, m, offset, NULL, n);
}

size_t uet_rudi_message(struct uet_tc *tc, uint8_t opcode, const struct uet_memory *m,
                        const void *data, uint32_t n, struct uet_out *out, size_t max)
{
    uint32_t mtu = tc->session->dut->payload_mtu, at = 0;
    size_t count = 0;

    do {
        uint32_t part = n - at < mtu ? n - at : mtu;
        if (count == max)
            uet_error(tc, "a message of %u bytes takes more than %zu packets", n, max);
        struct uet_out *o = &out[count++];
        *o = rudi(tc, opcode, m, 0, data ? (const uint8_t *)data + at : NULL, part);
        uet_out_part(o, uet_ses_req_std_message_id(out[0].ses), n, at, part);
        at += part;
    } while (at < n);
    return count;
}

/* To where the packet came from, with its entropy value (PDS-112). */
static struct uet_out answer(struct uet_tc *tc, const struct uet_in *in)
{
    struct uet_out o = uet_out_start(tc, uet_dst_ip(&in->packet), uet_entropy(&in->packet));

    o.psn = uet_pkt_id(&in->packet);
    return o;
}

struct uet_out uet_rudi_answer(struct uet_tc *tc, const struct uet_in *in, uint8_t return_code)
{
    struct uet_out o = answer(tc, in);
    bool ok = return_code == UET_RC_OK;

    if (!uet_is_ses_request(&in->packet))
        uet_error(tc, "the tester has no SES request to respond to");
    o.pds_len = UET_RUDI_RESP_BYTES;
    uet_rudi_type_set(o.pds, UET_PDS_RUDI_RESP);
    uet_rudi_next_hdr_set(o.pds, UET_NH_RESPONSE);
    uet_rudi_resp_m_set(o.pds, uet_ecn(&in->packet) == UET_ECN_CE);
    uet_rudi_retx_set(o.pds, uet_rudi_retx(uet_pds(&in->packet)));
    uet_rudi_pkt_id_set(o.pds, o.psn);
    uet_out_respond(&o, in, ok ? UET_RSP_DEFAULT_RESPONSE : UET_RSP_RESPONSE, UET_LIST_EXPECTED,
                    return_code);
    return o;
}

struct uet_out uet_rudi_nack(struct uet_tc *tc, const struct uet_in *in, uint8_t code)
{
    struct uet_out o = answer(tc, in);

    o.pds_len = UET_NACK_RUDI_BYTES;
    uet_nack_type_set(o.pds, UET_PDS_NACK);
    uet_nack_nt_set(o.pds, UET_NACK_TYPE_RUDI);
    uet_nack_retx_set(o.pds, uet_rudi_retx(uet_pds(&in->packet)));
    uet_nack_nack_code_set(o.pds, code);
    uet_nack_rudi_nack_pkt_id_set(o.pds, o.psn);
    return o;
}

struct uet_out uet_datagram(struct uet_tc *tc, const struct uet_memory *m, const void *data,
                            uint32_t n)
{
    struct uet_out o = start(tc);

    o.pds_len = UET_UUD_REQ_BYTES;
    uet_uud_req_type_set(o.pds, UET_PDS_UUD_REQ);
    uet_uud_req_next_hdr_set(o.pds, UET_NH_REQUEST_STD);
    uet_out_standard(tc, &o, UET_OP_DATAGRAM_SEND, m, 0, data, n);
    uet_ses_req_std_message_id_set(o.ses, 0); /* SES-035 */
    return o;
}
