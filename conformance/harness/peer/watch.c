/* SPDX-License-Identifier: BSD-2-Clause */
/* The tracker and the rules look at every frame, both ways. */
#include "conformance/harness/peer/sealing.h"

#define MAX_VIOLATIONS 8

static void *track_alloc(void *ctx, size_t n)
{
    return uet_arena_alloc(&((struct uet_tc *)ctx)->arena, n);
}

static struct uet_parse_options parse_options(const struct uet_dut *dut)
{
    uint64_t last_hop = uet_dut_dscp(dut, "dscp-trimmed-lasthop");

    return (struct uet_parse_options){.protect = dut->protect,
                                      .lenient = true,
                                      .crc_order = uet_dut_order(dut),
                                      .udp_port = dut->udp_port,
                                      .ip_protocol = dut->ip_protocol,
                                      .dscp_trimmed = uet_dut_dscp(dut, "dscp-trimmed") | last_hop,
                                      .dscp_trimmed_lasthop = last_hop};
}

bool uet_watch_start(struct uet_tc *tc)
{
    const struct uet_session *s = tc->session;
    /* On a memory port nothing is lost unseen; elsewhere the tester is one end of the PDC. */
    uint8_t vantage = uet_tc_virtual_time(tc)                ? UET_VANTAGE_BOTH
                      : tc->test->role == UET_ROLE_INITIATOR ? UET_VANTAGE_TARGET
                                                             : UET_VANTAGE_INITIATOR;
    const struct uet_track_config track = {.vantage = vantage,
                                           .from_start = true,
                                           .dscp_trimmed = parse_options(s->dut).dscp_trimmed,
                                           .allocator = {.ctx = tc, .alloc = track_alloc}};
    const struct uet_rules_config rules = {.vantage = vantage,
                                           .spec = s->spec,
                                           .dscp_control = uet_dut_dscp(s->dut, "dscp-control"),
                                           .sender = s->dut->address,
                                           .window = &tc->window};

    tc->parsed_as = parse_options(s->dut);
    tc->track = uet_track_new(&track);
    tc->rules = tc->track ? uet_rules_new(&rules, &track.allocator) : NULL;
    return tc->rules != NULL;
}

/* What the FEP was asked to break: a Start_PSN that it was told is not at random. */
static bool was_asked(const struct uet_tc *tc, const char *requirement)
{
    return tc->test->role == UET_ROLE_INITIATOR && tc->test->point.place[UET_OVER_PSN] &&
           strcmp(requirement, "PDS-026") == 0;
}

/* All that it sends is wrapped as it is set: the tracker and the rules take either. */
static void judge_wrapping(struct uet_tc *tc, const struct uet_in *in)
{
    const struct uet_packet *p = &in->packet;
    const bool native = tc->session->dut->native;

    if (native && p->udp_offset)
        uet_tc_rule_broken(tc, in, "NET-032", "it came over UDP from a FEP set for native IP");
    else if (!native && p->entropy_offset)
        uet_tc_rule_broken(tc, in, "NET-031", "it came over native IP from a FEP set for UDP");
}

/* The rules' opinion of a packet that the FEP sent. */
void uet_watch_judge(struct uet_tc *tc, const struct uet_in *in, const struct uet_tracked *tracked)
{
    struct uet_violation v[MAX_VIOLATIONS];
    size_t n = uet_rules_check(tc->rules, tracked, v, MAX_VIOLATIONS);

    if (in) {
        judge_wrapping(tc, in);
        uet_watch_asked(tc, in);
    }
    for (size_t i = 0; in && i < n; i++)
        if (was_asked(tc, v[i].requirement))
            continue;
        else if (v[i].reported)
            uet_tc_reported(tc, v[i].requirement, in, v[i].message);
        else
            uet_tc_rule_broken(tc, in, v[i].requirement, v[i].message);
}

/* A PDC that was told to begin elsewhere has numbered its packets anew (3.5.8.2). */
static bool same_numbering(const struct uet_packet *a, const struct uet_packet *b)
{
    return !uet_has_syn(a) || !uet_has_syn(b) || uet_start_psn(a) == uet_start_psn(b);
}

/* The first packet of that PSN that came whole. */
static const struct uet_in *first_of_psn(const struct uet_in *in)
{
    const uint32_t psn = uet_packet_psn(&in->packet);
    const struct uet_in *first = NULL;

    for (const struct uet_in *i = in->before; i; i = i->before)
        if (i->pdc == in->pdc && i->packet.error == UET_PARSE_OK &&
            uet_is_ses_request(&i->packet) && uet_packet_psn(&i->packet) == psn &&
            same_numbering(&i->packet, &in->packet))
            first = i;
    return first;
}

/*
 * The rules compare headers and lengths, and keep no payload. Read data is not compared: the memory
 * may have changed since. Nor is what the source has lost (ie: 3.4.5.4.1).
 */
void uet_watch_resend(struct uet_tc *tc, const struct uet_in *in)
{
    const struct uet_packet *p = &in->packet;
    const struct uet_in *first = uet_is_ses_request(p) ? first_of_psn(in) : NULL;

    if (!first || uet_ses_req_ie(uet_ses(p)) || p->payload_len != first->packet.payload_len)
        return;
    if (memcmp(p->frame + p->payload_offset, first->packet.frame + first->packet.payload_offset,
               p->payload_len) != 0)
        uet_tc_rule_broken(tc, in, "PDS-058", "a PSN came again with other bytes of payload");
}

const struct uet_tracked *uet_watch_track(struct uet_tc *tc, const struct uet_packet *packet,
                                          uint64_t now)
{
    const struct uet_tracked *tracked = uet_track_add_packet(tc->track, packet, now);

    if (!tracked)
        uet_error(tc, "the tester has no memory left for its tracker");
    return tracked;
}

void uet_tc_record_sent(struct uet_tc *tc, const uint8_t *frame, uint32_t len, const uint8_t *clear,
                        struct uet_packet *packet)
{
    const uint8_t *copy;
    uint64_t now = uet_tc_now(tc);
    uint32_t number = uet_record_frame(&tc->record, frame, len, true, now, &copy);

    if (!number)
        uet_error(tc, "the tester has no memory left for its capture");
    tc->session->last_word = false;
    uet_parse(packet, copy, len, &tc->parsed_as);
    tc->record.frames[number - 1].clear = clear;
    if (clear)
        uet_parse_clear(packet, clear, &tc->parsed_as);
    uet_completed_said(tc, packet);
    uet_watch_judge(tc, NULL, uet_watch_track(tc, packet, now));
}
