/* SPDX-License-Identifier: BSD-2-Clause */
/* The headers of a parsed packet in wire order, and the values that follow from their fields. */
#ifndef UET_WIRE_LAYERS_H
#define UET_WIRE_LAYERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/packet.h"

/*
 * Ethernet, tags, IP, UDP or entropy, TSS, PDS, one part inside PDS, SES, memory key, two
 * extensions, and CRC trailer or ICV.
 */
#define UET_LAYERS_MAX (UET_VLANS_MAX + 11)

struct uet_layer_at {
    enum uet_header_id id;
    uint16_t offset; /* from the first byte of the frame */
};

/*
 * Lists the headers that the parser found whole, in the order of their offsets; a header inside
 * another (Control Packet payload, CC state, memory key) comes after it. Returns how many.
 */
size_t uet_layers(const struct uet_packet *p, struct uet_layer_at out[UET_LAYERS_MAX]);

#define UET_COMPUTED_MAX 4

struct uet_computed {
    const char *name; /* "clear_psn" */
    uint64_t value;
    bool psn; /* to be shown in hexadecimal */
};

/* What follows from the fields of one header of the packet. Returns how many, possibly none. */
size_t uet_computed(const struct uet_packet *p, enum uet_header_id id,
                    struct uet_computed out[UET_COMPUTED_MAX]);

#endif
