/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/uetcat/hex.h"

#include <ctype.h>
#include <string.h>

static int digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *d = c ? strchr(digits, tolower((unsigned char)c)) : NULL;
    return d ? (int)(d - digits) : -1;
}

long uetcat_hex(const char *text, uint8_t *out, size_t cap, size_t *at)
{
    size_t n = 0;
    const char *p = text;
    for (;;) {
        p += strspn(p, " \t\r\n:-,");
        if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X'))
            p += 2;
        *at = (size_t)(p - text);
        if (!*p)
            return (long)n;
        int high = digit(p[0]), low = high < 0 ? -1 : digit(p[1]);
        if (high < 0 || n == cap)
            return -1;
        if (low < 0) {
            *at = (size_t)(p + 1 - text);
            return -1;
        }
        out[n++] = (uint8_t)(high << 4 | low);
        p += 2;
    }
}
