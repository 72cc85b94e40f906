/* SPDX-License-Identifier: BSD-2-Clause */
/* Bytes written in hexadecimal by people and programs. */
#ifndef UETCAT_HEX_H
#define UETCAT_HEX_H

#include <stddef.h>
#include <stdint.h>

/*
 * Reads "11 8c", "118c", "11:8c", "0x118c 0x0000", "11-8c,00" into out. Returns the number of
 * bytes, or -1 and in *at the offset of the first character that does not belong there (half a
 * byte ends at the text's end). More than cap bytes: -1 at the first that has no room.
 */
long uetcat_hex(const char *text, uint8_t *out, size_t cap, size_t *at);

#endif
