/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets that IP or UDP say are damaged, cut, or a part of something. */
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/harness/steps/target.h"
#include "conformance/harness/steps/trims.h"
#include "conformance/tests/robustness/strangers.h"

/* One that the RI alone names (Table 2-13). */
static struct uet_memory optimized_region(struct uet_tc *tc)
{
    return region(tc, .job_id = 0xa32, .pid_on_fep = 3, .resource_index = 42,
                  .key = 1ull << 62 | 42, .length = 64);
}

static void need_ipv4(struct uet_tc *tc)
{
    if (uet_tc_dut(tc)->address.version != 4)
        uet_skip(tc, "IPv6 has no such field in its header");
}

UET_TEST(wrong_ip_checksum, .id = "rob.3.5.10.1.wrong-ip-checksum", .requirements = "ROB-024",
         .role = UET_ROLE_TARGET, .needs = "any-request", .preamble = "None.",
         .purpose = "A packet with a wrong IPv4 header checksum is not answered.",
         .stimulus = "A Request that would open a PDC, with a wrong IPv4 header checksum.",
         .expected = "No answer.")
{
    need_ipv4(tc);
    struct uet_out o = uet_any_request(uet_pdc_new(tc));
    o.wrong.ip_checksum = true;
    o.wrong.ip_checksum_value = 0xdead;
    unanswered(tc, "ROB-024", &o);
}

UET_TEST(no_ip_checksum, .id = "rob.3.5.10.1.no-ip-checksum", .requirements = "ROB-024",
         .role = UET_ROLE_TARGET, .needs = "any-request", .preamble = "None.",
         .purpose = "A field of 0 does not mean that the IPv4 header has no checksum.",
         .stimulus = "Requests that would open a PDC, whose IPv4 header checksum is 0 and TTL is "
                     "64 and 63: for one of them at most that is right.",
         .expected = "No more than one is answered.")
{
    need_ipv4(tc);
    unsigned answered = 0;
    for (uint8_t ttl = 64; ttl > 62; ttl--) {
        struct uet_out o = uet_any_request(uet_pdc_new(tc));
        o.route.ttl = ttl;
        o.wrong.ip_checksum = true;
        say(tc, &o);
        answered += maybe(tc, ANSWER_TO(&o), .within = uet_tc_quiet(tc)) != NULL;
    }
    uet_check(tc, "ROB-024", answered < 2, "it is answered where the IPv4 header checksum is 0");
}

UET_TEST(
    wrong_ip_checksum_of_trimmed, .id = "rob.3.5.10.1.wrong-ip-checksum-of-a-trimmed-packet",
    .requirements = "ROB-024", .role = UET_ROLE_TARGET, .needs = "rud write trimming",
    .params = "dscp-trimmed", .port_caps = UET_PORT_TRIM, .preamble = "A region; PDC open.",
    .purpose = "A switch that trims leaves a right IPv4 header: a wrong one is not answered.",
    .stimulus = "A WRITE, trimmed, with a wrong IPv4 header checksum; then with the right one.",
    .expected = "Nothing; then a NACK.")
{
    need_ipv4(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_memory m = region(tc, .job_id = 0xa32, .pid_on_fep = 3, .resource_index = 42,
                                 .key = 1ull << 62 | 42, .length = DATA);
    struct uet_out o = some_write(tc, p, &m), right = trimmed(tc, &o, "dscp-trimmed"), cut = right;
    cut.wrong.ip_checksum = true;
    cut.wrong.ip_checksum_value = 0xdead;
    unanswered(tc, "ROB-024", &cut);
    say(tc, &right);
    hear(tc, "ROB-024", REFUSAL_OF(&right));
}

UET_TEST(ip_options, .id = "net.3.5.10.1.ip-options", .requirements = "NET-035",
         .role = UET_ROLE_TARGET, .needs = "rud any-request", .contested = true,
         .purpose = "IPv4 options are tolerated, or the packet is dropped quietly.",
         .preamble = "PDC open.",
         .stimulus = "The next Request behind an IPv4 header with an option (Stream ID 4793), "
                     "three times; then the same without it.",
         .expected = "An ACK of it, or nothing; the last one is acknowledged. Answers have an IPv4 "
                     "header as it should be.")
{
    need_ipv4(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out plain = uet_any_request(p), o = plain;
    o.route.stream_ids = 1;
    for (uint16_t i = 0; i < 3; i++) {
        static const uint16_t entropies[] = {0x1184, 0x1214, 0x12b9}; /* as prologues of PDS */
        o.route.entropy = entropies[i];
        say(tc, &o);
    }
    const struct uet_in *in = maybe(tc, ACK_OF(&o), .within = uet_tc_latest(tc, UET_MS));
    uet_note(tc, "NET-035", in ? "a packet with an option is served" : "it is dropped");
    say_again(tc, &plain);
    hear(tc, "NET-035", COVERED(&plain));
}

UET_TEST(wrong_ihl, .id = "rob.3.5.10.1.wrong-ip-header-length", .requirements = "ROB-024",
         .role = UET_ROLE_TARGET, .needs = "any-request", .preamble = "PDC open.",
         .purpose =
             "A packet whose IPv4 header is shorter than 20 bytes, or longer than all of it, "
             "is not answered.",
         .stimulus = "Requests that would open a PDC: IHL 0, IHL 4, IHL 15 in a packet of 40 and "
                     "one of 28 bytes; then the next one on the PDC.",
         .expected = "The last one alone is answered.")
{
    static const struct {
        uint8_t ihl;
        uint16_t total;
    } wrongs[] = {{0, 0}, {4, 0}, {15, 40}, {15, 28}};
    need_ipv4(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        struct uet_out o = uet_any_request(uet_pdc_new(tc));
        o.wrong.ihl = true;
        o.wrong.ihl_value = wrongs[i].ihl;
        o.wrong.ip_length = wrongs[i].total != 0;
        o.wrong.ip_length_value = wrongs[i].total;
        unanswered(tc, "ROB-024", &o);
    }
    still_serves(tc, "ROB-024", p);
}

UET_TEST(optional_format, .id = "rob.3.5.10.2.optional-format-costs-no-pdc",
         .requirements = "ROB-043", .role = UET_ROLE_TARGET, .needs = "any-request",
         .purpose = "A RUD_CC_REQ costs no PDC, whether the FEP does this format or not.",
         .preamble = "PDC open.",
         .stimulus = "A RUD_CC_REQ (type 13) with the next PSN; then the same Request without "
                     "req_cc_state.",
         .expected = "Whatever comes of the first; an ACK of the second.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out plain = uet_any_request(p), cc = plain;
    uet_rud_rod_req_type_set(cc.pds, UET_PDS_RUD_CC_REQ);
    cc.pds_len = UET_RUD_ROD_CC_REQ_BYTES;
    tolerate(tc, REFUSAL_OF(&cc));
    say(tc, &cc);
    say(tc, &plain); /* if both are taken, it is a duplicate of the first */
    hear(tc, "ROB-043", COVERED(&plain));
}

UET_TEST(optional_format_not_received, .id = "rob.3.5.10.2.optional-format-not-received",
         .requirements = "ROB-043 PDS-108 PDS-239", .role = UET_ROLE_TARGET,
         .needs = "rud write any-request",
         .purpose = "A RUD_CC_REQ that the FEP drops does not count as received.",
         .preamble = "A region; PDC open.",
         .stimulus = "A WRITE as RUD_CC_REQ (type 13) with the next PSN, n; then a Request n+1.",
         .expected =
             "If CACK_PSN comes to n+1 the memory has the data; else the WRITE in its usual "
             "form, with retx=1, is executed.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out plain = uet_write(p, &m, 0, "received", 8), cc = plain;
    uet_rud_rod_req_type_set(cc.pds, UET_PDS_RUD_CC_REQ);
    cc.pds_len = UET_RUD_ROD_CC_REQ_BYTES;
    tolerate(tc, REFUSAL_OF(&cc));
    say(tc, &cc);
    struct uet_out next = uet_any_request(p);
    say(tc, &next);
    const struct uet_in *ack = hear(tc, "ROB-043", ACK_OF(&next));
    if (uet_psn_diff(cack_of(ack), plain.psn) < 0) {
        say_again(tc, &plain);
        hear(tc, "ROB-043", COVERED(&plain));
    }
    memory_holds(tc, "PDS-108", &m, 0, "received", 8);
}

/*
 * A WRITE in an optional form, n, and a Request behind it: what CACK_PSN covers is done; what a FEP
 * without that form drops comes in its usual form and is done then. An error will do, too.
 */
static void done_or_not_received(struct uet_tc *tc, const struct uet_out *o,
                                 const struct uet_out *plain, const struct uet_memory *m)
{
    tolerate(tc, REFUSAL_OF(o));
    say(tc, o);
    const struct uet_in *in = maybe(tc, ACK_OF(o));
    if (in && is_error_response(in))
        return;
    struct uet_out next = uet_any_request(o->pdc);
    say(tc, &next);
    const struct uet_in *ack = hear(tc, "ROB-043", ACK_OF(&next));
    if (uet_psn_diff(cack_of(ack), o->psn) < 0) {
        say_again(tc, plain);
        hear(tc, "ROB-043", COVERED(plain));
    }
    memory_holds(tc, "PDS-108", m, 0, "received", 8);
}

#define OPTIONAL_FORM(name, slug, words, claims, key_of, make)                                     \
    UET_TEST(name, .id = "rob.3.5.10.2." slug, .requirements = "ROB-043 PDS-108 PDS-239",          \
             .role = UET_ROLE_TARGET, .needs = (claims),                                           \
             .not_over = "rod", /* what comes behind a gap is refused there */                     \
             .purpose = "A request with the " words " header that the FEP drops does not count "   \
                        "as received.",                                                            \
             .preamble = "A region; PDC open.",                                                    \
             .stimulus = "A WRITE with the " words " header and the next PSN, n; then a Request "  \
                         "n+1.",                                                                   \
             .expected = "An error; or, if CACK_PSN comes to n+1, the memory has the data; else "  \
                         "the WRITE with the standard header, with retx=1, is executed.")          \
    {                                                                                              \
        struct uet_memory m = (key_of);                                                            \
        struct uet_pdc *p = uet_pdc_open(tc);                                                      \
        const uint32_t psn = p->next_psn;                                                          \
        struct uet_out plain = uet_write(p, &m, 0, "received", 8);                                 \
        p->next_psn = psn; /* the same packet in another form */                                   \
        struct uet_out o = make(p, UET_OP_WRITE, &m, 0, "received", 8);                            \
        done_or_not_received(tc, &o, &plain, &m);                                                  \
    }

OPTIONAL_FORM(medium_not_received, "medium-not-received", "medium", "rud write any-request",
              uet_need_memory(tc, 64), uet_medium)
OPTIONAL_FORM(small_not_received, "small-not-received", "small",
              "rud write any-request upper-tester", optimized_region(tc), uet_small)

UET_TEST(fragment, .id = "rob.3.5.10.1.fragment", .requirements = "ROB-025",
         .role = UET_ROLE_TARGET, .needs = "any-request", .preamble = "None.",
         .purpose = "A fragment of an IP packet is not taken for a whole packet.",
         .stimulus = "Requests that would open a PDC, one with MF=1, one with fragment offset 64.",
         .expected = "No answer.")
{
    need_ipv4(tc);
    struct uet_out first = uet_any_request(uet_pdc_new(tc)),
                   later = uet_any_request(uet_pdc_new(tc));
    first.fragment = 0x2000; /* MF */
    later.fragment = 8;      /* 64 bytes */
    unanswered(tc, "ROB-025", &first);
    unanswered(tc, "ROB-025", &later);
}

UET_TEST(shorter_than_ip_says, .id = "rob.3.5.10.1.shorter-than-ip-says", .requirements = "ROB-026",
         .role = UET_ROLE_TARGET, .needs = "any-request", .preamble = "None.",
         .purpose = "A packet whose IP length is larger than what came is not answered.",
         .stimulus = "A Request that would open a PDC, in a frame that lacks its last 8 bytes.",
         .expected = "No answer.")
{
    struct uet_out o = uet_any_request(uet_pdc_new(tc));
    o.wrong.cut = 8;
    unanswered(tc, "ROB-026", &o);
}

UET_TEST(behind_the_datagram, .id = "rob.3.5.10.1.behind-the-datagram", .requirements = "ROB-027",
         .role = UET_ROLE_TARGET, .needs = "write upper-tester udp",
         .preamble = "A region; PDC open.",
         .purpose = "Bytes behind the UDP length are not delivered.",
         .stimulus = "A WRITE of 64 bytes whose UDP length ends 32 bytes before what IP carries.",
         .expected = "The last 32 bytes are not written, whatever the answer is.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = uet_write(p, &m, 0, uet_tc_bytes(tc, 64), 64);
    struct kept before = keep(tc, &m, 32, 32);
    tolerate(tc, ANSWER_ON(p));
    o.wrong.udp_length = true;
    o.wrong.udp_length_value = (uint16_t)(8 + o.pds_len + o.ses_len + 32);
    say(tc, &o);
    unchanged(tc, "ROB-027", &before);
    o.wrong.udp_length = false; /* so that the PDC has no gap and can be closed */
    say_again(tc, &o);
    uet_wait(tc, UET_MS);
}

UET_TEST(before_the_datagram_ends, .id = "rob.3.5.10.1.longer-than-ip", .requirements = "ROB-027",
         .role = UET_ROLE_TARGET, .needs = "write upper-tester udp",
         .preamble = "A region; PDC open.",
         .purpose = "A UDP length beyond what IP carries brings no bytes that did not come.",
         .stimulus = "A WRITE of 164 bytes with 64 of them, whose UDP length counts 164.",
         .expected = "Bytes 64 to 163 are not written, whatever the answer is.")
{
    struct uet_memory m = uet_need_memory(tc, 164);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = uet_write(p, &m, 0, uet_tc_bytes(tc, 164), 164), whole = o;
    struct kept before = keep(tc, &m, 64, 100);
    tolerate(tc, ANSWER_ON(p));
    o.payload_len = 64;
    o.wrong.udp_length = true;
    o.wrong.udp_length_value = (uint16_t)(8 + o.pds_len + o.ses_len + 164);
    say(tc, &o);
    uet_wait(tc, uet_tc_latest(tc, UET_MS));
    unchanged(tc, "ROB-027", &before);
    say_again(tc, &whole); /* so that the PDC has no gap and can be closed */
    uet_wait(tc, UET_MS);
}

/* For .also: on no PDC that was there before; what has come there may be acknowledged again. */
static bool is_on_no_older(const struct uet_in *in, const void *newest)
{
    for (const struct uet_pdc *p = newest; p; p = p->next)
        if (in->pdc == p)
            return false;
    return true;
}

UET_TEST(too_short, .id = "rob.3.5.10.too-short", .requirements = "ROB-028",
         .role = UET_ROLE_TARGET, .needs = "any-request", .preamble = "A PDC open.",
         .purpose = "A packet too short for its headers is not answered, and the FEP goes on.",
         .stimulus = "Requests for new PDCs that end after 0 to 11 bytes of the PDS header, with "
                     "right IP and UDP lengths; then a Request on the PDC.",
         .expected = "No answer to the short ones; the Request is answered.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    const struct uet_pdc *newest = uet_pdc_new(tc);
    for (uint16_t n = 0; n < 12; n++) {
        struct uet_out o = uet_any_request(uet_pdc_new(tc));
        o.pdc->auto_close = false;
        o.pds_len = n;
        o.ses_len = 0;
        o.payload_len = 0;
        say(tc, &o);
    }
    silence(tc, "ROB-028", ANSWER_ON(NULL), .also = is_on_no_older, .ctx = newest,
            .named = "an answer", .within = uet_tc_latest(tc, UET_MS));
    still_serves(tc, "ROB-028", p);
}

UET_TEST(
    short_takes_no_psn, .id = "rob.3.5.10.too-short-is-not-received", .requirements = "ROB-028",
    .role = UET_ROLE_TARGET, .needs = "rud write", .preamble = "A region; PDC open.",
    .purpose =
        "A packet too short for its SES header, which is dropped, does not count as received.",
    .stimulus = "WRITEs whose standard header ends after 1, 24 and 43 bytes; each that draws no "
                "answer again, with retx=1, and whole.",
    .expected = "The whole ones are acknowledged and executed.")
{
    static const uint16_t ends[] = {1, 24, 43};
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct uet_out whole = uet_write(p, &m, (uint32_t)i * 8, "is whole", 8), cut = whole;
        cut.ses_len = ends[i];
        cut.payload_len = 0;
        tolerate(tc, ANSWER_TO(&cut));
        say(tc, &cut);
        if (maybe(tc, ANSWER_TO(&cut), .within = uet_tc_latest(tc, UET_MS)))
            continue; /* refused, with its PSN (SES-159) */
        say_again(tc, &whole);
        if (!tells_success(hear(tc, "ROB-028", ANSWER_TO(&whole))))
            continue; /* so it was, and late */
        memory_holds(tc, "ROB-028", &m, (uint32_t)i * 8, "is whole", 8);
    }
}

UET_TEST(one_answer, .id = "rob.3.5.12.7.one-answer", .requirements = "ROB-029",
         .role = UET_ROLE_TARGET, .needs = "any-request", .preamble = "A PDC open.",
         .purpose = "One packet that is refused draws at most one packet.",
         .stimulus = "A Request and a Control Packet to an unknown dpdcid, each once.",
         .expected = "At most one answer to each.")
{
    struct uet_pdc *q = pdc_unknown(tc);
    struct uet_out wrong[] = {uet_any_request(q), uet_cp(q, UET_CTL_NOOP)};
    for (size_t i = 0; i < 2; i++) {
        say(tc, &wrong[i]);
        if (maybe(tc, ANSWER_TO(&wrong[i])))
            silence(tc, "ROB-029", ANSWER_TO(&wrong[i]), .named = "a second answer to one packet");
    }
}

UET_TEST(one_answer_to_a_syn, .id = "rob.3.5.8.2.one-answer-to-a-syn", .requirements = "ROB-029",
         .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .preamble = "A PDC open; MP_Range from its ACK_CC, else from Default_MPR.",
         .purpose = "A SYN that is refused draws at most one packet.",
         .stimulus = "SYN Requests with new spdcids whose psn_offset is MP_Range, and 4095.",
         .expected = "At most one answer to each.")
{
    const struct uet_in *ack;
    open_with_ack(tc, &ack);
    const uint32_t offsets[] = {mp_range(tc, ack), 4095};
    for (size_t i = 0; i < 2 && offsets[i] <= 4095; i++) {
        struct uet_pdc *p = uet_pdc_new(tc);
        struct uet_out o = request_at(p, p->start_psn + offsets[i]);
        uet_rud_rod_req_psn_offset_set(o.pds, (uint16_t)offsets[i]);
        p->auto_close = false;
        say(tc, &o);
        if (maybe(tc, ANSWER_TO(&o)))
            silence(tc, "ROB-029", ANSWER_TO(&o), .named = "a second answer to one packet");
    }
}

/* A packet of random bytes that opens no PDC: syn stands in one place in Requests and CPs. */
static void send_noise(struct uet_tc *tc, struct uet_pdc *p)
{
    struct uet_out o = uet_cp(p, UET_CTL_PROBE);
    o.meant = "random bytes";
    for (size_t i = 0; i < sizeof(o.pds); i++)
        o.pds[i] = (uint8_t)uet_tc_random(tc);
    uet_rud_rod_req_syn_set(o.pds, false);
    o.pds_len = (uint16_t)(uet_tc_random(tc) % sizeof(o.pds));
    o.payload_len = (uint32_t)(uet_tc_random(tc) % 64);
    o.payload = uet_tc_bytes(tc, o.payload_len);
    say(tc, &o);
}

UET_TEST(noise, .id = "rob.3.5.8.2.noise", .requirements = "ROB-034", .role = UET_ROLE_TARGET,
         .needs = "any-request", .preamble = "None.",
         .purpose = "After packets of random bytes the FEP serves as before.",
         .stimulus = "1,000 packets of random bytes behind right IP and UDP headers, none of which "
                     "opens a PDC; then a Request.",
         .expected = "It is answered.")
{
    struct uet_pdc *q = uet_pdc_new(tc);
    q->auto_close = false;
    tolerate(tc, .kind = UET_WANT_ANY);
    for (int i = 0; i < 1000; i++) {
        send_noise(tc, q);
        if (i % 50 == 49)
            uet_wait(tc, UET_MS);
    }
    uet_forget_settled(tc);
    struct uet_out o = uet_any_request(uet_pdc_new(tc));
    ask(tc, "ROB-034", &o);
}
