/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dissector/sealed/gcm.h"

#include <gcrypt.h>
#include <stdlib.h>
#include <string.h>

#define KEY_BYTES   32u
#define BLOCK_BYTES 16u
#define BLOCKS      3u /* 44 bytes: key 32, IV mask 12 */
#define CACHED      64u

/* Keys that were used lately; a capture has few senders and epochs at a time. */
struct cached {
    bool used;
    uint8_t from[KEY_BYTES];
    char label[2];
    uint8_t context[UETX_CONTEXT_BYTES];
    size_t context_bytes;
    struct uetx_packet_key key;
};

static struct cached cache[CACHED];
static size_t oldest, latest;

static bool is_for(const struct cached *c, const struct uetx_derivation *d)
{
    static const char none[2];
    return c->used && c->context_bytes == d->context_bytes &&
           memcmp(c->context, d->context, d->context_bytes) == 0 &&
           memcmp(c->label, d->label ? d->label : none, 2) == 0 &&
           memcmp(c->from, d->key, KEY_BYTES) == 0;
}

static void forget(struct cached *c)
{
    if (c->used)
        gcry_cipher_close(c->key.cipher);
    memset(c, 0, sizeof *c);
}

/* Block i of SP 800-108 in counter mode: i | label | 00 | context | 0160, the bits of output. */
static bool derive_block(gcry_mac_hd_t mac, uint8_t i, const struct uetx_derivation *d,
                         uint8_t out[BLOCK_BYTES])
{
    static const uint8_t zero = 0, bits[] = {0x01, 0x60};
    size_t n = BLOCK_BYTES;
    return !gcry_mac_reset(mac) && !gcry_mac_write(mac, &i, 1) &&
           !gcry_mac_write(mac, d->label, 2) && !gcry_mac_write(mac, &zero, 1) &&
           !gcry_mac_write(mac, d->context, d->context_bytes) &&
           !gcry_mac_write(mac, bits, sizeof bits) && !gcry_mac_read(mac, out, &n);
}

static bool derive(const struct uetx_derivation *d, uint8_t out[BLOCKS * BLOCK_BYTES])
{
    gcry_mac_hd_t mac;
    if (gcry_mac_open(&mac, GCRY_MAC_CMAC_AES, 0, NULL))
        return false;
    bool good = !gcry_mac_setkey(mac, d->key, KEY_BYTES);
    for (uint8_t i = 0; i < BLOCKS && good; i++)
        good = derive_block(mac, (uint8_t)(i + 1), d, out + i * BLOCK_BYTES);
    gcry_mac_close(mac);
    return good;
}

static bool make(struct uetx_packet_key *k, const struct uetx_derivation *d)
{
    uint8_t derived[BLOCKS * BLOCK_BYTES];
    const uint8_t *key = d->key;
    if (d->label) {
        if (!derive(d, derived))
            return false;
        key = derived;
        memcpy(k->iv_mask, derived + KEY_BYTES, UETX_IV_BYTES);
    }
    if (gcry_cipher_open(&k->cipher, GCRY_CIPHER_AES256, GCRY_CIPHER_MODE_GCM, 0))
        return false;
    bool good = !gcry_cipher_setkey(k->cipher, key, KEY_BYTES);
    memset(derived, 0, sizeof derived);
    if (!good)
        gcry_cipher_close(k->cipher);
    return good;
}

const struct uetx_packet_key *uetx_packet_key(const struct uetx_derivation *d)
{
    for (size_t i = 0; i < CACHED; i++) { /* that of the packet before comes first */
        size_t at = (latest + i) % CACHED;
        if (is_for(&cache[at], d)) {
            latest = at;
            return &cache[at].key;
        }
    }
    struct cached *c = &cache[oldest];
    forget(c);
    if (!make(&c->key, d))
        return NULL;
    c->used = true;
    memcpy(c->from, d->key, KEY_BYTES);
    if (d->label)
        memcpy(c->label, d->label, 2);
    memcpy(c->context, d->context, d->context_bytes);
    c->context_bytes = d->context_bytes;
    latest = oldest;
    oldest = (oldest + 1) % CACHED;
    return &c->key;
}

void uetx_packet_keys_forget(void)
{
    for (size_t i = 0; i < CACHED; i++)
        forget(&cache[i]);
}

bool uetx_gcm_open(const struct uetx_packet_key *key, const uint8_t iv[UETX_IV_BYTES],
                   const struct uetx_run *aad, size_t n_aad, const uint8_t *in, uint8_t *out,
                   size_t n, const uint8_t *icv)
{
    gcry_cipher_hd_t c = key->cipher;
    bool good = !gcry_cipher_reset(c) && !gcry_cipher_setiv(c, iv, UETX_IV_BYTES);
    for (size_t i = 0; i < n_aad && good; i++)
        good = !gcry_cipher_authenticate(c, aad[i].bytes, aad[i].n);
    if (n)
        good = good && !gcry_cipher_decrypt(c, out, n, in, n);
    return good && (!icv || !gcry_cipher_checktag(c, icv, UETX_ICV_BYTES));
}
