/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers as elements of atomics (Table 3-22), written for the wire: a way of our own, without the
 * arithmetic of any FEP. */
#ifndef UET_HARNESS_ELEMENTS_H
#define UET_HARNESS_ELEMENTS_H

#include <stdbool.h>
#include <stdint.h>

enum { UET_ELEMENT_MAX = 32 };

/* What a datatype of Table 3-22 is. */
enum uet_element_kind {
    UET_KIND_SIGNED = 1,
    UET_KIND_UNSIGNED = 2,
    UET_KIND_REAL = 4,
    UET_KIND_COMPLEX = 8,
    UET_KIND_INTEGER = UET_KIND_SIGNED | UET_KIND_UNSIGNED,
    UET_KIND_ORDERED = UET_KIND_INTEGER | UET_KIND_REAL,
    UET_KIND_ANY = UET_KIND_ORDERED | UET_KIND_COMPLEX,
};

struct uet_element_type {
    uint8_t kind;  /* enum uet_element_kind; 0: no such datatype, or one of which the facts leave
                      open how it looks on the wire: the two of LONG_DOUBLE */
    uint8_t bytes; /* of an element */
};

/* Of that datatype (UET_TYPE_*); zeroes: it has no kind. */
struct uet_element_type uet_element_type(uint8_t datatype);

/*
 * The element that the text names, in network byte order; returns its bytes. Integers: "-1", "12",
 * "0x1ff", cut to the width. Real ones: what is exact in the datatype, "-2.5", "nan". Complex ones:
 * "1,-2". Only for a datatype that has a kind.
 */
uint8_t uet_element_wire(uint8_t datatype, const char *text, uint8_t out[static UET_ELEMENT_MAX]);

/* From network byte order into that of a host, or back: each number by itself (SES-137). */
void uet_element_host(uint8_t datatype, bool big_endian, const uint8_t *from, uint8_t *to);

#endif
