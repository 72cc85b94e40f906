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
 * The byte order of the trailer's four bytes. 3.5.25 has network order; an implementation that
 * copies the word of a little-endian CPU has the other, and nothing on the wire says so.
 */
enum uet_crc_order { UET_CRC_BIG_ENDIAN, UET_CRC_LITTLE_ENDIAN };

/* The CRC that the trailer's four bytes hold in that order; and writes it there. */
uint32_t uet_crc_load(const uint8_t *trailer, enum uet_crc_order order);
void uet_crc_store(uint8_t *trailer, uint32_t crc, enum uet_crc_order order);

/*
 * The order in which the trailer's four bytes hold crc: an enum uet_crc_order, big-endian when
 * both fit, or -1 when neither does.
 */
int uet_crc_order_of(const uint8_t *trailer, uint32_t crc);

/* "big-endian", "little-endian". */
const char *uet_crc_order_name(enum uet_crc_order order);

#endif
