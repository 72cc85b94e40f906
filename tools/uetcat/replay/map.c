/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/uetcat/replay/map.h"

bool replay_needs_dpdcid(const struct uet_packet *p)
{
    return uet_has_pdcids(p) && !uet_has_syn(p) && !uet_is_nack_rudi(p);
}

static void map_pdcids(uint8_t *h, const struct uet_packet *p, const struct replay_map *map)
{
    if (uet_rud_rod_req_spdcid(h))
        uet_rud_rod_req_spdcid_set(h, map->spdcid);
    if (!uet_has_syn(p) && uet_rud_rod_req_dpdcid(h))
        uet_rud_rod_req_dpdcid_set(h, map->dpdcid);
}

/* Which of them name a PSN, and where (3.5.16). Of a reserved type nobody knows: its NACK will. */
static void map_cp(uint8_t *bytes, const struct uet_packet *p, uint32_t shift)
{
    static const bool without_psn[16] = {[UET_CTL_CLEAR_COMMAND] = true,
                                         [UET_CTL_CLEAR_REQUEST] = true,
                                         [UET_CTL_CREDIT] = true,
                                         [UET_CTL_CREDIT_REQUEST] = true};
    uint8_t *h = bytes + p->pds_offset, *payload = bytes + p->cp_payload_offset;
    uint8_t ctl_type = uet_cp_ctl_type(h);
    if (!without_psn[ctl_type & 15])
        uet_cp_psn_set(h, uet_cp_psn(h) + shift);
    if (!p->cp_payload)
        return;
    if (ctl_type == UET_CTL_CLEAR_COMMAND)
        uet_cp_payload_clear_command_clear_psn_set(
            payload, uet_cp_payload_clear_command_clear_psn(payload) + shift);
    else if (ctl_type == UET_CTL_CLEAR_REQUEST)
        uet_cp_payload_clear_request_clear_psn_set(
            payload, uet_cp_payload_clear_request_clear_psn(payload) + shift);
    else if (ctl_type == UET_CTL_PROBE)
        uet_cp_payload_probe_sack_base_psn_set(payload,
                                               uet_cp_payload_probe_sack_base_psn(payload) + shift);
}

/* Two codes have a PSN as payload (3.5.12.7). */
static void map_nack(uint8_t *h, uint32_t shift)
{
    uint8_t code = uet_nack_nack_code(h);
    uet_nack_nack_psn_set(h, uet_nack_nack_psn(h) + shift);
    if (code == UET_NACK_ROD_OOO || code == UET_NACK_NEW_START_PSN)
        uet_nack_payload_set(h, uet_nack_payload(h) + shift);
}

static void map_rudi(uint8_t *h, const struct uet_packet *p, uint32_t shift)
{
    uint32_t pkt_id = uet_pkt_id(p) + shift;
    if (uet_is_nack_rudi(p))
        uet_nack_rudi_nack_pkt_id_set(h, pkt_id);
    else
        uet_rudi_pkt_id_set(h, pkt_id);
}

void replay_rewrite(uint8_t *bytes, const struct uet_packet *p, const struct replay_map *map)
{
    uint8_t *h = bytes + p->pds_offset, *ses = bytes + p->ses_offset;
    if (uet_is_rudi(p) || uet_is_nack_rudi(p))
        map_rudi(h, p, map->shift);
    else if (uet_is_request(p))
        uet_rud_rod_req_psn_set(h, uet_rud_rod_req_psn(h) + map->shift);
    else if (uet_is_cp(p))
        map_cp(bytes, p, map->shift);
    else if (uet_is_ack(p))
        uet_ack_cack_psn_set(h, uet_ack_cack_psn(h) + map->shift);
    else if (uet_is_nack(p))
        map_nack(h, map->shift);
    if (uet_has_pdcids(p) && !uet_is_nack_rudi(p))
        map_pdcids(h, p, map);
    if (p->ses == UET_H_SES_RSP_DATA_SMALL)
        uet_ses_rsp_data_small_original_request_psn_set(
            ses, uet_ses_rsp_data_small_original_request_psn(ses) + map->shift);
}
