/* SPDX-License-Identifier: BSD-2-Clause */
#include "wire/print.h"

#include <inttypes.h>
#include <string.h>

#include "wire/text.h"

/* Enumerators of SES say "UET_" before each name; a line is short. */
static const char *short_name(uint8_t enumeration, uint32_t value)
{
    const char *name = uet_enum_name(enumeration, value);
    return strncmp(name, "UET_", 4) == 0 ? name + 4 : name;
}

/* " name" when set. */
static void add_flag(struct text *t, bool set, const char *name)
{
    if (set)
        text_add(t, " %s", name);
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
    if (uet_is_ack_cc(p))
        text_add(t, " cc=%s mpr=%u sack=0x%08" PRIx32 " bitmap=0x%016" PRIx64,
                 uet_enum_name(UET_ENUM_PDS_CC_TYPE, uet_ack_cc_type(h)), uet_ack_cc_mpr(h),
                 uet_psn_add(uet_ack_cack_psn(h), uet_ack_cc_sack_psn_offset(h)),
                 uet_ack_cc_sack_bitmap(h));
}

static void add_nack(struct text *t, const struct uet_packet *p)
{
    const uint8_t *h = uet_pds(p);
    text_add(t, " %s", uet_enum_name(UET_ENUM_PDS_NACK_CODE, uet_nack_nack_code(h)));
    if (uet_nack_table[uet_nack_nack_code(h)].nack_class == UET_CLASS_NONE)
        text_add(t, " (0x%02x)", uet_nack_nack_code(h));
    add_flag(t, uet_nack_m(h), "m");
    add_flag(t, uet_nack_retx(h), "retx");
    add_flag(t, uet_nack_nt(h) != UET_NACK_TYPE_RUD_ROD, "nt=RUDI");
    text_add(t, " psn=0x%08" PRIx32, uet_nack_nack_psn(h));
    add_pdcids(t, p, false);
    if (uet_nack_payload(h))
        text_add(t, " payload=0x%08" PRIx32, uet_nack_payload(h));
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
    if (uet_cp_payload_value(h))
        text_add(t, " payload=0x%08" PRIx32, uet_cp_payload_value(h));
}

/* What the standard header has and the short ones have not. */
static void add_ses_std(struct text *t, const struct uet_packet *p)
{
    const uint8_t *s = uet_ses(p);
    if (p->ses == UET_H_SES_REQ_STD_SOM0)
        text_add(t, " moff=%" PRIu32 " plen=%u", uet_ses_req_std_message_offset(s),
                 uet_ses_req_std_payload_length(s));
    else if (uet_ses_req_hd(s))
        text_add(t, " data=0x%" PRIx64, uet_ses_req_std_header_data(s));
}

static void add_ses_request(struct text *t, const struct uet_packet *p)
{
    const uint8_t *s = uet_ses(p);
    bool small = p->ses == UET_H_SES_REQ_SMALL, msg = p->ses == UET_H_SES_REQ_MEDIUM_MSG;
    text_add(t, " %s", short_name(UET_ENUM_SES_REQ_OPCODE, uet_ses_req_opcode(s)));
    add_flag(t, small, "small");
    add_flag(t, !small && !uet_is_ses_std(p), "medium");
    if (uet_is_ses_std(p))
        text_add(t, " id=%u", uet_ses_message_id(p));
    text_add(t, " job=%" PRIu32 " pid=%u ri=%u", uet_ses_req_job_id(s), uet_ses_req_pid_on_fep(s),
             uet_ses_req_resource_index(s));
    if (uet_ses_req_ri_generation(s))
        text_add(t, " gen=%u", uet_ses_req_ri_generation(s));
    if (msg)
        text_add(t, " data=0x%" PRIx64, uet_ses_req_medium_header_data(s));
    else
        text_add(t, " off=%" PRIu64, uet_ses_req_buffer_offset(s));
    text_add(t, " len=%" PRIu32, uet_ses_request_length(p));
    if (uet_is_ses_std(p))
        add_ses_std(t, p);
    if (!small)
        text_add(t, " init=%" PRIu32 " key=0x%" PRIx64, uet_ses_req_initiator(s),
                 uet_ses_req_match_bits_or_memory_key(s));
    add_flag(t, uet_ses_req_som(s), "som");
    add_flag(t, uet_ses_req_eom(s), "eom");
    add_flag(t, uet_ses_req_rel(s), "rel");
    add_flag(t, !small && uet_ses_req_hd(s), "hd");
    add_flag(t, uet_ses_req_dc(s), "dc");
    add_flag(t, uet_ses_req_ie(s), "ie");
    if (uet_ses_req_version(s))
        text_add(t, " ver=%u", uet_ses_req_version(s));
}

static void add_ses_response(struct text *t, const uint8_t *s)
{
    text_add(t, " %s %s id=%u job=%" PRIu32,
             short_name(UET_ENUM_SES_RSP_OPCODE, uet_ses_rsp_opcode(s)),
             uet_enum_name(UET_ENUM_SES_RETURN_CODE, uet_ses_rsp_return_code(s)),
             uet_ses_rsp_message_id(s), uet_ses_rsp_job_id(s));
    if (uet_ses_rsp_ri_generation(s))
        text_add(t, " gen=%u", uet_ses_rsp_ri_generation(s));
    if (uet_ses_rsp_list(s))
        text_add(t, " list=%s", short_name(UET_ENUM_RSP_LIST, uet_ses_rsp_list(s)));
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
}

static void add_line(struct text *t, const struct uet_packet *p)
{
    if (p->pds)
        add_pds(t, p);
    else
        text_add(t, "%" PRIu32 " bytes", p->len);
    if (uet_is_ses_request(p))
        add_ses_request(t, p);
    else if (uet_is_ses_response(p))
        add_ses_response(t, uet_ses(p));
    if (p->pds && p->payload_len)
        text_add(t, " +%u bytes", p->payload_len);
    if (p->error != UET_PARSE_OK)
        text_add(t, " ! %s at byte %u", uet_parse_error_text((enum uet_parse_error)p->error),
                 p->error_offset);
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
