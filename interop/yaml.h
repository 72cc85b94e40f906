/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Manifests and cases: YAML mappings read by a table of their keys. The first thing wrong is told,
 * in one line with file and line; what stands in no table is wrong.
 */
#ifndef UET_INTEROP_YAML_H
#define UET_INTEROP_YAML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TEXTS_MAX = 24, TEXT_MAX = 80 };

/* A list of texts. */
struct texts {
    char text[TEXTS_MAX][TEXT_MAX];
    size_t n;
};

enum field_type {
    FIELD_TEXT,   /* char[size] */
    FIELD_NUMBER, /* uint32_t, up to max */
    FIELD_WORD,   /* uint8_t: its place among words */
    FIELD_WORDS,  /* uint32_t: a bit for each of words that the list has */
    FIELD_TEXTS,  /* struct texts */
};

struct field {
    const char *name;
    uint8_t type;
    bool required;
    size_t offset, size;
    uint32_t max;
    const char *const *words; /* end with NULL */
};

#define FIELD_AT(structure, member)                                                                \
    .offset = offsetof(struct structure, member), .size = sizeof(((struct structure *)0)->member)

struct yaml_reading {
    const char *path;
    char *err; /* the one line; "" as long as nothing is wrong */
    size_t errlen;
};

/* Reads a file that is one mapping into the structure at base. 0, or -EINVAL, -ENOENT and the line.
 */
int yaml_read_one(const struct yaml_reading *reading, const struct field *fields, size_t n,
                  void *base);

/*
 * Reads a file that is a list of mappings. For each item next(ctx) gives the structure to fill
 * (NULL: no memory), and taken(ctx) judges it: NULL, or what is wrong with it.
 */
int yaml_read_list(const struct yaml_reading *reading, const struct field *fields, size_t n,
                   void *(*next)(void *ctx), const char *(*taken)(void *ctx), void *ctx);

#endif
