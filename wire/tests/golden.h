/* SPDX-License-Identifier: BSD-2-Clause */
/* Whole packets made by hand, with what they must decode to and the builder calls that make them.
 */
#ifndef UET_WIRE_TESTS_GOLDEN_H
#define UET_WIRE_TESTS_GOLDEN_H

#include <stddef.h>
#include <stdint.h>

#include "wire/build.h"
#include "wire/packet.h"

/* One expected field of one header; value in the low bits, INT fields sign-extended. */
struct golden_field {
    enum uet_header_id header;
    const char *field;
    uint64_t value;
};

#define GOLDEN_FIELDS 40

struct golden {
    const char *name;
    const uint8_t *bytes;
    size_t len;
    enum uet_protect protect;
    const char *line; /* what uet_print_addressed says */
    uint16_t pds_offset, ses_offset, payload_offset, payload_len;
    struct golden_field fields[GOLDEN_FIELDS]; /* up to one without a name */
    /* Makes the same frame with wire/build.h; returns what uet_build_finish does. */
    int (*build)(uint8_t *out, size_t cap);
};

extern const struct golden golden[];
extern const size_t n_golden;

#endif
