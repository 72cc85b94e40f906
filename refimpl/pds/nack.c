/* SPDX-License-Identifier: BSD-2-Clause */
/* NACKs on their way out (3.5.12.7, Table 3-58). How they are received: in/nacked.c. */
#include "refimpl/pds/pds.h"

static void count(struct uet_fep *fep, uint8_t code)
{
    static const struct {
        uint8_t code;
        uint16_t counter;
    } counters[] = {
        {UET_NACK_RCVR_INFER_LOSS, CNT_tx_nack_rcvr_infer_loss},
        {UET_NACK_TRIMMED, CNT_tx_nack_trimmed},
        {UET_NACK_TRIMMED_LASTHOP, CNT_tx_nack_trimmed},
        {UET_NACK_NO_PDC_AVAIL, CNT_tx_nack_no_pdc_avail},
        {UET_NACK_NO_BITMAP, CNT_tx_nack_no_bitmap},
        {UET_NACK_NO_CCC_AVAIL, CNT_tx_nack_no_ccc_avail},
        {UET_NACK_NO_PKT_BUFFER, CNT_tx_nack_no_pkt_buffer},
        {UET_NACK_NO_GTD_DEL_AVAIL, CNT_tx_nack_no_gtd_del_avail},
        {UET_NACK_NO_SES_MSG_AVAIL, CNT_tx_nack_no_ses_msg_avail},
        {UET_NACK_NO_RESOURCE, CNT_tx_nack_no_resource},
        {UET_NACK_PSN_OOR_WINDOW, CNT_tx_nack_psn_oor_window},
        {UET_NACK_ROD_OOO, CNT_tx_nack_rod_ooo},
        {UET_NACK_INV_DPDCID, CNT_tx_nack_inv_dpdcid},
        {UET_NACK_PDC_HDR_MISMATCH, CNT_tx_nack_pdc_hdr_mismatch},
        {UET_NACK_CLOSING_IN_ERR, CNT_tx_nack_closing_in_err},
        {UET_NACK_NEW_START_PSN, CNT_tx_nack_new_start_psn},
        {UET_NACK_CLOSING, CNT_tx_nack_closing},
        {UET_NACK_PKT_NOT_RCVD, CNT_tx_nack_pkt_not_rcvd},
        {UET_NACK_INVALID_SYN, CNT_tx_nack_invalid_syn},
        {UET_NACK_PDC_MODE_MISMATCH, CNT_tx_nack_pdc_mode_mismatch},
        {UET_NACK_ACK_WITH_DATA, CNT_tx_nack_ack_with_data},
        {UET_NACK_UNEXP_EVENT, CNT_tx_nack_unexp_event},
    };
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++) {
        if (counters[i].code == code) {
            fep->counters[counters[i].counter]++;
            return;
        }
    }
    COUNT(fep, tx_nack_other);
}

void uet_nack_send(struct uet_fep *fep, const struct uet_packet *p, uint8_t code, uint16_t spdcid)
{
    uet_nack_send_payload(fep, p, code, spdcid, 0);
}

void uet_nack_send_payload(struct uet_fep *fep, const struct uet_packet *p, uint8_t code,
                           uint16_t spdcid, uint32_t payload)
{
    const uint8_t *in = uet_pds(p);
    struct uet_build b;
    bool named = spdcid && !fep->law.pds.nacks[code].names_no_pdc;
    bool clear = !named && fep->law.tss.nacks_in_clear;
    if (!(clear ? uet_reply_start_clear(fep, &b, p) : uet_reply_start(fep, &b, p, NULL)))
        return;
    uint8_t *h = uet_build_pds(&b, UET_H_NACK);
    uet_nack_type_set(h, UET_PDS_NACK);
    uet_nack_m_set(h, uet_ecn(p) == UET_ECN_CE);
    uet_nack_retx_set(h, uet_is_cp(p) ? uet_cp_retx(in) : uet_rud_rod_req_retx(in));
    uet_nack_nack_code_set(h, code);
    uet_nack_nack_psn_set(h, uet_packet_psn(p));
    uet_nack_spdcid_set(h, fep->law.pds.nacks[code].names_no_pdc ? 0 : spdcid);
    uet_nack_dpdcid_set(h, uet_spdcid(p));
    uet_nack_payload_set(h, payload);
    uet_reply_finish(fep, &b, 0);
    count(fep, code);
}

void uet_nack_send_about(struct uet_fep *fep, struct pdc *pdc, uint8_t code, uint32_t psn)
{
    struct uet_build b;
    if (!uet_reply_start_on(fep, &b, pdc, uet_pdc_entropy(fep, pdc), NULL))
        return;
    uint8_t *h = uet_build_pds(&b, UET_H_NACK);
    uet_nack_type_set(h, UET_PDS_NACK);
    uet_nack_nack_code_set(h, code);
    uet_nack_nack_psn_set(h, psn);
    uet_nack_spdcid_set(h, pdc->id);
    uet_nack_dpdcid_set(h, pdc->peer_id);
    uet_reply_finish(fep, &b, 0);
    count(fep, code);
}
