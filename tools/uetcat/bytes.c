/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/uetcat/bytes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/uetcat/args.h"
#include "tools/uetcat/hex.h"
#include "wire/splitmix.h"

enum { LENGTH_MAX = 1 << 30, HEX_MAX = 4096 };

static bool no_memory(const struct uetcat_args *a)
{
    fprintf(stderr, "uetcat %s: out of memory\n", a->link.command);
    return false;
}

/* ---- patterns ---- */

static void fill_count(struct uetcat_bytes *b)
{
    for (uint32_t i = 0; i < b->length; i++)
        b->at[i] = (uint8_t)(i + i / 256 + i / 65536);
}

static bool fill_random(const struct uetcat_args *a, const char *text, struct uetcat_bytes *b)
{
    uint64_t seed;
    if (!uetcat_number(a->link.command, "--pattern random:", text, 0, UINT64_MAX, &seed))
        return false;
    for (uint32_t i = 0; i < b->length; i++)
        b->at[i] = (uint8_t)(uet_splitmix64(&seed) >> 56);
    return true;
}

static bool fill_hex(const struct uetcat_args *a, const char *text, struct uetcat_bytes *b)
{
    uint8_t some[HEX_MAX];
    size_t at = 0;
    long n = uetcat_hex(text, some, sizeof some, &at);
    if (n <= 0) {
        fprintf(stderr, "uetcat %s: --pattern 'hex:%s': give 1 to %d bytes, two digits each\n",
                a->link.command, text, HEX_MAX);
        return false;
    }
    for (uint32_t i = 0; i < b->length; i++)
        b->at[i] = some[i % (uint32_t)n];
    return true;
}

static bool fill(const struct uetcat_args *a, struct uetcat_bytes *b)
{
    const char *p = a->pattern ? a->pattern : "count";
    if (strcmp(p, "count") == 0)
        fill_count(b);
    else if (strcmp(p, "zero") == 0 || strcmp(p, "ones") == 0)
        memset(b->at, p[0] == 'z' ? 0 : 0xff, b->length);
    else if (strncmp(p, "random:", 7) == 0)
        return fill_random(a, p + 7, b);
    else if (strncmp(p, "hex:", 4) == 0)
        return fill_hex(a, p + 4, b);
    else {
        fprintf(stderr,
                "uetcat %s: --pattern '%s': give count, zero, ones, random:SEED or hex:DIGITS\n",
                a->link.command, p);
        return false;
    }
    return true;
}

bool uetcat_bytes_pattern(const struct uetcat_args *a, uint32_t length, struct uetcat_bytes *b)
{
    b->length = length;
    b->at = malloc(length ? length : 1);
    return b->at ? fill(a, b) : no_memory(a);
}

/* ---- files ---- */

/* All of the file, at most LENGTH_MAX bytes. */
static bool read_all(const struct uetcat_args *a, FILE *f, const char *name, struct uetcat_bytes *b)
{
    size_t room = 65536, n = 0, got;
    b->at = malloc(room);
    while (b->at && (got = fread(b->at + n, 1, room - n, f)) > 0) {
        n += got;
        if (n == room && room <= LENGTH_MAX) {
            uint8_t *more = realloc(b->at, room *= 2);
            if (!more)
                free(b->at);
            b->at = more;
        }
    }
    if (!b->at)
        return no_memory(a);
    if (ferror(f) || n > LENGTH_MAX) {
        fprintf(stderr, "uetcat %s: %s: %s\n", a->link.command, name,
                ferror(f) ? strerror(errno) : "more than 1 GiB");
        return false;
    }
    b->length = (uint32_t)n;
    return true;
}

bool uetcat_bytes_input(const struct uetcat_args *a, struct uetcat_bytes *b)
{
    if (!a->input || strcmp(a->input, "-") == 0)
        return read_all(a, stdin, "standard input", b);
    FILE *f = fopen(a->input, "rbe");
    if (!f) {
        fprintf(stderr, "uetcat %s: %s: %s\n", a->link.command, a->input, strerror(errno));
        return false;
    }
    bool good = read_all(a, f, a->input, b);
    fclose(f);
    return good;
}

bool uetcat_bytes_output(const struct uetcat_args *a, const uint8_t *bytes, uint32_t n)
{
    bool out = strcmp(a->output, "-") == 0;
    FILE *f = out ? stdout : fopen(a->output, "wbe");
    bool good = f && fwrite(bytes, 1, n, f) == n;
    if (f && !out && fclose(f) != 0)
        good = false;
    if (!good)
        fprintf(stderr, "uetcat %s: %s: %s\n", a->link.command, a->output, strerror(errno));
    return good;
}

bool uetcat_bytes_same(const struct uetcat_args *a, const uint8_t *want, const uint8_t *got,
                       uint32_t n, char *text, size_t size)
{
    uint32_t i = 0;
    text[0] = '\0';
    while (i < n && want[i] == got[i])
        i++;
    if (i == n)
        return true;
    snprintf(text, size, "byte %u is 0x%02x, and should be 0x%02x", i, got[i], want[i]);
    fprintf(stderr, "uetcat %s: %s\n", a->link.command, text);
    return false;
}
