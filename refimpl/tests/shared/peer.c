/* SPDX-License-Identifier: BSD-2-Clause */
#include "refimpl/tests/shared/peer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static uint8_t source[200000];

void peer_init(struct peer *t, void (*change)(struct uet_fep_config *))
{
    struct uet_fep_config c;
    *t = (struct peer){.now = 1000000000, .spdcid = 0x0102, .dpdcid = 0};
    uet_fep_config_default(&c);
    assert_int_equal(uet_ip_parse(&c.address, FEP_IP), 0);
    assert_int_equal(uet_ip_parse(&t->ip, PEER_IP), 0);
    if (change)
        change(&c);
    t->fep_ip = c.address;
    size_t size = uet_fep_size(&c);
    t->memory = malloc(size);
    t->fep = uet_fep_init(t->memory, size, &c, t->now);
    assert_non_null(t->fep);
    struct uet_service s = {.job_id = JOB, .pid_on_fep = PID, .resource_index = RI};
    s.ri_class = UET_RI_RMA;
    assert_int_equal(uet_fep_service_add(t->fep, &s), 0);
    s.ri_class = UET_RI_SEND;
    assert_int_equal(uet_fep_service_add(t->fep, &s), 0);
    const struct uet_region g = {.job_id = JOB,
                                 .pid_on_fep = PID,
                                 .resource_index = RI,
                                 .key = KEY,
                                 .rights = UET_RIGHT_READ | UET_RIGHT_WRITE,
                                 .base = t->region,
                                 .length = sizeof t->region};
    assert_int_equal(uet_fep_region_add(t->fep, &g), 0);
}

void peer_free(struct peer *t)
{
    free(t->memory);
}

void post(struct peer *t, unsigned i, uint32_t length, bool truncate)
{
    const struct uet_receive r = {.job_id = JOB,
                                  .pid_on_fep = PID,
                                  .resource_index = RI,
                                  .base = t->buffer[i],
                                  .length = length,
                                  .truncate = truncate,
                                  .token = i};
    assert_int_equal(uet_fep_post_receive(t->fep, &r), 0);
}

static bool try_take(struct peer *t)
{
    size_t n = uet_fep_transmit(t->fep, t->bytes, sizeof t->bytes, t->now);
    if (!n)
        return false;
    assert_int_equal(uet_parse(&t->p, t->bytes, n, NULL), UET_PARSE_OK);
    return true;
}

const uint8_t *take(struct peer *t)
{
    if (!try_take(t))
        fail_msg("the FEP sends nothing");
    return uet_pds(&t->p);
}

void take_nothing(struct peer *t)
{
    if (try_take(t))
        fail_msg("the FEP sends %s", uet_headers[t->p.pds].name);
}

void forget(struct peer *t)
{
    while (try_take(t))
        ;
}

void advance(struct peer *t, uint64_t ns)
{
    t->now += ns;
    uet_fep_advance(t->fep, t->now);
}

static void start(struct peer *t, struct uet_build *b, uint8_t *frame, uint16_t entropy, bool ce)
{
    const struct uet_route route = {.src = t->ip,
                                    .dst = t->fep_ip,
                                    .entropy = entropy ? entropy : 0x4242,
                                    .native = t->native,
                                    .dscp = t->dscp,
                                    .ecn = ce ? UET_ECN_CE : UET_ECN_ECT0};
    uet_build_start(b, frame, UET_FRAME_MAX, &route);
}

static void give(struct peer *t, struct uet_build *b)
{
    int n = uet_build_finish(b, UET_PROTECT_NONE, NULL);
    assert_true(n > 0);
    if (t->trim)
        n = uet_trim(b->frame, (size_t)n, t->trim, t->dscp);
    assert_true(n > 0);
    if (t->udp_checksum) {
        b->frame[b->udp_offset + 6] = (uint8_t)(t->udp_checksum >> 8);
        b->frame[b->udp_offset + 7] = (uint8_t)t->udp_checksum;
    }
    uet_fep_receive(t->fep, b->frame, (size_t)n, t->now);
}

static void write_ses(const struct req *r, struct uet_build *b)
{
    static const uint8_t id[] = {UET_H_SES_REQ_STD_SOM1, UET_H_SES_REQ_SMALL,
                                 UET_H_SES_REQ_MEDIUM_RMA};
    bool std = r->header == UET_OP_HEADER_STD;
    uint8_t *s = uet_build_ses(b, id[r->header]);
    uet_ses_req_opcode_set(s, r->opcode);
    uet_ses_req_version_set(s, r->version);
    uet_ses_req_ie_set(s, r->ie);
    uet_ses_req_rel_set(s, !r->abs);
    uet_ses_req_hd_set(s, r->hd);
    uet_ses_req_som_set(s, !r->not_som);
    uet_ses_req_eom_set(s, !r->not_eom);
    uet_ses_req_ri_generation_set(s, r->generation);
    uet_ses_req_job_id_set(s, r->job_id ? r->job_id : JOB);
    uet_ses_req_pid_on_fep_set(s, r->pid ? r->pid & 0xfff : PID);
    uet_ses_req_resource_index_set(s, r->ri ? r->ri & 0xfff : RI);
    uet_ses_req_buffer_offset_set(s, r->offset);
    if (std)
        uet_ses_req_std_message_id_set(s, r->message_id);
    else
        uet_ses_req_short_request_length_set(s, (uint16_t)r->length);
    if (r->header != UET_OP_HEADER_SMALL) {
        uet_ses_req_initiator_set(s, r->initiator ? r->initiator : 0xabcd);
        uet_ses_req_match_bits_or_memory_key_set(s, r->key ? r->key : KEY);
    }
    if (!std)
        return;
    uet_ses_req_std_request_length_set(s, r->length);
    if (!r->not_som) {
        uet_ses_req_std_header_data_set(s, r->header_data);
        return;
    }
    uint32_t said = r->payload_length ? r->payload_length : r->payload;
    uet_ses_req_std_payload_length_set(s, (uint16_t)said);
    uet_ses_req_std_message_offset_set(s, r->message_offset);
}

void request(struct peer *t, const struct req *r)
{
    static const uint8_t nh[] = {UET_NH_REQUEST_STD, UET_NH_REQUEST_SMALL, UET_NH_REQUEST_MEDIUM};
    uint8_t frame[UET_FRAME_MAX], payload[8192];
    struct uet_build b;
    start(t, &b, frame, r->entropy, r->ce);
    uint8_t *h = uet_build_pds(&b, UET_H_RUD_ROD_REQ);
    uet_rud_rod_req_type_set(h, r->rod ? UET_PDS_ROD_REQ : UET_PDS_RUD_REQ);
    uet_rud_rod_req_next_hdr_set(h, nh[r->header]);
    uet_rud_rod_req_retx_set(h, r->retx);
    uet_rud_rod_req_ar_set(h, r->ar);
    uet_rud_rod_req_syn_set(h, !r->no_syn);
    uet_rud_rod_req_psn_set(h, r->psn);
    uint32_t clear = r->has_clear ? r->clear : t->start_psn - 1;
    uet_rud_rod_req_clear_psn_offset_set(h, (int16_t)(clear - r->psn));
    uet_rud_rod_req_spdcid_set(h, t->spdcid);
    if (r->no_syn)
        uet_rud_rod_req_dpdcid_set(h, t->dpdcid);
    else
        uet_rud_rod_req_psn_offset_set(h, (uint16_t)(r->psn - t->start_psn));
    write_ses(r, &b);
    memset(payload, r->fill, sizeof payload);
    if (r->eager)
        uet_ses_ext_rendezvous_eager_length_set(uet_build_ext(&b, UET_H_SES_EXT_RENDEZVOUS),
                                                *r->eager);
    if (r->amo) {
        uint8_t *ext = uet_build_header(&b, 4);
        ext[0] = r->amo->opcode;
        ext[1] = r->amo->datatype;
        for (unsigned i = 0; i < 8; i++)
            payload[i] = (uint8_t)(r->amo->operand >> (56 - 8 * i));
    }
    assert_true(r->payload <= sizeof payload);
    uet_build_payload(&b, r->raw ? r->raw : payload, r->raw ? r->raw_length : r->payload);
    give(t, &b);
}

void ack(struct peer *t, const struct ack_spec *a)
{
    uint8_t frame[UET_FRAME_MAX];
    struct uet_build b;
    start(t, &b, frame, a->entropy, false);
    uint8_t *h = uet_build_pds(&b, a->cc ? UET_H_ACK_CC : UET_H_ACK);
    uet_ack_type_set(h, a->cc ? UET_PDS_ACK_CC : UET_PDS_ACK);
    uet_ack_next_hdr_set(h, a->none ? UET_NH_NONE : UET_NH_RESPONSE);
    if (t->next_hdr)
        uet_ack_next_hdr_set(h, t->next_hdr);
    uet_ack_req_set(h, a->req);
    uet_ack_m_set(h, a->m);
    uet_ack_retx_set(h, a->retx);
    uet_ack_cack_psn_set(h, a->cack);
    uet_ack_ack_psn_offset_set(h, (int16_t)(a->psn - a->cack));
    uet_ack_p_set(h, a->probe);
    if (a->probe)
        uet_ack_probe_opaque_set(h, a->opaque);
    uet_ack_spdcid_set(h, a->other_spdcid ? 0x7777 : t->spdcid);
    uet_ack_dpdcid_set(h, t->dpdcid);
    if (a->cc) {
        uet_ack_cc_mpr_set(h, a->mpr);
        uet_ack_cc_sack_psn_offset_set(h, (int16_t)(a->sack_base - a->cack));
        uet_ack_cc_sack_bitmap_set(h, a->sack);
        uint8_t *state = h + UET_ACK_CC_BYTES - UET_ACK_CC_STATE_NSCC_BYTES;
        uet_ack_cc_state_nscc_ooo_count_set(state, a->ooo);
        uet_ack_cc_state_nscc_rcvd_bytes_set(state, a->rcvd);
        uet_ack_cc_state_nscc_service_time_set(state, a->service);
    }
    if (!a->none) {
        uint8_t *s = uet_build_ses(&b, UET_H_SES_RSP);
        uet_ses_rsp_list_set(s, a->list);
        uet_ses_rsp_opcode_set(s, a->opcode);
        uet_ses_rsp_return_code_set(s, a->code);
        uet_ses_rsp_message_id_set(s, a->message_id);
        uet_ses_rsp_job_id_set(s, JOB);
        uet_ses_rsp_modified_length_set(s, a->modified);
    }
    give(t, &b);
}

static void write_data(const struct data_spec *d, struct uet_build *b)
{
    uint8_t *s = uet_build_ses(b, d->small ? UET_H_SES_RSP_DATA_SMALL : UET_H_SES_RSP_DATA);
    uet_ses_rsp_opcode_set(s, UET_RSP_RESPONSE_W_DATA);
    uet_ses_rsp_return_code_set(s, d->code ? d->code : UET_RC_OK);
    uet_ses_rsp_job_id_set(s, d->job_id ? d->job_id : JOB);
    uint16_t said = d->said ? d->said : d->length;
    if (d->small) {
        uet_ses_rsp_data_small_payload_length_set(s, said);
        uet_ses_rsp_data_small_original_request_psn_set(s, d->request_psn);
    } else {
        uet_ses_rsp_data_read_request_message_id_set(s, d->message_id);
        uet_ses_rsp_data_payload_length_set(s, said);
        uet_ses_rsp_data_modified_length_set(s, d->total);
        uet_ses_rsp_data_message_offset_set(s, d->offset);
    }
    uint8_t payload[8192];
    memset(payload, d->fill, sizeof payload);
    uet_build_payload(b, payload, d->length);
}

void returned(struct peer *t, const struct data_spec *d)
{
    uint8_t frame[UET_FRAME_MAX];
    struct uet_build b;
    start(t, &b, frame, 0, false);
    uint8_t *h = uet_build_pds(&b, UET_H_RUD_ROD_REQ);
    uet_rud_rod_req_type_set(h, t->rod ? UET_PDS_ROD_REQ : UET_PDS_RUD_REQ);
    uet_rud_rod_req_next_hdr_set(h, d->small ? UET_NH_RESPONSE_DATA_SMALL : UET_NH_RESPONSE_DATA);
    uet_rud_rod_req_retx_set(h, d->retx);
    uet_rud_rod_req_ar_set(h, d->ar);
    uet_rud_rod_req_psn_set(h, d->psn);
    uet_rud_rod_req_clear_psn_offset_set(h, -1);
    uet_rud_rod_req_spdcid_set(h, t->spdcid);
    uet_rud_rod_req_dpdcid_set(h, t->dpdcid);
    write_data(d, &b);
    give(t, &b);
}

void ack_data(struct peer *t, uint32_t cack, const struct data_spec *d)
{
    uint8_t frame[UET_FRAME_MAX];
    struct uet_build b;
    start(t, &b, frame, 0, false);
    uint8_t *h = uet_build_pds(&b, UET_H_ACK);
    uet_ack_type_set(h, UET_PDS_ACK);
    uet_ack_next_hdr_set(h, d->small ? UET_NH_RESPONSE_DATA_SMALL : UET_NH_RESPONSE_DATA);
    uet_ack_req_set(h, UET_ACK_REQ_CLEAR);
    uet_ack_cack_psn_set(h, cack);
    uet_ack_ack_psn_offset_set(h, (int16_t)(d->psn - cack));
    uet_ack_spdcid_set(h, t->spdcid);
    uet_ack_dpdcid_set(h, t->dpdcid);
    write_data(d, &b);
    give(t, &b);
}

static void send_nack(struct peer *t, const struct nack_spec *n, uint16_t spdcid)
{
    uint8_t frame[UET_FRAME_MAX];
    struct uet_build b;
    start(t, &b, frame, 0, false);
    uint8_t *h = uet_build_pds(&b, UET_H_NACK);
    uet_nack_type_set(h, UET_PDS_NACK);
    uet_nack_retx_set(h, n->retx);
    uet_nack_nack_code_set(h, n->code);
    uet_nack_vendor_code_set(h, 0xaa); /* means nothing (PDS-148) */
    uet_nack_nack_psn_set(h, n->psn);
    uet_nack_spdcid_set(h, spdcid);
    uet_nack_dpdcid_set(h, t->dpdcid);
    uet_nack_payload_set(h, n->payload);
    give(t, &b);
}

void nack_with(struct peer *t, const struct nack_spec *n)
{
    send_nack(t, n, n->no_pdc ? 0 : t->spdcid);
}

void nack(struct peer *t, uint8_t code, uint32_t psn, uint16_t spdcid)
{
    send_nack(t, &(struct nack_spec){.code = code, .psn = psn}, spdcid);
}

void cp(struct peer *t, const struct cp_spec *c)
{
    uint8_t frame[UET_FRAME_MAX];
    struct uet_build b;
    start(t, &b, frame, 0, false);
    uint8_t *h = uet_build_pds(&b, UET_H_CP);
    uet_cp_type_set(h, UET_PDS_CP);
    uet_cp_ctl_type_set(h, c->ctl);
    uet_cp_ar_set(h, c->ar);
    uet_cp_retx_set(h, c->retx);
    uet_cp_syn_set(h, c->syn);
    uet_cp_isrod_set(h, c->rod);
    uet_cp_probe_opaque_set(h, c->opaque);
    uet_cp_psn_set(h, c->psn);
    uet_cp_spdcid_set(h, t->spdcid);
    if (c->syn)
        uet_cp_psn_offset_set(h, (uint16_t)(c->psn - t->start_psn));
    else
        uet_cp_dpdcid_set(h, t->dpdcid);
    uet_cp_payload_value_set(h, c->payload);
    if (c->ctl == UET_CTL_NEGOTIATION)
        uet_build_header(&b, 4);
    give(t, &b);
}

void open_pdc(struct peer *t, uint32_t start_psn)
{
    t->start_psn = start_psn;
    request(t, &(struct req){.psn = start_psn, .opcode = UET_OP_NO_OP, .message_id = 1});
    const uint8_t *h = take(t);
    assert_true(uet_is_ack(&t->p));
    assert_int_equal(CACK(h), start_psn);
    t->dpdcid = uet_ack_spdcid(h);
    assert_int_not_equal(t->dpdcid, 0);
    take_nothing(t);
}

void fep_writes(struct peer *t, uint32_t length)
{
    const struct uet_operation op = {.to = t->ip,
                                     .opcode = UET_OP_WRITE,
                                     .mode = t->rod ? UET_MODE_ROD : UET_MODE_RUD,
                                     .relative = true,
                                     .job_id = JOB,
                                     .pid_on_fep = PID,
                                     .resource_index = RI,
                                     .key = KEY,
                                     .data = source,
                                     .length = length,
                                     .token = length};
    assert_true(length <= sizeof source);
    assert_int_equal(uet_fep_submit(t->fep, &op, t->now), 0);
}

void fep_reads(struct peer *t, uint8_t *into, uint32_t length, uint8_t header)
{
    const struct uet_operation op = {.to = t->ip,
                                     .opcode = UET_OP_READ,
                                     .mode = t->rod ? UET_MODE_ROD : UET_MODE_RUD,
                                     .header = header,
                                     .relative = true,
                                     .job_id = JOB,
                                     .pid_on_fep = PID,
                                     .resource_index = RI,
                                     .key = header == UET_OP_HEADER_SMALL ? 1ull << 62 | RI : KEY,
                                     .into = into,
                                     .length = length,
                                     .token = length};
    assert_int_equal(uet_fep_submit(t->fep, &op, t->now), 0);
}

const uint8_t *expect_request(struct peer *t, uint32_t psn, bool retx)
{
    const uint8_t *h = take(t);
    if (!uet_is_request(&t->p))
        fail_msg("%s instead of a request", uet_headers[t->p.pds].name);
    assert_int_equal(uet_rud_rod_req_type(h), t->rod ? UET_PDS_ROD_REQ : UET_PDS_RUD_REQ);
    assert_int_equal(uet_rud_rod_req_psn(h), psn);
    assert_int_equal(uet_rud_rod_req_retx(h), retx);
    if (retx)
        assert_true(uet_rud_rod_req_ar(h));
    assert_int_equal(uet_rud_rod_req_spdcid(h), t->dpdcid);
    assert_true(uet_rud_rod_req_clear_psn_offset(h) <= 0);
    return h;
}

const uint8_t *expect_cp(struct peer *t, uint8_t ctl)
{
    const uint8_t *h = take(t);
    if (!uet_is_cp(&t->p))
        fail_msg("%s instead of a Control Packet", uet_headers[t->p.pds].name);
    assert_int_equal(uet_cp_ctl_type(h), ctl);
    assert_int_equal(uet_cp_spdcid(h), t->dpdcid);
    assert_int_equal(uet_cp_isrod(h), 0);
    return h;
}

const uint8_t *first(struct peer *t)
{
    const uint8_t *h = take(t);
    assert_int_equal(t->p.pds, UET_H_RUD_ROD_REQ_SYN);
    t->start_psn = uet_start_psn(&t->p);
    t->dpdcid = uet_rud_rod_req_spdcid(h);
    assert_int_not_equal(t->dpdcid, 0);
    assert_int_equal(uet_rud_rod_req_psn(h), t->start_psn);
    assert_int_equal(uet_rud_rod_req_psn_offset(h), 0);
    assert_int_equal(uet_rud_rod_req_pdc_info_rsvd(h), 0);
    assert_int_equal(uet_rud_rod_req_clear_psn_offset(h), -1); /* PDS-071 */
    return h;
}

void establish(struct peer *t, uint32_t n)
{
    fep_writes(t, n * 4096);
    first(t);
    ack(t, &(struct ack_spec){.cack = t->start_psn,
                              .psn = t->start_psn,
                              .opcode = UET_RSP_DEFAULT_RESPONSE,
                              .code = UET_RC_OK});
}

struct uet_completion completion(struct peer *t)
{
    struct uet_completion c;
    if (!uet_fep_completion(t->fep, &c))
        fail_msg("no completion");
    return c;
}

void no_completion(struct peer *t)
{
    struct uet_completion c;
    assert_false(uet_fep_completion(t->fep, &c));
}
