/* SPDX-License-Identifier: BSD-2-Clause */
/* Bytes shown to people. */
#ifndef UETCAT_DUMP_H
#define UETCAT_DUMP_H

#include <stdint.h>
#include <stdio.h>

/* Lines of 16 bytes as hexdump has them; `first` is the number of the first byte. */
void uetcat_dump(FILE *out, uint64_t first, const uint8_t *bytes, uint32_t length);

#endif
