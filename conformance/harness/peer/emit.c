/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets go out: recorded, told in words, noted on their PDC. */
#include <errno.h>
#include <string.h>

#include "conformance/harness/peer/sealing.h"
#include "wire/inet.h"

/*
 * What the test just said, in words, for the capture and for a failure's message. p is the packet
 * as the tracker reads it: one that is protected otherwise than the FEP expects is read again.
 */
static void tell(struct uet_tc *tc, const struct uet_out *o, struct uet_packet *p)
{
    struct uet_parse_options options = tc->parsed_as;
    struct uet_packet *kept = uet_tc_alloc(tc, sizeof(*kept));

    if (!p->tss && (o->protect != options.protect || o->route.crc_order != options.crc_order)) {
        options.protect = o->protect;
        options.crc_order = o->route.crc_order;
        uet_parse(p, p->frame, p->len, &options);
    }
    *kept = *p;
    if (o->meant)
        uet_record_note(&tc->record, tc->record.n, o->meant);
    uet_record_note_packet(&tc->record, tc->record.n, kept);
    if (tc->in_body && tc->preamble == 0 && !tc->by_itself) {
        tc->sent = kept;
        tc->sent_frame = tc->record.n;
        tc->asked[0] = '\0';
        uet_story_said(tc, o->pdc, kept);
    }
}

/* Nothing about its lengths and checksums is wrong on purpose. */
static bool is_sound(const struct uet_wrong *w)
{
    return !w->ip_length && !w->udp_length && !w->udp_checksum && !w->ip_checksum && !w->crc_xor &&
           !w->cut;
}

/* Does it arrive, for a receiver that takes Requests in order alone? */
static void note_step(struct uet_tc *tc, const struct uet_out *o)
{
    struct uet_pdc *pdc = o->pdc;

    if (!pdc->initiator || o->pds_len < UET_RUD_ROD_REQ_BYTES)
        return;
    bool whole =
        !o->trim_to && !o->fragment && is_sound(&o->wrong) &&
        (uet_out_is(o, UET_PDS_RUD_REQ) || uet_out_is(o, UET_PDS_ROD_REQ) ||
         uet_out_is(o, UET_PDS_CP) || uet_out_is(o, UET_PDS_ACK) || uet_out_is(o, UET_PDS_ACK_CC));
    bool takes_psn = uet_out_is(o, UET_PDS_RUD_REQ) || uet_out_is(o, UET_PDS_ROD_REQ) ||
                     (uet_out_is(o, UET_PDS_CP) && o->psn != 0);
    uint32_t next = pdc->in_step;

    if (o->trim_to && uet_psn_diff(o->psn, next) <= 0) /* what is cut is not taken (3.5.15) */
        return;
    if (takes_psn && o->psn == next)
        pdc->in_step++;
    else if (takes_psn && uet_psn_diff(o->psn, next) > 0)
        tc->out_of_step = true;
    tc->out_of_step |= !whole;
}

/* Nothing about it is cut, or looks as if it were (4.1.4.1), and nothing is wrong on purpose. */
static bool is_whole(const struct uet_tc *tc, const struct uet_out *o)
{
    const struct uet_dut *dut = tc->session->dut;
    const uint64_t trimmed =
        uet_dut_dscp(dut, "dscp-trimmed") | uet_dut_dscp(dut, "dscp-trimmed-lasthop");

    return !o->trim_to && !o->fragment && !o->ip_protocol && is_sound(&o->wrong) &&
           (trimmed >> o->route.dscp & 1) == 0;
}

/* From the PDC's peer, and protected as all is on that PDC. */
static bool is_authentic(const struct uet_tc *tc, const struct uet_out *o)
{
    const struct uet_dut *dut = tc->session->dut;

    if (!uet_ip_equal(&o->route.src, &o->pdc->self))
        return false;
    if (uet_goes_sealed(o))
        return o->tss.domain == o->pdc->domain && !uet_is_spoilt(&o->tss);
    return !o->pdc->domain && o->protect == dut->protect &&
           o->route.crc_order == uet_dut_order(dut);
}

/*
 * Does a NACK or Control Packet count for the FEP's PDC? That lives on behind one that does not.
 * Both have their PDCIDs in the same place (3.5.10.8, 3.5.10.10).
 */
static bool counts(const struct uet_tc *tc, const struct uet_out *o)
{
    const bool syn = uet_out_is(o, UET_PDS_CP) && uet_cp_syn(o->pds);
    const uint16_t due = uet_out_is(o, UET_PDS_NACK)
                             ? uet_peer_nack_spdcid(o->pdc, uet_nack_nack_code(o->pds))
                             : o->pdc->pdcid;

    return is_whole(tc, o) && is_authentic(tc, o) && uet_cp_spdcid(o->pds) == due &&
           (syn || uet_cp_dpdcid(o->pds) == o->pdc->fep_pdcid);
}

/* What a packet does to its PDC on our side. */
static void note_sent(struct uet_tc *tc, const struct uet_out *o)
{
    struct uet_pdc *pdc = o->pdc;

    if (!pdc)
        return;
    note_step(tc, o);
    if (uet_out_is(o, UET_PDS_CP) && o->pds_len >= UET_CP_BYTES &&
        uet_cp_ctl_type(o->pds) == UET_CTL_CLOSE_COMMAND && pdc->initiator && counts(tc, o)) {
        pdc->closing = true;
        pdc->close_psn = uet_cp_psn(o->pds);
    }
    if (uet_out_is(o, UET_PDS_NACK) && o->pds_len >= UET_NACK_BYTES &&
        uet_nack_table[uet_nack_nack_code(o->pds)].nack_class == UET_CLASS_PDC_FATAL &&
        counts(tc, o))
        pdc->auto_close = false; /* the FEP has no such PDC any more */
    uet_peer_told_generation(tc, o);
    uet_peer_sent(tc, o);
}

/* Of a packet of its own: a host that puts fragments together (RFC 791) finds no other of it. */
static void make_fragment(uint8_t *ip, uint16_t flags_and_offset, uint16_t packet)
{
    uet_ipv4_identification_set(ip, packet);
    uet_wr16(ip + 6, flags_and_offset);
    uet_ipv4_header_checksum_set(ip, 0);
    uet_ipv4_header_checksum_set(ip, uet_ipv4_checksum(ip, (size_t)uet_ipv4_ihl(ip) * 4));
}

/* The header says that it carries something else. */
static void make_protocol(uint8_t *ip, uint8_t version, uint8_t protocol)
{
    if (version == 6) {
        uet_ipv6_next_header_set(ip, protocol);
        return;
    }
    uet_ipv4_protocol_set(ip, protocol);
    uet_ipv4_header_checksum_set(ip, 0);
    uet_ipv4_header_checksum_set(ip, uet_ipv4_checksum(ip, (size_t)uet_ipv4_ihl(ip) * 4));
}

/* What the network does to it, or who does not keep to the rules of IP. Its length then. */
static int on_its_way(struct uet_tc *tc, const struct uet_out *o, const struct uet_build *b,
                      int len, size_t header)
{
    uint8_t *ip = b->frame + b->ip_offset;

    if (o->fragment && o->route.dst.version == 4)
        make_fragment(ip, o->fragment, ++tc->session->fragments);
    if (o->ip_protocol)
        make_protocol(ip, o->route.dst.version, o->ip_protocol);
    if (o->trim_to)
        len = uet_trim(b->frame, (size_t)len, o->trim_to + header, o->route.dscp);
    if (len < 0)
        uet_error(tc, "a packet cannot be trimmed to %u bytes", o->trim_to);
    if (o->trim_to && o->wrong.ip_checksum &&
        o->route.dst.version == 4) /* a trim makes a right one */
        uet_ipv4_header_checksum_set(
            ip, uet_wrong_ip_checksum(&o->wrong, uet_ipv4_header_checksum(ip)));
    if (o->pad && (size_t)len + o->pad <= b->cap) {
        memset(b->frame + len, 0xa5, o->pad);
        len += o->pad;
    }
    return len;
}

/* The frame in b, sealed where its PDC is; *clear becomes the same in clear. Returns its length. */
static int build(struct uet_tc *tc, const struct uet_out *o, struct uet_build *b,
                 struct uet_clear *clear)
{
    const bool sealed = uet_goes_sealed(o);
    struct uet_wrong wrong = o->wrong;
    size_t more = 0;

    *clear = (struct uet_clear){0};
    if (sealed)
        more = uet_seal_begin(tc, b, o);
    memcpy(uet_build_header(b, o->pds_len), o->pds, o->pds_len);
    memcpy(uet_build_header(b, o->ses_len), o->ses, o->ses_len);
    uet_build_payload(b, o->payload, o->payload_len);
    /* A test that makes a length wrong knows the packet in clear. */
    wrong.ip_length_value = (uint16_t)(wrong.ip_length_value + more);
    wrong.udp_length_value = (uint16_t)(wrong.udp_length_value + more);
    int len = uet_build_finish(b, (enum uet_protect)o->protect, &wrong);
    if (len < 0)
        uet_error(tc, "the tester cannot build a packet of %u payload bytes", o->payload_len);
    if (sealed)
        *clear = uet_seal_finish(tc, b, o, (size_t)len);
    len = on_its_way(tc, o, b, len, sealed ? more - UET_TSS_TRAILER_BYTES : 0);
    uet_clear_follow(clear, b->frame, (size_t)len);
    return len;
}

/* To the port. */
static void put(struct uet_tc *tc, uint8_t *data, uint32_t len)
{
    struct uet_frame frame = {.data = data, .len = len};
    int n = uet_port_send(tc->session->port, &frame, 1);

    tc->unsettled = true;
    tc->last_packet_ns = uet_tc_now(tc);
    if (n < 0 && n != -EMSGSIZE)
        tc->port_broken = true;
    if (n != 1)
        uet_error(tc, "the port did not take a packet of %u bytes: %s", len,
                  n < 0 ? strerror(-n) : "it is full");
}

/* The code point of its class, where it was told and the test has not chosen another (3.6.4.7). */
static struct uet_route in_its_class(const struct uet_tc *tc, const struct uet_out *o)
{
    struct uet_route route = o->route;
    const uint8_t type = o->pds_len >= 2 ? uet_pds_prologue_type(o->pds) : UET_PDS_TSS;
    const char *name = NULL;
    uint64_t dscp;

    if (type == UET_PDS_RUD_REQ || type == UET_PDS_ROD_REQ)
        name = "dscp-trimmable";
    else if (type == UET_PDS_ACK || type == UET_PDS_ACK_CC || type == UET_PDS_NACK ||
             type == UET_PDS_CP)
        name = "dscp-control";
    if (name && !route.dscp && !o->trim_to && uet_dut_param(tc->session->dut, name, &dscp))
        route.dscp = (uint8_t)dscp;
    return route;
}

void uet_emit(struct uet_tc *tc, const struct uet_out *o)
{
    uint8_t buffer[UET_FRAME_MAX];
    struct uet_build b;
    struct uet_clear clear;
    struct uet_packet sent;

    uet_limits_send(tc, o);
    const struct uet_route route = in_its_class(tc, o);
    uet_build_start(&b, buffer, sizeof(buffer), &route);
    int len = build(tc, o, &b, &clear);
    uet_tc_record_sent(tc, buffer, (uint32_t)len, clear.frame, &sent);
    if (!uet_peer_is_tester(tc, &o->route.src))
        tc->forged = o->route.src;
    tell(tc, o, &sent);
    note_sent(tc, o);
    put(tc, buffer, (uint32_t)len);
}

void uet_emit_copy(struct uet_tc *tc, const struct uet_out *o)
{
    uint8_t buffer[UET_FRAME_MAX];
    struct uet_packet sent;
    const uint32_t len = (uint32_t)uet_frame_of(tc, o, buffer, sizeof(buffer));

    uet_tc_record_sent(tc, buffer, len, NULL, &sent);
    uet_record_note(&tc->record, tc->record.n, "a copy of the network's");
    if (uet_out_is_request(o))
        uet_peer_sent(tc, o);
    put(tc, buffer, len);
}

size_t uet_frame_of(struct uet_tc *tc, const struct uet_out *o, uint8_t *frame, size_t cap)
{
    struct uet_build b;
    struct uet_clear clear;

    const struct uet_route route = in_its_class(tc, o);
    uet_build_start(&b, frame, cap, &route);
    return (size_t)build(tc, o, &b, &clear);
}

void uet_replay_now(struct uet_tc *tc, uint32_t number)
{
    const struct uet_out as_it_was = {.meant = "replayed"};
    struct uet_packet sent;
    uint8_t buffer[UET_FRAME_MAX];

    if (number == 0 || number > tc->record.n)
        uet_error(tc, "there is no packet %u to replay", number);
    const struct uet_record_frame frame = tc->record.frames[number - 1]; /* they move */
    memcpy(buffer, frame.data, frame.len);
    uet_tc_record_sent(tc, buffer, frame.len, frame.clear, &sent);
    tell(tc, &as_it_was, &sent);
    put(tc, buffer, frame.len);
}

static void swap_bytes(uint8_t *a, uint8_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const uint8_t was = a[i];

        a[i] = b[i];
        b[i] = was;
    }
}

void uet_reflect_now(struct uet_tc *tc, const struct uet_in *in)
{
    const struct uet_out reflected = {.meant = "reflected"};
    const struct uet_packet *p = &in->packet;
    const size_t address = p->ip_version == 6 ? 16 : 4;
    struct uet_packet sent;
    uint8_t buffer[UET_FRAME_MAX], *ip = buffer + p->ip_offset;
    const struct uet_record_frame frame = tc->record.frames[in->frame - 1];

    memcpy(buffer, frame.data, frame.len);
    swap_bytes(buffer, buffer + 6, 6); /* of Ethernet */
    ip += p->ip_version == 6 ? 8 : 12;
    swap_bytes(ip, ip + address, address); /* which no checksum of IP or UDP tells */
    uet_tc_record_sent(tc, buffer, frame.len, NULL, &sent);
    tell(tc, &reflected, &sent);
    put(tc, buffer, frame.len);
}
