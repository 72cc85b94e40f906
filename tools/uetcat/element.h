/* SPDX-License-Identifier: BSD-2-Clause */
/* Elements of atomics (Table 3-22) as text: what a user writes, and what he is shown. */
#ifndef UETCAT_ELEMENT_H
#define UETCAT_ELEMENT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { UETCAT_ELEMENT_MAX = 32 };

/*
 * The element that the text names, in the byte order of this host: a whole number, decimal or
 * 0x..., that the datatype has room for; "-2.5", "nan", "inf" of a real one, rounded to the
 * nearest; two of them, "1,-2", of a complex one. False, after a line on standard error that begins
 * with command and option, when it is none.
 */
bool uetcat_element_read(const char *command, const char *option, uint8_t datatype,
                         const char *text, uint8_t out[static UETCAT_ELEMENT_MAX]);

/* Is it two numbers, a complex one? */
bool uetcat_element_is_pair(uint8_t datatype);

/* "-12 0xfffffff4": the number, and the bits of the element as on the wire; a line. */
void uetcat_element_show(FILE *out, uint8_t datatype, const uint8_t *element);

#endif
