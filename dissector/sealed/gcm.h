/* SPDX-License-Identifier: GPL-2.0-or-later */
/* AES-256-GCM and the key derivation of 3.7.8 with libgcrypt. Knows nothing of packets. */
#ifndef UETX_GCM_H
#define UETX_GCM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UETX_IV_BYTES      12u
#define UETX_ICV_BYTES     16u
#define UETX_CONTEXT_BYTES 26u

/* What a packet key is derived from (3.7.8.4). */
struct uetx_derivation {
    const uint8_t *key; /* 32 bytes */
    const char *label;  /* "U1", "U2"; NULL: nothing is derived, the key is used as it stands */
    uint8_t context[UETX_CONTEXT_BYTES];
    size_t context_bytes;
};

/* A packet key: a cipher with the key set, owned by the cache in gcm.c; and the IV mask. */
struct uetx_packet_key {
    struct gcry_cipher_handle *cipher;
    uint8_t iv_mask[UETX_IV_BYTES]; /* zero when nothing is derived */
};

/* The packet key for d, made or found again; NULL when the library refuses. */
const struct uetx_packet_key *uetx_packet_key(const struct uetx_derivation *d);

/* All keys are forgotten: the preferences changed. */
void uetx_packet_keys_forget(void);

/* A run of additional data. */
struct uetx_run {
    const uint8_t *bytes;
    size_t n;
};

/*
 * Decrypts n bytes from in to out. icv: 16 bytes to check, or NULL: nothing is checked (a trimmed
 * packet). False when the ICV is wrong or the library fails; out then holds nothing of use.
 */
bool uetx_gcm_open(const struct uetx_packet_key *key, const uint8_t iv[UETX_IV_BYTES],
                   const struct uetx_run *aad, size_t n_aad, const uint8_t *in, uint8_t *out,
                   size_t n, const uint8_t *icv);

#endif
