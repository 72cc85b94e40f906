/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One UET packet as link types and tunnels bring it: what stands in front of it, written by hand
 * from the registries and RFCs that wire/captured/decap.h names.
 */
#ifndef UET_WIRE_TESTS_CARRIERS_H
#define UET_WIRE_TESTS_CARRIERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct carrier {
    const char *name;
    const char *via; /* as uet_inner has it */
    uint32_t linktype;
    bool eth;       /* the packet follows with its Ethernet header, not from the IP header on */
    uint16_t start; /* where in `bytes` the parser is to start; n: at the packet itself */
    const uint8_t *bytes;
    size_t n;
};

extern const struct carrier carriers[];
extern const size_t n_carriers;

/* A SYN WRITE of 4 bytes, golden_bytes.h's with CLEAR_PSN right: it breaks no rule. */
#define CARRIED_BYTES 102
extern const uint8_t carried[CARRIED_BYTES];

/* The byte that breaks SES-002 when it gets this value: reserved bits of the SES header are 0. */
#define CARRIED_SPOILT_AT 54
#define CARRIED_SPOILT    0x41

#define CARRIER_MAX 256

/* Writes the carrier with the packet in it to out; returns the length. */
size_t carrier_fill(const struct carrier *c, bool spoilt, uint8_t out[CARRIER_MAX]);

#endif
