/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The few directives that a line is made of, written here: a line of a packet has twenty of them,
 * and through vsnprintf they were a tenth of tshark's time. Any other directive goes there still.
 */
#include "wire/text.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* One directive: %[0][width][l|ll|z](s|d|u|x). */
struct directive {
    bool zero;
    unsigned width;
    unsigned longs; /* 0: int, else long, long long or size_t, all of 64 bits */
    char type;
    const char *end; /* what follows it */
};

/* Byte by byte: the pieces are short. Inlined, so that the text's length stays in a register. */
static inline void put(struct text *t, char c)
{
    if (t->len + 1 < t->cap)
        t->out[t->len] = c;
    t->len++;
}

static inline bool read_directive(struct directive *d, const char *f)
{
    *d = (struct directive){0};
    f++; /* the % */
    if (*f == '0') {
        d->zero = true;
        f++;
    }
    for (; *f >= '0' && *f <= '9' && d->width < 100; f++)
        d->width = d->width * 10 + (unsigned)(*f - '0');
    if (sizeof(long) == sizeof(uint64_t) && sizeof(size_t) == sizeof(uint64_t))
        for (; *f == 'l' || *f == 'z'; f++)
            d->longs++;
    d->type = *f;
    d->end = f + 1;
    if (d->type == 's')
        return !d->width && !d->zero && !d->longs;
    return (d->zero || !d->width) && d->width <= 20;
}

/* A loop for each base: dividing by a constant is a multiplication, by 16 a shift. */
static inline void put_number(struct text *t, const struct directive *d, uint64_t v, bool negative)
{
    char digits[24];
    size_t n = 0;
    if (d->type == 'x')
        for (; v || !n; v >>= 4)
            digits[n++] = "0123456789abcdef"[v & 15];
    else
        for (; v || !n; v /= 10)
            digits[n++] = (char)('0' + v % 10);
    if (negative)
        put(t, '-');
    for (size_t i = n + negative; i < d->width; i++)
        put(t, '0');
    while (n)
        put(t, digits[--n]);
}

/* What one directive asks for; false: it is none of those, and no argument was taken. */
static inline bool put_directive(struct text *t, const struct directive *d, va_list *args)
{
    switch (d->type) {
    case 's':
        for (const char *s = va_arg(*args, const char *); *s; s++)
            put(t, *s);
        return true;
    case 'd': {
        int64_t v = d->longs ? va_arg(*args, long) : va_arg(*args, int);
        put_number(t, d, v < 0 ? 0 - (uint64_t)v : (uint64_t)v, v < 0);
        return true;
    }
    case 'u':
    case 'x':
        put_number(t, d, d->longs ? va_arg(*args, unsigned long) : va_arg(*args, unsigned), false);
        return true;
    default:
        return false;
    }
}

/* For the rest of a format. */
static void by_library(struct text *t, const char *format, va_list *args)
{
    size_t at = t->len < t->cap ? t->len : t->cap;
    int n = vsnprintf(t->cap ? t->out + at : NULL, t->cap - at, format, *args);
    t->len += n > 0 ? (size_t)n : 0;
}

void uet_text_vadd(struct text *text, const char *format, va_list arguments)
{
    struct text t = *text; /* of its own, for the registers */
    struct directive d;
    const char *rest = NULL;
    va_list args;
    va_copy(args, arguments);
    for (const char *f = format; *f; f = d.end) {
        for (; *f && *f != '%'; f++)
            put(&t, *f);
        if (!*f)
            break;
        if (!read_directive(&d, f) || !put_directive(&t, &d, &args)) {
            rest = f;
            break;
        }
    }
    *text = t;
    if (t.cap)
        t.out[t.len < t.cap ? t.len : t.cap - 1] = '\0';
    if (rest)
        by_library(text, rest, &args);
    va_end(args);
}
