/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * YAML by tables: which keys a mapping may have, of what type each is, and where its value goes.
 * What is in no table is an error. Errors are collected, each with its line and column, so that a
 * file is mended in one go.
 */
#ifndef UET_HARNESS_YAML_READER_H
#define UET_HARNESS_YAML_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <yaml.h>

#include "conformance/harness/dut.h"

#define UET_YAML_MAX_ERRORS 10 /* more are only counted */

struct uet_yaml {
    yaml_document_t document;
    const char *path; /* of the file */
    char *err;        /* one line for each error */
    size_t errlen, at;
    unsigned errors;
    struct uet_dut *dut;
    unsigned claimed[UET_PICS_COUNT]; /* the line of each claim, or 0 */
    struct uet_yaml_alike *alike;     /* while `alike` is read (alike.c) */
};

enum uet_yaml_type {
    UET_YAML_TEXT,     /* char[size] */
    UET_YAML_ADDRESS,  /* struct uet_ip */
    UET_YAML_FLAG,     /* bool */
    UET_YAML_WORD,     /* uint8_t: the place among `words` */
    UET_YAML_TEXT_OF,  /* char[size], one of `words` */
    UET_YAML_NUMBER,   /* unsigned of `size` bytes, from min to max */
    UET_YAML_DURATION, /* uint64_t, ns: "5ms"; 0 is refused */
    UET_YAML_SPECIAL,  /* has a function of its own */
};

struct uet_yaml_key {
    const char *name;
    uint8_t type; /* enum uet_yaml_type */
    size_t offset, size;
    uint64_t min, max;
    const char *const *words; /* end with NULL */
    void (*special)(struct uet_yaml *y, yaml_node_t *value);
};

#define UET_YAML_AT(structure, member)                                                             \
    .offset = offsetof(struct structure, member), .size = sizeof(((struct structure *)0)->member)
#define UET_YAML_COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* Notes one error, at a node; NULL: at the file's first line. */
void uet_yaml_bad(struct uet_yaml *y, const yaml_node_t *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Says at the end how many errors there are beyond those that were told. */
void uet_yaml_count_rest(struct uet_yaml *y);

/* The text of a scalar, or NULL. */
const char *uet_yaml_scalar(const yaml_node_t *node);

/* The line of a node, from 1. */
unsigned uet_yaml_line(const yaml_node_t *node);

/* The value of a key of a mapping, or NULL. */
yaml_node_t *uet_yaml_find(struct uet_yaml *y, const yaml_node_t *mapping, const char *name);

/* Notes that the mapping lacks a key, once for each of the names that it lacks. */
void uet_yaml_require(struct uet_yaml *y, const yaml_node_t *mapping, const char *what,
                      const char *const *names);

/*
 * Calls each with every pair of a mapping. Keys that are no text, or that stand there twice, are
 * errors. `what` names the mapping in them.
 */
void uet_yaml_pairs(struct uet_yaml *y, yaml_node_t *node, const char *what, void *ctx,
                    void (*each)(struct uet_yaml *y, yaml_node_t *key, yaml_node_t *value,
                                 void *ctx));

/* Notes that an item of a list says what the one of line `first` said before. */
void uet_yaml_twice(struct uet_yaml *y, const yaml_node_t *item, const char *what, unsigned first);

/* Calls each for every item of a list of at most max. */
void uet_yaml_list(struct uet_yaml *y, yaml_node_t *node, const char *what, size_t max,
                   void (*each)(struct uet_yaml *y, yaml_node_t *item, size_t i));

/* ---- values.c ---- */

/* Reads one value. */
void uet_yaml_value(struct uet_yaml *y, const struct uet_yaml_key *key, yaml_node_t *node,
                    void *base);

/* Reads a mapping by a table of keys into the structure at base. */
void uet_yaml_mapping(struct uet_yaml *y, yaml_node_t *node, const char *what,
                      const struct uet_yaml_key *keys, size_t n, void *base);

/*
 * Decimal, or hexadecimal with 0x, and a unit: for times ns, us, ms or s, which a time must have;
 * for sizes KiB, MiB or GiB, or none. NULL, or what is wrong ("must be a number", ...).
 */
const char *uet_yaml_time(const char *text, uint64_t *ns);
const char *uet_yaml_number(const char *text, uint64_t *value);

#define UET_YAML_TIME_TEXT 32

/* A number, or ns as "8s", in the largest unit that it fills without a rest; in out, returned. */
const char *uet_yaml_shown(char out[UET_YAML_TIME_TEXT], uint64_t value, bool time);

/* The place among words that end with NULL, or -1 (and the error noted, with a guess). */
int uet_yaml_word(struct uet_yaml *y, const yaml_node_t *node, const char *name,
                  const char *const *words);

#endif
