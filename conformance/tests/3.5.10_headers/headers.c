/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.10: what must stand in every ACK and NACK, and packets that are not even read. */
#include "conformance/tests/pds_target.h"
#include "wire/crc.h"

UET_TEST(pdcids_in_answers, .id = "pds.3.5.10.5.pdcids-in-answers", .requirements = "PDS-020",
         .role = UET_ROLE_TARGET, .needs = "rud any-request", .over = "read cp",
         .purpose = "ACKs and NACKs carry the FEP's own PDCID as spdcid and the peer's as dpdcid.",
         .stimulus = "Three Requests with ar=1, the first of which opens the PDC; then one far "
                     "ahead of the window.",
         .expected = "The ACKs and the NACK have dpdcid = spdcid of the Requests, and one and the "
                     "same spdcid.")
{
    struct uet_pdc *p = uet_pdc_new(tc);
    const struct uet_in *ack = NULL;
    uint16_t tpdcid = 0;
    for (int i = 0; i < 3; i++) {
        struct uet_out o = uet_any_request(p);
        ack = exchange(tc, &o);
        tpdcid = i == 0 ? uet_spdcid(&ack->packet) : tpdcid;
        field(tc, "PDS-020", ack, UET_F_PDS_SPDCID, tpdcid);
        field(tc, "PDS-020", ack, UET_F_PDS_DPDCID, p->pdcid);
    }
    struct uet_out far = request_at(p, cack_of(ack) + mp_range(tc, ack) + 10);
    say(tc, &far);
    const struct uet_in *nack = hear(tc, "PDS-067", NACK_OF(&far, UET_NACK_PSN_OOR_WINDOW));
    field(tc, "PDS-020", nack, UET_F_PDS_SPDCID, tpdcid);
    field(tc, "PDS-020", nack, UET_F_PDS_DPDCID, p->pdcid);
}

UET_TEST(cp_ack_has_no_response, .id = "pds.3.5.10.8.cp-ack-has-no-response",
         .requirements = "PDS-109", .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "The ACK of a Control Packet carries no SES response.", .preamble = "PDC open.",
         .stimulus = "NOOP CP with ar=1 where the FEP claims it, then Close Command.",
         .expected = "The ACKs have next_hdr UET_HDR_NONE and end with the PDS header.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    static const uint8_t types[] = {UET_CTL_NOOP, UET_CTL_CLOSE_COMMAND};
    for (size_t i = uet_tc_dut(tc)->claims[UET_PICS_CP_NOOP] ? 0 : 1; i < sizeof(types); i++) {
        struct uet_out cp = uet_cp(p, types[i]);
        const struct uet_in *ack = exchange(tc, &cp);
        uet_check_enum(tc, "PDS-109", "next_hdr", UET_ENUM_PDS_NEXT_HDR,
                       uet_ack_next_hdr(uet_pds(&ack->packet)), UET_NH_NONE);
        uet_check_eq(tc, "PDS-109", "bytes after the PDS header", ack->packet.payload_len, 0);
    }
}

/* Again with retx=1, it has a default response, with its fields as they must be. */
static void default_response_to(struct uet_tc *tc, const struct uet_out *o)
{
    const struct uet_in *ack = exchange_again(tc, o);
    uet_check(tc, "PDS-089", is_default_response(ack),
              "no default response (DEFAULT_RESPONSE or NO_RESPONSE with RC_NULL or RC_OK) came");
    const uint8_t *ses = uet_ses(&ack->packet);
    uint16_t message_id = uet_ses_rsp_message_id(ses);
    uint32_t job_id = uet_ses_rsp_job_id(ses);
    uet_check_eq(tc, "PDS-089", "list", uet_ses_rsp_list(ses), UET_LIST_EXPECTED);
    uet_check_eq(tc, "PDS-089", "version", uet_ses_rsp_version(ses), 0);
    uet_check_eq(tc, "PDS-089", "ri_generation", uet_ses_rsp_ri_generation(ses), 0);
    uet_check(tc, "PDS-089", message_id == 0 || message_id == uet_ses_req_std_message_id(o->ses),
              "message_id is 0x%04x, required that of the Request or 0", message_id);
    uet_check(tc, "PDS-089", job_id == 0 || job_id == uet_ses_req_job_id(o->ses),
              "job_id is 0x%06x, required that of the Request or 0", job_id);
}

UET_TEST(default_response_fields, .id = "pds.3.5.10.13.default-response-fields",
         .requirements = "PDS-089", .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "A default response has the fixed form of 3.5.10.13.",
         .preamble = "PDC open, one Request acknowledged with success.",
         .stimulus = "That Request again with retx=1.",
         .expected = "list 0, version 0, opcode DEFAULT_RESPONSE or NO_RESPONSE, RC_NULL or RC_OK, "
                     "message_id and job_id of the Request or 0, ri_generation 0.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = uet_any_request(p);
    skip_when_guaranteed(tc, exchange(tc, &o));
    default_response_to(tc, &o);
}

UET_TEST(default_response_generation, .id = "pds.3.5.10.13.default-response-generation",
         .requirements = "PDS-089", .role = UET_ROLE_TARGET,
         .needs = "rud send generations upper-tester",
         .purpose = "A default response has ri_generation 0, whatever the Request had.",
         .preamble = "A send resource with generation 9, a buffer posted; PDC open; a SEND with "
                     "ri_generation 9 acknowledged.",
         .stimulus = "That SEND again with retx=1.",
         .expected = "A default response with ri_generation 0.")
{
    struct uet_memory m = uet_need_generation(tc, 64, 1, 9);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = uet_send_message(p, &m, "generation", 10);
    skip_when_guaranteed(tc, exchange(tc, &o));
    const struct uet_in *ack = exchange_again(tc, &o);
    if (is_default_response(ack))
        uet_check_eq(tc, "PDS-089", "ri_generation",
                     uet_ses_rsp_ri_generation(uet_ses(&ack->packet)), 0);
}

UET_TEST(default_response_after_an_error, .id = "pds.3.5.10.13.default-response-after-an-error",
         .requirements = "PDS-089", .role = UET_ROLE_TARGET,
         .needs = "rud send generations any-request upper-tester",
         .purpose = "A default response has nothing of a response that went before it.",
         .preamble = "A send resource with generation 9; PDC open; a SEND with ri_generation 7 was "
                     "answered with an error, which is cleared; a Request with success.",
         .stimulus = "That Request again with retx=1.",
         .expected = "A default response in its fixed form, ri_generation 0.")
{
    struct uet_memory m = uet_need_generation(tc, 64, 1, 9);
    struct uet_pdc *p = uet_pdc_open(tc);
    m.ri_generation = 7;
    struct uet_out bad = uet_send_message(p, &m, "generation", 10);
    if (!is_error_response(exchange(tc, &bad)))
        uet_inconc(tc, "a SEND of another generation was not refused (SES-106)");
    struct uet_out o = uet_any_request(p);
    skip_when_guaranteed(tc, exchange(tc, &o));
    default_response_to(tc, &o);
}

/* Reserved bits of one header, by the tables of the specification. */
static void check_reserved(struct uet_tc *tc, const char *what, uint8_t header, const uint8_t *h)
{
    if (header == UET_H_NONE || !h)
        return;
    for (size_t i = 0; i < uet_headers[header].n_fields; i++) {
        const struct uet_field *f = uet_headers[header].fields[i];
        if (f->kind == UET_KIND_RESERVED && f->width <= 64)
            uet_check(tc, "PDS-234", uet_field_get(f, h) == 0, "%s: %s.%s is 0x%llx, required 0",
                      what, uet_headers[header].name, f->name,
                      (unsigned long long)uet_field_get(f, h));
    }
}

static void check_all_reserved(struct uet_tc *tc, const char *what, const struct uet_in *in)
{
    const struct uet_packet *p = &in->packet;
    uet_look_at(tc, in);
    check_reserved(tc, what, p->pds, uet_pds(p));
    check_reserved(tc, what, p->cc_state, uet_cc_state_of(p));
}

UET_TEST(reserved_bits_zero, .id = "pds.3.5.10.2.reserved-bits-zero", .requirements = "PDS-234",
         .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "Reserved bits of every PDS header that the FEP answers with are 0.",
         .preamble = "PDC open.",
         .stimulus = "A Request with all that makes flags come back (retx=1, ECN CE where the port "
                     "can); a NOOP CP where the FEP claims it; a Request with an unknown dpdcid.",
         .expected = "In the ACKs and the NACK every reserved bit of the PDS header is 0.")
{
    const struct uet_in *ack;
    struct uet_pdc *p = open_with_ack(tc, &ack);
    check_all_reserved(tc, "opening ACK", ack);
    struct uet_out o = uet_any_request(p);
    o.route.ecn = UET_ECN_CE;
    say_again(tc, &o);
    check_all_reserved(tc, "ACK of a Request", hear(tc, "PDS-097", ACK_OF(&o)));
    if (uet_tc_dut(tc)->claims[UET_PICS_CP_NOOP]) {
        struct uet_out noop = uet_cp(p, UET_CTL_NOOP);
        check_all_reserved(tc, "ACK of a CP", exchange(tc, &noop));
    }
    struct uet_pdc *q = uet_pdc_new(tc);
    q->fep_pdcid = unused_pdcid(p);
    q->auto_close = false;
    struct uet_out lost = uet_any_request(q);
    check_all_reserved(tc, "NACK", unknown_nacked(tc, &lost));
}

/* What was just sent must bring neither ACK nor NACK; a SYN, nothing at all on its PDC. */
static void expect_silence(struct uet_tc *tc, const struct uet_out *o, const struct uet_pdc *q)
{
    silence(tc, "PDS-233", COVERED_OR_REFUSED(o));
    silence(tc, "PDS-233", ANSWER_ON(q), .within = UET_US);
}

UET_TEST(bad_crc_dropped, .id = "pds.3.5.10.bad-crc-dropped", .requirements = "PDS-233",
         .role = UET_ROLE_TARGET, .needs = "crc rud any-request", .over = "cp",
         .purpose = "A packet whose CRC-32C is wrong is dropped without a word.",
         .preamble = "The FEP uses the CRC trailer; PDC open.",
         .stimulus = "A Request with a damaged CRC on the PDC; a SYN Request with a damaged CRC; "
                     "then the first one whole.",
         .expected = "No answer to either damaged one; the whole one is accepted as new.")
{
    struct uet_pdc *p = uet_pdc_open(tc), *q = uet_pdc_new(tc);
    struct uet_out o = uet_any_request(p), syn = uet_any_request(q), bad = o;
    bad.wrong.crc_xor = syn.wrong.crc_xor = 0x00010000;
    uet_send(tc, &bad);
    uet_send(tc, &syn);
    expect_silence(tc, &bad, q);
    check_cack(tc, "PDS-233", exchange(tc, &o), o.psn);
}

UET_TEST(crc_order, .id = "pds.3.5.10.crc-in-network-order", .requirements = "PDS-233",
         .role = UET_ROLE_TARGET, .needs = "crc rud any-request",
         .purpose = "The CRC-32C in the trailer stands in network byte order: in the other it is a "
                    "wrong one.",
         .stimulus = "A SYN Request with its CRC in the order in which the FEP has it.",
         .expected = "An ACK whose trailer holds its CRC big-endian.")
{
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out syn = uet_any_request(p);
    const struct uet_in *ack = exchange(tc, &syn);
    uet_check(tc, "PDS-233", uet_packet_crc_order(&ack->packet) == UET_CRC_BIG_ENDIAN,
              "the trailer holds the CRC in little-endian order");
}

UET_TEST(reserved_type_dropped, .id = "pds.3.5.10.reserved-type-dropped", .requirements = "PDS-233",
         .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "A packet of a reserved pds.type is dropped without a word.",
         .preamble = "PDC open.",
         .stimulus = "A Request on the PDC, and a SYN Request, with pds.type 0, 15, 31.",
         .expected = "No answer to any; the PDC still works.")
{
    static const uint8_t types[] = {0, 15, 31};
    struct uet_pdc *p = uet_pdc_open(tc);
    for (size_t i = 0; i < sizeof(types); i++) {
        struct uet_pdc *q = uet_pdc_new(tc);
        struct uet_out o = request_at(p, p->next_psn), syn = uet_any_request(q);
        uet_rud_rod_req_type_set(o.pds, types[i]);
        uet_rud_rod_req_type_set(syn.pds, types[i]);
        uet_send(tc, &o);
        uet_send(tc, &syn);
        expect_silence(tc, &o, q);
    }
    still_serves(tc, "PDS-233", p);
}

UET_TEST(ack_returns_entropy, .id = "pds.3.6.16.4.ack-returns-entropy", .requirements = "PDS-112",
         .role = UET_ROLE_TARGET, .port_caps = UET_PORT_ENTROPY, .needs = "rud any-request",
         .over = "read cp",
         .purpose = "An ACK returns the entropy value of the packet that it answers.",
         .preamble = "PDC open.",
         .stimulus = "Two Requests with ar=1 and different entropy values (UDP source ports).",
         .expected = "Each ACK has the entropy value of its Request.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    static const uint16_t values[] = {0xc123, 0xe456};
    for (size_t i = 0; i < 2; i++) {
        struct uet_out o = uet_any_request(p);
        o.route.entropy = values[i];
        const struct uet_in *ack = exchange(tc, &o);
        uet_check_eq(tc, "PDS-112", "entropy of the ACK", uet_entropy(&ack->packet), values[i]);
    }
}

UET_TEST(again_returns_entropy, .id = "pds.3.6.16.4.stored-response-returns-entropy",
         .requirements = "PDS-112", .role = UET_ROLE_TARGET, .port_caps = UET_PORT_ENTROPY,
         .needs = "rud write",
         .purpose = "A response that is told again comes with the entropy value of the copy that "
                    "brings it.",
         .preamble = "PDC open; a WRITE with an unknown key was answered with an error.",
         .stimulus = "The same with retx=1 and another entropy value; nothing is cleared.",
         .expected = "Its ACK has that entropy value.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    p->auto_clear = false;
    struct uet_out bad = refused_write(p, &m);
    exchange_refused(tc, &bad);
    uet_wait(tc, UET_MS);
    uet_forget(tc); /* that of a copy has the entropy value of before */
    bad.route.entropy ^= 0x0155;
    const struct uet_in *ack = exchange_again(tc, &bad);
    uet_check_eq(tc, "PDS-112", "entropy of the ACK", uet_entropy(&ack->packet), bad.route.entropy);
}

UET_TEST(nack_returns_entropy, .id = "pds.3.6.16.4.nack-returns-entropy", .requirements = "PDS-112",
         .role = UET_ROLE_TARGET, .port_caps = UET_PORT_ENTROPY, .needs = "rud any-request",
         .purpose = "A NACK returns the entropy value of the packet that it answers.",
         .preamble = "One PDC open, so that a dpdcid not in use is known.",
         .stimulus = "Two Requests with an unknown dpdcid and different entropy values.",
         .expected = "Each NACK has the entropy value of its Request.")
{
    struct uet_pdc *q = pdc_unknown(tc);
    static const uint16_t values[] = {0xc321, 0xe654};
    for (size_t i = 0; i < 2; i++) {
        struct uet_out o = uet_any_request(q);
        o.route.entropy = values[i];
        const struct uet_in *nack = unknown_nacked(tc, &o);
        uet_check_eq(tc, "PDS-112", "entropy of the NACK", uet_entropy(&nack->packet), values[i]);
    }
}

UET_TEST(bad_crc_leaves_nothing, .id = "pds.3.5.10.bad-crc-leaves-nothing",
         .requirements = "PDS-233", .role = UET_ROLE_TARGET, .needs = "rud any-request crc",
         .purpose = "A SYN with a wrong CRC leaves nothing that the next one meets.",
         .preamble = "None.",
         .stimulus =
             "A SYN with a wrong CRC; then a good one of the same spdcid, whose Start_PSN is "
             "far from it.",
         .expected = "No answer to the first; an ACK of the second that counts from its Start_PSN.")
{
    struct uet_pdc *p = uet_pdc_new(tc), *other = uet_pdc_new_at(tc, p->start_psn + 0x23456);
    struct uet_out bad = uet_any_request(p);
    bad.wrong.crc_xor = 0x00010000;
    other->pdcid = p->pdcid;
    p->auto_close = false;
    struct uet_out good = uet_any_request(other);
    say(tc, &bad);
    silence(tc, "PDS-233", ANYTHING_OF(&bad));
    p->pdcid = 0; /* what comes for it belongs to the other one */
    const struct uet_in *ack = ask(tc, "PDS-233", &good);
    if (!uet_guaranteed(tc, other, good.psn))
        field(tc, "PDS-233", ack, UET_F_PDS_CACK_PSN, good.psn);
}
