/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults that break no text of the standard, but what any user expects (ROB). */
#include "refimpl/faults/ways.h"
#include "refimpl/pds/pds.h"
#include "refimpl/ses/checks.h"

#define RESERVED_RC_MOST 0x2fu /* 0x25 to 0x2f are reserved (Table 3-19) */

static bool is_whole(const struct uet_fault_frame *f)
{
    return f->p.error == UET_PARSE_OK;
}

/* ---- who says it ---- */

/* The packet comes from the peer of the PDC that it names, whoever has sent it. */
static void as_from_peer(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = uet_pdc_by_id(fep, uet_dpdcid(&f->p));
    if (pdc)
        uet_fault_from(f, &pdc->peer);
}

static bool ack_of_anybody(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (is_whole(f) && uet_is_ack(&f->p))
        as_from_peer(fep, f);
    return true;
}

static bool nack_of_anybody(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (is_whole(f) && uet_is_nack(&f->p) && !uet_is_nack_rudi(&f->p))
        as_from_peer(fep, f);
    return true;
}

static bool nack_of_any_pdcid(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = NULL;
    if (is_whole(f) && uet_is_nack(&f->p) && !uet_is_nack_rudi(&f->p))
        pdc = uet_pdc_by_id(fep, uet_dpdcid(&f->p));
    if (pdc && pdc->peer_id)
        uet_nack_spdcid_set(uet_fault_pds(f), pdc->peer_id);
    return true;
}

/* ... from whom the RUDI packet went to that has its pkt_id. */
static void as_from_target(struct uet_fep *fep, struct uet_fault_frame *f)
{
    for (uint32_t slot = fep->rudi.head; slot;) {
        const struct tx_packet *packet = pool_item(&fep->rudi.packets, slot);
        if (packet->psn == uet_pkt_id(&f->p) && packet->seg.op)
            uet_fault_from(f, &op_at(fep, packet->seg.op)->call.to);
        slot = packet->next;
    }
}

static bool rudi_response_of_anybody(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (is_whole(f) && f->p.pds == UET_H_RUDI_RESP)
        as_from_target(fep, f);
    return true;
}

static bool rudi_nack_of_anybody(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (is_whole(f) && uet_is_nack_rudi(&f->p))
        as_from_target(fep, f);
    return true;
}

/* What a PDC owes goes to who has named it last, right or not. */
static bool named_by(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct uet_ip from = uet_src_ip(&f->p);
    const struct pdc *pdc = is_whole(f) && uet_is_request(&f->p) && !uet_has_syn(&f->p)
                                ? uet_pdc_by_id(fep, uet_dpdcid(&f->p))
                                : NULL;
    if (pdc && from.version == 4)
        memcpy(f->memo, from.bytes, 4);
    return true;
}

static bool led_away(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct uet_ip to = {.version = 4};
    (void)fep;
    if (!*f->memo || f->p.ip_version != 4 || !uet_is_request(&f->p))
        return true;
    memcpy(to.bytes, f->memo, 4);
    memcpy(f->bytes + f->p.ip_offset + 16, to.bytes, 4);
    uet_mac_put(f->bytes, &to);
    return true;
}

/* A response is that of the message that it names, whatever packet the ACK names. */
static bool response_by_message_id(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = is_whole(f) && uet_is_ack(&f->p) && f->p.ses == UET_H_SES_RSP
                                ? uet_pdc_by_id(fep, uet_dpdcid(&f->p))
                                : NULL;
    for (uint32_t id = pdc ? pdc->tx.head : 0; id; id = packet_at(fep, id)->next) {
        const struct tx_packet *q = packet_at(fep, id);
        uint16_t message = uet_ses_rsp_message_id(uet_ses(&f->p));
        if (message && q->seg.op && op_at(fep, q->seg.op)->message_id == message)
            uet_ack_ack_psn_offset_set(
                uet_fault_pds(f), (int16_t)uet_psn_diff(q->psn, uet_ack_cack_psn(uet_pds(&f->p))));
    }
    return true;
}

static bool cp_of_anybody(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (is_whole(f) && uet_is_cp(&f->p))
        as_from_peer(fep, f);
    return true;
}

static bool is_data(const struct uet_fault_frame *f)
{
    return is_whole(f) && uet_is_request(&f->p) && uet_is_ses_response_data(&f->p) &&
           f->p.ses != UET_H_SES_RSP_DATA_SMALL;
}

static bool data_of_anybody(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (is_data(f))
        as_from_peer(fep, f);
    return true;
}

/* ---- what it says ---- */

/* The operation of this FEP whose data that is; NULL: none. */
static struct operation *fetching(struct uet_fep *fep, const struct uet_fault_frame *f)
{
    const struct pdc *pdc = is_data(f) ? uet_pdc_by_id(fep, uet_dpdcid(&f->p)) : NULL;
    if (!pdc)
        return NULL;
    uint16_t id = uet_ses_rsp_data_read_request_message_id(uet_ses(&f->p));
    uint32_t op = ses_pdc_at(fep, pdc->id)->ops_head;
    while (op && op_at(fep, op)->message_id != id)
        op = op_at(fep, op)->next;
    return op && op_at(fep, op)->call.into ? op_at(fep, op) : NULL;
}

/* What lacks of the last part is taken as come: the read is one of fewer bytes, told as all. */
static bool short_data_taken(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct operation *op = fetching(fep, f);
    uint32_t got = op ? uet_ses_rsp_data_payload_length(uet_fault_ses(f)) : 0;
    if (!op || op->call.length > fep->config.payload_mtu || got >= op->call.length)
        return true;
    *f->memo = op->call.length; /* as the completion has to tell it */
    uet_ses_rsp_data_modified_length_set(uet_fault_ses(f), got);
    op->call.length = got;
    return true;
}

static void short_data_told_in_full(struct uet_fep *fep, uint64_t *memo)
{
    struct completion_ring *ring = &fep->completions;
    if (!*memo || !ring->n)
        return;
    struct uet_completion *c = &ring->slots[(ring->head + ring->n - 1) % ring->cap];
    if (c->kind == UET_COMPLETION_OPERATION)
        c->length = (uint32_t)*memo;
    *memo = 0;
}

/* A part is written again, whatever has come before. */
static bool part_replaced(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct operation *op = fetching(fep, f);
    uint32_t at = op ? uet_ses_rsp_data_message_offset(uet_fault_ses(f)) : 0;
    uint32_t n = f->p.payload_len;
    if (op && at < op->call.length && n <= op->call.length - at)
        memcpy(op->call.into + at, f->bytes + f->p.payload_offset, n);
    return true;
}

/* The data of the last part is taken wherever it says that it belongs. */
static bool any_place_taken(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct operation *op = fetching(fep, f);
    uint32_t mtu = fep->config.payload_mtu, last = op ? op->call.length % mtu : 0;
    if (op && last && uet_ses_rsp_data_payload_length(uet_fault_ses(f)) == last)
        uet_ses_rsp_data_message_offset_set(uet_fault_ses(f), op->call.length - last);
    return true;
}

/* Memo: 1 + the place of data that was not asked for yet. The right data does not replace it. */
static bool next_place_taken(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct operation *op = fetching(fep, f);
    if (!op || f->p.ses != UET_H_SES_RSP_DATA)
        return true;
    const uint64_t offset = uet_ses_rsp_data_message_offset(uet_ses(&f->p));
    if (offset && offset == op->sent && offset < op->call.length)
        *f->memo = 1 + offset;
    else if (*f->memo == 1 + offset)
        memset(f->bytes + f->p.payload_offset, 0, f->p.payload_len);
    return true;
}

static bool reserved_code_is_ok(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_whole(f) && uet_is_ses_response(&f->p) &&
        uet_ses_rsp_return_code(uet_ses(&f->p)) == RESERVED_RC_MOST)
        uet_ses_rsp_return_code_set(uet_fault_ses(f), UET_RC_OK);
    return true;
}

/* An error response completes the operation that completed last again. */
static bool completed_again(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (*f->memo && is_whole(f) && uet_is_ses_response(&f->p) &&
        uet_ses_rsp_return_code(uet_ses(&f->p)) > UET_RC_OK &&
        fep->completions.n < fep->completions.cap)
        uet_completion_push(fep, &(struct uet_completion){.kind = UET_COMPLETION_OPERATION,
                                                          .status = UET_STATUS_SES_ERROR,
                                                          .return_code = UET_RC_BAD_ADDR,
                                                          .token = *f->memo - 1,
                                                          .peer = uet_src_ip(&f->p)});
    return true;
}

static void completion_remembered(struct uet_fep *fep, uint64_t *memo)
{
    const struct completion_ring *ring = &fep->completions;
    if (ring->n && ring->slots[ring->head].kind == UET_COMPLETION_OPERATION)
        *memo = ring->slots[ring->head].token + 1;
}

/* Nothing new leaves for one peer while another one owes an answer. */
static bool one_peer_at_a_time(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct uet_ip to = uet_dst_ip(&f->p);
    if (!uet_is_request(&f->p))
        return true;
    for (uint32_t i = 1; i <= fep->config.max_pdcs; i++) {
        const struct pdc *pdc = pdc_at(fep, i);
        if (pdc->state != PDC_CLOSED && pdc->tx.n_packets && !uet_ip_equal(&pdc->peer, &to))
            return false;
    }
    return true;
}

/* Nothing leaves for one peer while a message waits for the resource index of another one. */
static bool one_index_at_a_time(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct uet_ip to = uet_dst_ip(&f->p);
    for (uint32_t i = uet_is_request(&f->p) ? fep->waiting_head : 0; i; i = op_at(fep, i)->next)
        if (op_at(fep, i)->in_turn && !uet_ip_equal(&op_at(fep, i)->call.to, &to))
            return false;
    return true;
}

/* What a target has cut was taken as a whole. */
static bool cut_is_whole(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const uint8_t *h = is_whole(f) && uet_is_ack(&f->p) && f->p.ses == UET_H_SES_RSP &&
                               uet_ses_rsp_modified_length(uet_ses(&f->p))
                           ? uet_pds(&f->p)
                           : NULL;
    struct pdc *pdc = h ? uet_pdc_by_id(fep, uet_dpdcid(&f->p)) : NULL;
    const struct tx_packet *q =
        pdc ? uet_source_find(fep, pdc, uet_psn_add(uet_ack_cack_psn(h), uet_ack_ack_psn_offset(h)))
            : NULL;
    if (q && q->seg.op)
        uet_ses_rsp_modified_length_set(uet_fault_ses(f), op_at(fep, q->seg.op)->call.length);
    return true;
}

/* ---- what comes amid an exchange ---- */

static bool close_of_anybody(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (is_whole(f) && uet_is_cp(&f->p) && uet_cp_ctl_type(uet_pds(&f->p)) == UET_CTL_CLOSE_COMMAND)
        as_from_peer(fep, f);
    return true;
}

static bool error_of_anybody(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (is_whole(f) && uet_is_ack(&f->p) && f->p.ses == UET_H_SES_RSP &&
        uet_ses_rsp_return_code(uet_ses(&f->p)) != UET_RC_OK)
        as_from_peer(fep, f);
    return true;
}

/* A copy of what has come is taken from anybody, and answered to who has sent it. */
static bool repeated_by_another(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct uet_ip from = uet_src_ip(&f->p);
    const struct pdc *pdc = is_whole(f) && uet_is_request(&f->p) && !uet_has_syn(&f->p)
                                ? uet_pdc_by_id(fep, uet_dpdcid(&f->p))
                                : NULL;
    if (!pdc || from.version != 4 || uet_ip_equal(&pdc->peer, &from) ||
        psn_after(uet_packet_psn(&f->p), pdc->rx.cack_psn))
        return true;
    *f->memo = uet_rd32(from.bytes);
    uet_fault_from(f, &pdc->peer);
    return true;
}

static bool answers_another(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (*f->memo && uet_is_ack(&f->p) && f->p.ip_version == 4) {
        uet_ipv4_dst_set(f->bytes + f->p.ip_offset, (uint32_t)*f->memo);
        *f->memo = 0;
    }
    return true;
}

static bool answer_for_anybody(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (is_whole(f) && (uet_is_ack(&f->p) || uet_is_nack(&f->p)) && f->p.ip_version == 4)
        memcpy(f->bytes + f->p.ip_offset + 16, fep->config.address.bytes, 4);
    return true;
}

/* ---- what comes to the edge ---- */

static bool for_anybody(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (is_whole(f) && f->p.ip_version == 4)
        memcpy(f->bytes + f->p.ip_offset + 16, fep->config.address.bytes, 4);
    return true;
}

static bool any_udp_port(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (f->p.error == UET_PARSE_NOT_UET && fep->config.over_udp && f->p.ip_version == 4)
        uet_udp_dst_port_set(f->bytes + UET_ETH_BYTES + UET_IPV4_BYTES,
                             fep->config.udp_port ? fep->config.udp_port : UET_UDP_PORT);
    return true;
}

/* A source that nobody can have is taken for another one, and its answer goes back to it. */
static bool source_hidden(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct uet_ip from = uet_src_ip(&f->p);
    struct uet_ip stand_in = fep->config.address;
    if (!is_whole(f) || (uet_ip_is_host(&from) && !uet_ip_equal(&from, &stand_in)))
        return true;
    stand_in.bytes[uet_ip_len(&stand_in) - 1] ^= 0x80;
    *f->memo = from.version == 4 ? uet_rd32(from.bytes) : 1; /* whom the answer is for */
    uet_fault_from(f, &stand_in);
    return true;
}

static bool source_shown(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct uet_ip to = uet_dst_ip(&f->p);
    struct uet_ip stand_in = fep->config.address;
    stand_in.bytes[uet_ip_len(&stand_in) - 1] ^= 0x80;
    if (*f->memo && f->p.ip_version == 4 && uet_ip_equal(&to, &stand_in))
        uet_ipv4_dst_set(f->bytes + f->p.ip_offset, (uint32_t)*f->memo);
    return true;
}

static bool request_of_anybody(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (is_whole(f) && uet_is_request(&f->p) && !uet_has_syn(&f->p))
        as_from_peer(fep, f);
    return true;
}

/* The IPv4 checksum of a changed frame is made right after it. */
static bool ip_checksum_overlooked(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (f->p.error == UET_PARSE_IP_CHECKSUM)
        uet_ipv4_header_checksum_set(f->bytes + f->p.ip_offset, 0);
    return true;
}

/* The type of a RUDI Response stands behind IPv4 and UDP, in the upper bits. */
static bool rudi_checksum_overlooked(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const size_t pds = f->p.ip_offset + UET_IPV4_BYTES + UET_UDP_BYTES;
    (void)fep;
    if (f->p.error == UET_PARSE_IP_CHECKSUM && pds + 2 <= f->len &&
        uet_pds_prologue_type(f->bytes + pds) == UET_PDS_RUDI_RESP)
        uet_ipv4_header_checksum_set(f->bytes + f->p.ip_offset, 0);
    return true;
}

static bool fragment_taken(struct uet_fep *fep, struct uet_fault_frame *f)
{
    uint8_t *ip = f->bytes + UET_ETH_BYTES;
    (void)fep;
    if (f->p.error != UET_PARSE_IP_FRAGMENT)
        return true;
    uet_ipv4_mf_set(ip, false);
    uet_ipv4_fragment_offset_set(ip, 0);
    return true;
}

/* What lacks at the end of a frame is taken for zeros. */
static bool end_made_up(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (f->p.error != UET_PARSE_IP_LENGTH || f->len + 8 > UET_FRAME_MAX)
        return true;
    memset(f->bytes + f->len, 0, 8);
    f->len += 8;
    return true;
}

/* The UDP length is not looked at: a datagram is what IP carries. */
static bool udp_length_overlooked(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (f->p.udp_offset && f->p.ip_end > f->p.udp_offset)
        uet_udp_length_set(f->bytes + f->p.udp_offset, (uint16_t)(f->p.ip_end - f->p.udp_offset));
    return true;
}

/* ... nor what IP carries: the bytes that lack are those of an older packet. */
static bool udp_length_believed(struct uet_fep *fep, struct uet_fault_frame *f)
{
    uint8_t *ip = f->bytes + f->p.ip_offset;
    (void)fep;
    if (f->p.error != UET_PARSE_UDP_LENGTH || f->p.ip_version != 4)
        return true;
    size_t end = f->p.udp_offset + (size_t)uet_udp_length(f->bytes + f->p.udp_offset);
    if (end <= f->len || end > UET_FRAME_MAX)
        return true;
    memset(f->bytes + f->len, 0x5e, end - f->len);
    uet_ipv4_total_length_set(ip, (uint16_t)(end - f->p.ip_offset));
    f->len = end;
    return true;
}

/* The header is as long as ever. */
static bool ihl_overlooked(struct uet_fep *fep, struct uet_fault_frame *f)
{
    uint8_t *ip = f->bytes + UET_ETH_BYTES;
    (void)fep;
    if (f->p.error == UET_PARSE_IP_VERSION && uet_ipv4_version(ip) == 4)
        uet_ipv4_ihl_set(ip, UET_IPV4_BYTES / 4);
    return true;
}

static bool has_options(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    *f->memo = f->p.ip_version == 4 && uet_ipv4_ihl(f->bytes + f->p.ip_offset) > UET_IPV4_BYTES / 4;
    return true;
}

static bool tells_options(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (*f->memo && f->p.ip_version == 4)
        uet_ipv4_ihl_set(f->bytes + f->p.ip_offset, UET_IPV4_BYTES / 4 + 1);
    return true;
}

/* A header that is cut short is answered as if it were whole and for no PDC. */
static bool short_header_answered(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (f->p.error != UET_PARSE_PDS_SHORT || f->p.ip_end < f->p.pds_offset + 1u)
        return true;
    memset(f->bytes + f->p.ip_end, 0, 64);
    f->p.pds = UET_H_RUD_ROD_REQ;
    uet_nack_send(fep, &f->p, UET_NACK_INV_DPDCID, 0);
    return true;
}

/* ---- messages ---- */

static bool any_condition(struct ses_judged *j)
{
    (void)j;
    return true;
}

/* Bytes behind payload_length belong to it, too; so says the fault. */
static bool all_bytes_count(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (!is_whole(f) || !uet_is_ses_std(&f->p) || uet_ses_req_som(uet_ses(&f->p)) ||
        f->p.payload_len <= uet_ses_req_std_payload_length(uet_ses(&f->p)))
        return true;
    uint8_t *ses = uet_fault_ses(f);
    uint32_t more = f->p.payload_len - uet_ses_req_std_payload_length(ses);
    uet_ses_req_std_payload_length_set(ses, f->p.payload_len);
    uet_ses_req_std_request_length_set(ses, uet_ses_req_std_request_length(ses) + more);
    return true;
}

static bool same_class(struct ses_judged *j)
{
    return j->m->opcode == j->r->opcode;
}

static void message_may_change(struct uet_law *law)
{
    law->ses.checks[SES_CHECK_SAME_MESSAGE].holds = same_class;
}

static void length_and_data_change(struct uet_law *law)
{
    message_may_change(law);
    law->ses.checks[SES_CHECK_BOUNDS].holds = any_condition;
}

static void parts_not_told_apart(struct uet_law *law)
{
    law->ses.checks[SES_CHECK_BEGINS_ONCE].holds = any_condition;
    law->ses.checks[SES_CHECK_EACH_PART].holds = any_condition;
}

static void job_may_change(struct uet_law *law)
{
    law->ses.checks[SES_CHECK_SAME_JOB].holds = any_condition;
}

/* The open message that the packet says it is of; NULL: none. */
static const struct message *message_of(struct uet_fep *fep, const struct uet_fault_frame *f)
{
    const struct pdc *pdc = NULL;
    if (is_whole(f) && uet_is_ses_std(&f->p))
        pdc = uet_pdc_by_id(fep, uet_dpdcid(&f->p));
    uint32_t id = pdc ? ses_pdc_at(fep, pdc->id)->messages : 0;
    while (id && message_at(fep, id)->message_id != uet_ses_req_std_message_id(uet_ses(&f->p)))
        id = message_at(fep, id)->next;
    return id ? message_at(fep, id) : NULL;
}

static bool any_job_goes_on(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct message *m = message_of(fep, f);
    if (m)
        uet_ses_req_job_id_set(uet_fault_ses(f), m->job_id);
    return true;
}

/* Packets that continue a message go where the first packet seen last went. */
static bool any_index_goes_on(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (!is_whole(f) || !uet_is_ses_std(&f->p))
        return true;
    if (uet_ses_req_som(uet_ses(&f->p)))
        *f->memo = uet_ses_req_resource_index(uet_ses(&f->p)) + 1u;
    else if (*f->memo)
        uet_ses_req_resource_index_set(uet_fault_ses(f), (uint16_t)(*f->memo - 1));
    return true;
}

/* A second first packet is a message of its own, and ends with it. */
static bool second_begins_anew(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct message *m = message_of(fep, f);
    if (!m || !m->som_seen || !uet_ses_req_som(uet_ses(&f->p)))
        return true;
    uet_ses_req_eom_set(uet_fault_ses(f), true);
    uet_ses_req_std_request_length_set(uet_fault_ses(f), f->p.payload_len);
    return true;
}

/* A receive that a failing message had taken is not told, and lost. */
static void receive_lost(struct uet_fep *fep, uint64_t *memo)
{
    struct completion_ring *ring = &fep->completions;
    (void)memo;
    if (!ring->n)
        return;
    const struct uet_completion *last = &ring->slots[(ring->head + ring->n - 1) % ring->cap];
    if (last->kind != UET_COMPLETION_RECEIVE || last->status == UET_STATUS_OK)
        return;
    ring->n--;
    ring->n_receive--;
}

/* Whatever is refused takes the receive that was posted first, and tells nobody. */
static void refusal_takes_receive(struct uet_fep *fep, uint64_t *memo)
{
    uint64_t before = *memo, now = fep->counters[CNT_ses_refused] + 1;
    *memo = now;
    for (uint32_t id = 1; before && now > before && id <= fep->receives.n; id++) {
        const struct uet_receive receive = receive_at(fep, id)->call;
        if (receive.length && uet_fep_receive_remove(fep, &receive) == 0)
            return;
    }
}

/* ---- load ---- */

static bool answered_twice(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (is_whole(f) && (uet_is_request(&f->p) || uet_is_cp(&f->p)) && !uet_has_syn(&f->p) &&
        !uet_pdc_by_id(fep, uet_dpdcid(&f->p)))
        uet_nack_send(fep, &f->p, UET_NACK_INV_DPDCID, 0);
    return true;
}

static bool far_syn_answered_twice(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (is_whole(f) && uet_is_request(&f->p) && uet_has_syn(&f->p) &&
        uet_packet_psn(&f->p) - uet_start_psn(&f->p) >= uet_sink_mp_range(fep))
        uet_nack_send(fep, &f->p, UET_NACK_INVALID_SYN, 0);
    return true;
}

/* The newest target PDC takes the place of the oldest. */
static bool newest_displaces(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (!is_whole(f) || !uet_has_syn(&f->p) || fep->n_target < 4)
        return true;
    for (uint32_t i = 1; i <= fep->config.max_pdcs; i++) {
        struct pdc *pdc = pdc_at(fep, i);
        if (pdc->state != PDC_CLOSED && !pdc->initiator) {
            uet_pdc_free(fep, pdc, false);
            break;
        }
    }
    return true;
}

/* After 100 frames that cannot be read it is deaf. */
static bool deaf_after_noise(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    *f->memo += !is_whole(f);
    return *f->memo < 100;
}

static bool unknown_format_ends_pdc(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = uet_is_cc_request(&f->p) ? uet_pdc_by_id(fep, uet_dpdcid(&f->p)) : NULL;
    if (pdc && !uet_has_syn(&f->p))
        uet_pdc_free(fep, pdc, false);
    return true;
}

/* A Request that is no SYN; false: its PDC is not known. */
static bool counts(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = uet_pdc_by_id(fep, uet_dpdcid(&f->p));
    uint32_t psn = uet_packet_psn(&f->p);
    if (pdc && !pdc->initiator && uet_sink_place(fep, pdc, psn) == PSN_NEW)
        uet_sink_receive(fep, pdc, psn);
    return pdc;
}

static bool unknown_format_counts(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return !uet_is_cc_request(&f->p) || uet_has_syn(&f->p) || f->p.error != UET_PARSE_OK ||
           !counts(fep, f);
}

static bool short_counts(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (f->p.error == UET_PARSE_SES_SHORT && uet_is_request(&f->p) && !uet_has_syn(&f->p))
        counts(fep, f);
    return true;
}

static bool data_of_any_job(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct operation *op = fetching(fep, f);
    if (op)
        uet_ses_rsp_job_id_set(uet_fault_ses(f), op->call.job_id);
    return true;
}

static bool data_never_in_error(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (fetching(fep, f))
        uet_ses_rsp_return_code_set(uet_fault_ses(f), UET_RC_OK);
    return true;
}

static bool default_tells_length(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_whole(f) && uet_is_ack(&f->p) && uet_is_ses_response(&f->p) &&
        uet_ses_rsp_opcode(uet_ses(&f->p)) == UET_RSP_DEFAULT_RESPONSE)
        uet_ses_rsp_opcode_set(uet_fault_ses(f), UET_RSP_RESPONSE);
    return true;
}

/* As if it might be done in part. */
static void atomic_anew(struct uet_law *law)
{
    law->ses.ops[UET_OP_FETCHING_ATOMIC].whole = false;
}

static bool place_rounded(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const uint32_t mtu = fep->config.payload_mtu;
    if (f->p.ses != UET_H_SES_RSP_DATA)
        return true;
    const uint32_t offset = uet_ses_rsp_data_message_offset(uet_ses(&f->p));
    uet_ses_rsp_data_message_offset_set(uet_fault_ses(f), (offset + mtu - 1) / mtu * mtu);
    return true;
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_ROB_001, .in = for_anybody},
    {VIOLATION_ROB_002, .in = any_udp_port},
    {VIOLATION_ROB_003, .in = source_hidden, .out = source_shown},
    {VIOLATION_ROB_004, .in = source_hidden, .out = source_shown},
    {VIOLATION_ROB_005, .in = request_of_anybody},
    {VIOLATION_ROB_005_LEADS, .in = named_by, .out = led_away},
    {VIOLATION_ROB_046, .rows = atomic_anew},
    {VIOLATION_ROB_045, .in = response_by_message_id},
    {VIOLATION_ROB_006, .in = ack_of_anybody},
    {VIOLATION_ROB_007, .in = nack_of_anybody},
    {VIOLATION_ROB_008, .in = nack_of_any_pdcid},
    {VIOLATION_ROB_009, .in = rudi_response_of_anybody},
    {VIOLATION_ROB_010, .in = rudi_nack_of_anybody},
    {VIOLATION_ROB_011, .in = cp_of_anybody},
    {VIOLATION_ROB_012, .in = data_of_anybody},
    {VIOLATION_ROB_013, .in = all_bytes_count, .rows = length_and_data_change},
    {VIOLATION_ROB_014, .rows = length_and_data_change},
    {VIOLATION_ROB_015, .rows = message_may_change},
    {VIOLATION_ROB_016, .in = any_index_goes_on},
    {VIOLATION_ROB_017, .rows = parts_not_told_apart},
    {VIOLATION_ROB_018, .in = second_begins_anew},
    {VIOLATION_ROB_019, .after = receive_lost},
    {VIOLATION_ROB_020, .in = short_data_taken, .after = short_data_told_in_full},
    {VIOLATION_ROB_021, .in = part_replaced},
    {VIOLATION_ROB_022_INSIDE, .in = place_rounded},
    {VIOLATION_ROB_022_NEXT, .in = next_place_taken},
    {VIOLATION_ROB_022, .in = any_place_taken},
    {VIOLATION_ROB_023, .in = any_job_goes_on},
    {VIOLATION_ROB_023_ANY, .rows = job_may_change},
    {VIOLATION_ROB_024, .in = ip_checksum_overlooked},
    {VIOLATION_ROB_057, .in = close_of_anybody},
    {VIOLATION_ROB_057_ERROR, .in = error_of_anybody},
    {VIOLATION_ROB_057_ANSWERS, .in = repeated_by_another, .out = answers_another},
    {VIOLATION_ROB_057_GROUP, .in = answer_for_anybody},
    {VIOLATION_ROB_057_SUM, .in = rudi_checksum_overlooked},
    {VIOLATION_ROB_025, .in = fragment_taken},
    {VIOLATION_ROB_026, .in = end_made_up},
    {VIOLATION_ROB_027, .in = udp_length_overlooked},
    {VIOLATION_ROB_027_BEYOND, .in = udp_length_believed},
    {VIOLATION_ROB_024_IHL, .in = ihl_overlooked},
    {VIOLATION_NET_035, .in = has_options, .out = tells_options},
    {VIOLATION_ROB_028, .in = short_header_answered},
    {VIOLATION_ROB_028_COUNTS, .in = short_counts},
    {VIOLATION_ROB_029, .in = answered_twice},
    {VIOLATION_ROB_029_SYN, .in = far_syn_answered_twice},
    {VIOLATION_ROB_030, .in = newest_displaces},
    {VIOLATION_ROB_031, .in = reserved_code_is_ok},
    {VIOLATION_ROB_032, .in = completed_again, .after = completion_remembered},
    {VIOLATION_ROB_033, .out = one_peer_at_a_time},
    {VIOLATION_ROB_033_DISABLED, .out = one_index_at_a_time},
    {VIOLATION_ROB_056_CUT, .in = cut_is_whole},
    {VIOLATION_ROB_034, .in = deaf_after_noise},
    {VIOLATION_ROB_037_RECEIVE, .after = refusal_takes_receive},
    {VIOLATION_ROB_043, .in = unknown_format_ends_pdc},
    {VIOLATION_ROB_043_COUNTS, .in = unknown_format_counts},
    {VIOLATION_ROB_048, .in = data_of_any_job},
    {VIOLATION_ROB_050, .in = data_never_in_error},
    {VIOLATION_ROB_051, .in = default_tells_length},
};

UET_FAULT_WAYS(uet_faults_of_robust, ways);
