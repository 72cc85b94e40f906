/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.8.2: Requests that fit no PDC, or not the one that they name. */
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/reads.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/harness/steps/sealed.h"
#include "conformance/tests/pds_target.h"

/* A SYN Request of a live PDC ahead of its window. */
static struct uet_out say_syn_beyond(struct uet_tc *tc, bool rod)
{
    const struct uet_in *ack;
    struct uet_pdc *p = open_in_mode(tc, rod, &ack);
    uint32_t ahead = mp_range(tc, ack) + 10;
    if (ahead > 4095 - 1)
        uet_skip(tc, "MP_Range is %u: psn_offset, of 12 bits, cannot go beyond it", ahead - 10);
    struct uet_out syn = syn_request_at(p, cack_of(ack) + ahead);
    say(tc, &syn);
    return syn;
}

UET_TEST(rod_syn_beyond_window, .id = "pds.3.5.8.2.rod-syn-beyond-window",
         .requirements = "PDS-037", .role = UET_ROLE_TARGET, .needs = "rod any-request",
         .purpose = "syn=1 on a live ROD PDC with a PSN ahead of the window is an invalid SYN, "
                    "unless a NACK tells that a PSN before it is missing.",
         .preamble = "A ROD PDC open; MP_Range from the mpr of the ACK_CC, else from Default_MPR.",
         .stimulus = "A ROD SYN with psn = CACK_PSN + MP_Range + 10 and a psn_offset to match.",
         .expected = "NACK UET_INVALID_SYN (0x15) or UET_ROD_OOO (0x0D) naming that PSN.")
{
    struct uet_out syn = say_syn_beyond(tc, true);
    hear(tc, "PDS-037", NACK_OF(&syn, UET_NACK_INVALID_SYN, UET_NACK_ROD_OOO));
}

UET_TEST(syn_beyond_window, .id = "pds.3.5.8.2.syn-beyond-window", .requirements = "PDS-037",
         .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "syn=1 on a live PDC with a PSN ahead of the window is an invalid SYN.",
         .preamble = "PDC open; MP_Range from the mpr of the ACK_CC, else from Default_MPR.",
         .stimulus = "A SYN Request with psn = CACK_PSN + MP_Range + 10 and a psn_offset to match.",
         .expected = "NACK UET_INVALID_SYN (0x15) naming that PSN.")
{
    struct uet_out syn = say_syn_beyond(tc, false);
    hear(tc, "PDS-037", NACK_OF(&syn, UET_NACK_INVALID_SYN));
}

UET_TEST(syn_just_beyond, .id = "pds.3.5.8.2.syn-just-beyond-the-window", .requirements = "PDS-037",
         .role = UET_ROLE_TARGET, .needs = "rud any-request ack-cc",
         .purpose = "The window that mpr tells ends for a SYN where it ends for others.",
         .preamble = "PDC open; mpr from the ACK_CC; n is CACK_PSN.",
         .stimulus = "A SYN Request n + 128*mpr + 1 with a psn_offset to match.",
         .expected = "NACK UET_INVALID_SYN (0x15) naming that PSN.")
{
    const struct uet_in *ack;
    struct uet_pdc *p = open_with_ack(tc, &ack);
    if (!uet_is_ack_cc(&ack->packet))
        uet_skip(tc, "the FEP sends no ACK_CC");
    skip_when_guaranteed(tc, ack); /* the edge of the window hangs on CACK_PSN */
    uint32_t beyond = cack_of(ack) + mp_range(tc, ack) + 1;
    if (beyond - p->start_psn > 4095)
        uet_skip(tc, "psn_offset, of 12 bits, does not reach the end of the window");
    struct uet_out syn = syn_request_at(p, beyond);
    say(tc, &syn);
    hear(tc, "PDS-037", NACK_OF(&syn, UET_NACK_INVALID_SYN));
}

static bool is_invalid_syn(const struct uet_in *in)
{
    return uet_is_nack(&in->packet) &&
           uet_nack_nack_code(uet_pds(&in->packet)) == UET_NACK_INVALID_SYN;
}

/* So many Requests and more, each acknowledged. */
static void go_beyond(struct uet_tc *tc, struct uet_pdc *p, uint32_t range)
{
    for (uint32_t i = 0; i < range + 8; i++) {
        struct uet_out o = uet_any_request(p);
        exchange(tc, &o);
    }
}

UET_TEST(syn_far_on, .id = "pds.3.5.8.2.syn-far-from-the-start", .requirements = "PDS-037",
         .role = UET_ROLE_TARGET, .needs = "rud any-request", .not_over = "all",
         .purpose = "What a SYN is judged by is the window, and not how far Start_PSN is.",
         .preamble = "PDC open; MP_Range + 8 Requests, each acknowledged.",
         .stimulus =
             "The next Request, as a SYN with a psn_offset to match; a SYN of Start_PSN + 1, "
             "below the window.",
         .expected = "An ACK; then NACK UET_INVALID_SYN (0x15), or, as a finding, nothing.")
{
    const struct uet_in *ack;
    struct uet_pdc *p = open_with_ack(tc, &ack);
    const uint32_t range = mp_range(tc, ack);
    if (range > 2000)
        uet_skip(tc, "MP_Range is %u: psn_offset, of 12 bits, does not go far beyond it", range);
    skip_when_guaranteed(tc, ack);
    go_beyond(tc, p, range);
    struct uet_out late = syn_request_at(p, p->start_psn + 1);
    struct uet_out next = syn_request_at(p, p->next_psn++);
    say(tc, &next);
    hear(tc, "PDS-037", ACK_OF(&next));
    say(tc, &late);
    const struct uet_in *in = maybe(tc, ANSWER_TO(&late), .within = uet_tc_quiet(tc));
    if (in)
        uet_check(tc, "PDS-037", is_invalid_syn(in), "it is answered by another code than 0x15");
    else
        uet_other_reading(tc, "PDS-037", "a SYN below the window is dropped");
}

UET_TEST(unknown_dpdcid, .id = "pds.3.5.8.2.unknown-dpdcid", .requirements = "PDS-038",
         .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "A Request for a PDC that does not exist is refused.",
         .preamble = "One PDC open, so that a dpdcid not in use is known.",
         .stimulus = "Requests with syn=0 and a dpdcid that no PDC has, one with ar=1 and one with "
                     "ar=0.",
         .expected = "For each NACK UET_INV_DPDCID (0x0E) with spdcid=0, dpdcid the spdcid of the "
                     "Request, nack_psn its PSN.")
{
    struct uet_pdc *q = pdc_unknown(tc);
    for (int ar = 1; ar >= 0; ar--) {
        struct uet_out o = uet_any_request(q);
        if (!ar)
            ask_no_ack(&o);
        say(tc, &o);
        const struct uet_in *nack = hear(tc, "PDS-038", NACK_OF(&o, UET_NACK_INV_DPDCID));
        field(tc, "PDS-038", nack, UET_F_PDS_SPDCID, 0);
        field(tc, "PDS-038", nack, UET_F_PDS_DPDCID, q->pdcid);
    }
}

UET_TEST(dpdcid_zero, .id = "pds.3.5.8.2.dpdcid-zero", .requirements = "PDS-039",
         .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "dpdcid=0 with syn=0 names no PDC.",
         .stimulus = "A Request, and a Close Command, with syn=0 and dpdcid=0.",
         .expected = "NACK UET_INV_DPDCID (0x0E) with spdcid=0 for each; no ACK.")
{
    struct uet_pdc *q = uet_pdc_new(tc);
    q->auto_close = false;
    q->fep_pdcid = 1;
    struct uet_out o = uet_any_request(q);
    uet_rud_rod_req_dpdcid_set(o.pds, 0);
    say(tc, &o);
    field(tc, "PDS-039", hear(tc, "PDS-039", NACK_OF(&o, UET_NACK_INV_DPDCID)), UET_F_PDS_SPDCID,
          0);
    struct uet_out cp = uet_cp(q, UET_CTL_CLOSE_COMMAND);
    uet_cp_dpdcid_set(cp.pds, 0);
    say(tc, &cp);
    field(tc, "PDS-039", hear(tc, "PDS-039", NACK_OF(&cp, UET_NACK_INV_DPDCID)), UET_F_PDS_SPDCID,
          0);
    silence(tc, "PDS-039", ACK_ON(q));
}

/* It goes to dpdcid 0, and is refused as what goes to no PDC. */
static void zero_refused(struct uet_tc *tc, struct uet_out *o)
{
    uet_rud_rod_req_dpdcid_set(o->pds, 0); /* a Control Packet has it at the same place */
    say(tc, o);
    field(tc, "PDS-039", hear(tc, "PDS-039", NACK_OF(o, UET_NACK_INV_DPDCID)), UET_F_PDS_SPDCID, 0);
}

UET_TEST(
    dpdcid_zero_live, .id = "pds.3.5.8.2.dpdcid-zero-beside-a-live-pdc", .requirements = "PDS-039",
    .role = UET_ROLE_TARGET, .needs = "rud any-request", .over = "read cp",
    .purpose = "dpdcid=0 with syn=0 names no PDC, not even that which its spdcid is on.",
    .preamble = "PDC open.",
    .stimulus = "With the spdcid and the next PSN of that PDC, but dpdcid=0: a Request, an ACK "
                "Request, and a Close Command.",
    .expected = "NACK UET_INV_DPDCID (0x0E) with spdcid=0 for each; the PDC still serves its "
                "peer, with that PSN.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out request = request_at(p, p->next_psn),
                   asks = cp_at(p, UET_CTL_ACK_REQUEST, p->next_psn),
                   closes = cp_at(p, UET_CTL_CLOSE_COMMAND, p->next_psn);
    zero_refused(tc, &request);
    zero_refused(tc, &asks);
    zero_refused(tc, &closes);
    still_serves(tc, "PDS-039", p);
}

UET_TEST(dpdcid_zero_writes, .id = "pds.3.5.8.2.dpdcid-zero-writes-nothing",
         .requirements = "PDS-039", .role = UET_ROLE_TARGET, .needs = "rud write upper-tester",
         .purpose = "What is refused for dpdcid=0 is not executed.",
         .preamble = "A memory region; PDC open.",
         .stimulus = "A WRITE with the spdcid and the next PSN of that PDC, but dpdcid=0; then the "
                     "same one with the dpdcid of the PDC.",
         .expected = "NACK UET_INV_DPDCID (0x0E) with spdcid=0, and the memory as it was; then an "
                     "ACK, and the bytes in memory.")
{
    static const uint8_t data[16] = "dpdcid is zero!";
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct kept before = keep(tc, &m, 0, sizeof(data));
    struct uet_out right = uet_write(p, &m, 0, data, sizeof(data)), zero = right;
    zero_refused(tc, &zero);
    uet_wait(tc, uet_tc_quiet(tc));
    unchanged(tc, "PDS-039", &before);
    accepted(tc, "PDS-039", &right);
    memory_holds(tc, "PDS-039", &m, 0, data, sizeof(data));
}

UET_TEST(wrong_spdcid, .id = "pds.3.5.8.2.wrong-spdcid", .requirements = "PDS-040",
         .role = UET_ROLE_TARGET, .needs = "rud any-request", .over = "read cp",
         .purpose = "A Request whose spdcid is not the peer's is refused and harms nobody.",
         .preamble = "PDC open.",
         .stimulus = "A Request with the dpdcid and the last PSN of that PDC but another spdcid.",
         .expected = "NACK UET_PDC_HDR_MISMATCH (0x0F); the PDC still serves its peer. A FEP that "
                     "does not look is a finding.")
{
    struct uet_pdc *p = uet_pdc_open(tc), *q = stranger(tc, p);
    struct uet_out o = uet_any_request(q);
    static const uint8_t mismatch[] = {UET_NACK_PDC_HDR_MISMATCH};
    stranger_refused(tc, "PDS-040", &o, mismatch, sizeof(mismatch));
    still_serves(tc, "PDS-040", p);
}

UET_TEST(wrong_spdcid_rod, .id = "pds.3.5.8.2.wrong-spdcid-on-rod", .requirements = "PDS-040",
         .role = UET_ROLE_TARGET, .needs = "rod any-request",
         .purpose = "A ROD Request whose spdcid is not the peer's is refused and harms nobody.",
         .preamble = "A ROD PDC open.", .stimulus = "As in wrong-spdcid, over ROD.",
         .expected = "As in wrong-spdcid.")
{
    struct uet_pdc *p = open_in_mode(tc, true, NULL), *q = stranger(tc, p);
    q->rod = true;
    struct uet_out o = uet_any_request(q);
    static const uint8_t mismatch[] = {UET_NACK_PDC_HDR_MISMATCH};
    stranger_refused(tc, "PDS-040", &o, mismatch, sizeof(mismatch));
    still_serves(tc, "PDS-040", p);
}

UET_TEST(wrong_source_address, .id = "pds.3.5.8.2.wrong-source-address", .requirements = "PDS-040",
         .role = UET_ROLE_TARGET, .port_caps = UET_PORT_SOURCE, .needs = "rud any-request",
         .over = "read cp",
         .purpose = "A Request from another address than the peer's is refused and harms nobody.",
         .preamble = "PDC open from the first address of the tester.",
         .stimulus = "A Request from the second address, with the right dpdcid, spdcid and the "
                     "last PSN.",
         .expected = "NACK UET_PDC_HDR_MISMATCH (0x0F) to the second address (UET_INV_DPDCID where "
                     "each peer has PDCIDs of its own, PDS-019); the PDC still serves its peer. "
                     "A FEP that does not look is a finding.")
{
    struct uet_ip second = uet_tc_second_address(tc);
    struct uet_pdc *p = uet_pdc_open(tc), *q = stranger(tc, p);
    q->self = second;
    q->pdcid = p->pdcid;
    struct uet_out o = uet_any_request(q);
    static const uint8_t codes[] = {UET_NACK_PDC_HDR_MISMATCH, UET_NACK_INV_DPDCID};
    const struct uet_in *nack = stranger_refused(tc, "PDS-040", &o, codes, sizeof(codes));
    if (nack && uet_nack_nack_code(uet_pds(&nack->packet)) == UET_NACK_INV_DPDCID)
        uet_other_reading(tc, "PDS-040", "UET_INV_DPDCID: the address is part of the lookup");
    still_serves(tc, "PDS-040", p);
}

UET_TEST(stranger_clears_nothing, .id = "pds.3.5.8.2.stranger-clears-nothing",
         .requirements = "PDS-040 PDS-087", .role = UET_ROLE_TARGET, .needs = "rud write",
         .purpose = "A Request that is refused for its spdcid clears nothing of the PDC that it "
                    "names.",
         .preamble = "A memory region; PDC open; a WRITE with an unknown key was refused, and its "
                     "error is not cleared.",
         .stimulus = "A Request with another spdcid whose CLEAR_PSN is that of the WRITE; then the "
                     "WRITE again with retx=1.",
         .expected = "The same error again; CACK_PSN waits for the clear.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    p->auto_clear = false;
    struct uet_out bad = refused_write(p, &m);
    uint8_t code = code_told(exchange_refused(tc, &bad));
    struct uet_pdc *q = stranger(tc, p);
    q->clear_psn = bad.psn;
    struct uet_out o = uet_any_request(q);
    tolerate(tc, REFUSAL_ON(q));
    say(tc, &o);
    uet_wait(tc, uet_tc_quiet(tc));
    const struct uet_in *ack = exchange_again(tc, &bad);
    uet_check_eq(tc, "PDS-040", "return code", code_told(ack), code);
    check_cack(tc, "PDS-040", ack, bad.psn - 1);
}

/* Is it told that the FEP has so many PDCs as target? */
static bool has_pdcs(struct uet_tc *tc, uint64_t n)
{
    uint64_t most;

    return uet_dut_param(uet_tc_dut(tc), "max-pdcs", &most) && most >= n;
}

/* What a SYN for which something lacks is refused with. */
struct refusal {
    const char *requirement;
    uint8_t codes[4]; /* the first is the one that the requirement names */
    size_t n_codes;
};

/* The NACK has one of the codes, and no PDC. */
static void is_refusal(struct uet_tc *tc, const struct refusal *r, const struct uet_in *in,
                       uint32_t psn)
{
    uint8_t code = uet_nack_nack_code(uet_pds(&in->packet));

    uet_check(tc, r->requirement, memchr(r->codes, code, r->n_codes),
              "the SYN was refused with %s, required %s",
              uet_enum_name(UET_ENUM_PDS_NACK_CODE, code),
              uet_enum_name(UET_ENUM_PDS_NACK_CODE, r->codes[0]));
    field(tc, r->requirement, in, UET_F_PDS_SPDCID, 0);
    field(tc, r->requirement, in, UET_F_PDS_NACK_PSN, psn);
}

/*
 * Opens PDCs until one is refused, at most one more than `most`; `of` says where that number is
 * from. Those opened before still work.
 */
static void until_refused(struct uet_tc *tc, uint64_t most, const char *of, const struct refusal *r)
{
    if (most > 4096)
        uet_skip(tc, "%s is %llu: too many for this test", of, (unsigned long long)most);
    close_req_long(tc);
    uet_beyond_told(tc);
    struct uet_pdc *first = uet_pdc_open(tc), *p;
    const struct uet_in *in;
    struct uet_out syn;
    uint64_t n = 0;
    do {
        p = uet_pdc_new(tc);
        syn = uet_any_request(p);
        say(tc, &syn);
        in = maybe(tc, ANSWER_ON(p), .named = "ACK or NACK of a SYN");
    } while (++n < most && in && uet_is_ack(&in->packet));
    if (in && uet_is_ack(&in->packet)) {
        too_many_opened(tc, r->requirement, p, of);
        return;
    }
    uet_check(tc, "PDS-232", in, "a SYN got no answer: refused in silence");
    if (in && uet_nack_nack_code(uet_pds(&in->packet)) == UET_NACK_NO_PDC_AVAIL &&
        r->codes[0] != UET_NACK_NO_PDC_AVAIL && !has_pdcs(tc, n + 1))
        uet_skip(tc, "the FEP has no more PDCs than %s (%llu)", of, (unsigned long long)most);
    if (in)
        is_refusal(tc, r, in, syn.psn);
    still_serves(tc, r->requirement, first);
}

static const struct refusal no_pdc = {
    "PDS-041",
    {UET_NACK_NO_PDC_AVAIL, UET_NACK_NO_CCC_AVAIL, UET_NACK_NO_BITMAP, UET_NACK_NO_RESOURCE},
    4};

UET_TEST(no_pdc_left, .id = "pds.3.5.12.7.no-pdc-left", .requirements = "PDS-041 PDS-232",
         .role = UET_ROLE_TARGET, .needs = "rud any-request", .params = "max-pdcs",
         .purpose = "A SYN for which the FEP has no PDC left is told so.",
         .preamble = "The FEP has at most max-pdcs PDCs.",
         .stimulus = "SYN Requests with ever new spdcids until one is refused, at most one more "
                     "than max-pdcs.",
         .expected = "NACK UET_NO_PDC_AVAIL (0x04; 0x05, 0x06 or 0x0A where another resource runs "
                     "out first) with spdcid=0; silence is a finding (PDS-232). The PDCs opened "
                     "before still work.")
{
    until_refused(tc, uet_tc_param(tc, "max-pdcs"), "max-pdcs", &no_pdc);
}

UET_TEST(no_pdc_left_ahead, .id = "pds.3.5.12.7.no-pdc-left-ahead",
         .requirements = "PDS-041 PDS-232", .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .params = "max-pdcs",
         .purpose = "A SYN for which the FEP has no PDC left is told so, also when it is not the "
                    "first of its PDC, and when it comes again.",
         .preamble = "PDCs are opened until one is refused.",
         .stimulus = "SYN Requests with new spdcids and psn_offset 1 and 3, each once more with "
                     "retx=1.",
         .expected = "As for no-pdc-left: a NACK, and silence is a finding (PDS-232). An ACK where "
                     "the FEP has made room meanwhile.")
{
    close_req_long(tc);
    use_up_pdcs(tc);
    uet_forget_settled(tc);
    for (uint32_t offset = 1; offset <= 3; offset += 2) {
        struct uet_pdc *p = uet_pdc_new(tc);
        p->next_psn = first_psn(p) + offset;
        struct uet_out syn = uet_any_request(p);
        for (int copy = 0; copy < 2 && !p->fep_pdcid; copy++) {
            uet_rud_rod_req_retx_set(syn.pds, copy);
            say(tc, &syn);
            const struct uet_in *in = maybe(tc, ANSWER_TO(&syn));
            uet_check(tc, "PDS-232", in, "no answer to the %s with psn_offset %u",
                      copy ? "second copy of the SYN" : "SYN", offset);
            if (in && uet_is_nack(&in->packet))
                is_refusal(tc, &no_pdc, in, syn.psn);
        }
    }
}

UET_TEST(full_pool_knows_its_pdcs, .id = "pds.3.5.12.7.full-pool-knows-its-pdcs",
         .not_over = "aged", /* the SYN would be behind the window */
         .requirements = "PDS-031 PDS-041", .role = UET_ROLE_TARGET,
         .needs = "rud write any-request", .params = "max-pdcs",
         .purpose = "A SYN of a PDC that is there needs no other one; one that is refused does "
                    "nothing.",
         .preamble = "A memory region; PDCs are opened until one is refused.",
         .stimulus = "The first SYN again with retx=1; a WRITE as SYN with a new spdcid.",
         .expected = "An ACK of the first; when the WRITE is refused, nothing was written.")
{
    close_req_long(tc);
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *first = uet_pdc_open(tc);
    struct kept before = keep(tc, &m, 0, 64);
    use_up_pdcs(tc);
    uet_forget_settled(tc);
    struct uet_out syn = syn_request_at(first, first->start_psn);
    say_again(tc, &syn);
    if (!maybe(tc, CP_ON(first, UET_CTL_CLOSE_COMMAND), .within = UET_US))
        hear(tc, "PDS-031", COVERED(&syn));
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out late = uet_write(p, &m, 0, "nobody has room", 16);
    say(tc, &late);
    const struct uet_in *in = maybe(tc, ANSWER_TO(&late));
    if (in && uet_is_nack(&in->packet))
        unchanged(tc, "PDS-041", &before);
}

#define FEW_BITMAPS 3

enum { AT_ONCE = 64, REFUSED_MOST = 1024 };

/* n SYNs for which there is no bitmap. False: not all of them were refused; others tests' subject.
 */
static bool refused_syns(struct uet_tc *tc, const struct refusal *r, size_t n)
{
    struct uet_out syn[AT_ONCE];

    for (size_t i = 0; i < n; i++) {
        syn[i] = uet_any_request(uet_pdc_new(tc));
        say(tc, &syn[i]);
    }
    for (size_t i = 0; i < n; i++) {
        const struct uet_in *in = maybe(tc, ANSWER_TO(&syn[i]));
        if (!in || uet_is_ack(&in->packet))
            return false;
        is_refusal(tc, r, in, syn[i].psn);
    }
    return true;
}

/* As many as it has PDCs, none of which may be taken by one of them. */
static void refused_often(struct uet_tc *tc, uint64_t bitmaps, const struct refusal *r)
{
    uint64_t most = 0;

    (void)uet_dut_param(uet_tc_dut(tc), "max-pdcs", &most);
    if (most <= bitmaps) /* what lacks may be a PDC */
        return;
    most = most < REFUSED_MOST ? most : REFUSED_MOST;
    uet_forget_settled(tc);
    for (uint64_t n = 0; n < most && refused_syns(tc, r, AT_ONCE); n += AT_ONCE)
        ;
}

UET_TEST(no_bitmap_left, .id = "pds.3.5.12.7.no-bitmap-left", .requirements = "PDS-043 PDS-232",
         .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "A SYN for which the FEP cannot keep track of PSNs is told so.",
         .preamble = "The FEP has PSN bitmaps for max-bitmaps PDCs, fewer than it has PDCs; or its "
                     "parameter PSN_Bitmaps can be set.",
         .stimulus = "SYN Requests with ever new spdcids until one is refused, at most one more "
                     "than it has bitmaps; where it is told that there are more PDCs, as many "
                     "again as there are.",
         .expected = "NACK UET_NO_BITMAP (0x06; or 0x0A) with spdcid=0 for each; silence of the "
                     "first is a finding (PDS-232). The PDCs opened before still work.")
{
    static const struct refusal refusal = {
        "PDS-043", {UET_NACK_NO_BITMAP, UET_NACK_NO_RESOURCE}, 2};
    uint64_t most = FEW_BITMAPS;

    if (!uet_tc_ut(tc) || !uet_try_param(tc, "PSN_Bitmaps", most))
        most = uet_tc_param(tc, "max-bitmaps");
    until_refused(tc, most, "max-bitmaps", &refusal);
    refused_often(tc, most, &refusal);
}

/* A SYN that carries what there is no resource for; its psn_offset. */
static void lacks_resource(struct uet_tc *tc, unsigned psn_offset)
{
    struct uet_memory m = uet_need_memory(tc, 64);
    uint64_t before = uet_tc_param(tc, "Write_Completions");
    uet_set_param(tc, "Write_Completions", 0);
    struct uet_pdc *p = uet_pdc_new(tc);
    p->next_psn = first_psn(p) + psn_offset;
    struct uet_out syn = uet_write(p, &m, 0, "told to nobody", 14);
    uet_ses_req_hd_set(syn.ses, true);
    say(tc, &syn);
    const struct uet_in *nack = hear(tc, "PDS-150", NACK_OF(&syn, UET_NACK_NO_RESOURCE));
    p->fep_pdcid = uet_spdcid(&nack->packet);
    if (p->fep_pdcid) { /* then there is a PDC, and it works */
        still_serves(tc, "PDS-150", p);
        p->fep_pdcid = 0;
    }
    uet_set_param(tc, "Write_Completions", before);
    say_again(tc, &syn);
    hear(tc, "PDS-150", ACK_OF(&syn));
}

UET_TEST(no_resource_left, .id = "pds.3.5.12.7.no-resource-left", .requirements = "PDS-150",
         .role = UET_ROLE_TARGET, .needs = "rud any-request write-immediate upper-tester",
         .purpose = "UET_NO_RESOURCE names a PDC only where there is one.",
         .preamble = "The FEP's parameter Write_Completions is set to 0: nothing can be told of a "
                     "WRITE with immediate data.",
         .stimulus = "A SYN that carries such a WRITE; once the FEP may, the same again.",
         .expected = "If it is refused with UET_NO_RESOURCE (0x0A), spdcid is 0 and no PDC was "
                     "made, or it is the TPDCID of a PDC that works. The resend is acknowledged.")
{
    lacks_resource(tc, 0);
}

UET_TEST(no_resource_ahead, .id = "pds.3.5.12.7.no-resource-left-ahead", .requirements = "PDS-150",
         .role = UET_ROLE_TARGET, .needs = "rud any-request write-immediate upper-tester",
         .purpose = "What a SYN has in the place of dpdcid is no PDC that a NACK could name.",
         .preamble = "As in no-resource-left.",
         .stimulus = "A SYN with psn_offset 3 that carries such a WRITE; once the FEP may, the "
                     "same again.",
         .expected = "If it is refused with UET_NO_RESOURCE (0x0A), spdcid is 0 or a PDC that "
                     "works. The resend is acknowledged.")
{
    lacks_resource(tc, 3);
}

UET_TEST(no_resource_beside_a_pdc, .id = "pds.3.5.12.7.no-resource-beside-a-pdc",
         .requirements = "PDS-150", .role = UET_ROLE_TARGET,
         .needs = "rud any-request write-immediate upper-tester",
         .purpose = "UET_NO_RESOURCE to a SYN names no other PDC of that peer.",
         .preamble = "PDC open; the FEP's parameter Write_Completions is set to 0.",
         .stimulus = "A SYN of another spdcid that carries a WRITE with immediate data.",
         .expected = "If it is refused with UET_NO_RESOURCE (0x0A), spdcid is not the TPDCID of "
                     "the PDC that is open. That one works.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *open = uet_pdc_open(tc), *p = uet_pdc_new(tc);
    uint64_t before = uet_tc_param(tc, "Write_Completions");
    uet_set_param(tc, "Write_Completions", 0);
    struct uet_out syn = uet_write(p, &m, 0, "told to nobody", 14);
    uet_ses_req_hd_set(syn.ses, true);
    say(tc, &syn);
    const struct uet_in *nack = hear(tc, "PDS-150", NACK_OF(&syn, UET_NACK_NO_RESOURCE));
    field_is_not(tc, "PDS-150", nack, UET_F_PDS_SPDCID, open->fep_pdcid);
    still_serves(tc, "PDS-150", open);
    uet_set_param(tc, "Write_Completions", before);
    p->auto_close = uet_spdcid(&nack->packet) != 0;
}

UET_TEST(no_write_completions_for_read, .id = "pds.3.5.12.7.no-resource-that-a-read-needs",
         .requirements = "PDS-150", .role = UET_ROLE_TARGET, .needs = "rud read upper-tester",
         .contested = true, /* what is a resource of what is the FEP's own */
         .purpose = "A READ is not refused for want of what only WRITEs need.",
         .preamble = "A region; the FEP's parameter Write_Completions is set to 0.",
         .stimulus = "A SYN that carries a READ of 16 bytes.",
         .expected = "No NACK UET_NO_RESOURCE (0x0A), which is a finding.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    uint64_t before = uet_tc_param(tc, "Write_Completions");
    uet_set_param(tc, "Write_Completions", 0);
    struct uet_out syn = uet_read(uet_pdc_new(tc), &m, 0, 16);
    tolerate(tc, DATA_OF(&syn)); /* in a packet of its own */
    say(tc, &syn);
    const struct uet_in *in = hear(tc, "PDS-150", ANSWER_TO(&syn));
    uet_set_param(tc, "Write_Completions", before);
    if (uet_is_nack(&in->packet) &&
        uet_nack_nack_code(uet_pds(&in->packet)) == UET_NACK_NO_RESOURCE)
        uet_other_reading(tc, "PDS-150", "UET_NO_RESOURCE for a READ: Write_Completions is 0");
}

UET_TEST(reserved_pool, .id = "pds.3.5.8.2.reserved-pool", .requirements = "PDS-022",
         .role = UET_ROLE_TARGET, .needs = "rud any-request reserved-pdcs", .claim_binds = true,
         .params = "max-pdcs",
         .purpose = "A SYN with use_rsv_pdc takes a PDC of the reserved pool.",
         .preamble = "PDCs are opened with use_rsv_pdc=0 until one is refused.",
         .stimulus = "A SYN with use_rsv_pdc=1.",
         .expected = "An ACK with a TPDCID; the PDC works.")
{
    close_req_long(tc);
    use_up_pdcs(tc);
    uet_forget_settled(tc);
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out syn = uet_any_request(p);
    uet_rud_rod_req_use_rsv_pdc_set(syn.pds, true);
    say(tc, &syn);
    uet_check(tc, "PDS-022", maybe(tc, ACK_OF(&syn)), "no PDC of the reserved pool was given");
    still_serves(tc, "PDS-022", p);
}

/* Of twice its window so many Requests have come that the first is far below it. */
static void window_goes_on(struct uet_tc *tc, struct uet_pdc *p, uint32_t range)
{
    for (int half = 0; half < 4; half++) {
        say_requests(tc, p, range / 2);
        struct uet_out last = uet_any_request(p);
        exchange(tc, &last);
        uet_forget_settled(tc);
    }
}

UET_TEST(syn_behind_window, .id = "pds.3.5.8.2.syn-behind-the-window",
         .requirements = "PDS-068 PDS-001", .role = UET_ROLE_TARGET, .not_over = "all",
         .needs = "rud write any-request upper-tester", .contested = true,
         .purpose = "A late SYN of a live PDC, older than the duplicate window, is not executed.",
         .preamble = "A region; a PDC opened by a WRITE.",
         .stimulus = "Requests over twice MP_Range; another WRITE to the same place; then the "
                     "first one once more, syn=1 and retx=1.",
         .expected = "A NACK, silence, or an ACK as of a duplicate; the region holds the second "
                     "WRITE; the PDC serves on.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out old = uet_write(p, &m, 0, "old data", 8);
    uint32_t range = mp_range(tc, exchange(tc, &old));
    if (range > 2048)
        uet_skip(tc, "MP_Range is %u: too many packets for this test", range);
    window_goes_on(tc, p, range);
    struct uet_out new = uet_write(p, &m, 0, "new data", 8);
    exchange(tc, &new);
    uet_forget_settled(tc);
    tolerate(tc, ANSWER_TO(&old));
    say_again(tc, &old);
    uet_wait(tc, uet_tc_latest(tc, UET_MS));
    memory_holds(tc, "PDS-068", &m, 0, "new data", 8);
    still_serves(tc, "PDS-001", p);
}
