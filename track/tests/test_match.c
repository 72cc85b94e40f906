/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * To which incarnation of its PDCIDs a packet belongs, and for which reason (3.5.8.1, 3.5.8.2): a
 * scenario for each reason.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "track/arena.h"
#include "track/tests/talk.h"
#include "track/track.h"

enum { NO_PDC = -1, MAX_STEPS = 8 };

/* A talk of the same two FEPs with these PDCIDs and this Start_PSN. */
struct incarnation {
    uint16_t ipdcid, tpdcid;
    uint32_t start;
};

/* Its packets from..to are given; the last one belongs to the PDC stream by reason. */
struct step {
    unsigned incarnation;
    enum talk_name from, to;
    enum uet_match_reason reason;
    int stream;
};

struct scenario {
    const char *what;
    uint8_t vantage;
    struct incarnation incarnation[2];
    struct step step[MAX_STEPS]; /* the one with stream 0 of reason 0 ends them */
};

#define ONE(name) TALK_##name, TALK_##name

static const struct scenario scenarios[] = {
    {"a PDC is opened and established",
     UET_VANTAGE_BOTH,
     {{1, 2, 0x1000000}},
     {{0, ONE(SYN0), UET_MATCH_OPENS, 0},
      {0, ONE(SYN1), UET_MATCH_SYN, 0},
      {0, ONE(ACK0), UET_MATCH_ANSWER, 0},
      {0, ONE(REQ2), UET_MATCH_PDCIDS, 0},
      {0, ONE(ACK2), UET_MATCH_PDCIDS, 0}}},
    {"nobody has sent what is answered",
     UET_VANTAGE_BOTH,
     {{1, 2, 0x1000000}},
     {{0, ONE(ACK0), UET_MATCH_NONE, NO_PDC}}},
    {"the capture begins late",
     UET_VANTAGE_MIDDLE,
     {{1, 2, 0x1000000}},
     {{0, ONE(REQ2), UET_MATCH_MIDSTREAM, 0}, {0, ONE(ACK2), UET_MATCH_PDCIDS, 0}}},
    {"the capture lacks the first ACK",
     UET_VANTAGE_MIDDLE,
     {{1, 2, 0x1000000}},
     {{0, ONE(SYN0), UET_MATCH_OPENS, 0}, {0, ONE(REQ2), UET_MATCH_GUESSED, 0}}},
    {"the target sends before its first ACK: a NOOP may be that of another PDC",
     UET_VANTAGE_BOTH,
     {{1, 2, 0x1000000}},
     {{0, ONE(SYN0), UET_MATCH_OPENS, 0},
      {0, ONE(RNOOP0), UET_MATCH_EARLY, NO_PDC},
      {0, ONE(ACK0), UET_MATCH_ANSWER, 0}}},
    {"the same with the PDCID of a PDC that is over",
     UET_VANTAGE_BOTH,
     {{1, 2, 0x1000000}, {3, 2, 0x2000000}},
     {{0, TALK_SYN0, TALK_CLOSED, UET_MATCH_PDCIDS, 0},
      {1, ONE(SYN0), UET_MATCH_OPENS, 1},
      {1, ONE(RNOOP0), UET_MATCH_EARLY, NO_PDC},
      {1, ONE(ACK0), UET_MATCH_ANSWER, 1}}},
    {"an ACK for what was not sent is ignored (3.5.12), but its TPDCID used",
     UET_VANTAGE_BOTH,
     {{1, 2, 0x1000000}},
     {{0, ONE(SYN0), UET_MATCH_OPENS, 0},
      {0, ONE(ACK2), UET_MATCH_IGNORED, 0},
      {0, ONE(REQ2), UET_MATCH_OFFERED, 0}}},
    {"both PDCIDs are used again: a late packet tells by its PSN",
     UET_VANTAGE_TARGET,
     {{1, 1, 0x1000000}, {1, 1, 0x2000000}},
     {{0, TALK_SYN0, TALK_CLOSED, UET_MATCH_PDCIDS, 0},
      {1, ONE(SYN0), UET_MATCH_OPENS, 1},
      {1, ONE(ACK0), UET_MATCH_ANSWER, 1},
      {0, ONE(CLOSE), UET_MATCH_PSN, 0},
      {1, ONE(REQ2), UET_MATCH_PDCIDS, 1}}},
    {"the target answers a new SYN by its old PDC: it takes it for one of that",
     UET_VANTAGE_TARGET,
     {{1, 1, 0x1000000}, {1, 1, 0x2000000}},
     {{0, TALK_SYN0, TALK_ACK2, UET_MATCH_PDCIDS, 0},
      {1, ONE(SYN0), UET_MATCH_OPENS, 1},
      {1, ONE(ACK0), UET_MATCH_OLDER, 0}}},
    {"another PDCID answers the initiator: a PDC that was opened unseen",
     UET_VANTAGE_MIDDLE,
     {{1, 1, 0x1000000}, {1, 2, 0x2000000}},
     {{0, TALK_SYN0, TALK_ACK2, UET_MATCH_PDCIDS, 0}, {1, ONE(ACK0), UET_MATCH_SUPERSEDES, 1}}},
    {"another PDCID answers the initiator, which sees all: it is wrong",
     UET_VANTAGE_INITIATOR,
     {{1, 1, 0x1000000}, {1, 2, 0x1000000}},
     {{0, TALK_SYN0, TALK_ACK0, UET_MATCH_ANSWER, 0}, {1, ONE(ACK0), UET_MATCH_CONTRADICTS, 0}}},
    {"the target is done with its PDC, and a SYN of it opens another: so do those that follow",
     UET_VANTAGE_TARGET,
     {{1, 2, 0x1000000}, {1, 3, 0x1000000}},
     {{0, ONE(SYN0), UET_MATCH_OPENS, 0},
      {0, ONE(ACK0), UET_MATCH_ANSWER, 0},
      {0, ONE(CLOSE_REQUEST), UET_MATCH_PDCIDS, 0},
      {1, ONE(SYN0), UET_MATCH_SYN, 0},
      {1, ONE(ACK0), UET_MATCH_SUPERSEDES, 1},
      {1, ONE(SYN1), UET_MATCH_SYN, 1}}},
    {"a late ACK of a PDC that its initiator has forgotten tells no TPDCID of the next",
     UET_VANTAGE_MIDDLE,
     {{1, 1, 0x1000000}, {1, 2, 0x2000000}},
     {{1, ONE(SYN0), UET_MATCH_OPENS, 0},
      {0, ONE(ACK0), UET_MATCH_IGNORED, 0},
      {1, ONE(ACK0), UET_MATCH_ANSWER, 0}}},
    {"the answer to a Probe is not of a PDC around PSN 0 that was never answered",
     UET_VANTAGE_INITIATOR,
     {{1, 1, 0xfffffff0}},
     {{0, ONE(SYN0), UET_MATCH_OPENS, 0},
      {0, ONE(SYN_AGAIN), UET_MATCH_OPENS, 1},
      {0, ONE(ACK_AGAIN), UET_MATCH_ANSWER, 1},
      {0, ONE(PROBED), UET_MATCH_PDCIDS, 1}}},
};

struct bench {
    struct uet_track_arena arena;
    struct uet_track *track;
    struct talk talk[2];
    const struct uet_tracked *t;
};

static void open_bench(struct bench *b, uint8_t vantage, const struct incarnation *incarnation)
{
    memset(b, 0, sizeof *b);
    uet_track_arena_init(&b->arena, 0);
    const struct uet_track_config config = {.vantage = vantage,
                                            .from_start = vantage == UET_VANTAGE_BOTH,
                                            .allocator = uet_track_arena_allocator(&b->arena)};
    b->track = uet_track_new(&config);
    assert_non_null(b->track);
    for (int i = 0; i < 2; i++) {
        talk_default(&b->talk[i]);
        b->talk[i].ipdcid = incarnation[i].ipdcid;
        b->talk[i].tpdcid = incarnation[i].tpdcid;
        b->talk[i].start = incarnation[i].start;
        talk_write(&b->talk[i]);
    }
}

static void close_bench(struct bench *b)
{
    uet_track_free(b->track);
    uet_track_arena_free(&b->arena);
}

static void give(struct bench *b, struct talk *talk, enum talk_name name)
{
    struct talk_packet *p = &talk->packet[name];
    talk_mend(p);
    b->t = uet_track_add(b->track, p->frame, p->len, 0);
    assert_non_null(b->t);
}

static void assert_match(const struct bench *b, const char *what, enum uet_match_reason reason,
                         int stream)
{
    int got = b->t->pdc ? (int)b->t->pdc->stream : NO_PDC;
    if (b->t->match != reason || got != stream)
        fail_msg("%s: packet %u: '%s' of PDC %d, not '%s' of PDC %d", what, b->t->number,
                 uet_match_name((enum uet_match_reason)b->t->match), got, uet_match_name(reason),
                 stream);
    assert_int_equal(b->t->mismatch, reason == UET_MATCH_CONTRADICTS);
}

static void play(const struct scenario *s)
{
    static struct bench b;
    open_bench(&b, s->vantage, s->incarnation);
    for (const struct step *step = s->step; step < s->step + MAX_STEPS; step++) {
        if (step->reason == UET_MATCH_NONE && step->stream != NO_PDC)
            break;
        for (enum talk_name n = step->from; n <= step->to; n++)
            give(&b, &b.talk[step->incarnation], n);
        assert_match(&b, s->what, step->reason, step->stream);
    }
    close_bench(&b);
}

static void reasons(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++)
        play(&scenarios[i]);
}

static void give_invalid_syn(struct bench *b, struct talk *t, uint32_t psn)
{
    uint8_t *nack = talk_pds(&t->packet[TALK_NACK7]);
    uet_nack_nack_code_set(nack, UET_NACK_INVALID_SYN);
    uet_nack_nack_psn_set(nack, psn);
    give(b, t, TALK_NACK7);
}

/* UET_INVALID_SYN says that the target has another PDC with the IPDCID (3.5.6). */
static void refuses(void **state)
{
    (void)state;
    static struct bench b;
    const struct incarnation i[2] = {{1, 1, 0x1000000}, {1, 1, 0x2000000}};
    open_bench(&b, UET_VANTAGE_TARGET, i);
    for (enum talk_name n = TALK_SYN0; n <= TALK_ACK2; n++)
        give(&b, &b.talk[0], n);
    give(&b, &b.talk[1], TALK_SYN0);
    give_invalid_syn(&b, &b.talk[1], 0x2000000);
    assert_match(&b, "refused by the old", UET_MATCH_REFUSES, 1);
    give(&b, &b.talk[0], TALK_SYN1);
    assert_match(&b, "a late SYN of the old", UET_MATCH_SYN, 0);
    close_bench(&b);
}

/* Fatal to the initiator, no end of the target's PDC, as it shows when it refuses the next. */
static void refuses_its_own_first(void **state)
{
    (void)state;
    static struct bench b;
    const struct incarnation i[2] = {{1, 1, 0x1000000}, {1, 1, 0x2000000}};
    open_bench(&b, UET_VANTAGE_TARGET, i);
    give(&b, &b.talk[0], TALK_SYN0);
    give(&b, &b.talk[0], TALK_ACK0);
    give(&b, &b.talk[0], TALK_REQ2);
    give_invalid_syn(&b, &b.talk[0], 0x1000002);
    give(&b, &b.talk[1], TALK_SYN0);
    give_invalid_syn(&b, &b.talk[1], 0x2000000);
    give(&b, &b.talk[0], TALK_SYN1);
    assert_match(&b, "a late SYN of the old", UET_MATCH_SYN, 0);
    close_bench(&b);
}

/* A NACK of a target that made no PDC has no SPDCID (3.5.12.7). */
static void nacked(void **state)
{
    (void)state;
    static struct bench b;
    const struct incarnation i[2] = {{1, 1, 0x1000000}, {1, 1, 0x2000000}};
    open_bench(&b, UET_VANTAGE_TARGET, i);
    give(&b, &b.talk[0], TALK_SYN0);
    uint8_t *nack = talk_pds(&b.talk[0].packet[TALK_NACK7]);
    uet_nack_nack_code_set(nack, UET_NACK_NO_PDC_AVAIL);
    uet_nack_nack_psn_set(nack, 0x1000000);
    uet_nack_spdcid_set(nack, 0);
    give(&b, &b.talk[0], TALK_NACK7);
    assert_match(&b, "no PDC left", UET_MATCH_NACKED, 0);
    close_bench(&b);
}

/* Each reason has a name and words of its own. */
static void names(void **state)
{
    (void)state;
    for (int i = 0; i < UET_MATCH_REASONS; i++)
        for (int j = 0; j < i; j++) {
            enum uet_match_reason a = (enum uet_match_reason)i, b = (enum uet_match_reason)j;
            assert_string_not_equal(uet_match_name(a), uet_match_name(b));
            assert_string_not_equal(uet_match_why(a), uet_match_why(b));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reasons),
        cmocka_unit_test(refuses),
        cmocka_unit_test(refuses_its_own_first),
        cmocka_unit_test(nacked),
        cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
