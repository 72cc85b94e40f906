/* SPDX-License-Identifier: BSD-2-Clause */
/* ROD, RUDI, UUD, reads, trimmed packets, and why packets are sent again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "track/arena.h"
#include "track/tests/talk.h"

#define US 1000u

struct bench {
    struct uet_track_arena arena;
    struct uet_track *track;
    struct talk talk;
    uint32_t number;
};

static void open_bench(struct bench *b, uint8_t vantage)
{
    memset(b, 0, sizeof *b);
    uet_track_arena_init(&b->arena, 0);
    const struct uet_track_config config = {
        .vantage = vantage,
        .from_start = true,
        .dscp_trimmed = UINT64_C(1) << TALK_DSCP_TRIMMED | UINT64_C(1) << TALK_DSCP_LASTHOP,
        .dscp_trimmed_lasthop = UINT64_C(1) << TALK_DSCP_LASTHOP,
        .allocator = uet_track_arena_allocator(&b->arena)};
    b->track = uet_track_new(&config);
    assert_non_null(b->track);
    talk_default(&b->talk);
    talk_write(&b->talk);
}

static void close_bench(struct bench *b)
{
    uet_track_free(b->track);
    uet_track_arena_free(&b->arena);
}

static const struct uet_tracked *give(struct bench *b, enum talk_name name)
{
    struct talk_packet *p = &b->talk.packet[name];
    talk_mend(p);
    const struct uet_tracked *t =
        uet_track_add(b->track, p->frame, p->len, (uint64_t)++b->number * US);
    assert_non_null(t);
    return t;
}

/* From one packet to another; what is known of the last. */
static const struct uet_tracked *reach(struct bench *b, enum talk_name from, enum talk_name to)
{
    const struct uet_tracked *t = NULL;
    for (enum talk_name n = from; n <= to; n++)
        t = give(b, n);
    return t;
}

static void rod_goes_back(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, UET_VANTAGE_BOTH);
    const struct uet_tracked *t = reach(&b, TALK_ROD_SYN0, TALK_ROD_OOO2);
    assert_true(t->pdc->rod);
    assert_int_equal(t->request_frame, 4);
    const struct uet_track_dir *dir = &t->pdc->dir[0];
    assert_true(dir->gap_known && dir->refused_known);
    assert_int_equal(dir->gap_psn, t->pdc->start_psn + 1);
    assert_int_equal(dir->gap_by, 5);
    assert_int_equal(dir->refused_psn, t->pdc->start_psn + 2);
    assert_int_equal(dir->refused_code, UET_NACK_ROD_OOO);
    t = give(&b, TALK_ROD_REQ1_RETX);
    assert_int_equal(t->resent, UET_RESENT_GO_BACK);
    assert_int_equal(t->previous_frame, 3);
    assert_int_equal(t->since_ns, 3 * US);
    t = give(&b, TALK_ROD_REQ2_RETX);
    assert_int_equal(t->resent, UET_RESENT_GO_BACK);
    assert_false(t->pdc->dir[0].refused_known);
    assert_int_equal(t->pdc->resent[UET_RESENT_GO_BACK], 2);
    assert_int_equal(uet_track_totals(b.track)->resent[UET_RESENT_GO_BACK], 2);
    close_bench(&b);
}

static void reads_and_their_data(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, UET_VANTAGE_BOTH);
    const struct uet_tracked *t = reach(&b, TALK_ROD_SYN0, TALK_ROD_READ3);
    const struct uet_track_message *small = t->message;
    assert_int_equal(t->pdc->n_reads_open, 1);
    const struct uet_track_message *large = give(&b, TALK_ROD_READ4)->message;
    t = give(&b, TALK_ROD_ACK3);
    assert_ptr_equal(t->read, small);
    assert_true(small->data_in_ack && !small->data_in_request);
    assert_int_equal(small->data_bytes, 8);
    assert_int_equal(t->pdc->n_reads_open, 1);
    assert_int_equal(give(&b, TALK_ROD_ACK3)->pdc->n_reads_open, 1); /* once is enough */
    assert_int_equal(small->data_bytes, 8);
    give(&b, TALK_ROD_CLEAR3);
    give(&b, TALK_ROD_ACK5);
    t = give(&b, TALK_ROD_DATA0);
    assert_false(t->forward);
    assert_ptr_equal(t->read, large);
    assert_int_equal(large->data_bytes, 1024);
    assert_true(t->pdc->dir[1].read_known);
    assert_int_equal(t->pdc->dir[1].read_psn, large->som_psn);
    t = give(&b, TALK_ROD_DATA1);
    assert_int_equal(large->data_bytes, 2048);
    assert_int_equal(t->pdc->n_reads_open, 0);
    t = reach(&b, TALK_ROD_RACK1, TALK_ROD_CLOSED);
    assert_true(t->pdc->closed);
    assert_int_equal(uet_track_totals(b.track)->pdcs_broken, 1);
    close_bench(&b);
}

/* A READ of three Requests: each data packet finds the Request that asked for it. */
static void data_finds_its_request(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, UET_VANTAGE_BOTH);
    const struct uet_track_psn *asked[3] = {give(&b, TALK_READ_SYN0)->own};
    give(&b, TALK_READ_ACK0);
    asked[1] = give(&b, TALK_READ_REQ1)->own;
    asked[2] = give(&b, TALK_READ_REQ2)->own;
    assert_int_equal(asked[0]->message->read_part, 1024);
    give(&b, TALK_READ_ACK2);
    const uint32_t so_far[3] = {1024, 2048, 2560};
    for (enum talk_name n = 0; n < 3; n++) {
        const struct uet_tracked *t = give(&b, TALK_READ_DATA0 + n);
        assert_int_equal(t->number, 6 + n);
        assert_ptr_equal(t->asked, asked[n]);
        assert_int_equal(asked[n]->data_by, 6 + n);
        assert_ptr_equal(t->read, asked[0]->message);
        assert_int_equal(t->read_bytes, so_far[n]);
    }
    assert_int_equal(asked[0]->pdc->n_reads_open, 0);
    give(&b, TALK_READ_RACK2);
    const struct uet_tracked *t = give(&b, TALK_READ_DATA1_RETX); /* counts once */
    assert_int_equal(t->resent, UET_RESENT_GAP);
    assert_ptr_equal(t->asked, asked[1]);
    assert_int_equal(t->read_bytes, 2560);
    assert_int_equal(asked[1]->data_by, 7);
    close_bench(&b);
}

static const struct uet_tracked *give_psn(struct bench *b, enum talk_name name, uint32_t psn)
{
    uet_rud_rod_req_psn_set(talk_pds(&b->talk.packet[name]), psn);
    return give(b, name);
}

/* A NOOP that takes a PSN between the Requests of a READ; one of them may not have been seen. */
static void data_beside_a_noop(void **state)
{
    (void)state;
    for (int seen = 0; seen < 2; seen++) {
        struct bench b;
        open_bench(&b, UET_VANTAGE_MIDDLE);
        const struct uet_track_psn *asked[3] = {give(&b, TALK_READ_SYN0)->own};
        uint32_t start = asked[0]->psn;
        give(&b, TALK_READ_ACK0);
        uet_cp_ctl_type_set(talk_pds(&b.talk.packet[TALK_READ_CLOSE]), UET_CTL_NOOP);
        give_psn(&b, TALK_READ_CLOSE, start + 1);
        if (seen)
            asked[1] = give_psn(&b, TALK_READ_REQ1, start + 2)->own;
        asked[2] = give_psn(&b, TALK_READ_REQ2, start + 3)->own;
        for (enum talk_name n = 0; n < 3; n++)
            assert_ptr_equal(give(&b, TALK_READ_DATA0 + n)->asked, asked[n]);
        close_bench(&b);
    }
}

static void short_reads_and_cut_data(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, UET_VANTAGE_BOTH);
    const struct uet_tracked *t = reach(&b, TALK_READ_SYN0, TALK_READ_SMALL3);
    const struct uet_track_psn *small = t->own;
    t = give(&b, TALK_READ_ACK3);
    assert_ptr_equal(t->asked, small);
    assert_int_equal(t->read_bytes, 8);
    assert_true(t->pdc->dir[0].uncleared_known); /* guaranteed (3.5.12.1) */
    t = reach(&b, TALK_READ_ASK3, TALK_READ_CLEAR3);
    assert_false(t->pdc->dir[0].uncleared_known);
    assert_int_equal(reach(&b, TALK_READ_BAD4, TALK_READ_ACK4)->pdc->n_reads_open, 0);
    t = reach(&b, TALK_READ_CLEAR4, TALK_READ_DATA5);
    assert_null(t->asked); /* nothing is received of it */
    assert_int_equal(t->pdc->n_reads_open, 1);
    give(&b, TALK_READ_RNACK5);
    t = give(&b, TALK_READ_DATA5_RETX);
    assert_int_equal(t->resent, UET_RESENT_TRIMMED);
    assert_int_equal(t->asked->psn, small->psn + 2);
    assert_int_equal(t->read_bytes, 600);
    assert_int_equal(t->pdc->n_reads_open, 0);
    close_bench(&b);
}

static void read_without_pdc(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, UET_VANTAGE_MIDDLE);
    const struct uet_track_psn *asked = give(&b, TALK_RUDI_READ4)->own;
    assert_ptr_equal(give(&b, TALK_RUDI_DATA4)->asked, asked);
    assert_int_equal(asked->data_by, 2);
    close_bench(&b);
}

static void message_id_again(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, UET_VANTAGE_INITIATOR);
    assert_int_equal(give(&b, TALK_SYN0)->id_taken_by, 0);
    uet_ses_req_som_set(talk_ses(&b.talk.packet[TALK_SYN1]), true); /* its first is not done */
    assert_int_equal(give(&b, TALK_SYN1)->id_taken_by, 1);
    close_bench(&b);
}

/* What lies farther ahead than any window ends the run, with and without one. */
static void run_ends_far_ahead(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, UET_VANTAGE_BOTH);
    assert_true(reach(&b, TALK_SYN0, TALK_ACK0)->pdc->dir[0].runs_known);
    uint8_t *h = talk_pds(&b.talk.packet[TALK_REQ2]);
    uet_rud_rod_req_psn_set(h, uet_rud_rod_req_psn(h) + UET_TRACK_WINDOW_MIN - 2);
    assert_true(give(&b, TALK_REQ2)->pdc->dir[0].runs_known);
    uet_rud_rod_req_psn_set(h, uet_rud_rod_req_psn(h) + 3);
    assert_false(give(&b, TALK_REQ2)->pdc->dir[0].runs_known);
    close_bench(&b);
}

static void rudi_by_pkt_id(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, UET_VANTAGE_MIDDLE);
    const struct uet_tracked *t = give(&b, TALK_RUDI_REQ1);
    assert_true(t->is_rudi && t->own && !t->pdc);
    uint32_t id = t->pkt_id;
    t = give(&b, TALK_RUDI_RESP1);
    assert_int_equal(t->pkt_id, id);
    assert_int_equal(t->request_frame, 1);
    assert_int_equal(t->request_time_ns, US);
    give(&b, TALK_RUDI_REQ2);
    t = give(&b, TALK_RUDI_REQ2_RETX);
    assert_true(t->duplicate && t->retransmission);
    assert_int_equal(t->previous_frame, 3);
    assert_int_equal(t->resent, UET_RESENT_SILENCE);
    t = give(&b, TALK_RUDI_RESP2);
    assert_int_equal(t->request_frame, 4);
    give(&b, TALK_RUDI_REQ3);
    t = give(&b, TALK_RUDI_NACK3);
    assert_int_equal(t->request->nack_code, UET_NACK_NO_PKT_BUFFER);
    t = give(&b, TALK_RUDI_REQ3_RETX);
    assert_int_equal(t->resent, UET_RESENT_NACK);
    give(&b, TALK_RUDI_RESP3);
    t = give(&b, TALK_RUDI_REQ3_RETX);
    assert_int_equal(t->resent, UET_RESENT_NEEDLESS);
    const struct uet_track_totals *n = uet_track_totals(b.track);
    assert_int_equal(n->rudi_requests, 6);
    assert_int_equal(n->rudi_resent, 3);
    assert_int_equal(n->rudi_responses, 3);
    assert_int_equal(n->rudi_nacks, 1);
    assert_null(uet_track_pdcs(b.track));
    close_bench(&b);
}

/* A pkt_id may be used again once it was answered; before, it is in use. */
static void pkt_id_again(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, UET_VANTAGE_BOTH);
    uint32_t id = uet_rudi_pkt_id(talk_pds(&b.talk.packet[TALK_RUDI_REQ1]));
    uet_rudi_pkt_id_set(talk_pds(&b.talk.packet[TALK_RUDI_REQ2]), id);
    uet_rudi_pkt_id_set(talk_pds(&b.talk.packet[TALK_RUDI_REQ3]), id);
    give(&b, TALK_RUDI_REQ1);
    give(&b, TALK_RUDI_RESP1);
    const struct uet_tracked *t = give(&b, TALK_RUDI_REQ2);
    assert_false(t->pkt_id_in_use || t->duplicate);
    t = give(&b, TALK_RUDI_REQ3);
    assert_true(t->pkt_id_in_use);
    assert_int_equal(t->previous_frame, 3);
    close_bench(&b);
}

static void uud_leaves_no_state(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, UET_VANTAGE_BOTH);
    give(&b, TALK_UUD);
    size_t used = b.arena.used;
    for (int i = 0; i < 10000; i++)
        assert_null(give(&b, TALK_UUD)->own);
    assert_int_equal(b.arena.used, used);
    assert_int_equal(uet_track_totals(b.track)->uud, 10001);
    close_bench(&b);
}

static void trimmed_and_whole(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, UET_VANTAGE_TARGET);
    const struct uet_tracked *t = reach(&b, TALK_TRIM_SYN0, TALK_TRIM_REQ1);
    assert_int_equal(t->packet.trim, UET_TRIM_TRIMMED);
    assert_true(t->own->trimmed_seen && !t->own->whole_seen);
    assert_null(t->message);
    assert_int_equal(t->pdc->dir[0].seen_psn, t->pdc->start_psn);
    assert_int_equal(t->pdc->n_trimmed, 1);
    t = give(&b, TALK_TRIM_NACK1);
    assert_int_equal(t->request_frame, 3);
    t = give(&b, TALK_TRIM_REQ1_RETX);
    assert_int_equal(t->resent, UET_RESENT_TRIMMED);
    assert_true(t->own->whole_seen && !t->own->mixed);
    assert_int_equal(t->own->payload_len, 1000);
    assert_int_equal(t->message->bytes_seen, 1000);
    assert_int_equal(t->pdc->dir[0].seen_psn, t->pdc->start_psn + 1);
    t = reach(&b, TALK_TRIM_ACK1, TALK_CCX2);
    assert_int_equal(t->request_frame, 7);
    assert_true(t->pdc->dir[0].mpr_known);
    assert_int_equal(uet_track_totals(b.track)->trimmed, 1);
    close_bench(&b);
}

/* Where its DSCP is not known, the UDP length tells. */
static void trimmed_by_length(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, UET_VANTAGE_TARGET);
    uet_ipv4_dscp_set(b.talk.packet[TALK_TRIM_REQ1].frame + UET_ETH_BYTES, 0);
    const struct uet_tracked *t = reach(&b, TALK_TRIM_SYN0, TALK_TRIM_REQ1);
    assert_int_equal(t->packet.trim, UET_TRIM_BY_LENGTH);
    assert_true(t->own->trimmed_seen);
    close_bench(&b);
}

static void gap_timeout_and_needless(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, UET_VANTAGE_INITIATOR);
    const struct uet_tracked *t = reach(&b, TALK_SYN0, TALK_REQ3_RETX);
    assert_int_equal(t->resent, UET_RESENT_GAP); /* SACK told S+4 */
    t = reach(&b, TALK_ACK3, TALK_REQ5_RETX);
    assert_int_equal(t->resent, UET_RESENT_NEEDLESS); /* ACK5 was in the capture */
    close_bench(&b);
    open_bench(&b, UET_VANTAGE_INITIATOR);
    reach(&b, TALK_SYN0, TALK_REQ3);
    t = give(&b, TALK_REQ3_RETX);
    assert_int_equal(t->resent, UET_RESENT_SILENCE);
    t = give(&b, TALK_REQ5_RETX);
    assert_int_equal(t->resent, UET_RESENT_UNSEEN);
    for (int i = 0; i < UET_RESENT_CAUSES; i++)
        assert_true(strlen(uet_resent_name((enum uet_resent)i)) > 5);
    close_bench(&b);
}

/* What the caller has parsed: cut by the capture behind the PDS header. */
static void parsed_by_the_caller(void **state)
{
    (void)state;
    struct bench b;
    struct uet_packet p;
    open_bench(&b, UET_VANTAGE_MIDDLE);
    const struct talk_packet *syn = &b.talk.packet[TALK_SYN0];
    uet_parse(&p, syn->frame, syn->len, NULL);
    struct uet_packet cut = uet_packet_below(&p);
    uet_parse_transport(&cut, p.pds_offset, p.ip_end, p.pds_offset + 14u, NULL);
    assert_int_equal(cut.partial, UET_H_SES_REQ_STD_SOM1);
    const struct uet_tracked *t = uet_track_add_packet(b.track, &cut, 0);
    assert_true(t->opens);
    assert_null(t->message);
    cut.pds = UET_H_NONE; /* not even that */
    t = uet_track_add_packet(b.track, &cut, 0);
    assert_null(t->pdc);
    assert_int_equal(t->number, 2);
    assert_int_equal(uet_track_totals(b.track)->uet, 2);
    close_bench(&b);
}

/*
 * A reader that knows IP and UDP by itself gives their values, and UET's bytes alone: the packet
 * is tracked like the whole frame.
 */
static void values_and_no_frame(void **state)
{
    (void)state;
    struct bench whole, alone;
    uint8_t uet[1280];
    open_bench(&whole, UET_VANTAGE_BOTH);
    open_bench(&alone, UET_VANTAGE_BOTH);
    for (size_t i = 0; i < TALK_N; i++) {
        const struct talk_packet *f = &whole.talk.packet[i];
        const struct uet_tracked *t = uet_track_add(whole.track, f->frame, f->len, i);
        const struct uet_packet *w = &t->packet;
        size_t n = w->ip_end - (size_t)w->udp_offset - UET_UDP_BYTES;
        memcpy(uet, f->frame + w->udp_offset + UET_UDP_BYTES, n);
        struct uet_packet p = {.frame = uet,
                               .len = (uint32_t)n,
                               .ip_version = 4,
                               .traffic_class = f->frame[15],
                               .src = {192, 0, 2, talk_from_initiator((enum talk_name)i) ? 1 : 2},
                               .dst = {192, 0, 2, talk_from_initiator((enum talk_name)i) ? 2 : 1},
                               .entropy = uet_udp_src_port(f->frame + w->udp_offset)};
        uet_parse_transport(&p, 0, n, n, NULL);
        const struct uet_tracked *a = uet_track_add_packet(alone.track, &p, i);
        assert_int_equal(!a->pdc, !t->pdc);
        if (a->pdc && t->pdc) {
            assert_int_equal(a->pdc->stream, t->pdc->stream);
            assert_true(uet_ip_equal(&a->pdc->target_ip, &t->pdc->target_ip));
        }
        assert_int_equal(a->forward, t->forward);
        assert_int_equal(a->duplicate, t->duplicate);
        assert_int_equal(a->request_frame, t->request_frame);
        assert_int_equal(a->resent, t->resent);
        assert_int_equal(!a->own, !t->own);
        if (a->own)
            assert_int_equal(a->own->last.entropy, p.entropy);
    }
    close_bench(&whole);
    close_bench(&alone);
}

/* With a window a long conversation takes no more memory than a short one. */
static void window(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, UET_VANTAGE_BOTH);
    const struct uet_track_config config = {.vantage = UET_VANTAGE_BOTH,
                                            .window = 1, /* the smallest one is taken */
                                            .allocator = uet_track_arena_allocator(&b.arena)};
    b.track = uet_track_new(&config);
    reach(&b, TALK_SYN0, TALK_ACK2);
    const struct uet_track_pdc *pdc = uet_track_pdcs(b.track);
    struct talk_packet request = b.talk.packet[TALK_REQ3], ack = b.talk.packet[TALK_ACK3];
    struct talk_packet rudi = b.talk.packet[TALK_RUDI_REQ1];
    uint32_t first = uet_rud_rod_req_psn(talk_pds(&request));
    size_t used = 0;
    for (uint32_t i = 0; i < UET_TRACK_WINDOW_MIN + 40000; i++) {
        if (i == UET_TRACK_WINDOW_MIN + 1000)
            used = b.arena.used;
        uet_rud_rod_req_psn_set(talk_pds(&request), first + i);
        uet_ses_req_std_message_id_set(talk_ses(&request), (uint16_t)(1 + i % 5000));
        const struct uet_tracked *t = uet_track_add(b.track, request.frame, request.len, i);
        assert_true(t && t->new_psn && !t->duplicate && t->message->bytes_seen == 100);
        uet_ack_cack_psn_set(talk_pds(&ack), first + i);
        uet_ack_ack_psn_offset_set(talk_pds(&ack), 0);
        t = uet_track_add(b.track, ack.frame, ack.len, i);
        assert_true(t && t->request && t->request->psn == first + i);
        uet_rudi_pkt_id_set(talk_pds(&rudi), i);
        assert_false(uet_track_add(b.track, rudi.frame, rudi.len, i)->duplicate);
    }
    assert_true(used && b.arena.used < used + used / 8);
    assert_true(pdc->dir[0].runs_known);
    assert_int_equal(pdc->dir[0].acked_psn, pdc->dir[0].highest_psn);
    uint32_t last = pdc->dir[0].highest_psn;
    assert_non_null(uet_track_find_psn(b.track, pdc, true, last - UET_TRACK_WINDOW_MIN + 1));
    assert_null(uet_track_find_psn(b.track, pdc, true, last - UET_TRACK_WINDOW_MIN - 1));
    assert_null(uet_track_find_psn(b.track, pdc, true, first));
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rod_goes_back),
        cmocka_unit_test(reads_and_their_data),
        cmocka_unit_test(data_finds_its_request),
        cmocka_unit_test(data_beside_a_noop),
        cmocka_unit_test(short_reads_and_cut_data),
        cmocka_unit_test(read_without_pdc),
        cmocka_unit_test(message_id_again),
        cmocka_unit_test(run_ends_far_ahead),
        cmocka_unit_test(rudi_by_pkt_id),
        cmocka_unit_test(pkt_id_again),
        cmocka_unit_test(uud_leaves_no_state),
        cmocka_unit_test(trimmed_and_whole),
        cmocka_unit_test(trimmed_by_length),
        cmocka_unit_test(gap_timeout_and_needless),
        cmocka_unit_test(parsed_by_the_caller),
        cmocka_unit_test(values_and_no_frame),
        cmocka_unit_test(window),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
