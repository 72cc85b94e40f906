/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a FEP claims of the atomics (Tables 3-21, 3-22): pairs of operation and datatype, each with
 * or without the old value. Their full table is not public, so tests ask for claimed pairs alone.
 */
#ifndef UET_HARNESS_ATOMICS_H
#define UET_HARNESS_ATOMICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UET_ATOMIC_OPS = 0x15, UET_ATOMIC_TYPES = 0x12 }; /* to UET_AMO_INVAL, UET_TYPE_FP16 */

/* As a fep.yaml names them: the names of the tables, made short. */
extern const char *const uet_atomic_ops[UET_ATOMIC_OPS];
extern const char *const uet_atomic_types[UET_ATOMIC_TYPES];

struct uet_atomics {
    uint32_t plain[UET_ATOMIC_OPS];    /* UET_ATOMIC: a bit for each datatype */
    uint32_t fetching[UET_ATOMIC_OPS]; /* UET_FETCHING_ATOMIC */
};

#define UET_ATOMIC_TEXT 64

/*
 * Adds what a claim says: "fsum:u64", "bor:u8-u64" (all from one to the other, as in Table 3-22).
 * An f before the operation: fetching. False: text tells in err, of UET_ATOMIC_TEXT * 4 bytes, what
 * is wrong and how to mend it.
 */
bool uet_atomics_add(struct uet_atomics *claims, const char *text, char *err);

/* Is the pair of operation (UET_AMO_*) and datatype (UET_TYPE_*) among the claims? */
bool uet_atomics_claimed(const struct uet_atomics *claims, bool fetching, uint8_t amo,
                         uint8_t datatype);

/* The claim of one pair, as fep.yaml has it. Returns out. */
const char *uet_atomics_name(bool fetching, uint8_t amo, uint8_t datatype,
                             char out[static UET_ATOMIC_TEXT]);

#endif
