/* SPDX-License-Identifier: BSD-2-Clause */
#include "wire/print.h"

#include <inttypes.h>
#include <string.h>

#include "wire/text.h"

const char *uet_print_name(uint8_t enumeration, uint32_t value)
{
    const char *name = uet_enum_name(enumeration, value);
    if (strncmp(name, "UET_TYPE_", 9) == 0) /* of an atomic datatype */
        return name + 9;
    return strncmp(name, "UET_", 4) == 0 ? name + 4 : name;
}

/* " name" when set. */
static void add_flag(struct text *t, bool set, const char *name)
{
    if (set)
        text_add(t, " %s", name);
}

/* Who alone sends such a header. */
static void add_origin(struct text *t, uint8_t id)
{
    if (uet_headers[id].implementation[0])
        text_add(t, " [%s]", uet_headers[id].implementation);
}

static void add_pdcids(struct text *t, const struct uet_packet *p, bool syn)
{
    text_add(t, " 0x%04x>", uet_spdcid(p));
    if (syn)
        text_add(t, "new");
    else
        text_add(t, "0x%04x", uet_dpdcid(p));
}

static void add_request(struct text *t, const struct uet_packet *p)
{
    const uint8_t *h = uet_pds(p);
    bool syn = uet_rud_rod_req_syn(h);
    add_flag(t, syn, "syn");
    add_flag(t, uet_rud_rod_req_retx(h), "retx");
    add_flag(t, uet_rud_rod_req_ar(h), "ar");
    text_add(t, " psn=0x%08" PRIx32, uet_rud_rod_req_psn(h));
    if (syn)
        text_add(t, "+%u", uet_rud_rod_req_psn_offset(h));
    add_pdcids(t, p, syn);
    add_flag(t, syn && uet_rud_rod_req_use_rsv_pdc(h), "rsv_pdc");
    if (uet_rud_rod_req_clear_psn_offset(h))
        text_add(t, " clear=%d", uet_rud_rod_req_clear_psn_offset(h));
    if (uet_is_cc_request(p))
        text_add(t, " ccc=%u target=%" PRIu32, uet_rud_rod_cc_req_ccc_id(h),
                 uet_rud_rod_cc_req_credit_target(h));
}

static void add_ack_state(struct text *t, const struct uet_packet *p)
{
    const uint8_t *h = uet_pds(p), *state = uet_cc_state_of(p);
    if (uet_is_ack_ccx(p))
        text_add(t, " ccx=%u", uet_ack_ccx_type(h));
    else
        text_add(t, " cc=%s", uet_enum_name(UET_ENUM_PDS_CC_TYPE, uet_ack_cc_type(h)));
    if (p->cc_state == UET_H_ACK_CC_STATE_CREDIT)
        text_add(t, " credit=%" PRIu32 " ooo=%u", uet_ack_cc_state_credit_credit(state),
                 uet_ack_cc_state_credit_ooo_count(state));
    if (p->cc_state == UET_H_ACK_CC_STATE_VENDOR)
        text_add(t, " state=0x%016" PRIx64, uet_ack_cc_state_vendor_state(state));
    text_add(t, " mpr=%u sack=0x%08" PRIx32 " bitmap=0x%016" PRIx64, uet_ack_cc_mpr(h),
             uet_psn_add(uet_ack_cack_psn(h), uet_ack_cc_sack_psn_offset(h)),
             uet_ack_cc_sack_bitmap(h));
}

static void add_ack(struct text *t, const struct uet_packet *p)
{
    static const char *const req[4] = {"", " req=CLEAR", " req=CLOSE", " req=3"};
    const uint8_t *h = uet_pds(p);
    add_flag(t, uet_ack_m(h), "m");
    add_flag(t, uet_ack_retx(h), "retx");
    text_add(t, " cack=0x%08" PRIx32, uet_ack_cack_psn(h));
    if (uet_ack_p(h)) /* the same bits are the probe's tag then (3.5.10.5) */
        text_add(t, " probe=0x%04x", uet_ack_probe_opaque(h));
    else
        text_add(t, " ack=0x%08" PRIx32, uet_packet_psn(p));
    add_pdcids(t, p, false);
    text_add(t, "%s", req[uet_ack_req(h) & 3]);
    if (uet_has_sack(p))
        add_ack_state(t, p);
    if (p->pds == UET_H_ACK_EPSN_REFPROV)
        text_add(t, " epsn=0x%08" PRIx32, uet_ack_epsn_expected_psn(h));
}

static void add_nack(struct text *t, const struct uet_packet *p)
{
    const uint8_t *h = uet_pds(p);
    text_add(t, " %s", uet_enum_name(UET_ENUM_PDS_NACK_CODE, uet_nack_nack_code(h)));
    if (uet_nack_table[uet_nack_nack_code(h)].nack_class == UET_CLASS_NONE)
        text_add(t, " (0x%02x)", uet_nack_nack_code(h));
    add_flag(t, uet_nack_m(h), "m");
    add_flag(t, uet_nack_retx(h), "retx");
    if (uet_is_nack_rudi(p)) {
        text_add(t, " nt=RUDI pkt=0x%08" PRIx32, uet_pkt_id(p));
    } else {
        text_add(t, " psn=0x%08" PRIx32, uet_nack_nack_psn(h));
        add_pdcids(t, p, false);
    }
    if (uet_is_nack_ccx(p))
        text_add(t, " nccx=%u", uet_nack_ccx_nccx_type(h));
    if (uet_nack_payload(h))
        text_add(t, " payload=0x%08" PRIx32, uet_nack_payload(h));
}

/* Of credit as its fields, unless reserved bits are set. */
static void add_cp_payload(struct text *t, const uint8_t *h)
{
    const uint8_t *payload = h + UET_CP_BYTES - UET_CP_PAYLOAD_CREDIT_BYTES;
    if (uet_cp_ctl_type(h) == UET_CTL_CREDIT && !uet_cp_payload_credit_rsvd(payload))
        text_add(t, " credit=%" PRIu32, uet_cp_payload_credit_credit(payload));
    else if (uet_cp_ctl_type(h) == UET_CTL_CREDIT_REQUEST)
        text_add(t, " ccc=%u target=%" PRIu32, uet_cp_payload_credit_request_ccc_id(payload),
                 uet_cp_payload_credit_request_credit_target(payload));
    else if (uet_cp_payload_value(h))
        text_add(t, " payload=0x%08" PRIx32, uet_cp_payload_value(h));
}

static void add_cp(struct text *t, const struct uet_packet *p)
{
    const uint8_t *h = uet_pds(p);
    bool syn = uet_cp_syn(h);
    text_add(t, " %s", uet_enum_name(UET_ENUM_PDS_CTL_TYPE, uet_cp_ctl_type(h)));
    add_flag(t, syn, "syn");
    add_flag(t, uet_cp_isrod(h), "isrod");
    add_flag(t, uet_cp_retx(h), "retx");
    add_flag(t, uet_cp_ar(h), "ar");
    text_add(t, " psn=0x%08" PRIx32, uet_cp_psn(h));
    if (syn)
        text_add(t, "+%u", uet_cp_psn_offset(h));
    add_pdcids(t, p, syn);
    if (uet_cp_probe_opaque(h))
        text_add(t, " probe=0x%04x", uet_cp_probe_opaque(h));
    add_cp_payload(t, h);
}

static void add_rudi(struct text *t, const struct uet_packet *p)
{
    const uint8_t *h = uet_pds(p);
    add_flag(t, p->pds == UET_H_RUDI_RESP && uet_rudi_resp_m(h), "m");
    add_flag(t, uet_rudi_retx(h), "retx");
    text_add(t, " pkt=0x%08" PRIx32, uet_pkt_id(p));
}

/* Where the request goes, in the 64 bits that the forms use for different things. */
static void add_ses_place(struct text *t, const struct uet_packet *p)
{
    uint64_t data;
    uint32_t irt, trt;
    bool tokens = uet_ses_restart_tokens(p, &irt, &trt);
    bool medium = p->ses == UET_H_SES_REQ_MEDIUM_MSG; /* completion data stands there */
    if (tokens)
        text_add(t, " irt=0x%" PRIx32 " trt=0x%" PRIx32, irt, trt);
    if (!medium && !uet_is_ses_deferrable(p))
        text_add(t, " off=%" PRIu64, uet_ses_buffer_offset(p));
    if (medium)
        text_add(t, " data=0x%" PRIx64, uet_ses_req_medium_header_data(uet_ses(p)));
    text_add(t, " len=%" PRIu32, uet_ses_request_length(p));
    if (uet_ses_has_offset(p))
        text_add(t, " moff=%" PRIu32 " plen=%u", uet_ses_message_offset(p),
                 uet_ses_req_std_payload_length(uet_ses(p)));
    else if (!medium && uet_ses_header_data(p, &data))
        text_add(t, " data=0x%" PRIx64, data);
}

static void add_ses_request(struct text *t, const struct uet_packet *p)
{
    const uint8_t *s = uet_ses(p);
    bool small = p->ses == UET_H_SES_REQ_SMALL;
    text_add(t, " %s", uet_print_name(UET_ENUM_SES_REQ_OPCODE, uet_ses_req_opcode(s)));
    add_flag(t, small, "small");
    add_flag(t, uet_is_ses_medium(p), "medium");
    if (uet_is_ses_std(p))
        text_add(t, " id=%u", uet_ses_message_id(p));
    text_add(t, " job=%" PRIu32 " pid=%u ri=%u", uet_ses_req_job_id(s), uet_ses_req_pid_on_fep(s),
             uet_ses_req_resource_index(s));
    if (uet_ses_req_ri_generation(s))
        text_add(t, " gen=%u", uet_ses_req_ri_generation(s));
    add_ses_place(t, p);
    if (!small)
        text_add(t, " init=%" PRIu32, uet_ses_initiator(p));
    if (!small && p->ses != UET_H_SES_REQ_RTR)
        text_add(t, " key=0x%" PRIx64, uet_ses_match_bits(p));
    add_flag(t, uet_ses_req_som(s), "som");
    add_flag(t, uet_ses_req_eom(s), "eom");
    add_flag(t, uet_ses_req_rel(s), "rel");
    add_flag(t, !small && uet_ses_req_hd(s), "hd");
    add_flag(t, uet_ses_req_dc(s), "dc");
    add_flag(t, uet_ses_req_ie(s), "ie");
    if (uet_ses_req_version(s))
        text_add(t, " ver=%u", uet_ses_req_version(s));
}

/* What the opcode puts after the request header. */
static void add_ses_ext(struct text *t, const struct uet_packet *p)
{
    const uint8_t *e = uet_ses_ext(p);
    if (p->sync) {
        const uint8_t *sync = uet_ses(p) + uet_header_bytes[p->ses];
        text_add(t, " sync=%u/%u", uet_refprov_ses_ext_sync_group(sync),
                 uet_refprov_ses_ext_sync_count(sync));
        add_origin(t, p->sync);
    }
    if (p->ext == UET_H_SES_EXT_RENDEZVOUS)
        text_add(t, " eager=%" PRIu32 " read pid=%u ri=%u gen=%u off=%" PRIu64 " key=0x%" PRIx64,
                 uet_ses_ext_rendezvous_eager_length(e), uet_ses_ext_rendezvous_read_pid_on_fep(e),
                 uet_ses_ext_rendezvous_read_resource_index(e),
                 uet_ses_ext_rendezvous_read_ri_generation(e),
                 uet_ses_ext_rendezvous_read_offset(e), uet_ses_ext_rendezvous_read_memory_key(e));
    else if (uet_in_ses_ext_atomic(p->ext))
        text_add(t, " %s %s", uet_print_name(UET_ENUM_AMO_OPCODE, uet_ses_ext_atomic_opcode(e)),
                 uet_print_name(UET_ENUM_AMO_DATATYPE, uet_ses_ext_atomic_datatype(e)));
}

static void add_ses_response_data(struct text *t, const struct uet_packet *p)
{
    const uint8_t *s = uet_ses(p);
    text_add(t, " %s %s", uet_print_name(UET_ENUM_SES_RSP_OPCODE, uet_ses_rsp_opcode(s)),
             uet_enum_name(UET_ENUM_SES_RETURN_CODE, uet_ses_rsp_return_code(s)));
    if (p->ses == UET_H_SES_RSP_DATA)
        text_add(t, " for=%u id=%u", uet_ses_data_request(p),
                 uet_ses_rsp_data_response_message_id(s));
    else
        text_add(t, " small for=0x%08" PRIx32, uet_ses_rsp_data_small_original_request_psn(s));
    text_add(t, " job=%" PRIu32 " plen=%u", uet_ses_rsp_job_id(s), uet_ses_data_length(p));
    if (uet_ses_rsp_list(s))
        text_add(t, " list=%s", uet_print_name(UET_ENUM_RSP_LIST, uet_ses_rsp_list(s)));
    if (p->ses == UET_H_SES_RSP_DATA)
        text_add(t, " moff=%" PRIu32 " mlen=%" PRIu32, uet_ses_data_offset(p),
                 uet_ses_rsp_data_modified_length(s));
}

static void add_ses_response(struct text *t, const uint8_t *s)
{
    text_add(t, " %s %s id=%u job=%" PRIu32,
             uet_print_name(UET_ENUM_SES_RSP_OPCODE, uet_ses_rsp_opcode(s)),
             uet_enum_name(UET_ENUM_SES_RETURN_CODE, uet_ses_rsp_return_code(s)),
             uet_ses_rsp_message_id(s), uet_ses_rsp_job_id(s));
    if (uet_ses_rsp_ri_generation(s))
        text_add(t, " gen=%u", uet_ses_rsp_ri_generation(s));
    if (uet_ses_rsp_list(s))
        text_add(t, " list=%s", uet_print_name(UET_ENUM_RSP_LIST, uet_ses_rsp_list(s)));
    text_add(t, " mlen=%" PRIu32, uet_ses_rsp_modified_length(s));
}

static void add_pds(struct text *t, const struct uet_packet *p)
{
    text_add(t, "%s", uet_enum_name(UET_ENUM_PDS_TYPE, uet_pds_prologue_type(uet_pds(p))));
    if (uet_is_request(p))
        add_request(t, p);
    else if (uet_is_ack(p))
        add_ack(t, p);
    else if (uet_is_nack(p))
        add_nack(t, p);
    else if (uet_is_cp(p))
        add_cp(t, p);
    else if (uet_is_rudi(p))
        add_rudi(t, p);
    add_origin(t, p->pds);
    add_origin(t, p->cp_payload);
}

/* The header in front of what is sealed; of a draft's only that it is one. */
static void add_tss(struct text *t, const struct uet_packet *p)
{
    const uint8_t *h = uet_tss(p);
    text_add(t, "TSS");
    add_origin(t, p->tss);
    if (p->tss == UET_H_TSS_HDR_12)
        text_add(t, " sdi=0x%06" PRIx32 " an=%u epoch=%u counter=%" PRIu64, uet_tss_hdr_sdi(h),
                 uet_tss_hdr_an(h), uet_tss_hdr_12_epoch(h), uet_tss_hdr_12_counter(h));
    else if (p->tss == UET_H_TSS_HDR_16)
        text_add(t, " sdi=0x%06" PRIx32 " ssi=0x%08" PRIx32 " an=%u epoch=%u counter=%" PRIu64,
                 uet_tss_hdr_sdi(h), uet_tss_hdr_16_ssi(h), uet_tss_hdr_an(h),
                 uet_tss_hdr_16_epoch(h), uet_tss_hdr_16_counter(h));
    text_add(t, p->pds ? " " : " sealed");
}

static void add_ses(struct text *t, const struct uet_packet *p)
{
    if (uet_is_ses_request(p))
        add_ses_request(t, p);
    else if (uet_is_ses_response(p))
        add_ses_response(t, uet_ses(p));
    else if (uet_is_ses_response_data(p))
        add_ses_response_data(t, p);
    add_ses_ext(t, p);
}

static void add_cut(struct text *t, const struct uet_packet *p)
{
    static const char *const how[] = {"", " trimmed", " trimmed at the last hop", " trimmed?"};
    text_add(t, "%s", how[p->trim & 3]);
    if (p->trimmed_bytes)
        text_add(t, " -%u bytes", p->trimmed_bytes);
    if (p->partial)
        text_add(t, " in %s", uet_headers[p->partial].name);
}

static void add_line(struct text *t, const struct uet_packet *p)
{
    if (p->tss)
        add_tss(t, p);
    if (p->pds)
        add_pds(t, p);
    else if (!p->tss)
        text_add(t, "%" PRIu32 " bytes", p->len);
    add_ses(t, p);
    if ((p->pds || p->tss) && p->payload_len && !p->partial)
        text_add(t, " +%u bytes", p->payload_len);
    add_cut(t, p);
    if (uet_parse_malformed(p) || p->error == UET_PARSE_NOT_UET)
        text_add(t, " ! %s at byte %u", uet_parse_error_text((enum uet_parse_error)p->error),
                 p->in_frame + p->error_offset);
}

int uet_print_line(char *out, size_t n, const struct uet_packet *p)
{
    struct text t = text_begin(out, n);
    add_line(&t, p);
    return (int)t.len;
}

int uet_print_addressed(char *out, size_t n, const struct uet_packet *p)
{
    struct text t = text_begin(out, n);
    if (p->ip_end) { /* the IP header is whole */
        char a[UET_IP_TEXT], b[UET_IP_TEXT];
        struct uet_ip src = uet_src_ip(p), dst = uet_dst_ip(p);
        text_add(&t, "%s > %s ", uet_ip_text(&src, a), uet_ip_text(&dst, b));
    }
    add_line(&t, p);
    return (int)t.len;
}
