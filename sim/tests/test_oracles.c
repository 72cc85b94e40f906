/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What atomics.c and tags.c hold for possible, and what they blame. Everything is by hand: FEP 0
 * asks FEP 1, whose memory and completions are what each test says.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "sim/scenario/internal.h"

enum { N_OPS = 4, N_RECEIVES = 2 };

struct scene {
    struct scenario scenario;
    struct sim_run run;
    struct sim_result result;
    struct sim_plan plan;
    struct sim_choice choice;
    struct sim_op ops[N_OPS];
    struct op_state states[N_OPS];
    uint8_t in[N_OPS];
    uint64_t counters[2 * SIM_CELL], untouched[SIM_CELL], into;
    struct buffer receives[N_RECEIVES];
};

static void make_fep(struct scene *s, uint16_t host)
{
    struct uet_fep_config *config = &s->plan.fep[host];
    struct sim_fep *fep = &s->scenario.feps[host];
    size_t size;

    uet_fep_config_default(config);
    config->address = (struct uet_ip){.version = 4, .bytes = {192, 0, 2, (uint8_t)(host + 1)}};
    size = uet_fep_size(config);
    fep->memory = malloc(size);
    fep->fep = uet_fep_init(fep->memory, size, config, 0);
    assert_non_null(fep->fep);
    fep->incarnation = 1;
    fep->up = true;
}

static void setup(struct scene *s)
{
    memset(s, 0, sizeof(*s));
    s->plan.n_feps = 2;
    s->plan.n_jobs = 1;
    s->plan.n_ops = N_OPS;
    s->plan.ops = s->ops;
    s->plan.counter_bytes[1][0] = SIM_CELL_BYTES;
    make_fep(s, 0);
    make_fep(s, 1);
    s->scenario.feps[0].counters[0] = (uint8_t *)&s->untouched;
    s->scenario.feps[1].counters[0] = (uint8_t *)&s->counters;
    s->scenario.feps[1].buffers = s->receives;
    s->scenario.feps[1].n_buffers = N_RECEIVES;
    memset(s->in, 1, sizeof(s->in));
    s->choice.ops = (struct sim_set){s->in, N_OPS};
    s->choice.max_length = UINT32_MAX;
    s->run.choice = &s->choice;
    s->scenario.plan = &s->plan;
    s->scenario.run = &s->run;
    s->scenario.result = &s->result;
    s->scenario.ops = s->states;
    for (uint8_t i = 0; i < N_OPS; i++)
        s->ops[i] = (struct sim_op){.to = 1, .length = 8, .digit = i};
}

static void teardown(struct scene *s)
{
    for (size_t i = 0; i < 2; i++)
        free(s->scenario.feps[i].memory);
}

static void holds(const struct scene *s)
{
    if (s->result.breach.what)
        fail_msg("%s: %s", sim_invariant_name(s->result.breach.what), s->result.breach.text);
}

static void breaks(const struct scene *s, enum sim_invariant what, const char *says)
{
    assert_int_equal(s->result.breach.what, what);
    if (!strstr(s->result.breach.text, says))
        fail_msg("\"%s\" says nothing of \"%s\"", s->result.breach.text, says);
}

/* ---- atomics: digit i is operation i's, so SUM adds 0x1, 0x10, 0x100, 0x1000 ---- */

static void begins(struct scene *s, uint32_t op, uint8_t opcode, uint8_t amo)
{
    s->ops[op].opcode = opcode;
    s->ops[op].amo = amo;
    s->states[op].phase = OP_ACTIVE;
    s->states[op].begun = ++s->scenario.events;
    atomic_prepare(&s->scenario, op);
}

/* It ends well, the memory is so by now, and if it fetches it brings the old value. */
static void ends(struct scene *s, uint32_t op, uint64_t memory, uint64_t old)
{
    s->counters[0] = memory;
    s->into = old;
    s->states[op].into = (uint8_t *)&s->into;
    s->states[op].phase = OP_OK;
    s->states[op].over = ++s->scenario.events;
    atomic_ended_well(&s->scenario, op);
}

static void sums(struct scene *s, unsigned n)
{
    setup(s);
    for (unsigned i = 0; i < n; i++)
        begins(s, i, UET_OP_FETCHING_ATOMIC, UET_AMO_SUM);
}

static void one_after_the_other(void **state)
{
    struct scene s;
    (void)state;

    sums(&s, 3); /* 1, 0, 2 */
    ends(&s, 0, 0x11, 0x10);
    ends(&s, 1, 0x111, 0);
    ends(&s, 2, 0x111, 0x11);
    atomics_check(&s.scenario);
    holds(&s);
    teardown(&s);
}

static void same_old_value(void **state)
{
    struct scene s;
    (void)state;

    sums(&s, 2);
    ends(&s, 0, 0x11, 0);
    holds(&s);
    ends(&s, 1, 0x11, 0);
    breaks(&s, SIM_ATOMIC, "as if each were before the other");
    teardown(&s);
}

/* The first one saw operation 2; the second one saw the first, and not operation 2. */
static void torn(void **state)
{
    struct scene s;
    (void)state;

    sums(&s, 2);
    begins(&s, 2, UET_OP_ATOMIC, UET_AMO_SUM);
    ends(&s, 0, 0x111, 0x100);
    holds(&s);
    ends(&s, 1, 0x111, 0x001);
    breaks(&s, SIM_ATOMIC, "neither can come first");
    teardown(&s);
}

static void stale(void **state)
{
    struct scene s;
    (void)state;

    sums(&s, 1);
    ends(&s, 0, 0x1, 0);
    begins(&s, 1, UET_OP_FETCHING_ATOMIC, UET_AMO_READ);
    ends(&s, 1, 0x1, 0);
    breaks(&s, SIM_ATOMIC, "misses operation 0");
    teardown(&s);
}

/* What an element says at the end, and of whom. */
static void memory_says(uint64_t memory, uint8_t amo, uint8_t phase, const char *says)
{
    struct scene s;

    setup(&s);
    if (phase) {
        begins(&s, 0, UET_OP_ATOMIC, amo);
        s.states[0].phase = phase;
    }
    s.ops[0].opcode = UET_OP_ATOMIC;
    s.ops[0].amo = amo;
    s.counters[0] = memory;
    atomics_check(&s.scenario);
    if (says)
        breaks(&s, SIM_ATOMIC, says);
    else
        holds(&s);
    teardown(&s);
}

static void elements(void **state)
{
    (void)state;
    memory_says(0x1, UET_AMO_SUM, OP_OK, NULL);
    memory_says(0x0, UET_AMO_SUM, OP_OK, "was not done");
    memory_says(0x2, UET_AMO_SUM, OP_OK, "was done 2 times");
    memory_says(0x0, UET_AMO_BXOR, OP_OK, "was not done");
    memory_says(0x0, UET_AMO_BOR, OP_OK, "was not done");
    memory_says(0x0, UET_AMO_SUM, OP_PDS_ERROR, NULL);
    memory_says(0x1, UET_AMO_SUM, OP_PDS_ERROR, NULL);
    memory_says(0x2, UET_AMO_SUM, OP_PDS_ERROR, "was done 2 times");
    memory_says(0x1, UET_AMO_SUM, OP_PLANNED, "was not to be");
    memory_says(0x10001, UET_AMO_SUM, OP_OK, "is nobody's");
}

/* ---- compare-and-swap: each compares what is there when it begins ---- */

static void swap_begins(struct scene *s, uint32_t op, uint8_t opcode)
{
    begins(s, op, opcode, UET_AMO_CSWAP);
}

static void one_swap_of_two(void **state)
{
    struct scene s;
    (void)state;

    setup(&s);
    swap_begins(&s, 0, UET_OP_FETCHING_ATOMIC);
    swap_begins(&s, 1, UET_OP_FETCHING_ATOMIC);
    ends(&s, 0, op_header_data(0), 0);
    ends(&s, 1, op_header_data(0), op_header_data(0));
    swap_begins(&s, 2, UET_OP_ATOMIC);
    ends(&s, 2, op_header_data(2), 0);
    atomics_check(&s.scenario);
    holds(&s);
    teardown(&s);
}

static void two_swaps_of_two(void **state)
{
    struct scene s;
    (void)state;

    setup(&s);
    swap_begins(&s, 0, UET_OP_FETCHING_ATOMIC);
    swap_begins(&s, 1, UET_OP_FETCHING_ATOMIC);
    ends(&s, 0, op_header_data(0), 0);
    ends(&s, 1, op_header_data(1), 0);
    atomics_check(&s.scenario);
    breaks(&s, SIM_ATOMIC, "operation 0 says that it swapped, and did not");
    teardown(&s);
}

static void swap_denied(void **state)
{
    struct scene s;
    (void)state;

    setup(&s);
    swap_begins(&s, 0, UET_OP_FETCHING_ATOMIC);
    ends(&s, 0, op_header_data(0), op_header_data(0));
    atomics_check(&s.scenario);
    breaks(&s, SIM_ATOMIC, "says that it did not");
    teardown(&s);
}

/* Operation 1 begins when 0 has swapped, so it cannot find what was there before. */
static void swap_finds_the_past(void **state)
{
    struct scene s;
    (void)state;

    setup(&s);
    swap_begins(&s, 0, UET_OP_FETCHING_ATOMIC);
    ends(&s, 0, op_header_data(0), 0);
    swap_begins(&s, 1, UET_OP_FETCHING_ATOMIC);
    swap_begins(&s, 2, UET_OP_ATOMIC);
    ends(&s, 1, op_header_data(2), 0);
    atomics_check(&s.scenario);
    breaks(&s, SIM_ATOMIC, "which was not there then");
    teardown(&s);
}

static void swap_lost(void **state)
{
    struct scene s;
    (void)state;

    setup(&s);
    swap_begins(&s, 0, UET_OP_ATOMIC);
    ends(&s, 0, 0, 0);
    atomics_check(&s.scenario);
    breaks(&s, SIM_ATOMIC, "did not swap");
    teardown(&s);
}

static void swapped_by_nobody(void **state)
{
    struct scene s;
    (void)state;

    setup(&s);
    swap_begins(&s, 0, UET_OP_ATOMIC);
    ends(&s, 0, op_header_data(1), 0);
    atomics_check(&s.scenario);
    breaks(&s, SIM_ATOMIC, "nobody put");
    teardown(&s);
}

/* ---- tags: two receives for anybody and anything, number 0 posted first ---- */

static void post(struct scene *s, uint32_t number)
{
    s->receives[number] = (struct buffer){.posted = true,
                                          .tagged = true,
                                          .any_initiator = true,
                                          .ignore = UINT64_MAX,
                                          .posted_event = ++s->scenario.events};
}

static void send_begins(struct scene *s, uint32_t op, uint8_t mode)
{
    s->ops[op].opcode = UET_OP_TAGGED_SEND;
    s->ops[op].mode = mode;
    s->states[op].phase = OP_ACTIVE;
    s->states[op].begun = ++s->scenario.events;
}

static void takes(struct scene *s, uint32_t op, uint32_t number)
{
    const struct uet_completion c = {.match_bits = tag_bits(s->ops[op].tag),
                                     .initiator = tag_initiator(s->ops[op].rank)};

    s->receives[number].posted = false;
    tag_taken(&s->scenario, 1, number, op, &c);
}

static void in_posting_order(void **state)
{
    struct scene s;
    (void)state;

    setup(&s);
    post(&s, 0);
    post(&s, 1);
    send_begins(&s, 0, UET_MODE_ROD);
    send_begins(&s, 1, UET_MODE_ROD);
    takes(&s, 0, 0);
    takes(&s, 1, 1);
    tags_end(&s.scenario);
    holds(&s);
    teardown(&s);
}

/* Operations 0 and 1 together, the receive of 1 filled first: on RUD 0 had the older one before. */
static void crossed(uint8_t mode, const char *says)
{
    struct scene s;

    setup(&s);
    post(&s, 0);
    post(&s, 1);
    send_begins(&s, 0, mode);
    send_begins(&s, 1, mode);
    takes(&s, 0, 1);
    holds(&s);
    takes(&s, 1, 0);
    if (says)
        breaks(&s, SIM_TAG, says);
    else
        holds(&s);
    teardown(&s);
}

static void of_one_flow(void **state)
{
    (void)state;
    crossed(UET_MODE_RUD, NULL);
    crossed(UET_MODE_ROD, "operation 1 takes receive 0, which operation 0 passed over");
}

static void taken_by_a_later_one(void **state)
{
    struct scene s;
    (void)state;

    setup(&s);
    post(&s, 0);
    post(&s, 1);
    send_begins(&s, 0, UET_MODE_RUD);
    takes(&s, 0, 1);
    send_begins(&s, 1, UET_MODE_RUD);
    takes(&s, 1, 0);
    breaks(&s, SIM_TAG, "operation 1 takes receive 0, which operation 0 passed over");
    teardown(&s);
}

static void left_to_the_end(void **state)
{
    struct scene s;
    (void)state;

    setup(&s);
    post(&s, 0);
    post(&s, 1);
    send_begins(&s, 0, UET_MODE_RUD);
    takes(&s, 0, 1);
    tags_end(&s.scenario);
    breaks(&s, SIM_TAG, "operation 0 passed over receive 0, and nobody had it");
    teardown(&s);
}

/* A receive posted before the message began is there for it; one posted later may come too late. */
static void refused(void **state)
{
    struct scene s;
    (void)state;

    setup(&s);
    send_begins(&s, 0, UET_MODE_RUD);
    post(&s, 0);
    tag_refused(&s.scenario, 0);
    tags_end(&s.scenario);
    holds(&s);
    send_begins(&s, 1, UET_MODE_RUD);
    tag_refused(&s.scenario, 1);
    tags_end(&s.scenario);
    breaks(&s, SIM_TAG, "operation 1 passed over receive 0, and nobody had it");
    teardown(&s);
}

/* The bits that are not ignored must be the same, and the initiator unless anybody may send. */
static void fits(uint64_t ignore, uint8_t tag, uint8_t rank, bool any, bool is_for_it)
{
    struct scene s;

    setup(&s);
    post(&s, 0);
    s.receives[0].match_bits = tag_bits(0);
    s.receives[0].ignore = ignore;
    s.receives[0].any_initiator = any;
    s.receives[0].initiator = tag_initiator(0);
    s.ops[0].tag = tag;
    s.ops[0].rank = rank;
    send_begins(&s, 0, UET_MODE_RUD);
    takes(&s, 0, 0);
    if (is_for_it)
        holds(&s);
    else
        breaks(&s, SIM_TAG, "which is not for it");
    teardown(&s);
}

static void matching(void **state)
{
    const uint64_t low = UINT32_MAX;
    (void)state;

    fits(0, 0, 0, false, true);
    fits(0, 0, 1, false, false);
    fits(0, 0, 1, true, true);
    fits(0, 1, 0, false, false); /* another upper half */
    fits(~low, 1, 0, false, true);
    fits(low, 1, 0, false, false);
    fits(low, 2, 0, false, true); /* another lower half */
    fits(UINT64_MAX, SIM_TAGS, 3, true, true);
}

static void another_tag_told(void **state)
{
    struct scene s;
    const struct uet_completion c = {.match_bits = tag_bits(1), .initiator = tag_initiator(0)};
    (void)state;

    setup(&s);
    post(&s, 0);
    send_begins(&s, 0, UET_MODE_RUD);
    tag_taken(&s.scenario, 1, 0, 0, &c);
    breaks(&s, SIM_TAG, "names other match bits");
    teardown(&s);
}

/* ---- messages of one packet and of several, and a restart of their target ---- */

/* It ends well, and nothing was delivered or told. */
static void ends_undelivered(struct scene *s, struct sim_op op, uint32_t length, bool restarted)
{
    static uint8_t bytes[2048];
    struct uet_completion c = {
        .kind = UET_COMPLETION_OPERATION, .status = UET_STATUS_OK, .length = length};

    setup(s);
    s->plan.fep[0].payload_mtu = 1024;
    s->plan.receive_bytes = sizeof(bytes);
    s->scenario.feps[1].region[0] = bytes;
    s->ops[0] = op;
    s->ops[0].to = 1;
    s->ops[0].length = length;
    s->states[0].data = bytes;
    s->states[0].phase = OP_ACTIVE;
    s->states[0].excused = restarted;
    oracle_completion(&s->scenario, 0, &c);
}

static void restarted_between_packets(void **state)
{
    const struct sim_op send = {.opcode = UET_OP_SEND, .mode = UET_MODE_RUD};
    const struct sim_op write = {.opcode = UET_OP_WRITE, .mode = UET_MODE_RUD, .header_data = true};
    struct scene s;
    (void)state;

    ends_undelivered(&s, send, 1025, true);
    holds(&s);
    teardown(&s);
    ends_undelivered(&s, write, 1025, true);
    holds(&s);
    teardown(&s);
    ends_undelivered(&s, send, 1024, true); /* one packet: one incarnation has it */
    breaks(&s, SIM_DELIVERED, "filled no receive");
    teardown(&s);
    ends_undelivered(&s, write, 1024, true);
    breaks(&s, SIM_DELIVERED, "was not told");
    teardown(&s);
    ends_undelivered(&s, send, 1025, false);
    breaks(&s, SIM_DELIVERED, "filled no receive");
    teardown(&s);
}

/* ---- what ended well before its receive was filled ---- */

/* FEP 1 keeps sends and answers at once; a rendezvous is not kept, but read later. */
static void ended_early(struct scene *s, uint8_t opcode)
{
    setup(s);
    s->ops[0] = (struct sim_op){.to = 1, .opcode = opcode, .mode = UET_MODE_RUD, .length = 8};
    s->plan.receive_bytes = 8;
    s->plan.choices[1].keeps_all = s->plan.choices[1].kept_told_at_once = true;
    s->states[0].phase = OP_OK;
}

static void receives_in_the_end(void **state)
{
    static const uint8_t early[] = {UET_OP_SEND, UET_OP_RENDEZVOUS_SEND};
    struct scene s;
    (void)state;

    for (size_t i = 0; i < sizeof(early); i++) {
        ended_early(&s, early[i]);
        oracle_late(&s.scenario);
        breaks(&s, SIM_DELIVERED, "filled no receive");
        teardown(&s);
        ended_early(&s, early[i]);
        s.states[0].delivered = 1;
        oracle_late(&s.scenario);
        holds(&s);
        teardown(&s);
    }
    ended_early(&s, UET_OP_RENDEZVOUS_SEND); /* the READ of it was refused: its source is new */
    s.scenario.feps[1].n_failed = 1;
    oracle_late(&s.scenario);
    holds(&s);
    teardown(&s);
    ended_early(&s, UET_OP_SEND); /* nothing is read of that */
    s.scenario.feps[1].n_failed = 1;
    oracle_late(&s.scenario);
    breaks(&s, SIM_DELIVERED, "filled no receive");
    teardown(&s);
}

/* All of a rendezvous was read, but its bytes stand in no receive. */
static void read_elsewhere(void **state)
{
    static uint8_t data[8] = {1}, elsewhere[8];
    const struct uet_completion c = {
        .kind = UET_COMPLETION_OPERATION, .status = UET_STATUS_OK, .length = 8};
    struct scene s;
    (void)state;

    for (unsigned gone = 0; gone < 2; gone++) {
        ended_early(&s, UET_OP_RENDEZVOUS_SEND);
        s.states[0].phase = OP_ACTIVE;
        s.states[0].data = data;
        s.states[0].gone = gone; /* PDCs of its target: another number by now */
        s.receives[0].bytes = s.receives[1].bytes = elsewhere;
        oracle_completion(&s.scenario, 0, &c);
        if (gone)
            holds(&s);
        else
            breaks(&s, SIM_DELIVERED, "bytes are not there");
        teardown(&s);
    }
}

/* ---- atomics that have their elements for themselves ---- */

/* The request was damaged: where nothing guards it, another place of the region is as good. */
static void written_behind(void **state)
{
    static uint8_t elements[SIM_LONE_BYTES];
    struct scene s;
    (void)state;

    for (unsigned unguarded = 0; unguarded < 2; unguarded++) {
        setup(&s);
        s.plan.unguarded = unguarded;
        s.ops[0].lone = true;
        s.ops[0].opcode = UET_OP_ATOMIC;
        s.ops[0].datatype = UET_TYPE_UINT64;
        s.plan.n_ops = 1;
        memset(elements, SIM_CANARY, sizeof(elements));
        s.scenario.feps[1].lone[0] = elements;
        lone_make(&s.scenario, 0);
        lone_end(&s.scenario);
        holds(&s);
        elements[8] = 0;
        lone_end(&s.scenario);
        if (unguarded)
            holds(&s);
        else
            breaks(&s, SIM_MEMORY, "behind operation 0");
        teardown(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_after_the_other),
        cmocka_unit_test(same_old_value),
        cmocka_unit_test(torn),
        cmocka_unit_test(stale),
        cmocka_unit_test(elements),
        cmocka_unit_test(one_swap_of_two),
        cmocka_unit_test(two_swaps_of_two),
        cmocka_unit_test(swap_denied),
        cmocka_unit_test(swap_finds_the_past),
        cmocka_unit_test(swap_lost),
        cmocka_unit_test(swapped_by_nobody),
        cmocka_unit_test(in_posting_order),
        cmocka_unit_test(of_one_flow),
        cmocka_unit_test(taken_by_a_later_one),
        cmocka_unit_test(left_to_the_end),
        cmocka_unit_test(refused),
        cmocka_unit_test(matching),
        cmocka_unit_test(another_tag_told),
        cmocka_unit_test(restarted_between_packets),
        cmocka_unit_test(receives_in_the_end),
        cmocka_unit_test(read_elsewhere),
        cmocka_unit_test(written_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
