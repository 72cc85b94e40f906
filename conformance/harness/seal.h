/* SPDX-License-Identifier: BSD-2-Clause */
/* How a packet of the tester's is sealed (3.7), for tests: what struct uet_out has of it. */
#ifndef UET_CONFORMANCE_SEAL_H
#define UET_CONFORMANCE_SEAL_H

#include <stdbool.h>
#include <stdint.h>

struct uet_domain;

/*
 * What to do differently from right, in a packet whose `protect` is UET_PROTECT_TSS. All zero but
 * for the domain: a correct packet. What the header has otherwise is sealed so, under the key that
 * it would have had; what is altered after that is no longer authentic.
 */
struct uet_seal {
    struct uet_domain *domain; /* whose key, SDI, AN, epoch and counter it has */
    bool other_sdi, other_an, other_epoch, other_counter, other_ssi; /* the value below instead */
    bool other_sp; /* sp is the opposite: a header of 12 bytes for one of 16, or 16 for 12 */
    bool rsvd;     /* the reserved bit is 1 */
    uint8_t an;
    uint16_t epoch;
    uint32_t sdi, ssi;
    uint64_t counter;  /* the caller sees to it that no other packet has it (TSS-018) */
    bool other_key;    /* sealed with the key of the other AN slot; the header names its own */
    bool other_target; /* the destination address is authenticated with its last bit changed */
    bool other_source; /* the same of the source: with an SSI only, else key and IV change too */
    uint8_t flip;      /* after sealing: bits of one byte that are inverted, 0: none */
    int16_t flip_at;   /* which: from the first byte of the TSS header; below 0: before that */
};

#endif
