/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames in: recorded, tracked, judged, answered by the peer, kept for expectations. */
#include <errno.h>
#include <string.h>

#include "conformance/harness/peer/sealing.h"

#define BATCH 32
/* Of one test: few need as many (uet_talk_long); a FEP that floods is stopped. */
#define MAX_FRAMES      20000
#define MAX_FRAMES_LONG 500000

void uet_talk_long(struct uet_tc *tc)
{
    tc->talks_long = true;
}

/* Does this frame belong to the conversation of the FEP and the tester, or whom it has played? */
static bool concerns(const struct uet_tc *tc, const struct uet_packet *p)
{
    if (p->error == UET_PARSE_NOT_UET || !p->ip_offset || p->error <= UET_PARSE_IP_VERSION) {
        if (p->error != UET_PARSE_OK)
            return false;
    }
    struct uet_ip from = uet_src_ip(p), to = uet_dst_ip(p);
    return uet_ip_equal(&from, &tc->session->dut->address) &&
           (uet_peer_is_tester(tc, &to) || uet_ip_equal(&to, &tc->forged));
}

/*
 * A PDCID of an earlier test: what comes for it was under way when that test ended. It says nothing
 * of this one.
 */
static bool is_late(const struct uet_tc *tc, const struct uet_in *in)
{
    const struct uet_packet *p = &in->packet;
    bool names_ours =
        uet_is_ack(p) || uet_is_nack(p) || ((uet_is_request(p) || uet_is_cp(p)) && !uet_has_syn(p));

    return !in->pdc && p->error == UET_PARSE_OK && names_ours && uet_dpdcid(p) &&
           uet_psn_bit(tc->session->used_pdcids, uet_dpdcid(p)) && !uet_peer_had(tc, uet_dpdcid(p));
}

/*
 * The packet as a receiver takes it, which knows no trims and stops at the first thing wrong. Of a
 * sound packet that is what the tracker was given.
 */
static void take_strictly(struct uet_packet *p, const struct uet_packet *seen,
                          struct uet_parse_options options)
{
    *p = *seen;
    if (seen->error == UET_PARSE_OK && seen->trim == UET_TRIM_NO)
        return;
    options.lenient = false;
    options.dscp_trimmed = options.dscp_trimmed_lasthop = 0;
    uet_parse(p, seen->frame, seen->len, &options);
    if (seen->pds) /* opened: its frame is the one in clear */
        uet_parse_clear(p, seen->frame, &options);
}

static void take_in(struct uet_tc *tc, const struct uet_frame *frame)
{
    const struct uet_parse_options options = tc->parsed_as;
    struct uet_packet packet;

    uet_parse(&packet, frame->data, frame->len, &options);
    if (!concerns(tc, &packet)) {
        uet_amid_stray(tc, &packet);
        return;
    }
    tc->last_packet_ns = uet_tc_now(tc);
    tc->session->heard++;
    tc->session->ever_heard = true;
    tc->session->last_word = true;
    const int most = tc->talks_long ? MAX_FRAMES_LONG : MAX_FRAMES;
    if (tc->record.n >= (size_t)most)
        uet_inconc(tc, "more than %d packets in one test: stopped", most);
    struct uet_in *in = uet_tc_alloc(tc, sizeof(*in));
    in->frame = uet_record_frame(&tc->record, frame->data, frame->len, false, frame->time_ns,
                                 &packet.frame);
    if (!in->frame)
        uet_error(tc, "the tester has no memory left for its capture");
    enum uet_tss_status sealing = uet_unseal(tc, &packet, &options);
    if (sealing == UET_TSS_OK)
        tc->record.frames[in->frame - 1].clear = packet.frame;
    take_strictly(&in->packet, &packet, options);
    in->time_ns = frame->time_ns;
    in->pdc = uet_peer_find(tc, &in->packet);
    in->cleared = in->pdc ? in->pdc->clear_told : 0;
    if (is_late(tc, in)) {
        tc->late_request |= uet_is_request(&in->packet);
        uet_record_note(&tc->record, in->frame, "of an earlier test");
        return;
    }
    if (tc->in_last)
        tc->in_last->next = in;
    else
        tc->in_first = in;
    tc->in_last = in;
    in->tolerated = uet_tc_free_nack(in);
    uet_sealing_judge(tc, in, sealing);
    uet_watch_judge(tc, in, uet_watch_track(tc, &packet, frame->time_ns));
    uet_amid_heard(tc, in);
    if (uet_storm_takes(tc, in))
        return;
    uet_peer_take(tc, in);
    uet_limits_take(tc, in);
}

bool uet_tc_pump(struct uet_tc *tc, uint64_t deadline_ns)
{
    struct uet_frame frames[BATCH];
    struct uet_session *s = tc->session;
    uint64_t until = deadline_ns;

    uet_send_held(tc);
    if (s->stop && *s->stop) {
        tc->result->cut = true;
        uet_inconc(tc, "interrupted");
    }
    if (uet_wall_ns() > tc->wall_deadline_ns)
        uet_inconc(tc, "not over after %g s of wall-clock time: stopped", s->ceiling_s);
    if (!uet_tc_virtual_time(tc)) { /* look at the wall clock once a second at least */
        uint64_t soon = uet_tc_now(tc) + 1000 * UET_MS;

        until = until < soon ? until : soon;
    }
    int n = uet_port_receive(s->port, frames, BATCH, until);
    if (n == -EINTR)
        return true;
    if (n < 0) {
        tc->port_broken = true;
        uet_error(tc, "the port is broken: %s", strerror(-n));
    }
    for (int i = 0; i < n; i++)
        take_in(tc, &frames[i]);
    if (n == 0) {
        uet_storm_late(tc);
        uet_amid_late(tc);
    }
    return n > 0 || uet_tc_now(tc) < deadline_ns;
}

void uet_wait(struct uet_tc *tc, uint64_t duration_ns)
{
    uint64_t until = uet_tc_now(tc) + uet_tc_scale(tc, duration_ns);

    while (uet_tc_pump(tc, until))
        ;
}

/*
 * Who tells that all is complete has taken in what the tester had to say of it, and has had his own
 * say before that: a quarter of the time will do.
 */
static uint64_t pause_ns(const struct uet_tc *tc)
{
    const double pause = (uet_completed_all(tc) ? 0.5 : 2) * UET_MS * tc->session->slow;

    return uet_tc_scale(tc, (uint64_t)pause);
}

/* When that has passed since the last packet, whoever sent it; at end_ns at the latest. */
static uint64_t settled_at(const struct uet_tc *tc, uint64_t end_ns)
{
    const uint64_t at = tc->last_packet_ns + pause_ns(tc);

    return at < end_ns ? at : end_ns;
}

void uet_tc_settle(struct uet_tc *tc)
{
    if (uet_tc_virtual_time(tc))
        return;
    uet_send_held(tc);
    const uint64_t end =
        uet_tc_now(tc) + uet_tc_scale(tc, (uint64_t)(2 * UET_MS * tc->session->slow));
    /* At least one look: something may have come that nobody has taken in. */
    while (uet_tc_pump(tc, settled_at(tc, end)) || uet_tc_now(tc) < settled_at(tc, end))
        ;
}
