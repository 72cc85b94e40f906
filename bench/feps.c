/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets and messages between two reference FEPs (pair.c), and into a capture. */
#include "bench/bench.h"

#include <stdlib.h>
#include <string.h>

#include "bench/pair.h"

enum { PACKETS_A_MESSAGE = 16, LARGE = PACKETS_A_MESSAGE * BENCH_PAYLOAD };
/* 400 Gb/s: answers leave while packets come, as those of a window at once would not. */
#define LINE UINT64_C(400000000000)

enum { IN_FLIGHT = 8, MANY = 64, SMALL = 64 };

enum how { IN_CLEAR, SEALED, BY_EVP };

static void exchange(uint32_t rounds, uint32_t lose, enum how how)
{
    static struct pair p;
    p = (struct pair){.opcode = UET_OP_WRITE,
                      .sealed = how == SEALED,
                      .evp = how == BY_EVP,
                      .lose = lose,
                      .length = LARGE,
                      .in_flight = IN_FLIGHT,
                      .messages = (rounds + PACKETS_A_MESSAGE - 1) / PACKETS_A_MESSAGE};
    pair_run(&p);
}

void bench_feps(uint32_t rounds)
{
    exchange(rounds, 0, IN_CLEAR);
}

/* Each packet, and each ACK, is sealed once and opened once. */
void bench_feps_sealed(uint32_t rounds)
{
    exchange(rounds, 0, SEALED);
}

/* The same bytes where they lie: no FEP can seal and open them with less. */
void bench_feps_evp(uint32_t rounds)
{
    exchange(rounds, 0, BY_EVP);
}

/* What NSCC takes (3.6.13): the same with it and without, ACKs coalesced or one a packet. */
static void windowed(uint32_t rounds, bool nscc, bool ack_each)
{
    static struct pair p;
    p = (struct pair){.opcode = UET_OP_WRITE,
                      .nscc = nscc,
                      .ack_each = ack_each,
                      .length = LARGE,
                      .in_flight = IN_FLIGHT,
                      .messages = (rounds + PACKETS_A_MESSAGE - 1) / PACKETS_A_MESSAGE};
    pair_run(&p);
}

void bench_feps_nscc(uint32_t rounds)
{
    windowed(rounds, true, false);
}

void bench_feps_each(uint32_t rounds)
{
    windowed(rounds, false, true);
}

void bench_feps_nscc_each(uint32_t rounds)
{
    windowed(rounds, true, true);
}

/* One frame in a hundred, either way. */
void bench_feps_loss(uint32_t rounds)
{
    exchange(rounds, 101, IN_CLEAR); /* a prime: not always the same kind of packet */
}

/* ---- messages of one size: a round is a packet ---- */

static void messages(uint8_t opcode, uint32_t length, uint32_t rounds)
{
    static struct pair p;
    uint32_t packets = length > BENCH_PAYLOAD ? length / BENCH_PAYLOAD : 1;
    p = (struct pair){.opcode = opcode,
                      .length = length,
                      .bits_per_s = LINE,
                      .in_flight = packets > 1 ? IN_FLIGHT : MANY,
                      .messages = (rounds + packets - 1) / packets};
    pair_run(&p);
}

#define BENCH_MESSAGES(name, opcode, length)                                                       \
    void bench_##name(uint32_t rounds)                                                             \
    {                                                                                              \
        messages(opcode, length, rounds);                                                          \
    }

BENCH_MESSAGES(send_8, UET_OP_SEND, 8)
BENCH_MESSAGES(send_4k, UET_OP_SEND, BENCH_PAYLOAD)
BENCH_MESSAGES(send_1m, UET_OP_SEND, BENCH_LONG)
BENCH_MESSAGES(write_8, UET_OP_WRITE, 8)
BENCH_MESSAGES(write_4k, UET_OP_WRITE, BENCH_PAYLOAD)
BENCH_MESSAGES(write_1m, UET_OP_WRITE, BENCH_LONG)
BENCH_MESSAGES(read_8, UET_OP_READ, 8)
BENCH_MESSAGES(read_4k, UET_OP_READ, BENCH_PAYLOAD)
BENCH_MESSAGES(read_1m, UET_OP_READ, BENCH_LONG)
BENCH_MESSAGES(fetch_8, UET_OP_FETCHING_ATOMIC, 8)

void bench_capture(const char *path, uint32_t packets)
{
    static struct pair p;
    char err[256];
    p = (struct pair){
        .opcode = UET_OP_WRITE, .length = SMALL, .in_flight = IN_FLIGHT, .messages = UINT32_MAX};
    if (uet_pcapng_open(&p.capture, path, err, sizeof err) != 0)
        bench_die(err);
    pair_open(&p);
    while (p.captured < packets || p.done < p.submitted) {
        if (p.captured >= packets)
            p.messages = p.submitted;
        pair_step(&p);
    }
    pair_close(&p);
    if (uet_pcapng_close(p.capture) != 0)
        bench_die("the capture could not be written");
}

/* The same bytes of memory as the messages go through. */
static void copy(uint32_t rounds, uint32_t length)
{
    uint8_t *from = calloc(1, PAIR_REGION), *to = calloc(1, PAIR_REGION);
    if (!from || !to)
        bench_die("out of memory");
    for (uint32_t i = 0; i < rounds; i++) {
        size_t at = (size_t)i * length % PAIR_REGION;
        memcpy(to + at, from + at, bench_unknown(length));
        bench_keep(to);
    }
    free(from);
    free(to);
}

void bench_copy_payload(uint32_t rounds)
{
    copy(rounds, BENCH_PAYLOAD);
}

void bench_copy_8(uint32_t rounds)
{
    copy(rounds, 8);
}
