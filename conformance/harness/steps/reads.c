/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory of the FEP to be read, and the data that comes of it. */
#include <string.h>

#include "conformance/harness/steps/reads.h"

/* ---- memory ---- */

struct source need_source_with_key(struct uet_tc *tc, uint32_t n, uint64_t key)
{
    struct source s = {.bytes = uet_tc_bytes(tc, n)};
    const struct uet_ut_memory like = {.job_id = UET_TC_JOB,
                                       .pid_on_fep = SOURCE_PID,
                                       .resource_index = SOURCE_RI,
                                       .key = key,
                                       .length = n,
                                       .data = s.bytes};
    s.m = uet_need_memory_like(tc, &like);
    return s;
}

static bool cack_has_come_to(const struct uet_in *in, const void *psn)
{
    return uet_psn_diff(uet_ack_cack_psn(uet_pds(&in->packet)), *(const uint32_t *)psn) >= 0;
}

static void write_source(struct uet_tc *tc, const struct source *s, uint32_t n)
{
    struct uet_out o[64];
    struct uet_pdc *p = uet_pdc_open(tc);
    size_t count = uet_message(p, UET_OP_WRITE, &s->m, 0, s->bytes, n, o, 64);

    for (size_t i = 0; i < count; i++)
        say(tc, &o[i]);
    if (!maybe(tc, ACK_ON(p), .also = cack_has_come_to, .ctx = &o[count - 1].psn))
        uet_inconc(tc, "the bytes to be read could not be written");
    struct uet_out close = uet_cp(p, UET_CTL_CLOSE_COMMAND); /* the FEP may have few PDCs */
    say(tc, &close);
    maybe(tc, ACK_OF(&close)); /* else the postamble tries again */
    uet_forget(tc);
}

struct source need_source(struct uet_tc *tc, uint32_t n)
{
    struct source s;

    if (uet_tc_ut(tc))
        return need_source_with_key(tc, n, 0xb00000000000u | (uet_tc_random(tc) & 0xffff));
    uet_preamble_begin(tc);
    s = (struct source){.bytes = uet_tc_bytes(tc, n), .m = uet_need_memory(tc, n)};
    write_source(tc, &s, n);
    uet_preamble_end(tc);
    return s;
}

uint32_t ack_data_below(struct uet_tc *tc, uint32_t n)
{
    uint64_t limit = ACK_DATA_DEFAULT;
    struct uet_ut *ut = uet_tc_ut(tc);

    if (!uet_dut_param(uet_tc_dut(tc), "Max_ACK_Data_Size", &limit) && ut)
        uet_ut_param(ut, "Max_ACK_Data_Size", &limit);
    if (limit >= n && ut && uet_try_param(tc, "Max_ACK_Data_Size", ACK_DATA_DEFAULT))
        limit = ACK_DATA_DEFAULT;
    if (limit >= n)
        uet_skip(tc, "Max_ACK_Data_Size is %llu: %u bytes may come in ACKs",
                 (unsigned long long)limit, n);
    return (uint32_t)limit;
}

uint32_t more_than_ack_data(struct uet_tc *tc)
{
    return ack_data_below(tc, uet_tc_dut(tc)->payload_mtu - 8u) + 8;
}

/* ---- the data ---- */

uint32_t asked_offset(const struct uet_out *o)
{
    return uet_ses_req_som(o->ses) ? 0 : uet_ses_req_std_message_offset(o->ses);
}

bool is_data(const struct uet_in *in, const void *none)
{
    (void)none;
    return uet_is_ses_response_data(&in->packet) && !in->retransmission;
}

bool brings_data(const struct uet_in *in, const void *read)
{
    const struct uet_out *o = read;
    const struct uet_packet *p = &in->packet;

    if (!is_data(in, NULL))
        return false;
    if (p->ses == UET_H_SES_RSP_DATA_SMALL)
        return uet_ses_rsp_data_small_original_request_psn(uet_ses(p)) == o->psn;
    return o->ses_len >= UET_SES_REQ_STD_SOM1_BYTES &&
           uet_ses_data_request(p) == uet_ses_req_std_message_id(o->ses) &&
           uet_ses_data_offset(p) == asked_offset(o);
}

bool data_or_refusal(const struct uet_in *in, const void *read)
{
    const struct uet_out *o = read;

    return brings_data(in, o) ||
           (uet_is_nack(&in->packet) && uet_packet_psn(&in->packet) == o->psn);
}

const struct uet_in *hear_return_data(struct uet_tc *tc, const char *requirement,
                                      const struct uet_out *o)
{
    const struct uet_in *in = hear(tc, requirement, DATA_OF(o));

    uet_check(tc, requirement, uet_is_request(&in->packet),
              "the data came in an ACK, not in a Request of the return direction");
    return in;
}

const struct uet_in *hear_outstanding_data(struct uet_tc *tc, const char *requirement,
                                           const struct uet_pdc *p, size_t i)
{
    if (i == 0)
        return hear(tc, requirement, DATA_ON(p));
    const struct uet_in *in = maybe(tc, DATA_ON(p));
    if (!in)
        uet_skip(tc, "the FEP lets no more than %zu packets of read data be outstanding", i);
    return in;
}

const struct uet_in *read_in_ack(struct uet_tc *tc, const char *requirement,
                                 const struct uet_out *o)
{
    say(tc, o);
    const struct uet_in *in = hear(tc, requirement, DATA_OF(o));
    if (uet_is_request(&in->packet))
        uet_skip(tc, "the FEP returns small reads in Requests, as it may");
    return in;
}

/* What every answer with data has, whatever it brings (Tables 3-12 and 3-13). */
static void check_data_header(struct uet_tc *tc, const struct uet_in *in, uint32_t job_id)
{
    const uint8_t *h = uet_ses(&in->packet);
    bool small = in->packet.ses == UET_H_SES_RSP_DATA_SMALL;

    field(tc, "SES-001", in, UET_F_SES_VERSION, 0);
    uet_check(tc, "SES-002",
              small ? !uet_ses_rsp_data_small_reserved1(h) && !uet_ses_rsp_data_small_reserved2(h)
                    : !uet_ses_rsp_data_reserved1(h) && !uet_ses_rsp_data_reserved2(h),
              "a reserved bit of the header of the data is set");
    field(tc, "SES-007", in, UET_F_SES_RSP_OPCODE, UET_RSP_RESPONSE_W_DATA);
    field(tc, "SES-120", in, UET_F_SES_RETURN_CODE, UET_RC_OK);
    field(tc, "SES-122", in, UET_F_SES_JOB_ID, job_id);
}

const uint8_t *data_in(struct uet_tc *tc, const char *requirement, const struct uet_in *in,
                       uint32_t job_id, uint32_t n)
{
    const struct uet_packet *p = &in->packet;

    check_data_header(tc, in, job_id);
    uet_check_eq(tc, requirement, "ses.payload_length", uet_ses_data_length(p), n);
    uet_check_eq(tc, requirement, "bytes of data", p->payload_len, n);
    return p->frame + p->payload_offset;
}

void check_data(struct uet_tc *tc, const char *requirement, const struct uet_in *in,
                const struct source *s, uint32_t offset, uint32_t n)
{
    const uint8_t *data = data_in(tc, requirement, in, s->m.job_id, n);

    uet_check(tc, requirement, memcmp(data, s->bytes + offset, n) == 0,
              "the data is not what stands in the FEP's memory");
}

void skip_when_noop_first(struct uet_tc *tc, const struct uet_pdc *p)
{
    if (p->cack != p->start_psn - 1)
        uet_skip(tc, "the target has sent a packet of its own before the data, as it may");
}
