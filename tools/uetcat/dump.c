/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/uetcat/dump.h"

#include <inttypes.h>

enum { COLUMNS = 16 };

void uetcat_dump(FILE *out, uint64_t first, const uint8_t *bytes, uint32_t length)
{
    for (uint32_t at = 0; at < length; at += COLUMNS) {
        uint32_t left = length - at, n = left < COLUMNS ? left : COLUMNS;
        fprintf(out, "%08" PRIx64 " ", first + at);
        for (uint32_t i = 0; i < COLUMNS; i++) {
            if (i < n)
                fprintf(out, "%s%02x", i % 2 ? "" : " ", bytes[at + i]);
            else
                fputs(i % 2 ? "  " : "   ", out);
        }
        fputs("  |", out);
        for (uint32_t i = 0; i < n; i++) {
            uint8_t c = bytes[at + i];
            putc(c >= 0x20 && c < 0x7f ? c : '.', out);
        }
        fputs("|\n", out);
    }
}
