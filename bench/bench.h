/* SPDX-License-Identifier: BSD-2-Clause */
/* What uet-bench measures: each thing as a loop of n rounds. */
#ifndef UET_BENCH_BENCH_H
#define UET_BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bench {
    const char *name;
    const char *what;     /* one line for people */
    const char *baseline; /* the name of the bench that its ratio is to, or NULL */
    uint32_t rounds;      /* of one run; a few tens of milliseconds */
    uint32_t bytes;       /* of a packet, when packets/s make sense; else 0 */
    void (*run)(uint32_t rounds);
};

/* codec.c: the wire codec on a RUD write of 64 bytes without CRC, and copying the same frame. */
void bench_copy_frame(uint32_t rounds);
void bench_parse(uint32_t rounds);
void bench_build(uint32_t rounds);

/* feps.c: packets of 4 KiB between two FEPs over a memory port, and copying the same bytes. */
#define BENCH_PAYLOAD 4096u
void bench_copy_payload(uint32_t rounds);
void bench_feps(uint32_t rounds);

/* tss.c: AES-256-GCM alone, and packets sealed and opened. */
void bench_gcm_4k(uint32_t rounds);
void bench_evp_64(uint32_t rounds);
void bench_evp_1k(uint32_t rounds);
void bench_evp_4k(uint32_t rounds);
void bench_seal_64(uint32_t rounds);
void bench_seal_1k(uint32_t rounds);
void bench_seal_4k(uint32_t rounds);
void bench_open_64(uint32_t rounds);
void bench_open_1k(uint32_t rounds);
void bench_open_4k(uint32_t rounds);

/* A broken benchmark must not look fast. Prints and ends with status 2. */
_Noreturn void bench_die(const char *what);

/* Keeps a value, and everything that memory holds, from being optimised away. */
static inline void bench_keep(const void *p)
{
    __asm__ volatile("" : : "r"(p) : "memory");
}

#endif
