/* SPDX-License-Identifier: BSD-2-Clause */
/* ACKs, NACKs and SES responses of the tester. */
#include <string.h>

#include "conformance/harness/peer/peer.h"

/* An ACK without CC state or SACK, or ACK_CC whose NSCC state tells of bytes alone (3.5.10.3/4). */
static void ack_header(struct uet_out *o, const struct uet_in *in, uint32_t ack_psn)
{
    const struct uet_packet *p = &in->packet;
    struct uet_pdc *pdc = o->pdc;
    uint8_t *h = o->pds;

    (void)uet_tc_place(pdc->tc, UET_OVER_ACKS); /* there is an ACK */
    o->pds_len = pdc->ack_cc ? UET_ACK_CC_BYTES : UET_ACK_BYTES;
    o->psn = ack_psn;
    o->route.entropy = uet_entropy(p); /* PDS-112 */
    uet_ack_type_set(h, pdc->ack_cc ? UET_PDS_ACK_CC : UET_PDS_ACK);
    uet_ack_m_set(h, uet_ecn(p) == UET_ECN_CE);
    uet_ack_cack_psn_set(h, pdc->cack);
    uet_ack_ack_psn_offset_set(h, (int16_t)uet_psn_diff(ack_psn, pdc->cack));
    uet_ack_spdcid_set(h, pdc->pdcid);
    uet_ack_dpdcid_set(h, pdc->fep_pdcid ? pdc->fep_pdcid : uet_spdcid(&in->packet));
    if (pdc->ack_cc) {
        uet_ack_cc_type_set(h, UET_CC_NSCC);
        uet_ack_cc_mpr_set(h, pdc->mpr);
        uint8_t *state = h + UET_ACK_CC_BYTES - UET_ACK_CC_STATE_NSCC_BYTES;
        uet_ack_cc_state_nscc_rcvd_bytes_set(state, uet_peer_rcvd(pdc));
        uet_ack_cc_state_nscc_ooo_count_set(state, 0xffff); /* not calculated */
    }
}

void uet_out_respond(struct uet_out *o, const struct uet_in *in, uint8_t opcode, uint8_t list,
                     uint8_t return_code)
{
    const uint8_t *ses = uet_ses(&in->packet);

    o->ses_len = UET_SES_RSP_BYTES;
    uet_ses_rsp_list_set(o->ses, list);
    uet_ses_rsp_opcode_set(o->ses, opcode);
    uet_ses_rsp_return_code_set(o->ses, return_code);
    uet_ses_rsp_message_id_set(o->ses, uet_ses_message_id(&in->packet));
    uet_ses_rsp_job_id_set(o->ses, uet_ses_req_job_id(ses));
    if (return_code == UET_RC_OK)
        uet_ses_rsp_modified_length_set(o->ses, uet_ses_request_length(&in->packet));
}

static void respond(struct uet_out *o, const struct uet_in *in, uint8_t opcode, uint8_t list,
                    uint8_t return_code)
{
    uet_ack_next_hdr_set(o->pds, UET_NH_RESPONSE);
    uet_out_respond(o, in, opcode, list, return_code);
}

/*
 * Read data gets the ACK of any Request, with a default response that names it (3.4.4.2). One of
 * RC_OK tells the length of the READ, as a target is known that takes another for an error; the
 * small header has no length, and RC_NULL is right with any (SES-082).
 */
static void respond_to_data(struct uet_out *o, const struct uet_packet *p)
{
    const uint8_t *s = uet_ses(p);
    const bool standard = p->ses == UET_H_SES_RSP_DATA;

    uet_ack_next_hdr_set(o->pds, UET_NH_RESPONSE);
    o->ses_len = UET_SES_RSP_BYTES;
    uet_ses_rsp_opcode_set(o->ses, UET_RSP_DEFAULT_RESPONSE);
    uet_ses_rsp_return_code_set(o->ses, standard ? UET_RC_OK : UET_RC_NULL);
    uet_ses_rsp_job_id_set(o->ses, uet_ses_rsp_job_id(s));
    if (!standard)
        return;
    const uint16_t own = uet_ses_rsp_data_response_message_id(s);
    uet_ses_rsp_message_id_set(o->ses, own ? own : uet_ses_rsp_data_read_request_message_id(s));
    uet_ses_rsp_modified_length_set(o->ses, uet_ses_rsp_data_modified_length(s));
}

struct uet_out uet_ack(struct uet_pdc *pdc, const struct uet_in *in)
{
    struct uet_out o = uet_out_on(pdc);
    const struct uet_packet *p = &in->packet;
    const uint8_t *h = uet_pds(p);

    ack_header(&o, in, uet_packet_psn(p));
    if (uet_is_cp(p)) {
        uet_ack_retx_set(o.pds, uet_cp_retx(h));
        if (uet_cp_ctl_type(h) == UET_CTL_PROBE) {
            uet_ack_p_set(o.pds, true);
            uet_ack_probe_opaque_set(o.pds, uet_cp_probe_opaque(h));
        }
        return o; /* next_hdr NONE (PDS-109) */
    }
    uet_ack_retx_set(o.pds, uet_rud_rod_req_retx(h));
    if (uet_is_ses_response_data(p))
        respond_to_data(&o, p);
    if (uet_is_ses_request(p))
        respond(&o, in, UET_RSP_DEFAULT_RESPONSE, UET_LIST_EXPECTED, UET_RC_OK);
    return o;
}

struct uet_out uet_ack_with(struct uet_pdc *pdc, const struct uet_in *in, uint8_t opcode,
                            uint8_t list, uint8_t return_code)
{
    struct uet_out o = uet_ack(pdc, in);

    if (!uet_is_ses_request(&in->packet))
        uet_error(pdc->tc, "the tester has no SES request to respond to");
    memset(o.ses, 0, sizeof(o.ses));
    respond(&o, in, opcode, list, return_code);
    return o;
}

uint16_t uet_peer_nack_spdcid(const struct uet_pdc *pdc, uint8_t code)
{
    return uet_nack_table[code].spdcid == UET_SPDCID_ZERO ? 0 : pdc->pdcid;
}

struct uet_out uet_nack(struct uet_pdc *pdc, uint32_t psn, uint8_t code)
{
    struct uet_out o = uet_out_on(pdc);

    o.pds_len = UET_NACK_BYTES;
    o.psn = psn;
    uet_nack_type_set(o.pds, UET_PDS_NACK);
    uet_nack_nack_code_set(o.pds, code);
    uet_nack_nack_psn_set(o.pds, psn);
    uet_nack_spdcid_set(o.pds, uet_peer_nack_spdcid(pdc, code));
    uet_nack_dpdcid_set(o.pds, pdc->fep_pdcid);
    return o;
}
