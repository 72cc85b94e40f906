/* SPDX-License-Identifier: BSD-2-Clause */
/* The memory ports: what their clock does, what arrives when, and that nothing can hang. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "port/memory.h"
#include "port/queue.h"

enum { LATENCY = 1000, T0 = 1000000000 };

/* A device that notes what happens to it and answers by script. */
struct probe {
    struct uet_port *port;
    uint64_t frames, advances;
    uint64_t last_frame_ns, last_advance_ns;
    uint64_t deadline_ns; /* what advance returns until it has passed, then UINT64_MAX */
    int echo;             /* answers each frame with itself */
    int tick;             /* emits one frame at its deadline */
    int stuck;            /* always returns a deadline of the past */
    int emit_now;         /* emits one frame at the next advance */
};

static void probe_frame(void *ctx, const uint8_t *data, uint32_t len, uint64_t now_ns)
{
    struct probe *probe = ctx;

    probe->frames++;
    probe->last_frame_ns = now_ns;
    if (probe->echo)
        assert_int_equal(uet_mem_emit(probe->port, data, len), 0);
}

static uint64_t probe_advance(void *ctx, uint64_t now_ns)
{
    struct probe *probe = ctx;
    uint8_t tick[60] = {0x71};

    assert_true(now_ns >= probe->last_advance_ns);
    probe->advances++;
    probe->last_advance_ns = now_ns;
    if (probe->emit_now) {
        probe->emit_now = 0;
        assert_int_equal(uet_mem_emit(probe->port, tick, sizeof(tick)), 0);
    }
    if (probe->stuck)
        return 0;
    if (probe->deadline_ns <= now_ns) {
        probe->deadline_ns = UINT64_MAX;
        if (probe->tick)
            assert_int_equal(uet_mem_emit(probe->port, tick, sizeof(tick)), 0);
    }
    return probe->deadline_ns;
}

static void open_probe(struct probe *probe)
{
    struct uet_mem_device device = {.ctx = probe, .frame = probe_frame, .advance = probe_advance};

    memset(probe, 0, sizeof(*probe));
    probe->deadline_ns = UINT64_MAX;
    assert_int_equal(uet_mem_port_open(&probe->port, &device, LATENCY), 0);
    assert_int_equal(uet_port_now(probe->port), T0);
}

static void send_one(struct uet_port *port, uint8_t tag)
{
    uint8_t bytes[64] = {tag};
    struct uet_frame frame = {.data = bytes, .len = sizeof(bytes)};

    assert_int_equal(uet_port_send(port, &frame, 1), 1);
}

/* The device has the frame when send returns; the answer takes one latency more. */
static void echo_takes_a_round_trip(void **state)
{
    struct uet_frame got[4];
    struct probe probe;

    (void)state;
    open_probe(&probe);
    probe.echo = 1;
    send_one(probe.port, 7);
    assert_int_equal(probe.frames, 1);
    assert_int_equal(probe.last_frame_ns, T0 + LATENCY);
    assert_int_equal(probe.last_advance_ns, T0 + LATENCY);
    assert_int_equal(uet_port_receive(probe.port, got, 4, 0), 0); /* still on the wire */
    assert_int_equal(uet_port_now(probe.port), T0 + LATENCY);
    assert_int_equal(uet_port_receive(probe.port, got, 4, T0 + 50000), 1);
    assert_int_equal(got[0].len, 64);
    assert_int_equal(got[0].data[0], 7);
    assert_int_equal(got[0].time_ns, T0 + 2 * LATENCY);
    assert_int_equal(uet_port_now(probe.port), T0 + 2 * LATENCY);
    uet_port_close(probe.port);
}

static void silence_ends_at_the_deadline(void **state)
{
    struct uet_frame got[4];
    struct probe probe;

    (void)state;
    open_probe(&probe);
    assert_int_equal(uet_port_receive(probe.port, got, 4, T0 + 777), 0);
    assert_int_equal(uet_port_now(probe.port), T0 + 777);
    /* A deadline in the past polls and does not turn the clock back. */
    assert_int_equal(uet_port_receive(probe.port, got, 4, T0), 0);
    assert_int_equal(uet_port_now(probe.port), T0 + 777);
    /* Nobody will ever send: waiting for ever is an error, not a hang. */
    assert_int_equal(uet_port_receive(probe.port, got, 4, UINT64_MAX), -EDEADLK);
    uet_port_close(probe.port);
}

/* The clock jumps to the device's deadline, and its frame comes one latency later. */
static void device_deadline_is_kept(void **state)
{
    struct uet_frame got[4];
    struct probe probe;

    (void)state;
    open_probe(&probe);
    probe.tick = 1;
    probe.deadline_ns = T0 + 250000;
    assert_int_equal(uet_port_receive(probe.port, got, 4, T0 + 249999), 0);
    assert_int_equal(uet_port_receive(probe.port, got, 4, T0 + 10000000), 1);
    assert_int_equal(probe.last_advance_ns, T0 + 250000);
    assert_int_equal(got[0].time_ns, T0 + 250000 + LATENCY);
    assert_int_equal(got[0].data[0], 0x71);
    uet_port_close(probe.port);
}

/* A deadline of the device that falls while a frame travels is served before the frame. */
static void deadline_inside_the_latency(void **state)
{
    struct uet_frame got[4];
    struct probe probe;

    (void)state;
    open_probe(&probe);
    assert_int_equal(uet_port_receive(probe.port, got, 4, T0), 0); /* first advance */
    probe.tick = probe.echo = 1;
    probe.deadline_ns = T0 + 300;
    uet_mem_port_kick(probe.port);
    send_one(probe.port, 9);
    assert_int_equal(uet_port_receive(probe.port, got, 4, T0 + 50000), 1);
    assert_int_equal(got[0].data[0], 0x71);
    assert_int_equal(got[0].time_ns, T0 + 300 + LATENCY);
    assert_int_equal(uet_port_receive(probe.port, got, 4, T0 + 50000), 1);
    assert_int_equal(got[0].data[0], 9);
    uet_port_close(probe.port);
}

static void kick_advances_now(void **state)
{
    struct uet_frame got[1];
    struct probe probe;

    (void)state;
    open_probe(&probe);
    assert_int_equal(uet_port_receive(probe.port, got, 1, T0 + 5000), 0);
    probe.emit_now = 1;
    uet_mem_port_kick(probe.port);
    assert_int_equal(probe.last_advance_ns, T0 + 5000);
    assert_int_equal(uet_port_now(probe.port), T0 + 5000);
    assert_int_equal(uet_port_receive(probe.port, got, 1, T0 + 90000), 1);
    assert_int_equal(got[0].time_ns, T0 + 5000 + LATENCY);
    uet_port_close(probe.port);
}

static void order_and_batches(void **state)
{
    uint8_t bytes[10][64] = {{0}};
    struct uet_frame frames[10], got[4];
    struct probe probe;
    int next = 0;

    (void)state;
    open_probe(&probe);
    probe.echo = 1;
    for (uint8_t i = 0; i < 10; i++) {
        bytes[i][0] = i;
        frames[i] = (struct uet_frame){.data = bytes[i], .len = 60u + i % 4};
    }
    assert_int_equal(uet_port_send(probe.port, frames, 10), 10);
    for (int want = 4; next < 10; want = next == 8 ? 2 : 4) {
        assert_int_equal(uet_port_receive(probe.port, got, 4, T0 + 90000), want);
        for (int i = 0; i < want; i++, next++) {
            assert_int_equal(got[i].data[0], next);
            assert_int_equal(got[i].len, 60 + next % 4);
        }
    }
    assert_int_equal(uet_port_receive(probe.port, got, 4, T0 + 90000), 0);
    uet_port_close(probe.port);
}

/* A device whose deadline never moves: a second of waiting ends, after a bounded number of calls:
 * steps of 1, 2, ... 512, 1024 us (about 11), then 1.024 ms each for the rest of the second. */
static void stuck_device_cannot_hang(void **state)
{
    struct uet_frame got[1];
    struct probe probe;

    (void)state;
    open_probe(&probe);
    probe.stuck = 1;
    assert_int_equal(uet_port_receive(probe.port, got, 1, T0 + 1000000000ull), 0);
    assert_int_equal(uet_port_now(probe.port), T0 + 1000000000ull);
    assert_in_range(probe.advances, 900, 1100);
    assert_int_equal(uet_mem_port_stats(probe.port).stalled, probe.advances);
    assert_int_equal(uet_port_receive(probe.port, got, 1, UINT64_MAX), -EDEADLK);
    uet_port_close(probe.port);
}

static void overflow_is_counted(void **state)
{
    static uint8_t big[UET_MEM_MTU + 23];
    struct uet_frame got[1], frame = {.data = big, .len = sizeof(big)};
    struct probe probe;
    uint64_t kept = 0;

    (void)state;
    open_probe(&probe);
    assert_int_equal(uet_mem_emit(probe.port, big, sizeof(big)), -EMSGSIZE);
    assert_int_equal(uet_port_send(probe.port, &frame, 1), -EMSGSIZE);
    assert_int_equal(probe.frames, 0);
    assert_int_equal(uet_mem_port_stats(probe.port).dropped, 1);
    while (uet_mem_emit(probe.port, big, sizeof(big) - 1) == 0)
        kept++;
    assert_true(kept >= 3000);
    assert_int_equal(uet_mem_port_stats(probe.port).dropped, 2);
    for (uint64_t i = 0; i < kept; i++)
        assert_int_equal(uet_port_receive(probe.port, got, 1, T0 + 5000), 1);
    assert_int_equal(uet_port_receive(probe.port, got, 1, T0 + 5000), 0);
    assert_int_equal(uet_mem_emit(probe.port, big, 60), 0);
    uet_port_close(probe.port);
}

/* Room for 8 slots and 100 bytes: the queue wraps, keeps order, and never overwrites what was
 * handed out. */
static void queue_wraps(void **state)
{
    uint8_t bytes[64];
    struct uet_frame got[8];
    struct uet_queue queue;

    (void)state;
    assert_int_equal(uet_queue_init(&queue, 8, 100), 0);
    memset(bytes, 0xa1, sizeof(bytes));
    assert_int_equal(uet_queue_push(&queue, bytes, 60, 1), 0);
    assert_int_equal(uet_queue_push(&queue, bytes, 60, 2), -ENOBUFS); /* 40 left */
    assert_int_equal(uet_queue_push(&queue, bytes, 30, 2), 0);
    assert_int_equal(uet_queue_pop(&queue, got, 8, 1), 1);
    memset(bytes, 0xb2, sizeof(bytes));
    assert_int_equal(uet_queue_push(&queue, bytes, 20, 3), -ENOBUFS); /* popped, not released */
    uet_queue_release(&queue);
    assert_int_equal(uet_queue_push(&queue, bytes, 60, 3), 0); /* [0, 60): exactly full */
    assert_int_equal(uet_queue_push(&queue, bytes, 1, 4), -ENOBUFS);
    assert_int_equal(uet_queue_next_ns(&queue), 2);
    assert_int_equal(uet_queue_pop(&queue, got, 8, 99), 2);
    assert_int_equal(got[0].len, 30);
    assert_int_equal(got[0].data[29], 0xa1);
    assert_int_equal(got[1].len, 60);
    assert_int_equal(got[1].data[59], 0xb2);
    assert_true(uet_queue_next_ns(&queue) == UINT64_MAX);
    uet_queue_release(&queue);
    for (uint64_t i = 0; i < 8; i++)
        assert_int_equal(uet_queue_push(&queue, bytes, 1, i), 0);
    assert_int_equal(uet_queue_push(&queue, bytes, 1, 8), -ENOBUFS); /* 8 slots */
    assert_int_equal(uet_queue_push(&queue, bytes, 0, 8), -ENOBUFS); /* no empty frames */
    uet_queue_free(&queue);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(echo_takes_a_round_trip),
        cmocka_unit_test(silence_ends_at_the_deadline),
        cmocka_unit_test(device_deadline_is_kept),
        cmocka_unit_test(deadline_inside_the_latency),
        cmocka_unit_test(kick_advances_now),
        cmocka_unit_test(order_and_batches),
        cmocka_unit_test(stuck_device_cannot_hang),
        cmocka_unit_test(overflow_is_counted),
        cmocka_unit_test(queue_wraps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
