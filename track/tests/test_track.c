/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tracker says of a correct conversation, and of packets that are not correct at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "track/arena.h"
#include "track/tests/talk.h"
#include "track/track.h"

struct bench {
    struct talk talk;
    struct uet_track_arena arena;
    struct uet_track *track;
};

static void open_bench(struct bench *b, uint8_t vantage)
{
    talk_default(&b->talk);
    talk_write(&b->talk);
    uet_track_arena_init(&b->arena, 0);
    const struct uet_track_config config = {.vantage = vantage,
                                            .allocator = uet_track_arena_allocator(&b->arena)};
    b->track = uet_track_new(&config);
    assert_non_null(b->track);
}

static void close_bench(struct bench *b)
{
    uet_track_free(b->track);
    uet_track_arena_free(&b->arena);
}

static const struct uet_tracked *give(struct bench *b, enum talk_name name)
{
    const struct talk_packet *p = &b->talk.packet[name];
    const struct uet_tracked *t = uet_track_add(b->track, p->frame, p->len, 1000u * (name + 1u));
    assert_non_null(t);
    assert_int_equal(t->packet.error, UET_PARSE_OK);
    return t;
}

/* Feeds the talk up to name, which comes back. */
static const struct uet_tracked *reach(struct bench *b, enum talk_name name)
{
    for (enum talk_name n = 0; n < name; n++)
        give(b, n);
    return give(b, name);
}

/* CPs have a class of their own, and may come before what they ask about. */
static void asked_ahead(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, UET_VANTAGE_TARGET);
    reach(&b, TALK_REQ8 - 1);
    give(&b, TALK_ASK8);
    assert_true(give(&b, TALK_REQ8)->own->ack_requested);
    close_bench(&b);
    open_bench(&b, UET_VANTAGE_TARGET);
    reach(&b, TALK_REQ8 - 1);
    assert_false(give(&b, TALK_REQ8)->own->ack_requested);
    close_bench(&b);
}

static void opens_and_learns_tpdcid(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, UET_VANTAGE_BOTH);
    const struct uet_tracked *t = give(&b, TALK_SYN0);
    assert_true(t->opens && t->forward && t->from_initiator_known && t->new_psn);
    const struct uet_track_pdc *pdc = t->pdc;
    assert_int_equal(pdc->stream, 0);
    assert_int_equal(pdc->ipdcid, 0x1111);
    assert_true(pdc->start_known && pdc->opened_in_sight);
    assert_int_equal(pdc->start_psn, 0xfffffffe);
    assert_false(pdc->established);
    t = give(&b, TALK_SYN1);
    assert_ptr_equal(t->pdc, pdc);
    assert_false(t->opens);
    assert_non_null(t->before);
    assert_int_equal(t->before->psn, 0xfffffffe);
    t = give(&b, TALK_ACK0);
    assert_ptr_equal(t->pdc, pdc);
    assert_false(t->forward);
    assert_int_equal(t->request_frame, 1);
    assert_int_equal(t->request_time_ns, 1000);
    assert_int_equal(pdc->tpdcid, 0x2222);
    assert_true(pdc->established);
    t = give(&b, TALK_REQ2);
    assert_ptr_equal(t->pdc, pdc);
    assert_int_equal(pdc->dir[0].highest_psn, 0); /* 0xfffffffe + 2 */
    assert_int_equal(pdc->dir[0].seen_psn, 0);
    assert_int_equal(pdc->dir[0].acked_psn, 0xfffffffe);
    close_bench(&b);
}

static void numbers_are_those_of_the_capture(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, UET_VANTAGE_BOTH);
    uet_track_skip(b.track, 6);
    assert_int_equal(give(&b, TALK_SYN0)->number, 7);
    give(&b, TALK_SYN1);
    uet_track_skip(b.track, 1);
    const struct uet_tracked *t = give(&b, TALK_ACK0);
    assert_int_equal(t->number, 10);
    assert_int_equal(t->request_frame, 7);
    close_bench(&b);
}

static void message_of_three_packets(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, UET_VANTAGE_BOTH);
    const struct uet_track_message *m = reach(&b, TALK_REQ2)->message;
    assert_non_null(m);
    assert_int_equal(m->message_id, 1);
    assert_int_equal(m->opcode, UET_OP_WRITE);
    assert_int_equal(m->job_id, 0xabcdef);
    assert_int_equal(m->request_length, 3000);
    assert_int_equal(m->bytes_seen, 3000);
    assert_int_equal(m->first_frame, 1);
    assert_int_equal(m->last_frame, 4);
    assert_true(m->som_seen && m->eom_seen);
    assert_int_equal(m->first_header_id, UET_H_SES_REQ_STD_SOM1);
    assert_memory_equal(m->first_header, talk_ses(&b.talk.packet[TALK_SYN0]), 44);
    assert_ptr_equal(give(&b, TALK_ACK2)->message, m);
    assert_ptr_not_equal(give(&b, TALK_REQ3)->message, m);
    close_bench(&b);
}

static void retransmission_and_its_ack(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, UET_VANTAGE_BOTH);
    const struct uet_tracked *t = reach(&b, TALK_ACKCC4);
    assert_int_equal(t->request_frame, TALK_REQ4 + 1);
    assert_int_equal(t->pdc->dir[0].cack_psn, 0);
    assert_true(t->pdc->dir[0].mpr_known);
    assert_int_equal(t->pdc->dir[0].mpr, 8);
    t = give(&b, TALK_REQ3_RETX);
    assert_true(t->duplicate && t->retransmission);
    assert_false(t->new_psn || t->acknowledged_before || t->same_frame);
    assert_int_equal(t->previous_frame, TALK_REQ3 + 1);
    assert_int_equal(t->own->n_copies, 2);
    assert_false(t->own->mixed);
    t = give(&b, TALK_ACK3);
    assert_int_equal(t->request_frame, TALK_REQ3_RETX + 1);
    assert_int_equal(t->request_entropy, 0x4002);
    assert_int_equal(t->request_ecn, UET_ECN_CE);
    assert_int_equal(t->request_ses, UET_H_SES_REQ_STD_SOM1);
    assert_memory_equal(t->request_headers + 12, talk_ses(&b.talk.packet[TALK_REQ3]), 44);
    assert_int_equal(t->pdc->dir[0].acked_psn, 2); /* S+4 */
    close_bench(&b);
}

static void error_waits_for_its_clear(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, UET_VANTAGE_BOTH);
    const struct uet_tracked *t = reach(&b, TALK_ACK5);
    assert_true(t->pdc->dir[0].uncleared_known);
    assert_int_equal(t->pdc->dir[0].uncleared_psn, 3); /* S+5 */
    assert_true(t->message->answered_with_error);
    t = give(&b, TALK_REQ5_RETX);
    assert_true(t->acknowledged_before);
    give(&b, TALK_ACK5_AGAIN);
    t = give(&b, TALK_ASK_CLEAR);
    assert_true(t->loose && !t->forward);
    t = give(&b, TALK_CLEAR5);
    assert_true(t->loose);
    assert_non_null(t->pdc);
    assert_true(t->was.uncleared_known);
    assert_false(t->pdc->dir[0].uncleared_known);
    assert_int_equal(t->pdc->dir[0].clear_psn, 3);
    close_bench(&b);
}

static void close_and_reuse(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, UET_VANTAGE_BOTH);
    const struct uet_tracked *t = reach(&b, TALK_RNOOP0);
    assert_false(t->forward);
    const struct uet_track_pdc *old = t->pdc;
    assert_int_equal(old->dir[1].highest_psn, 0xfffffffe);
    assert_true(give(&b, TALK_RACK0)->forward);
    assert_int_equal(old->dir[1].cack_psn, 0xfffffffe);
    give(&b, TALK_CLOSE_REQUEST);
    give(&b, TALK_RACK1);
    give(&b, TALK_CLOSE);
    assert_true(old->closing && !old->closed);
    give(&b, TALK_CLOSED);
    assert_true(old->closed);
    t = give(&b, TALK_SYN_AGAIN);
    assert_ptr_not_equal(t->pdc, old);
    assert_ptr_equal(t->pdc->previous, old);
    assert_ptr_equal(old->next, t->pdc);
    assert_ptr_equal(uet_track_pdcs(b.track), old);
    assert_int_equal(t->pdc->stream, 1);
    assert_ptr_equal(give(&b, TALK_ACK_AGAIN)->pdc, t->pdc);
    give(&b, TALK_PROBE);
    t = give(&b, TALK_PROBED);
    assert_int_equal(t->request_frame, TALK_PROBE + 1);
    close_bench(&b);
}

static void nacks_find_what_they_answer(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, UET_VANTAGE_BOTH);
    const struct uet_tracked *t = reach(&b, TALK_NACK7);
    assert_int_equal(t->request_frame, TALK_REQ7 + 1);
    assert_int_equal(t->request->nacked_by, t->number);
    for (enum talk_name n = TALK_NACK7 + 1; n < TALK_STRAY; n++)
        give(&b, n);
    t = give(&b, TALK_STRAY);
    assert_null(t->pdc);
    assert_true(t->loose);
    t = give(&b, TALK_STRAY_NACK);
    assert_null(t->pdc);
    assert_int_equal(t->request_frame, TALK_STRAY + 1);
    give(&b, TALK_REFUSED);
    t = give(&b, TALK_REFUSED_NACK);
    assert_true(t->pdc->refused);
    assert_int_equal(t->request_frame, TALK_REFUSED + 1);
    close_bench(&b);
}

static void joins_in_mid_stream(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, UET_VANTAGE_MIDDLE);
    const struct uet_tracked *t = give(&b, TALK_ACK2);
    assert_null(t->pdc); /* who opened? an ACK does not tell */
    t = give(&b, TALK_REQ3);
    assert_non_null(t->pdc);
    assert_true(t->forward && t->from_initiator_known);
    assert_false(t->pdc->opened_in_sight || t->pdc->start_known);
    assert_int_equal(t->pdc->tpdcid, 0x2222);
    assert_true(t->pdc->tpdcid_guessed);
    give(&b, TALK_REQ4);
    t = give(&b, TALK_ACKCC4);
    assert_non_null(t->pdc);
    assert_false(t->pdc->tpdcid_guessed);
    assert_int_equal(t->request_frame, 3);
    close_bench(&b);
}

static void captured_twice(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, UET_VANTAGE_MIDDLE);
    give(&b, TALK_SYN0);
    const struct uet_tracked *t = give(&b, TALK_SYN0);
    assert_true(t->duplicate && t->same_frame);
    assert_false(t->retransmission || t->opens);
    assert_int_equal(t->message->bytes_seen, 1024); /* counted once */
    close_bench(&b);
}

/* In the middle, a PDC may be closed and its PDCIDs taken again, all unseen: PSNs jump far. */
static void reused_unseen(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, UET_VANTAGE_MIDDLE);
    const struct uet_track_pdc *old = reach(&b, TALK_REQ3)->pdc;
    b.talk.start = 0x40000000;
    talk_write(&b.talk);
    const struct uet_tracked *t = give(&b, TALK_REQ4);
    assert_ptr_not_equal(t->pdc, old);
    assert_false(t->pdc->opened_in_sight);
    assert_ptr_equal(give(&b, TALK_ACKCC4)->pdc, uet_track_pdcs(b.track)->next);
    close_bench(&b);
}

/* A wrong spdcid in an answer changes nothing where all is seen. */
static void contradicting_answer(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, UET_VANTAGE_BOTH);
    reach(&b, TALK_REQ2);
    uet_ack_spdcid_set(talk_pds(&b.talk.packet[TALK_ACK2]), 0x4444);
    const struct uet_tracked *t = give(&b, TALK_ACK2);
    assert_true(t->mismatch);
    assert_int_equal(t->pdc->tpdcid, 0x2222);
    assert_int_equal(t->pdc->dir[0].cack_psn, 0xfffffffe);
    close_bench(&b);
}

/* A CACK beyond everything sent acknowledges nothing (PDS-122). */
static void incredible_cack(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, UET_VANTAGE_BOTH);
    reach(&b, TALK_REQ2);
    uet_ack_cack_psn_set(talk_pds(&b.talk.packet[TALK_ACK2]), 100);
    const struct uet_tracked *t = give(&b, TALK_ACK2);
    assert_int_equal(t->pdc->dir[0].cack_psn, 0xfffffffe);
    close_bench(&b);
}

static void ipv6_and_same_pdcid_to_two_targets(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, UET_VANTAGE_BOTH);
    b.talk.initiator = (struct uet_ip){.version = 6, .bytes = {0x20, 1, [15] = 1}};
    b.talk.target = (struct uet_ip){.version = 6, .bytes = {0x20, 1, [15] = 2}};
    talk_write(&b.talk);
    const struct uet_track_pdc *one = give(&b, TALK_SYN0)->pdc;
    b.talk.target.bytes[15] = 3;
    talk_write(&b.talk);
    const struct uet_tracked *t = give(&b, TALK_SYN0);
    assert_true(t->opens); /* PDS-019 */
    assert_ptr_not_equal(t->pdc, one);
    assert_ptr_equal(give(&b, TALK_ACK0)->pdc, t->pdc);
    assert_true(uet_ip_equal(&t->pdc->target_ip, &b.talk.target));
    close_bench(&b);
}

/* An allocator that gives so many blocks and no more. */
struct miser {
    size_t left;
};

static void *miser_alloc(void *ctx, size_t bytes)
{
    struct miser *m = ctx;
    if (!m->left)
        return NULL;
    m->left--;
    return calloc(1, bytes);
}

static void miser_free(void *ctx, void *block)
{
    (void)ctx;
    free(block);
}

static void out_of_memory(void **state)
{
    (void)state;
    struct talk talk;
    talk_default(&talk);
    talk_write(&talk);
    for (size_t blocks = 0; blocks < 9; blocks++) {
        struct miser m = {.left = blocks};
        const struct uet_track_config config = {
            .vantage = UET_VANTAGE_BOTH,
            .allocator = {.ctx = &m, .alloc = miser_alloc, .free = miser_free}};
        struct uet_track *track = uet_track_new(&config);
        assert_int_equal(track != NULL, blocks > 0);
        unsigned done = 0;
        for (int round = 0; track && round < 20; round++) {
            for (enum talk_name n = 0; n < TALK_N; n++)
                done += uet_track_add(track, talk.packet[n].frame, talk.packet[n].len, n) != NULL;
            talk.start += 0x100000;
            talk.start2 += 0x100000;
            talk_write(&talk);
        }
        assert_true(blocks >= 8 || done == 0); /* tracker, pool, six maps */
        assert_true(blocks < 8 || done > 0);
        m.left = 1000; /* memory comes back: the tracker goes on */
        if (track)
            assert_non_null(uet_track_add(track, talk.packet[0].frame, talk.packet[0].len, 0));
        uet_track_free(track);
    }
}

static void arena_limit(void **state)
{
    (void)state;
    struct uet_track_arena arena;
    uet_track_arena_init(&arena, 1000);
    struct uet_track_allocator a = uet_track_arena_allocator(&arena);
    uint8_t *p = a.alloc(a.ctx, 600);
    assert_non_null(p);
    for (int i = 0; i < 600; i++)
        assert_int_equal(p[i], 0);
    assert_null(a.alloc(a.ctx, 600));
    assert_null(a.alloc(a.ctx, SIZE_MAX));
    uet_track_arena_free(&arena);
    assert_non_null(a.alloc(a.ctx, 600));
    uet_track_arena_free(&arena);
}

/* Arbitrary bytes, and packets of the talk with a few bytes altered: no crash, all vantages. */
static void any_frame(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (uint8_t vantage = UET_VANTAGE_MIDDLE; vantage <= UET_VANTAGE_BOTH; vantage++) {
        struct bench b;
        open_bench(&b, vantage);
        for (unsigned i = 0; i < 25000; i++) {
            struct talk_packet p = b.talk.packet[talk_random(&seed) % TALK_N];
            uint64_t r = talk_random(&seed);
            if (r % 8 == 0)
                for (size_t k = 0; k < p.len; k++)
                    p.frame[k] = (uint8_t)talk_random(&seed);
            for (unsigned k = 0; k < r % 5; k++)
                p.frame[34 + talk_random(&seed) % (p.len - 34)] = (uint8_t)talk_random(&seed);
            if (r % 7 == 0)
                p.len = talk_random(&seed) % (p.len + 1);
            assert_non_null(uet_track_add(b.track, p.frame, p.len, i));
        }
        close_bench(&b);
    }
}

/* Growth is bounded by the packets: about the cost of one PSN each. */
static void memory_of_many_packets(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, UET_VANTAGE_BOTH);
    reach(&b, TALK_REQ2);
    size_t before = b.arena.used;
    struct talk_packet *p = &b.talk.packet[TALK_REQ3];
    const unsigned n = 100000;
    for (unsigned i = 0; i < n; i++) {
        uet_rud_rod_req_psn_set(talk_pds(p), 1 + i);
        uet_ses_req_std_message_id_set(talk_ses(p), (uint16_t)(1 + i % 0xffff));
        const struct uet_tracked *t = uet_track_add(b.track, p->frame, p->len, i);
        assert_true(t && t->new_psn);
    }
    assert_true((b.arena.used - before) / n < 768);
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(asked_ahead),
        cmocka_unit_test(opens_and_learns_tpdcid),
        cmocka_unit_test(numbers_are_those_of_the_capture),
        cmocka_unit_test(message_of_three_packets),
        cmocka_unit_test(retransmission_and_its_ack),
        cmocka_unit_test(error_waits_for_its_clear),
        cmocka_unit_test(close_and_reuse),
        cmocka_unit_test(nacks_find_what_they_answer),
        cmocka_unit_test(joins_in_mid_stream),
        cmocka_unit_test(captured_twice),
        cmocka_unit_test(reused_unseen),
        cmocka_unit_test(contradicting_answer),
        cmocka_unit_test(incredible_cack),
        cmocka_unit_test(ipv6_and_same_pdcid_to_two_targets),
        cmocka_unit_test(out_of_memory),
        cmocka_unit_test(arena_limit),
        cmocka_unit_test(any_frame),
        cmocka_unit_test(memory_of_many_packets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
