/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Scripts of sealed packets (3.7): counters, epochs, ANs, and packets in clear among them. A mark
 * stands for the ICV; two packets differ when theirs do.
 */
#include "rules/tests/scripts.h"

#define LIFE UINT64_C(1000)

/* The extra packet, a copy of one of the talk, sealed with SDI 1, AN 0, epoch 0, by the first key.
 */
static struct uet_packet_seal *seal(struct stage *s, unsigned name, enum talk_name from,
                                    uint64_t counter)
{
    extra(s, name, from);
    struct sealed *sealed = &s->sealed[name - TALK_N];
    *sealed = (struct sealed){.sdi = 1, .seal = {.counter = counter, .mark = name, .key = 1}};
    return &sealed->seal;
}

static void close_it(struct stage *s, unsigned name)
{
    s->sealed[name - TALK_N].seal.key = 0;
    s->sealed[name - TALK_N].closed = true;
}

/* ---- the header ---- */

static void reserved(struct stage *s)
{
    seal(s, X0, TALK_SYN0, 0)->rsvd = true;
}

static void reserved_closed(struct stage *s)
{
    reserved(s);
    close_it(s, X0);
}

/* ---- the IV ---- */

static void other_packet(struct stage *s)
{
    seal(s, X0, TALK_SYN0, 7);
    seal(s, X1, TALK_REQ2, 7);
}

static void other_packet_closed(struct stage *s)
{
    other_packet(s);
    close_it(s, X0);
    close_it(s, X1);
}

/* The same bytes: a copy made on the way, or the same packet sent twice. */
static void same_packet(struct stage *s)
{
    seal(s, X0, TALK_SYN0, 7);
    seal(s, X1, TALK_SYN0, 7)->mark = X0;
}

static void next_epoch(struct stage *s)
{
    other_packet(s);
    s->sealed[1].seal.epoch = 1;
}

static void other_domain(struct stage *s)
{
    other_packet(s);
    s->sealed[1].sdi = 2;
}

/* Without keys: the other AN was used, and this one may have another key since. */
static void turned_and_back(struct stage *s)
{
    seal(s, X0, TALK_SYN0, 7);
    seal(s, X1, TALK_SYN1, 0)->an = 1;
    seal(s, X2, TALK_REQ2, 7);
    for (int i = 0; i < 3; i++)
        s->sealed[i].seal.key = 0;
}

/* With them that is known. */
static void turned_and_back_same_key(struct stage *s)
{
    turned_and_back(s);
    s->sealed[0].seal.key = s->sealed[2].seal.key = 3;
}

static void other_key(struct stage *s)
{
    other_packet(s);
    s->sealed[0].seal.key = 1;
    s->sealed[1].seal.key = 2;
}

static void resent(struct stage *s)
{
    seal(s, X0, TALK_REQ5, 7);
    seal(s, X1, TALK_REQ5_RETX, 7);
}

static void resent_anew(struct stage *s)
{
    resent(s);
    s->sealed[1].seal.counter = 8;
}

/* The IV is that of another packet, and not of the one that is sent again. */
static void resent_as_another(struct stage *s)
{
    seal(s, X0, TALK_REQ5, 6);
    seal(s, X1, TALK_REQ4, 7);
    seal(s, X2, TALK_REQ5_RETX, 7);
}

static void answered_as_another(struct stage *s)
{
    seal(s, X0, TALK_ACK5, 6);
    seal(s, X1, TALK_ACK2, 7);
    seal(s, X2, TALK_ACK5_AGAIN, 7);
}

/* Somebody else's packet, which no key opens, under the name of the source. */
static void forged(struct stage *s)
{
    seal(s, X0, TALK_SYN0, 7);
    close_it(s, X0);
    s->sealed[0].seal.refused = true;
    seal(s, X1, TALK_REQ2, 7);
}

static void answered_again(struct stage *s)
{
    seal(s, X0, TALK_ACK5, 7);
    seal(s, X1, TALK_ACK5_AGAIN, 7);
}

/* The client and the server with its SSI, each at the same counter. */
static void both_ways(struct stage *s)
{
    seal(s, X0, TALK_SYN0, 7)->ssi = 99;
    seal(s, X1, TALK_ACK0, 7)->ssi = 99;
    s->sealed[0].sp = s->sealed[1].sp = true;
}

static void both_ways_apart(struct stage *s)
{
    both_ways(s);
    s->sealed[1].seal.counter = UINT64_C(1) << 47;
}

static void both_ways_with_two_keys(struct stage *s)
{
    both_ways(s);
    s->sealed[1].seal.key = 2;
}

/* Without keys: one of them may have turned to another. */
static void both_ways_closed(struct stage *s)
{
    both_ways(s);
    close_it(s, X0);
    close_it(s, X1);
}

static void without_ssi(struct stage *s)
{
    both_ways(s);
    s->sealed[0].sp = s->sealed[1].sp = false;
    s->sealed[0].seal.ssi = s->sealed[1].seal.ssi = 0;
}

/* ---- counter and epoch ---- */

static void falls(struct stage *s)
{
    seal(s, X0, TALK_SYN0, 7);
    seal(s, X1, TALK_SYN1, 6);
}

static void falls_on_another_path(struct stage *s)
{
    falls(s);
    set_entropy(s, X1, 0x7777);
}

static void falls_with_the_epoch(struct stage *s)
{
    falls(s);
    s->sealed[1].seal.epoch = 1;
}

static void epoch_back(struct stage *s)
{
    seal(s, X0, TALK_SYN0, 7)->epoch = 2;
    seal(s, X1, TALK_SYN1, 8)->epoch = 1;
}

static void epoch_wraps(struct stage *s)
{
    seal(s, X0, TALK_SYN0, 7)->epoch = 0xffff;
    seal(s, X1, TALK_SYN1, 8)->epoch = 0;
}

/* To AN 1, whose key is new. */
static void turns(struct stage *s, uint64_t counter, uint16_t epoch)
{
    seal(s, X0, TALK_SYN0, LIFE)->key = 1;
    *seal(s, X1, TALK_SYN1, counter) =
        (struct uet_packet_seal){.counter = counter, .epoch = epoch, .an = 1, .key = 2, .mark = 2};
}

static void goes_on_counting(struct stage *s)
{
    turns(s, LIFE + 1, 0);
}

static void keeps_the_epoch(struct stage *s)
{
    turns(s, 0, 5);
}

static void begins_anew(struct stage *s)
{
    turns(s, 0, 0);
}

/* Back to the AN whose key it had before: the counter goes on. */
static void turns_back(struct stage *s)
{
    turns(s, 0, 0);
    seal(s, X2, TALK_REQ2, LIFE + 1)->key = 1;
}

static void turns_unknown(struct stage *s)
{
    goes_on_counting(s);
    s->sealed[0].seal.key = s->sealed[1].seal.key = 0;
}

/* ---- PDCs ---- */

static void clear_later(struct stage *s)
{
    seal(s, X0, TALK_SYN0, 0);
    seal(s, X1, TALK_ACK0, 0);
}

static void clear_refusal(struct stage *s)
{
    seal(s, X0, TALK_REFUSED, 0);
}

static void servers_own_ssi(struct stage *s)
{
    both_ways(s);
    s->sealed[0].seal.mode = s->sealed[1].seal.mode = UET_TSS_MODE_SERVER;
    s->sealed[1].seal.ssi = 98;
}

/* Each has its own in cluster mode. */
static void senders_own_ssi(struct stage *s)
{
    servers_own_ssi(s);
    s->sealed[0].seal.mode = s->sealed[1].seal.mode = UET_TSS_MODE_CLUSTER;
}

static void used_up(struct stage *s, uint32_t psns)
{
    seal(s, X0, TALK_SYN0, 0);
    seal(s, X1, TALK_ACK0, 0);
    seal(s, X2, TALK_REQ3, 1);
    uet_rud_rod_req_psn_set(pds(s, X2), s->talk.start + psns);
}

static void beyond(struct stage *s)
{
    used_up(s, UINT32_C(0x80000001));
}

static void at_the_end(struct stage *s)
{
    used_up(s, UINT32_C(0x80000000));
}

static void message_ends(struct stage *s)
{
    beyond(s);
    uet_ses_req_som_set(ses(s, X2), false);
}

static void message_goes_on(struct stage *s)
{
    message_ends(s);
    uet_rud_rod_req_psn_set(pds(s, X2), s->talk.start + UINT32_C(0x80000001) + 255 * 128);
}

/* It goes on where the PDC with its IPDCID ended (TSS-068). */
static void reopened_near(struct stage *s)
{
    seal(s, X0, TALK_CLOSE, 9);
    seal(s, X1, TALK_CLOSED, 9);
    seal(s, X2, TALK_SYN_AGAIN, 10);
    uet_rud_rod_req_psn_set(pds(s, X2), s->talk.start + 10);
}

const struct script tss_scripts[] = {
    {"TSS-003", MIDDLE, reserved, .then = {X0, END}},
    {"TSS-003", MIDDLE, reserved_closed, .then = {X0, END}},
    {"TSS-018", MIDDLE, other_packet, .then = {X0, X1, END}},
    {"TSS-018", BOTH, other_packet_closed, .then = {X0, X1, END}},
    {"TSS-018", BOTH, same_packet, .then = {X0, X1, END}},
    {"TSS-018", MIDDLE, turned_and_back_same_key, .then = {X0, X1, X2, END}},
    {"TSS-019", BOTH, falls, .then = {X0, X1, END}},
    {"TSS-019", START, falls, .then = {X0, X1, END}},
    {"TSS-019", BOTH, epoch_back, .then = {X0, X1, END}},
    {"TSS-020", MIDDLE, resent, .then = {X0, X1, END}},
    {"TSS-021", MIDDLE, answered_again, .then = {X0, X1, END}},
    {"TSS-029", MIDDLE, servers_own_ssi, .then = {X0, X1, END}},
    {"TSS-030", MIDDLE, both_ways, .then = {X0, X1, END}},
    {"TSS-035", BOTH, goes_on_counting, .then = {X0, X1, END}},
    {"TSS-035", BOTH, keeps_the_epoch, .then = {X0, X1, END}},
    {"TSS-051", MIDDLE, clear_later, .then = {X0, X1, TALK_REQ2, END}},
    {"TSS-051", MIDDLE, clear_later, .then = {X0, X1, TALK_ACK2, END}},
    {"TSS-054", MIDDLE, clear_refusal, .then = {X0, TALK_REFUSED_NACK, END}},
    {"TSS-055", START, beyond, .then = {X0, X1, X2, END}},
    {"TSS-055", START, message_goes_on, .then = {X0, X1, X2, END}},
};
const size_t n_tss_scripts = sizeof tss_scripts / sizeof *tss_scripts;

/* A stranger's packet is the first that is seen of an open PDC: its target is not of that SDI. */
static void strangers_first(struct stage *s)
{
    extra(s, X0, TALK_REQ2);
    extra(s, X1, TALK_ACK2);
    s->sealed[0].sdi = 2;
    s->sealed[1].sdi = 1;
}

const struct script tss_quiet[] = {
    {"TSS-045", MIDDLE, strangers_first, .then = {X0, X1, END}},
    {"TSS-051", MIDDLE, strangers_first, .then = {X0, TALK_ACK2, END}},
    {"TSS-018", MIDDLE, same_packet, .then = {X0, X1, END}},
    {"TSS-018", MIDDLE, other_packet_closed, .then = {X0, X1, END}},
    {"TSS-018", BOTH, next_epoch, .then = {X0, X1, END}},
    {"TSS-018", BOTH, other_domain, .then = {X0, X1, END}},
    {"TSS-018", BOTH, turned_and_back, .then = {X0, X1, X2, END}},
    {"TSS-018", BOTH, other_key, .then = {X0, X1, END}},
    {"TSS-018", BOTH, both_ways, .then = {X0, X1, END}},
    {"TSS-019", MIDDLE, falls, .then = {X0, X1, END}},
    {"TSS-019", TARGET, falls, .then = {X0, X1, END}},
    {"TSS-019", BOTH, falls_on_another_path, .then = {X0, X1, END}},
    {"TSS-019", BOTH, falls_with_the_epoch, .then = {X0, X1, END}},
    {"TSS-019", BOTH, epoch_wraps, .then = {X0, X1, END}},
    {"TSS-019", BOTH, turned_and_back, .then = {X0, X1, X2, END}},
    {"TSS-018", BOTH, forged, .then = {X0, X1, END}},
    {"TSS-020", BOTH, resent_as_another, .then = {X0, X1, X2, END}},
    {"TSS-021", BOTH, answered_as_another, .then = {X0, X1, X2, END}},
    {"TSS-030", MIDDLE, both_ways_with_two_keys, .then = {X0, X1, END}},
    {"TSS-020", BOTH, resent_anew, .then = {X0, X1, END}},
    {"TSS-029", MIDDLE, senders_own_ssi, .then = {X0, X1, END}},
    {"TSS-029", MIDDLE, both_ways, .then = {X0, X1, END}},
    {"TSS-030", MIDDLE, both_ways_closed, .then = {X0, X1, END}},
    {"TSS-030", MIDDLE, both_ways_apart, .then = {X0, X1, END}},
    {"TSS-030", MIDDLE, without_ssi, .then = {X0, X1, END}},
    {"TSS-035", BOTH, begins_anew, .then = {X0, X1, END}},
    {"TSS-035", BOTH, turns_back, .then = {X0, X1, X2, END}},
    {"TSS-035", BOTH, turns_unknown, .then = {X0, X1, END}},
    {"TSS-035", MIDDLE, goes_on_counting, .then = {X0, X1, END}},
    {"TSS-051", MIDDLE, clear_refusal, .then = {X0, TALK_REFUSED_NACK, END}},
    {"TSS-055", START, at_the_end, .then = {X0, X1, X2, END}},
    {"TSS-055", START, message_ends, .then = {X0, X1, X2, END}},
    {"PDS-027", START, reopened_near, TALK_SYN0, TALK_RACK1, {X0, X1, X2, END}},
    {"PDS-034", MIDDLE, reopened_near, TALK_REQ2, TALK_REQ8, {X2, END}},
    {"PDS-018", START, reopened_near, TALK_SYN0, TALK_RACK1, {X0, X1, X2, END}},
};
const size_t n_tss_quiet = sizeof tss_quiet / sizeof *tss_quiet;

const char *const tss_framed[] = {"TSS-005", "TSS-006", NULL};
