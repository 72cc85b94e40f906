/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests and Control Packets of the tester, built right; tests alter them. */
#include "conformance/harness/peer/peer.h"

struct uet_out uet_out_start(struct uet_tc *tc, struct uet_ip self, uint16_t entropy)
{
    const struct uet_dut *dut = tc->session->dut;

    return (struct uet_out){
        .protect = tc->domain ? UET_PROTECT_TSS : dut->protect,
        .tss.domain = tc->domain,
        .route = {.src = self,
                  .dst = dut->address,
                  .entropy = entropy,
                  .udp_port = dut->udp_port,
                  .native = dut->native,
                  .ip_protocol = dut->ip_protocol,
                  .crc_order = uet_dut_order(dut),
                  .ecn = UET_ECN_ECT0},
    };
}

struct uet_out uet_out_on(struct uet_pdc *pdc)
{
    struct uet_out o = uet_out_start(pdc->tc, pdc->self, pdc->entropy);

    o.pdc = pdc;
    o.protect = pdc->domain ? UET_PROTECT_TSS : pdc->tc->session->dut->protect;
    o.tss.domain = pdc->domain;
    if (!pdc->rod && pdc->initiator && uet_tc_place(pdc->tc, UET_OVER_ENTROPY))
        o.route.entropy = (uint16_t)(49152 + uet_tc_random(pdc->tc) % 16384);
    return o;
}

/* The next PSN, with syn and psn_offset while the FEP's PDCID is unknown (3.5.8.2). */
void uet_out_request(struct uet_out *o, uint8_t next_hdr)
{
    struct uet_pdc *pdc = o->pdc;

    uet_pdc_begin(pdc);
    bool syn = pdc->initiator && pdc->fep_pdcid == 0;

    o->psn = pdc->next_psn++;
    o->pds_len = UET_RUD_ROD_REQ_BYTES;
    uet_rud_rod_req_type_set(o->pds, pdc->rod ? UET_PDS_ROD_REQ : UET_PDS_RUD_REQ);
    uet_rud_rod_req_next_hdr_set(o->pds, next_hdr);
    uet_rud_rod_req_ar_set(o->pds, true);
    uet_rud_rod_req_retx_set(o->pds, uet_tc_place(pdc->tc, UET_OVER_COPY) != NULL);
    uet_rud_rod_req_clear_psn_offset_set(o->pds, (int16_t)uet_psn_diff(pdc->clear_psn, o->psn));
    uet_rud_rod_req_psn_set(o->pds, o->psn);
    uet_rud_rod_req_spdcid_set(o->pds, pdc->pdcid);
    if (syn) {
        uet_rud_rod_req_syn_set(o->pds, true);
        uet_rud_rod_req_psn_offset_set(o->pds, (uint16_t)((o->psn - pdc->start_psn) & 0xfff));
    } else {
        uet_rud_rod_req_dpdcid_set(o->pds, pdc->fep_pdcid);
    }
}

static uint16_t fresh_message_id(struct uet_tc *tc)
{
    if (++tc->next_message_id == 0)
        tc->next_message_id = 1; /* 0 is not valid (SES-030) */
    return tc->next_message_id;
}

/* What the three forms of a SES request share (3.4.2.1, 3.4.2.2). */
static void ses_common(uint8_t *h, uint8_t opcode, const struct uet_memory *m)
{
    uet_ses_req_opcode_set(h, opcode);
    uet_ses_req_som_set(h, true);
    uet_ses_req_eom_set(h, true);
    if (!m)
        return;
    uet_ses_req_rel_set(h, m->relative);
    uet_ses_req_ri_generation_set(h, m->ri_generation);
    uet_ses_req_job_id_set(h, m->job_id);
    uet_ses_req_pid_on_fep_set(h, m->pid_on_fep);
    uet_ses_req_resource_index_set(h, m->resource_index);
}

/* A READ asks for bytes and brings none (3.4.1.5.3). */
static void payload(struct uet_out *o, uint8_t opcode, const void *data, uint32_t n)
{
    o->payload = opcode == UET_OP_READ ? NULL : data;
    o->payload_len = opcode == UET_OP_READ ? 0 : n;
}

static bool has_key(uint8_t opcode)
{
    switch (opcode) {
    case UET_OP_WRITE:
    case UET_OP_READ:
    case UET_OP_ATOMIC:
    case UET_OP_FETCHING_ATOMIC:
    case UET_OP_TAGGED_SEND:
    case UET_OP_DEFERRABLE_TSEND:
    case UET_OP_RENDEZVOUS_TSEND:
    case UET_OP_TSEND_ATOMIC:
    case UET_OP_TSEND_FETCH_ATOMIC:
        return true;
    default:
        return false;
    }
}

void uet_out_standard(struct uet_tc *tc, struct uet_out *o, uint8_t opcode,
                      const struct uet_memory *m, uint64_t offset, const void *data, uint32_t n)
{
    o->ses_len = UET_SES_REQ_STD_SOM1_BYTES;
    ses_common(o->ses, opcode, m);
    uet_ses_req_std_message_id_set(o->ses, fresh_message_id(tc));
    uet_ses_req_std_request_length_set(o->ses, n);
    uet_ses_req_buffer_offset_set(o->ses, offset);
    if (m && has_key(opcode))
        uet_ses_req_match_bits_or_memory_key_set(o->ses, m->key);
    if (m) /* a NO_OP has none */
        uet_ses_req_initiator_set(o->ses, UET_TC_SENDER);
    payload(o, opcode, data, n);
}

static struct uet_out standard(struct uet_pdc *pdc, uint8_t opcode, const struct uet_memory *m,
                               uint64_t offset, const void *data, uint32_t n)
{
    struct uet_out o = uet_out_on(pdc);

    uet_out_request(&o, UET_NH_REQUEST_STD);
    uet_out_standard(pdc->tc, &o, opcode, m, offset, data, n);
    return o;
}

struct uet_out uet_no_op(struct uet_pdc *pdc)
{
    return standard(pdc, UET_OP_NO_OP, NULL, 0, NULL, 0);
}

struct uet_out uet_write(struct uet_pdc *pdc, const struct uet_memory *m, uint64_t offset,
                         const void *data, uint32_t n)
{
    return standard(pdc, UET_OP_WRITE, m, offset, data, n);
}

struct uet_out uet_read(struct uet_pdc *pdc, const struct uet_memory *m, uint64_t offset,
                        uint32_t n)
{
    return standard(pdc, UET_OP_READ, m, offset, NULL, n);
}

/* Each in the low bytes of its place, which are the last (SES-022). */
static void operands(uint8_t *ext, const struct uet_atomic *a)
{
    enum { OPERAND = 16 };
    uint8_t value[OPERAND] = {0};

    memcpy(value + OPERAND - a->n, a->compare, a->n);
    uet_ses_ext_cswap_compare_value_set(ext, value);
    memcpy(value + OPERAND - a->n, a->operand, a->n);
    uet_ses_ext_cswap_swap_value_set(ext, value);
}

uint8_t uet_atomic_opcode(const struct uet_atomic *a)
{
    if (a->tagged)
        return a->plain ? UET_OP_TSEND_ATOMIC : UET_OP_TSEND_FETCH_ATOMIC;
    return a->plain ? UET_OP_ATOMIC : UET_OP_FETCHING_ATOMIC;
}

struct uet_out uet_atomic(struct uet_pdc *pdc, const struct uet_memory *m, uint64_t offset,
                          const struct uet_atomic *a)
{
    struct uet_out o = standard(pdc, uet_atomic_opcode(a), m, offset, a->operand, a->n);
    uint8_t *ext = o.ses + o.ses_len; /* right behind the header (SES-020) */

    uet_ses_ext_atomic_opcode_set(ext, a->amo);
    uet_ses_ext_atomic_datatype_set(ext, a->datatype);
    o.ses_len = UET_SES_REQ_STD_SOM1_BYTES +
                (a->compare ? UET_SES_EXT_CSWAP_BYTES : UET_SES_EXT_ATOMIC_BYTES);
    if (a->compare) {
        operands(ext, a);
        uet_ses_req_std_request_length_set(o.ses, 32); /* SES-166 */
        o.payload_len = 0;
    }
    return o;
}

struct uet_out uet_send_message(struct uet_pdc *pdc, const struct uet_memory *m, const void *data,
                                uint32_t n)
{
    return standard(pdc, UET_OP_SEND, m, 0, data, n);
}

struct uet_out uet_small(struct uet_pdc *pdc, uint8_t opcode, const struct uet_memory *m,
                         uint64_t offset, const void *data, uint32_t n)
{
    struct uet_out o = uet_out_on(pdc);

    uet_out_request(&o, UET_NH_REQUEST_SMALL);
    o.ses_len = UET_SES_REQ_SMALL_BYTES;
    ses_common(o.ses, opcode, m);
    uet_ses_req_short_request_length_set(o.ses, (uint16_t)n);
    uet_ses_req_buffer_offset_set(o.ses, offset);
    payload(&o, opcode, data, n);
    return o;
}

struct uet_out uet_medium(struct uet_pdc *pdc, uint8_t opcode, const struct uet_memory *m,
                          uint64_t offset, const void *data, uint32_t n)
{
    struct uet_out o = uet_out_on(pdc);

    uet_out_request(&o, UET_NH_REQUEST_MEDIUM);
    o.ses_len = UET_SES_REQ_MEDIUM_RMA_BYTES;
    ses_common(o.ses, opcode, m);
    uet_ses_req_short_request_length_set(o.ses, (uint16_t)n);
    uet_ses_req_buffer_offset_set(o.ses, offset);
    if (m && has_key(opcode))
        uet_ses_req_match_bits_or_memory_key_set(o.ses, m->key);
    if (m)
        uet_ses_req_initiator_set(o.ses, UET_TC_SENDER);
    payload(&o, opcode, data, n);
    return o;
}

void uet_out_part(struct uet_out *o, uint16_t message_id, uint32_t length, uint32_t at,
                  uint32_t part)
{
    uet_ses_req_std_message_id_set(o->ses, message_id);
    uet_ses_req_std_request_length_set(o->ses, length);
    uet_ses_req_som_set(o->ses, at == 0);
    uet_ses_req_eom_set(o->ses, at + part == length);
    if (at > 0) {
        uet_ses_req_std_payload_length_set(o->ses, (uint16_t)part);
        uet_ses_req_std_message_offset_set(o->ses, at);
    }
}

size_t uet_message(struct uet_pdc *pdc, uint8_t opcode, const struct uet_memory *m, uint64_t offset,
                   const void *data, uint32_t n, struct uet_out *out, size_t max)
{
    uint32_t mtu = pdc->tc->session->dut->payload_mtu, at = 0;
    uint16_t id = fresh_message_id(pdc->tc);
    size_t count = 0;

    do {
        uint32_t part = n - at < mtu ? n - at : mtu;
        if (count == max)
            uet_error(pdc->tc, "a message of %u bytes takes more than %zu packets", n, max);
        struct uet_out o =
            standard(pdc, opcode, m, offset, data ? (const uint8_t *)data + at : NULL, part);

        uet_rud_rod_req_ar_set(o.pds, at + part == n);
        uet_out_part(&o, id, n, at, part);
        out[count++] = o;
        at += part;
    } while (at < n);
    return count;
}

struct uet_out uet_cp(struct uet_pdc *pdc, uint8_t ctl_type)
{
    uet_pdc_begin(pdc);
    struct uet_out o = uet_out_on(pdc);
    uint8_t *h = o.pds;

    o.pds_len = UET_CP_BYTES;
    uet_cp_type_set(h, UET_PDS_CP);
    uet_cp_ctl_type_set(h, ctl_type);
    uet_cp_spdcid_set(h, pdc->pdcid);
    uet_cp_dpdcid_set(h, pdc->fep_pdcid);
    switch (ctl_type) {
    case UET_CTL_NEGOTIATION:
        o.pds_len = UET_CP_BYTES + 4; /* the element is 8 bytes (Table 3-69) */
        uet_cp_payload_negotiation_on_off_neg_type_set(h + 12, UET_NEG_PDS_NEG_ON_OFF);
        uet_cp_payload_negotiation_on_off_neg_length_set(h + 12, 2);
        uet_cp_payload_negotiation_on_off_feature_mask_set(h + 12, 1);
        /* fall through */
    case UET_CTL_NOOP:
    case UET_CTL_CLOSE_COMMAND:
    case UET_CTL_CLOSE_REQUEST:
        o.psn = pdc->next_psn++;
        uet_cp_psn_set(h, o.psn);
        uet_cp_ar_set(h, true);
        uet_cp_retx_set(h, uet_tc_place(pdc->tc, UET_OVER_COPY) != NULL);
        uet_cp_isrod_set(h, pdc->rod && ctl_type != UET_CTL_CLOSE_COMMAND &&
                                ctl_type != UET_CTL_CLOSE_REQUEST); /* PDS-188 */
        if (pdc->initiator && pdc->fep_pdcid == 0 && ctl_type != UET_CTL_CLOSE_COMMAND) {
            uet_cp_syn_set(h, true);
            uet_cp_psn_offset_set(h, (uint16_t)((o.psn - pdc->start_psn) & 0xfff));
        }
        break;
    case UET_CTL_ACK_REQUEST:
        uet_cp_ar_set(h, true);
        break;
    case UET_CTL_CLEAR_COMMAND:
        uet_cp_payload_clear_command_clear_psn_set(h + 12, pdc->clear_psn);
        break;
    default:
        break;
    }
    return o;
}
