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

/* As vsnprintf, at the end of the text. */
__attribute__((format(printf, 2, 0))) void uet_text_vadd(struct text *t, const char *format,
                                                         va_list args);

__attribute__((format(printf, 2, 3))) static inline void text_add(struct text *t,
                                                                  const char *format, ...)
{
    va_list args;
    va_start(args, format);
    uet_text_vadd(t, format, args);
    va_end(args);
}

#endif
