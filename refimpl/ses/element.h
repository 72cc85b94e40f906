/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What atomics do with one element in memory (Tables 3-21, 3-22). Which operation works on which
 * datatype is the matrix of the API that UET maps to, as the table of the specification is not
 * public (contested; one line for each operation in element.c). Nothing here knows of packets.
 */
#ifndef UET_REFIMPL_SES_ELEMENT_H
#define UET_REFIMPL_SES_ELEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "uet_spec.h"

/* Bytes of an element in memory and on the wire; 0: there is no such datatype. */
uint8_t uet_element_bytes(uint8_t datatype);

/* Can the operation work on that datatype? */
bool uet_element_can(uint8_t amo, uint8_t datatype);

/* Has the operation two operands, so that it takes the longer extension (3.4.2.4)? */
static inline bool uet_amo_compares(uint8_t amo)
{
    return amo >= UET_AMO_CSWAP && amo <= UET_AMO_MSWAP;
}

/*
 * From the byte order of the network to that of the host, or back (SES-137): n bytes, whole
 * elements. The two parts of a complex number stay in their order. to and from must not overlap.
 */
void uet_element_turn(uint8_t datatype, uint8_t *to, const uint8_t *from, uint32_t n);

/*
 * T becomes T <amo> I, in the byte order of the host; no alignment is asked for. compare: what
 * UET_AMO_CSWAP and its kin compare with T, and the mask of UET_AMO_MSWAP; else not looked at. Only
 * for a pair that uet_element_can has named.
 */
void uet_element_apply(uint8_t amo, uint8_t datatype, uint8_t *target, const uint8_t *operand,
                       const uint8_t *compare);

#endif
