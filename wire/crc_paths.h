/* SPDX-License-Identifier: BSD-2-Clause */
/* The ways to compute the CRC, between crc.c, crc_x86.c, their generated tables and the tests. */
#ifndef UET_WIRE_CRC_PATHS_H
#define UET_WIRE_CRC_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Words of eight bytes in the longest of three streams: 170 * 24 = 4080 bytes at a time. */
enum { UET_CRC_STREAM_MAX = 170, UET_CRC_ADVANCE_MAX = 2 * UET_CRC_STREAM_MAX };

/* Made by crc_tables.c, where it is said what they hold. */
extern const uint32_t uet_crc_slice[8][256];
extern const uint32_t uet_crc_advance[UET_CRC_ADVANCE_MAX + 1];

/*
 * One way. run takes and gives the register as the polynomial division has it, without the
 * inversions at both ends, over n bytes; only where usable says true of this CPU.
 */
struct uet_crc_path {
    const char *name;
    bool (*usable)(void);
    uint32_t (*run)(uint32_t state, const uint8_t *data, size_t n);
};

/* Every way that was compiled, the last the one that runs anywhere. For tests and benches. */
extern const struct uet_crc_path uet_crc_paths[];
extern const size_t uet_n_crc_paths;

#if defined(__x86_64__)
#define UET_CRC_X86 1
/* n bytes after `state`, not inverted, by the CPU's instruction in one stream or in three; who
 * calls them has looked whether the CPU has it (uet_crc_paths). */
uint32_t uet_crc_x86_one(uint32_t state, const uint8_t *data, size_t n);
uint32_t uet_crc_x86_three(uint32_t state, const uint8_t *data, size_t n);
#endif

#endif
