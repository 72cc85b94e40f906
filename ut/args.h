/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The FEP's end: arguments of a verb, checked one by one, for whoever serves requests
 * (docs/upper-tester.md). The first one that is wrong fills `error`, in one sentence for the
 * reply; from then on nothing overwrites it, and a verb looks at it once before it acts.
 */
#ifndef UET_UT_ARGS_H
#define UET_UT_ARGS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/addr.h"

struct uet_args {
    const json_t *request; /* the caller's */
    char error[200];       /* "" as long as nothing is wrong */
};

__attribute__((format(printf, 2, 3))) void uet_arg_refuse(struct uet_args *args, const char *format,
                                                          ...);
/* Refuses a verb that is not there. name: as it was asked for, or NULL. */
void uet_arg_no_verb(struct uet_args *args, const char *name);
/* Refuses any argument that is not among the names. */
void uet_arg_only(struct uet_args *args, const char *const *names);
/* Is it there, and not null? */
bool uet_arg_present(const struct uet_args *args, const char *key);
/* An unsigned number, at most max; 0 when it is wrong or, unless required, missing. */
uint64_t uet_arg_number(struct uet_args *args, const char *key, uint64_t max, bool required);
bool uet_arg_bool(struct uet_args *args, const char *key);
const char *uet_arg_text(struct uet_args *args, const char *key, bool required);
/* Which of n names; 0 when it is missing. */
uint8_t uet_arg_choice(struct uet_args *args, const char *key, const char *const *names, size_t n);
/* The value of an enumerator by its name in the specification, as UET_AMO_SUM; must be there. */
uint8_t uet_arg_enumerator(struct uet_args *args, const char *key, uint8_t enumeration);
/* true when it is there and right. */
bool uet_arg_address(struct uet_args *args, const char *key, bool required, struct uet_ip *ip);
/* Bytes of the hex string at key; 0 when it is missing or wrong. */
uint32_t uet_arg_hex_bytes(struct uet_args *args, const char *key);

/* Puts a value (stolen) into the reply. */
void uet_reply_set(struct uet_args *args, json_t *reply, const char *key, json_t *value);

#endif
