/* SPDX-License-Identifier: BSD-2-Clause */
/* The CRC-32C of the UET trailer (3.5.25). */
#ifndef UET_WIRE_CRC_H
#define UET_WIRE_CRC_H

#include <stddef.h>
#include <stdint.h>

/* CRC-32C (Castagnoli) of n bytes; crc is 0 to begin, or the result so far to go on. */
uint32_t uet_crc32c(uint32_t crc, const void *data, size_t n);

/* The same without the CPU's instruction: what uet_crc32c does where there is none. */
uint32_t uet_crc32c_portable(uint32_t crc, const void *data, size_t n);

/*
 * The trailer on the wire. Contested (readings.csv, PDS-233): one source writes the host word,
 * little-endian in practice, another big-endian. This is the one place that decides.
 */
uint32_t uet_crc_load(const uint8_t *trailer);
void uet_crc_store(uint8_t *trailer, uint32_t crc);

#endif
