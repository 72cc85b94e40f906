/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Impairments of a wire by rule: which packets, from which one on, and what becomes of them. Those
 * by chance are of port/fabric/.
 */
#ifndef UET_WIRE_IMPAIR_H
#define UET_WIRE_IMPAIR_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/packet.h"

enum uet_impair_action {
    UET_IMPAIR_SET, /* field = operand */
    UET_IMPAIR_ADD,
    UET_IMPAIR_XOR,
    UET_IMPAIR_DROP,
    UET_IMPAIR_DUPLICATE, /* the copy comes operand ns later */
    UET_IMPAIR_DELAY,     /* operand ns */
    UET_IMPAIR_TRIM,      /* as a switch does (4.1): operand is the DSCP */
    UET_IMPAIR_FLIP,      /* a bit in the middle of the payload */
};

/* Where the field stands. */
enum uet_impair_place {
    UET_IN_PDS,
    UET_IN_SES,
    UET_IN_CP,
    UET_IN_CC,
    UET_IN_IP,
    UET_IN_UDP,
    UET_IN_ENTROPY, /* of native IP (3.5.10.1) */
};

struct uet_impairment {
    uint8_t packets; /* enum uet_class, or UET_CLASS_HEADER + a header */
    uint8_t action;  /* enum uet_impair_action */
    uint8_t place;   /* enum uet_impair_place */
    const char *field;
    int64_t operand;
    uint32_t spared; /* so many packets of its class pass unharmed first (a preamble's) */
    uint32_t count;  /* and then so many are harmed; 0: all */
};

/* What becomes of a frame. */
struct uet_fate {
    uint32_t copies;   /* 0: lost; 1: as usual */
    uint64_t delay_ns; /* of the last copy */
};

/*
 * Impairs one frame of *len bytes in place, parsed as `how` says, and makes checksum and CRC right
 * again; frames of other classes are left alone, and so is *fate. *seen counts the packets of its
 * class; the caller sets it to 0 at the beginning. 1: harmed; 0: left alone; -EINVAL: meant, but it
 * has no such field or nothing to cut.
 */
int uet_impair(const struct uet_impairment *rule, const struct uet_parse_options *how,
               uint32_t *seen, uint8_t *frame, uint32_t *len, struct uet_fate *fate);

#endif
