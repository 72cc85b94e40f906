/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests on reads share whose FEP is the target: READs, and the data that comes of them. */
#ifndef UET_CONFORMANCE_TESTS_READS_H
#define UET_CONFORMANCE_TESTS_READS_H

#include "conformance/tests/pds.h"
#include "conformance/tests/pds_target.h"

#define SOURCE_RI      9
#define KEY_OPTIMIZED  (1ull << 62 | SOURCE_RI) /* Table 2-13: RKEY is the RI */
#define KEY_IDEMPOTENT (1ull << 63)             /* idempotent_safe */

/* Memory of the FEP with bytes that are told apart. */
struct source {
    struct uet_memory m;
    const uint8_t *bytes;
};

/* Without an upper tester the bytes are written there first. */
static inline void write_source(struct uet_tc *tc, const struct source *s, uint32_t n)
{
    struct uet_out o[64];
    struct uet_pdc *p = uet_pdc_open(tc);
    size_t count = uet_message(p, UET_OP_WRITE, &s->m, 0, s->bytes, n, o, 64);

    for (size_t i = 0; i < count; i++)
        uet_send(tc, &o[i]);
    if (!cack_reaches(tc, p, o[count - 1].psn))
        uet_inconc(tc, "the bytes to be read could not be written");
    uet_forget(tc);
}

/* Registered with this key; upper tester only (else skip). */
static inline struct source need_source_with_key(struct uet_tc *tc, uint32_t n, uint64_t key)
{
    struct source s = {.bytes = uet_tc_bytes(tc, n)};
    const struct uet_ut_memory like = {.job_id = 0x1001,
                                       .pid_on_fep = 3,
                                       .resource_index = SOURCE_RI,
                                       .key = key,
                                       .length = n,
                                       .data = s.bytes};
    s.m = uet_need_memory_like(tc, &like);
    return s;
}

static inline struct source need_source(struct uet_tc *tc, uint32_t n)
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

/* What one packet of a READ asks for: where in the message, and how much. */
static inline uint32_t asked_offset(const struct uet_out *o)
{
    return uet_ses_req_som(o->ses) ? 0 : uet_ses_req_std_message_offset(o->ses);
}

static inline bool is_std(const struct uet_out *o)
{
    return o->ses_len == UET_SES_REQ_STD_SOM1_BYTES;
}

/* Read data, of whatever READ; the first copy. */
static inline bool is_data(const struct uet_in *in, const void *ctx)
{
    (void)ctx;
    return uet_is_ses_response_data(&in->packet) && !in->retransmission;
}

/* The answer with data that names this packet of a READ, in an ACK or in a Request. */
static inline bool brings_data(const struct uet_in *in, const void *ctx)
{
    const struct uet_out *o = ctx;
    const struct uet_packet *p = &in->packet;

    if (!uet_is_ses_response_data(p) || in->retransmission)
        return false;
    if (p->ses == UET_H_SES_RSP_DATA_SMALL)
        return uet_ses_rsp_data_small_original_request_psn(uet_ses(p)) == o->psn;
    return is_std(o) && uet_ses_data_request(p) == uet_ses_req_std_message_id(o->ses) &&
           uet_ses_data_offset(p) == asked_offset(o);
}

static inline struct uet_want data_of(const struct uet_out *o)
{
    return (struct uet_want){
        .pdc = o->pdc, .also = brings_data, .ctx = o, .named = "packet with the data of that READ"};
}

static inline const struct uet_in *expect_data(struct uet_tc *tc, const struct uet_out *o)
{
    const struct uet_want want = data_of(o);

    return uet_expect(tc, &want, 0);
}

/* The same where the data must not ride in the ACK. */
static inline const struct uet_in *expect_return_data(struct uet_tc *tc, const char *requirement,
                                                      const struct uet_out *o)
{
    uet_for(tc, requirement);
    const struct uet_in *in = expect_data(tc, o);
    uet_check(tc, requirement, uet_is_request(&in->packet),
              "the data came in an ACK, not in a Request of the return direction");
    return in;
}

/*
 * The i-th Request of data of which none is acknowledged. How many a target lets be outstanding is
 * its own affair, but for the first.
 */
static inline const struct uet_in *outstanding_data(struct uet_tc *tc, const struct uet_want *data,
                                                    size_t i)
{
    if (i == 0)
        return uet_expect(tc, data, 0);
    const struct uet_in *in = uet_maybe(tc, data, 0);
    if (!in)
        uet_skip(tc, "the FEP lets no more than %zu packets of read data be outstanding", i);
    return in;
}

/* What every answer with data has, whatever it brings (Tables 3-12 and 3-13). */
static inline void check_data_header(struct uet_tc *tc, const struct uet_packet *p, uint32_t job_id)
{
    const uint8_t *h = uet_ses(p);
    bool small = p->ses == UET_H_SES_RSP_DATA_SMALL;

    uet_check_eq(tc, "SES-001", "ses.version", uet_ses_rsp_version(h), 0);
    uet_check(tc, "SES-002",
              small ? !uet_ses_rsp_data_small_reserved1(h) && !uet_ses_rsp_data_small_reserved2(h)
                    : !uet_ses_rsp_data_reserved1(h) && !uet_ses_rsp_data_reserved2(h),
              "a reserved bit of the header of the data is set");
    uet_check_enum(tc, "SES-007", "ses.opcode", UET_ENUM_SES_RSP_OPCODE, uet_ses_rsp_opcode(h),
                   UET_RSP_RESPONSE_W_DATA);
    uet_check_enum(tc, "SES-120", "ses.return_code", UET_ENUM_SES_RETURN_CODE,
                   uet_ses_rsp_return_code(h), UET_RC_OK);
    uet_check_eq(tc, "SES-122", "ses.job_id", uet_ses_rsp_job_id(h), job_id);
}

/* It brings n bytes of the memory from that offset on, and says so. */
static inline void check_data(struct uet_tc *tc, const char *requirement, const struct uet_in *in,
                              const struct source *s, uint32_t offset, uint32_t n)
{
    const struct uet_packet *p = &in->packet;

    uet_look_at(tc, in);
    check_data_header(tc, p, s->m.job_id);
    uet_check_eq(tc, requirement, "ses.payload_length", uet_ses_data_length(p), n);
    uet_check_eq(tc, requirement, "bytes of data", p->payload_len, n);
    uet_check(tc, requirement, memcmp(p->frame + p->payload_offset, s->bytes + offset, n) == 0,
              "the data is not what stands in the FEP's memory");
}

#define ACK_DATA_DEFAULT 16 /* Max_ACK_Data_Size (Table 3-28) */

/* A message of n bytes must not ride in ACKs: Max_ACK_Data_Size, made smaller where it allows it.
 */
static inline uint32_t ack_data_below(struct uet_tc *tc, uint32_t n)
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

/* Bytes that fill one packet and come on the return direction. */
static inline uint32_t more_than_ack_data(struct uet_tc *tc)
{
    return ack_data_below(tc, uet_tc_dut(tc)->payload_mtu - 8u) + 8;
}

/* For numbers of the specification: they hold when read data is the first that the target sends. */
static inline void skip_when_noop_first(struct uet_tc *tc, const struct uet_pdc *p)
{
    if (p->cack != p->start_psn - 1)
        uet_skip(tc, "the target has sent a packet of its own before the data, as it may");
}

#endif
