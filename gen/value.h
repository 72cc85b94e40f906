/* SPDX-License-Identifier: BSD-2-Clause */
/* Values of fields: numbers of up to 128 bits, their texts, and their places in a header. */
#ifndef UET_GEN_VALUE_H
#define UET_GEN_VALUE_H

#include <stddef.h>

#include "uet_spec.h"

/* Wide enough for IPv6 addresses and opaque CC states; INT fields are sign-extended to it. */
__extension__ typedef unsigned __int128 gen_value;

/*
 * Reads a value of a field: a number (decimal, 0x...; INT fields also negative), an enumerator by
 * its name ("UET_WRITE", "write"), an IP or MAC address, for flags also true and false. Returns
 * true, or false and one sentence on what is wrong in why.
 */
bool gen_value_parse(const struct uet_field *f, const char *text, size_t n, gen_value *value,
                     char *why, size_t whylen);

/* Does the field hold the value? */
bool gen_value_fits(const struct uet_field *f, gen_value value);

/*
 * May a correct sender put it there? Not a reserved field's nonzero value, not a value that the
 * enumeration reserves or does not know.
 */
bool gen_value_allowed(const struct uet_field *f, gen_value value);

/* The text that gen_value_parse reads back; as snprintf. */
int gen_value_text(const struct uet_field *f, gen_value value, char *out, size_t cap);

/* A field of a header whose first byte is h. */
gen_value gen_value_get(const struct uet_field *f, const uint8_t *h);
void gen_value_set(const struct uet_field *f, uint8_t *h, gen_value value);

#endif
