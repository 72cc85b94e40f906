/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.4.2: READ as the target serves it: refusals, and the optimized headers. */
#include "conformance/harness/steps/answers.h"
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/reads.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/harness/steps/target.h"
#include "conformance/tests/pds.h"

/* Memory that may not be read. */
static struct uet_memory write_only(struct uet_tc *tc, uint32_t n)
{
    return region(tc, .job_id = UET_TC_JOB, .pid_on_fep = UET_TC_PID, .resource_index = SOURCE_RI,
                  .key = 0xc00000000000u + (uet_tc_random(tc) & 0xffff), .length = n,
                  .no_read = true);
}

/* Nothing of the memory comes on this PDC. */
static void no_data(struct uet_tc *tc, const char *requirement, const struct uet_pdc *p)
{
    silence(tc, requirement, .pdc = p, .also = is_data, .named = "data of a refused READ");
}

UET_TEST(read_right, .id = "ses.3.4.6.3.read-right", .requirements = "SES-083",
         .role = UET_ROLE_TARGET, .needs = "rud read any-request upper-tester", .contested = true,
         .purpose = "Memory without read right is not read.",
         .preamble = "Memory that may be written only; PDC open.",
         .stimulus = "A READ of 8 bytes, and one of many.",
         .expected = "UET_RESPONSE with RC_OP_VIOLATION (RC_PERM_VIOLATION is a finding), and no "
                     "data.")
{
    uint32_t n = more_than_ack_data(tc);
    struct uet_memory m = write_only(tc, n);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out few = uet_read(p, &m, 0, 8), many = uet_read(p, &m, 0, n);
    refused_or(tc, "SES-083", &few, UET_RC_OP_VIOLATION, UET_RC_PERM_VIOLATION);
    refused_or(tc, "SES-083", &many, UET_RC_OP_VIOLATION, UET_RC_PERM_VIOLATION);
    no_data(tc, "SES-083", p);
}

/* Both packets of a READ of two, the second first, or alone: none brings a byte. */
static void neither_reads(struct uet_tc *tc, const char *requirement, struct uet_pdc *p,
                          const struct uet_memory *m, bool second_first)
{
    struct uet_out o[2];

    uet_message(p, UET_OP_READ, m, 0, NULL, m->length, o, 2);
    whatever_comes_of(tc, &o[second_first]);
    whatever_comes_of(tc, &o[!second_first]);
    no_data(tc, requirement, p);
}

UET_TEST(read_right_in_each, .id = "ses.3.4.6.3.read-right-in-each-packet",
         .requirements = "SES-083 SES-059", .role = UET_ROLE_TARGET,
         .needs = "rud read any-request upper-tester", .not_over = "rod", /* out of order */
         .purpose = "Each packet of a READ is held against the right and the job of its memory.",
         .preamble = "Memory that may be written only, and memory of another job; PDC open.",
         .stimulus = "READs of two packets from each: in order, and the second packet first.",
         .expected = "No data.")
{
    const uint32_t n = 2u * uet_tc_dut(tc)->payload_mtu;
    struct uet_memory shut = write_only(tc, n), foreign = uet_need_memory(tc, n);
    struct uet_pdc *p = uet_pdc_open(tc);
    ack_data_below(tc, n);
    foreign.relative = false;
    foreign.job_id ^= 0x5a0000; /* in its high bits alone */
    for (int second_first = 0; second_first < 2; second_first++) {
        neither_reads(tc, "SES-083", p, &shut, second_first);
        neither_reads(tc, "SES-059", p, &foreign, second_first);
    }
}

UET_TEST(read_error, .id = "ses.3.4.4.2.read-error", .requirements = "SES-084 SES-117 PDS-087",
         .role = UET_ROLE_TARGET, .needs = "rud read any-request",
         .purpose = "The error of a READ comes in its ACK and is delivered with guarantee.",
         .preamble = "Memory; PDC open.",
         .stimulus = "A READ of many bytes with an unknown key; again with retx=1, twice.",
         .expected =
             "ACK with UET_RESPONSE, RC_BAD_MKEY, REQ_CLEAR, and a CACK_PSN that waits; the "
             "same bytes again; no data.")
{
    uint32_t n = more_than_ack_data(tc);
    struct source s = need_source(tc, n);
    struct uet_pdc *p = uet_pdc_open(tc);
    p->auto_clear = false;
    p->clear_psn = p->start_psn;
    s.m.key ^= 0x00005a5a00000000u;
    struct uet_out o = uet_read(p, &s.m, 0, n);
    const struct uet_in *first = refused(tc, "SES-084", &o, UET_RC_BAD_MKEY);
    check_req_clear(tc, "SES-084", first);
    check_cack(tc, "SES-084", first, o.psn - 1);
    same_response(tc, "SES-084", exchange_again(tc, &o), first);
    same_response(tc, "SES-084", exchange_again(tc, &o), first); /* nothing was cleared */
    no_data(tc, "SES-084", p);
}

UET_TEST(read_errors, .id = "ses.3.4.4.2.error-of-each-packet", .requirements = "SES-084",
         .role = UET_ROLE_TARGET, .needs = "rud read any-request",
         .purpose = "Each packet of a READ keeps its error until it is cleared itself.",
         .preamble = "Memory; PDC open.",
         .stimulus = "A READ of three packets with an unknown key; a Request that clears the "
                     "first; the other two again with retx=1.",
         .expected = "RC_BAD_MKEY for the first; those of the others that brought an error bring "
                     "the same again.")
{
    const uint32_t n = 3u * uet_tc_dut(tc)->payload_mtu;
    const struct uet_in *first[3];
    struct uet_out o[3];
    struct source s = need_source(tc, n);
    struct uet_pdc *p = uet_pdc_open(tc);
    p->auto_clear = false;
    p->clear_psn = p->start_psn;
    s.m.key ^= 0x00005a5a00000000u;
    uet_message(p, UET_OP_READ, &s.m, 0, NULL, n, o, 3);
    first[0] = refused(tc, "SES-084", &o[0], UET_RC_BAD_MKEY);
    for (int i = 1; i < 3; i++)
        first[i] = ask(tc, "SES-084", &o[i]);
    p->clear_psn = o[0].psn;
    struct uet_out clears = uet_any_request(p);
    exchange(tc, &clears);
    for (int i = 1; i < 3; i++)
        if (is_error_response(first[i]))
            same_response(tc, "SES-084", exchange_again(tc, &o[i]), first[i]);
}

UET_TEST(error_when_mended, .id = "ses.3.4.4.2.error-stays-when-mended",
         .requirements = "SES-084 PDS-087", .role = UET_ROLE_TARGET,
         .needs = "rud read write any-request upper-tester",
         .purpose = "A request that was refused stays so when what it lacked is there.",
         .preamble = "Memory; PDC open.",
         .stimulus = "A READ and a WRITE with an unknown key; memory with that key is registered; "
                     "both again with retx=1.",
         .expected = "The same errors again; no data, and the memory is as before.")
{
    const uint32_t n = more_than_ack_data(tc), room = n > 64 ? n : 64;
    struct source s = need_source(tc, room);
    struct uet_pdc *p = uet_pdc_open(tc);
    p->auto_clear = false;
    p->clear_psn = p->start_psn;
    s.m.key ^= 0x00005a5a00000000u;
    struct uet_out o[] = {uet_read(p, &s.m, 0, n), uet_read(p, &s.m, 0, 8),
                          uet_write(p, &s.m, 0, uet_tc_bytes(tc, 64), 64)};
    const struct uet_in *first[3];
    for (int i = 0; i < 3; i++)
        first[i] = refused(tc, "SES-084", &o[i], UET_RC_BAD_MKEY);
    struct uet_memory there =
        region(tc, .job_id = s.m.job_id, .pid_on_fep = s.m.pid_on_fep,
               .resource_index = s.m.resource_index, .key = s.m.key, .length = room);
    struct kept k = keep(tc, &there, 0, 64);
    for (int i = 0; i < 3; i++)
        same_response(tc, "SES-084", exchange_again(tc, &o[i]), first[i]);
    no_data(tc, "SES-084", p);
    unchanged(tc, "PDS-087", &k);
}

UET_TEST(read_beyond, .id = "ses.3.4.4.2.read-beyond-the-region", .requirements = "SES-084",
         .role = UET_ROLE_TARGET, .needs = "rud read any-request",
         .purpose = "A READ that passes the end of a region brings an error and no byte of it.",
         .preamble = "Memory; PDC open.",
         .stimulus = "READs of 8 bytes that begin 4 bytes before the end, and behind it.",
         .expected =
             "UET_RESPONSE with RC_BAD_ADDR (RC_UNSUPPORTED_SIZE and RC_AT_OUT_OF_RANGE are "
             "findings); no data.")
{
    struct source s = need_source(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out over = uet_read(p, &s.m, s.m.length - 4, 8),
                   behind = uet_read(p, &s.m, s.m.length + 64, 8);
    refused_or(tc, "SES-084", &over, UET_RC_BAD_ADDR, UET_RC_UNSUPPORTED_SIZE,
               UET_RC_AT_OUT_OF_RANGE);
    refused_or(tc, "SES-084", &behind, UET_RC_BAD_ADDR, UET_RC_UNSUPPORTED_SIZE,
               UET_RC_AT_OUT_OF_RANGE);
    no_data(tc, "SES-084", p);
}

UET_TEST(read_behind_an_offset, .id = "ses.3.4.2.1.read-behind-an-offset",
         .requirements = "SES-013", .role = UET_ROLE_TARGET, .needs = "rud read any-request",
         .over = "order",
         .purpose = "Each packet of a READ is served from buffer_offset + its message_offset.",
         .preamble = "Memory; PDC open.",
         .stimulus = "A READ of three packets at buffer_offset 40.",
         .expected = "The data of each from 40 + its message_offset on.")
{
    enum { AT = 40, LAST = 24 };
    const uint32_t mtu = uet_tc_dut(tc)->payload_mtu, n = 2 * mtu + LAST;
    struct uet_out o[3];
    ack_data_below(tc, n);
    struct source s = need_source(tc, AT + n);
    struct uet_pdc *p = uet_pdc_open(tc);
    uet_message(p, UET_OP_READ, &s.m, AT, NULL, n, o, 3);
    for (uint32_t i = 0; i < 3; i++)
        say(tc, &o[i]);
    for (uint32_t i = 0; i < 3; i++)
        check_data(tc, "SES-013", hear(tc, "SES-013", DATA_OF(&o[i])), &s, AT + i * mtu,
                   i < 2 ? mtu : LAST);
}

UET_TEST(read_in_error, .id = "ses.3.4.5.4.1.initiator-error-of-a-read",
         .requirements = "SES-111 SES-112", .role = UET_ROLE_TARGET,
         .needs = "rud read any-request",
         .purpose = "A READ that its initiator declares wrong reads nothing.",
         .preamble = "Memory; PDC open.",
         .stimulus = "READs of 8 bytes, and of more than an ACK carries, with ie=1.",
         .expected = "RC_INITIATOR_ERROR; no data.")
{
    uint32_t n = more_than_ack_data(tc);
    struct source s = need_source(tc, n);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o[] = {uet_read(p, &s.m, 0, 8), uet_read(p, &s.m, 0, n)};
    for (size_t i = 0; i < 2; i++) {
        uet_ses_req_ie_set(o[i].ses, true);
        refused(tc, "SES-112", &o[i], UET_RC_INITIATOR_ERROR);
    }
    no_data(tc, "SES-111", p);
}

/* For .also: more than that the READ has arrived, which completes nothing (Table 3-18). */
static bool ends_a_read(const struct uet_in *in, const void *none)
{
    return is_data(in, none) || (tells_success(in) && !tells_arrival(in));
}

/* What a FEP sends that returns the data of every READ in Requests, of no byte, too. */
static bool brings_no_byte(const struct uet_in *in, const void *read)
{
    return brings_data(in, read) && in->packet.payload_len == 0 &&
           uet_ses_data_length(&in->packet) == 0;
}

UET_TEST(read_of_nothing, .id = "ses.3.4.2.1.zero-length-read", .requirements = "SES-011",
         .role = UET_ROLE_TARGET, .needs = "rud read any-request",
         .purpose = "A READ of no bytes is legal, too.", .preamble = "Memory; PDC open.",
         .stimulus = "A READ with request_length 0; then one of 8 bytes.",
         .expected = "Success, and no byte of data: UET_NO_RESPONSE alone is none; a Request that "
                     "returns no byte may come. The second brings its data.")
{
    struct source s = need_source(tc, 8);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = uet_read(p, &s.m, 0, 0), next = uet_read(p, &s.m, 0, 8);
    tolerate(tc, .kind = UET_WANT_REQUEST, .pdc = p, .also = brings_no_byte, .ctx = &o);
    const struct uet_in *in = ask(tc, "SES-011", &o);
    uet_check(tc, "SES-011", tells_success(in), "a READ of no bytes brings no success");
    if (tells_arrival(in))
        in = hear(tc, "SES-011", .pdc = p, .also = ends_a_read,
                  .named = "success of a READ of no bytes");
    payload_bytes(tc, "SES-011", in, 0);
    say(tc, &next);
    check_data(tc, "SES-011", hear(tc, "SES-011", DATA_OF(&next)), &s, 0, 8);
}

/* uet_medium, uet_small. */
typedef struct uet_out make_short(struct uet_pdc *, uint8_t, const struct uet_memory *, uint64_t,
                                  const void *, uint32_t);

/* A READ with an optimized header is named by its PSN. next_hdr 5 is another reading (Fig 3-80). */
static void names_its_read(struct uet_tc *tc, const struct uet_in *in, const struct uet_out *o)
{
    if (in->packet.ses == UET_H_SES_RSP_DATA)
        uet_other_reading(tc, "SES-081", "the data comes with next_hdr RESPONSE_DATA");
    else
        uet_check_eq(tc, "SES-081", "ses.original_request_psn",
                     uet_ses_rsp_data_small_original_request_psn(uet_ses(&in->packet)), o->psn);
}

/* Not data of an older one, which a copy of its request has brought again. */
static bool is_its_data(const struct uet_in *in, const void *read)
{
    const struct uet_out *o = read;
    const struct uet_packet *p = &in->packet;

    return is_data(in, NULL) &&
           (p->ses != UET_H_SES_RSP_DATA_SMALL ||
            uet_psn_diff(uet_ses_rsp_data_small_original_request_psn(uet_ses(p)), o->psn) >= 0);
}

static const struct uet_in *short_read(struct uet_tc *tc, const struct uet_out *o,
                                       const struct source *s, uint32_t n)
{
    say(tc, o);
    const struct uet_in *in = hear(tc, "SES-081", .pdc = o->pdc, .also = is_its_data, .ctx = o,
                                   .named = "packet with the data of that READ");
    names_its_read(tc, in, o);
    check_data(tc, "SES-081", in, s, 0, n);
    return in;
}

/* One of 8 bytes, and one of n. */
static void short_reads(struct uet_tc *tc, const struct source *s, uint32_t n, make_short *make)
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out few = make(p, UET_OP_READ, &s->m, 0, NULL, 8),
                   many = make(p, UET_OP_READ, &s->m, 0, NULL, n);

    short_read(tc, &few, s, 8);
    short_read(tc, &many, s, n);
}

UET_TEST(medium_read, .id = "ses.3.4.2.5.medium-read", .requirements = "SES-081",
         .role = UET_ROLE_TARGET, .needs = "rud read any-request medium-header", .contested = true,
         .purpose = "The data of a READ with the medium header names the READ's PSN.",
         .preamble = "Memory; PDC open.",
         .stimulus = "READs with the medium header: of 8 bytes, and of more than an ACK carries.",
         .expected = "Data with next_hdr RESPONSE_DATA_SMALL and original_request_psn that of the "
                     "READ; RESPONSE_DATA is a finding.")
{
    uint32_t n = more_than_ack_data(tc);
    struct source s = need_source(tc, n);
    short_reads(tc, &s, n, uet_medium);
}

UET_TEST(
    medium_read_again, .id = "ses.3.4.2.5.medium-read-again", .requirements = "SES-081 SES-117",
    .role = UET_ROLE_TARGET, .needs = "rud read any-request medium-header", .contested = true,
    .purpose = "Data sent again in an ACK names its READ's PSN, though another READ came since.",
    .preamble = "Memory; PDC open.",
    .stimulus = "Two READs of 8 bytes with the medium header; nothing is cleared; the first again "
                "with retx=1.",
    .expected = "The ACK of the first with its data, and its PSN as original_request_psn, both "
                "times. A FEP that returns 8 bytes in a Request is skipped.")
{
    struct source s = need_source(tc, 16);
    struct uet_pdc *p = uet_pdc_open(tc);
    p->auto_clear = false;
    struct uet_out first = uet_medium(p, UET_OP_READ, &s.m, 0, NULL, 8),
                   second = uet_medium(p, UET_OP_READ, &s.m, 8, NULL, 8);
    if (!uet_is_ack(&short_read(tc, &first, &s, 8)->packet))
        uet_skip(tc, "the FEP returns all read data in Requests, as it may");
    ask(tc, "SES-081", &second);
    const struct uet_in *again = ask_anew(tc, "SES-117", &first);
    names_its_read(tc, again, &first);
    check_data(tc, "SES-117", again, &s, 0, 8);
}

UET_TEST(
    medium_read_resent, .id = "ses.3.4.2.5.medium-read-resent", .requirements = "SES-081",
    .role = UET_ROLE_TARGET, .needs = "rud read any-request medium-header", .contested = true,
    .purpose = "Data sent again in a Request names its READ's PSN, though another READ came since.",
    .preamble = "Memory; PDC open.",
    .stimulus = "A READ with the medium header of more than an ACK carries, and another one; their "
                "data is not acknowledged; that of the first comes again.",
    .expected = "original_request_psn is the PSN of the first READ, as before.")
{
    uint32_t n = more_than_ack_data(tc);
    struct source s = need_source(tc, n);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out first = uet_medium(p, UET_OP_READ, &s.m, 0, NULL, n),
                   second = uet_medium(p, UET_OP_READ, &s.m, 0, NULL, n);
    uet_auto_ack(tc, false);
    const struct uet_in *data = short_read(tc, &first, &s, n);
    tolerate(tc, DATA_ON(p));
    say(tc, &second);
    const uint64_t due = patience(tc, one_rto(tc));
    const struct uet_in *copy = hear(tc, "SES-081", RESEND_OF(data), .within = due);
    names_its_read(tc, copy, &first);
    uet_auto_ack(tc, true);
}

UET_TEST(small_header_read, .id = "ses.3.4.2.5.small-header-read", .requirements = "SES-081",
         .role = UET_ROLE_TARGET, .needs = "rud read any-request small-header upper-tester",
         .contested = true,
         .purpose = "The data of a READ with the small header names the READ's PSN.",
         .preamble = "Memory whose key is optimized: the resource index alone names it; PDC open.",
         .stimulus = "READs with the small header: of 8 bytes, and of more than an ACK carries.",
         .expected = "Data with next_hdr RESPONSE_DATA_SMALL and original_request_psn that of the "
                     "READ; RESPONSE_DATA is a finding.")
{
    uint32_t n = more_than_ack_data(tc);
    struct source s = need_source_with_key(tc, n, KEY_OPTIMIZED);
    short_reads(tc, &s, n, uet_small);
}
