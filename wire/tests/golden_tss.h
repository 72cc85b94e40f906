/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Known answers of the Transport Security Sublayer (3.7), as hexadecimal text.
 *
 * Origin: computed facts, not our output. KA1 key and mask stand in 3.7.8.4 of UE 1.0.2 as public
 * sources quote it; the keys of KA2 to KA4 are published in a provider's test. The masks of KA2 to
 * KA4, KA5 to KA10 and all packets were computed from the rules by two programs that share nothing
 * with this project. Sure (A) are KA1 to KA9 on IPv4, the key and IV of every packet; one good
 * source (B) have the additional data on native IP and where encryption begins; TV4a, TV4b (UDP in
 * the additional data or not, TSS-012), TV4d (a stored mask in direct mode, TSS-031), TV7 and KA10
 * (TSS-077) are readings (C).
 */
#ifndef UET_WIRE_TESTS_GOLDEN_TSS_H
#define UET_WIRE_TESTS_GOLDEN_TSS_H

#include "wire/tss.h"

struct golden_kdf {
    const char *id, *title;
    const char *sdki, *label, *context; /* in */
    const char *sdk, *iv_mask;          /* out */
};

extern const struct golden_kdf golden_kdf[];
extern const size_t n_golden_kdf;

struct golden_tss {
    const char *id, *title;
    struct uet_tss_params params; /* without the key */
    struct uet_tss_stamp stamp;
    const char *sdki, *sdk, *iv_mask, *header, *raw_iv, *iv, *aad;
    const char *plain;      /* what is encrypted */
    const char *ciphertext; /* the same encrypted */
    const char *icv;
    const char *packet; /* from the IP header on */
};

extern const struct golden_tss golden_tss[];
extern const size_t n_golden_tss;

/* PDS, SES and payload of every packet, in clear. */
#define GOLDEN_TSS_UET_LEN 64u
extern const char golden_tss_uet[];

/* The packet with this id; ends the program when there is none. */
const struct golden_tss *golden_tss_find(const char *id);

/* Bytes of hexadecimal text; ends the program when they do not fit. Returns how many. */
size_t golden_unhex(uint8_t *out, size_t cap, const char *hex);

/* The parameters with key and mask that open and seal the packet. */
struct uet_tss_params golden_tss_params(const struct golden_tss *g);

/* A line of a key log for such parameters, with a newline. What a client of a server has is direct.
 */
void golden_tss_key_line(char *out, size_t cap, const struct uet_tss_params *p, const char *name);

/* The packet that, sealed, becomes the golden one: IP, UDP or entropy, PDS ... Returns its length.
 */
size_t golden_tss_clear(uint8_t *out, size_t cap, const struct golden_tss *g);

#endif
