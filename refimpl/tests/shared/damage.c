/* SPDX-License-Identifier: BSD-2-Clause */
#include "refimpl/tests/shared/damage.h"
#include "refimpl/violate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#define FRAMES_MAX 100000u /* from one call: more is a FEP that never ends */

static uint64_t prng;

static uint32_t draw(uint32_t below)
{
    prng = prng * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(prng >> 33) % below;
}

static uint32_t near_psn(const struct peer *t)
{
    return t->start_psn + draw(40) - draw(3);
}

static void some_request(struct peer *t)
{
    request(t, &(struct req){.psn = near_psn(t),
                             .no_syn = draw(2),
                             .retx = draw(2),
                             .ar = draw(2),
                             .ce = !draw(5),
                             .rod = !draw(20),
                             .header = draw(4) ? 0 : (uint8_t)draw(3),
                             .opcode = (uint8_t)draw(9),
                             .version = !draw(20),
                             .ie = !draw(20),
                             .hd = draw(2),
                             .message_id = (uint16_t)draw(5),
                             .not_som = draw(2),
                             .not_eom = draw(2),
                             .key = draw(3) ? 0 : 1,
                             .has_clear = draw(2),
                             .clear = near_psn(t),
                             .message_offset = 4096 * draw(3),
                             .length = draw(2) ? 8192 : 4096,
                             .payload = draw(5) ? 4096 : draw(4096)});
}

static void some_ack(struct peer *t)
{
    ack(t, &(struct ack_spec){
               .cack = near_psn(t),
               .psn = near_psn(t),
               .req = (uint8_t)draw(4),
               .none = !draw(4),
               .cc = draw(2),
               .mpr = (uint8_t)draw(9),
               .sack_base = near_psn(t),
               .sack = (uint64_t)draw(1u << 30) << draw(30),
               .opcode = (uint8_t)draw(3), /* UET_NO_RESPONSE would have the FEP wait for ever */
               .code = (uint8_t)draw(37),
               .message_id = (uint16_t)draw(30)});
}

static void some_cp(struct peer *t)
{
    cp(t, &(struct cp_spec){.ctl = (uint8_t)draw(12),
                            .psn = near_psn(t),
                            .payload = near_psn(t),
                            .ar = draw(2),
                            .retx = draw(2),
                            .syn = !draw(5)});
}

static void some_call(struct peer *t)
{
    static const uint8_t data[20000];
    const struct uet_operation op = {.to = t->ip,
                                     .opcode = draw(2) ? UET_OP_WRITE : UET_OP_SEND,
                                     .relative = true,
                                     .job_id = JOB + draw(2),
                                     .data = data,
                                     .length = draw(sizeof data)};
    const struct uet_receive r = {.any_job = true,
                                  .pid_on_fep = PID,
                                  .resource_index = RI,
                                  .base = t->buffer[0],
                                  .length = sizeof t->buffer[0],
                                  .truncate = draw(2)};
    switch (draw(8)) {
    case 0:
        uet_fep_close(t->fep, NULL, t->now);
        return;
    case 1:
        uet_fep_close_request(t->fep, NULL, t->now);
        return;
    case 2:
    case 3:
        (void)uet_fep_post_receive(t->fep, &r); /* it may be full */
        return;
    case 4:
        (void)uet_fep_control(t->fep, &t->ip, draw(2) ? UET_CTL_NOOP : UET_CTL_PROBE, t->now);
        return;
    default:
        (void)uet_fep_submit(t->fep, &op, t->now);
    }
}

/* From now on the test speaks of the PDC that this frame of the FEP is about. */
static void learn(struct peer *t, const struct uet_packet *p)
{
    if (draw(2))
        return;
    t->dpdcid = uet_spdcid(p);
    if (uet_is_request(p))
        t->start_psn = uet_packet_psn(p) - draw(8);
    else if (uet_is_ack(p))
        t->start_psn = uet_ack_cack_psn(uet_pds(p)) - draw(4);
}

/* The frame comes back from the peer, headers altered here and there, or cut. */
static void turn_round(struct peer *t, uint8_t *frame, size_t len)
{
    uint8_t swap[4];
    memcpy(swap, frame + 26, 4);
    memcpy(frame + 26, frame + 30, 4);
    memcpy(frame + 30, swap, 4);
    for (uint32_t n = draw(4); n; n--)
        frame[34 + draw((uint32_t)(len < 120 ? len : 120) - 34)] ^= (uint8_t)(1u << draw(8));
    if (!draw(10))
        len -= draw((uint32_t)len);
    uet_refresh(frame, len, UET_PROTECT_NONE);
    uet_fep_receive(t->fep, frame, len, t->now);
}

static void drain(struct peer *t)
{
    uint8_t frame[UET_FRAME_MAX];
    size_t n;
    unsigned frames = 0;
    while ((n = uet_fep_transmit(t->fep, frame, sizeof frame, t->now))) {
        struct uet_packet p;
        assert_true(++frames < FRAMES_MAX);
        assert_int_equal(uet_parse(&p, frame, n, NULL), UET_PARSE_OK);
        learn(t, &p);
        if (frames < 50 && draw(2))
            turn_round(t, frame, n);
    }
}

static void small(struct uet_fep_config *c)
{
    c->max_pdcs = 5;
    c->max_packets = 20;
    c->max_stored_responses = 4;
    c->max_messages = 3;
    c->max_receives = 4;
    c->max_operations = 10;
}

/* Sends that come before their receive are kept. */
static void keep(struct peer *t)
{
    const struct uet_service s = {.job_id = JOB,
                                  .pid_on_fep = PID,
                                  .resource_index = RI,
                                  .ri_class = UET_RI_SEND,
                                  .keeps_unexpected = true};
    assert_int_equal(uet_fep_service_set(t->fep, &s), 0);
}

void damage(struct peer *t, uint64_t seed, unsigned steps, const char *violation)
{
    static void (*const some[])(struct peer *) = {some_request, some_request, some_ack,
                                                  some_cp,      some_call,    drain};
    struct uet_completion c;
    prng = seed;
    peer_init(t, small);
    if (seed % 2)
        keep(t);
    t->start_psn = draw(1u << 30);
    if (violation)
        assert_int_equal(uet_fep_violate(t->fep, violation), 0);
    for (unsigned i = 0; i < steps; i++) {
        t->spdcid = (uint16_t)(1 + draw(4));
        if (draw(12) == 0)
            nack(t, (uint8_t)draw(30), near_psn(t), draw(2) ? t->spdcid : 0);
        else
            some[draw(6)](t);
        if (!draw(4))
            advance(t, draw(20) ? draw(3000000) : 1000 * MS);
        while (uet_fep_completion(t->fep, &c))
            assert_true(c.kind <= UET_COMPLETION_WRITE);
        assert_true(uet_fep_deadline(t->fep) > t->now);
    }
}
