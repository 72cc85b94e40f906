/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames for the tests of the relay. */
#ifndef UET_INTEROP_RELAY_TESTS_PACKETS_H
#define UET_INTEROP_RELAY_TESTS_PACKETS_H

#include "interop/relay/plan.h"
#include "wire/build.h"

struct packet_wanted {
    bool v6, native;
    uint16_t entropy;
    uint8_t dscp, ecn;
    enum uet_protect protect;
    enum uet_crc_order order;
    bool ack; /* else a RUD request with a write of 1000 bytes */
    uint32_t psn;
};

/* Builds it; returns its length. */
uint32_t packet_make(uint8_t *frame, const struct packet_wanted *wanted);

/* An ARP request: 42 bytes, no IP. */
uint32_t packet_arp(uint8_t *frame);

/* The rules of the plan, each of which is right. */
struct relay_plan packet_plan(const char *first, const char *second);

#endif
