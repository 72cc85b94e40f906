/* SPDX-License-Identifier: BSD-2-Clause */
#include "wire/crc.h"

#include <string.h>

#include "bench/bench.h"
#include "wire/crc_paths.h"

static uint8_t data[4096], copy[4096];

bool bench_crc_has_instruction(void)
{
    return uet_n_crc_paths > 1 && uet_crc_paths[0].usable();
}

static void copy_bytes(size_t n, uint32_t rounds)
{
    n = bench_unknown(n);
    for (uint32_t i = 0; i < rounds; i++) {
        bench_keep(data);
        memcpy(copy, data, n);
        bench_keep(copy);
    }
}

/* Each CRC begins with the last one: it is the time to a result, not how many may overlap. */
static void sum_bytes(uint32_t (*crc)(uint32_t, const void *, size_t), size_t n, uint32_t rounds)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < rounds; i++) {
        bench_keep(data);
        sum = crc(sum, data, n);
    }
    bench_keep(&sum);
}

void bench_copy_64(uint32_t rounds)
{
    copy_bytes(64, rounds);
}

void bench_copy_1k(uint32_t rounds)
{
    copy_bytes(1024, rounds);
}

void bench_copy_4k(uint32_t rounds)
{
    copy_bytes(4096, rounds);
}

void bench_crc_64(uint32_t rounds)
{
    sum_bytes(uet_crc32c, 64, rounds);
}

void bench_crc_1k(uint32_t rounds)
{
    sum_bytes(uet_crc32c, 1024, rounds);
}

void bench_crc_4k(uint32_t rounds)
{
    sum_bytes(uet_crc32c, 4096, rounds);
}

void bench_crc_portable_4k(uint32_t rounds)
{
    sum_bytes(uet_crc32c_portable, 4096, rounds);
}
