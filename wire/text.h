/* SPDX-License-Identifier: BSD-2-Clause */
/* Appending to a caller's buffer the way snprintf fills one. Internal to wire/. */
#ifndef UET_WIRE_TEXT_H
#define UET_WIRE_TEXT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

struct text {
    char *out;
    size_t cap;
    size_t len; /* of the whole text, written or not */
};

static inline struct text text_begin(char *out, size_t cap)
{
    if (cap)
        out[0] = '\0';
    return (struct text){out, cap, 0};
}

__attribute__((format(printf, 2, 3))) static inline void text_add(struct text *t,
                                                                  const char *format, ...)
{
    va_list args;
    size_t at = t->len < t->cap ? t->len : t->cap;
    va_start(args, format);
    int n = vsnprintf(t->cap ? t->out + at : NULL, t->cap - at, format, args);
    va_end(args);
    if (n > 0)
        t->len += (size_t)n;
}

#endif
