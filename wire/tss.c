/* SPDX-License-Identifier: BSD-2-Clause */
#include "wire/tss.h"

#include <errno.h>
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include "wire/text.h"

enum { CACHE_DEFAULT = 8, CMAC_BLOCK = 16 };

void uet_tss_wipe(void *secret, size_t n)
{
    OPENSSL_cleanse(secret, n);
}

static bool derives(uint8_t mode, uint8_t client)
{
    return mode == UET_TSS_MODE_CLUSTER ||
           (mode == UET_TSS_MODE_SERVER && client != UET_CLIENT_SELF);
}

static bool all_zero(const uint8_t *p, size_t n)
{
    uint8_t any = 0;
    for (size_t i = 0; i < n; i++)
        any |= p[i];
    return any == 0;
}

const char *uet_tss_params_error(const struct uet_tss_params *p)
{
    if (p->sdi > 0xffffff)
        return "the SDI has more than 24 bits; give 0..0xffffff";
    if (p->an > 1)
        return "the AN is neither 0 nor 1";
    if (p->mode < UET_TSS_MODE_DIRECT || p->mode > UET_TSS_MODE_SERVER)
        return "the key mode is unknown; give direct, cluster or server";
    if (p->client > UET_CLIENT_DST)
        return "the client's side is unknown; give peer, self, src or dst";
    if (p->client != UET_CLIENT_PEER && p->mode != UET_TSS_MODE_SERVER)
        return "only server mode has a client; leave its side out";
    if (p->rekey && p->mode != UET_TSS_MODE_CLUSTER)
        return "automatic rekey belongs to cluster mode only; turn it off";
    if (p->rekey && !uet_tss_rekey_ok(p->rekey_mask, p->rekey_shift))
        return "the rekey value has more than 32 bits; give a narrower mask or a larger shift";
    if (derives(p->mode, p->client) && !all_zero(p->iv_mask, sizeof p->iv_mask))
        return "the IV mask is derived in this key mode; leave it zero";
    if (p->encrypt_from && p->encrypt_from < uet_tss_header_len(p->ssi_mode))
        return "encryption cannot begin inside the TSS header; give 12 or more, 16 with an SSI";
    if (p->cached_keys > UET_TSS_CACHE_MAX)
        return "too many cached keys; give at most 64";
    return NULL;
}

/* CMAC under the slot's key, keyed once: later a NULL key starts it anew. */
static EVP_MAC_CTX *cmac_new(const uint8_t key[UET_TSS_KEY_LEN])
{
    char cipher[] = "AES-256-CBC";
    const OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_CIPHER, cipher, 0),
        OSSL_PARAM_construct_end(),
    };
    EVP_MAC *mac = EVP_MAC_fetch(NULL, "CMAC", NULL);
    EVP_MAC_CTX *ctx = mac ? EVP_MAC_CTX_new(mac) : NULL;
    EVP_MAC_free(mac);
    if (ctx && EVP_MAC_init(ctx, key, UET_TSS_KEY_LEN, params) != 1) {
        EVP_MAC_CTX_free(ctx);
        ctx = NULL;
    }
    return ctx;
}

static int derive(uint8_t out[UET_TSS_DERIVED_LEN], EVP_MAC_CTX *cmac, const char label[2],
                  const struct uet_tss_context *context)
{
    uint8_t block[3 * CMAC_BLOCK], input[UET_TSS_FIXED_MAX];
    int ok = 1;
    for (uint8_t i = 0; i < 3 && ok; i++) {
        size_t got, n = uet_tss_kdf_input(input, (uint8_t)(i + 1), label, context);
        ok = EVP_MAC_init(cmac, NULL, 0, NULL) == 1 && EVP_MAC_update(cmac, input, n) == 1 &&
             EVP_MAC_final(cmac, block + i * CMAC_BLOCK, &got, CMAC_BLOCK) == 1;
    }
    if (ok)
        memcpy(out, block, UET_TSS_DERIVED_LEN);
    OPENSSL_cleanse(block, sizeof block);
    return ok ? 0 : -EIO;
}

int uet_tss_derive(uint8_t out[UET_TSS_DERIVED_LEN], const uint8_t key[UET_TSS_KEY_LEN],
                   const char label[2], const struct uet_tss_context *context)
{
    EVP_MAC_CTX *cmac = cmac_new(key);
    int e = cmac ? derive(out, cmac, label, context) : -EIO;
    EVP_MAC_CTX_free(cmac);
    return e;
}

static int setup_keys(struct uet_tss_sa *sa, const struct uet_tss_params *p)
{
    EVP_CIPHER *gcm = EVP_CIPHER_fetch(NULL, "AES-256-GCM", NULL);
    int ok = gcm != NULL;
    for (size_t i = 0; i < sa->n_keys && ok; i++) {
        struct uet_tss_key *k = &sa->keys[i];
        k->gcm = EVP_CIPHER_CTX_new();
        ok = k->gcm && EVP_EncryptInit_ex(k->gcm, gcm, NULL,
                                          derives(p->mode, p->client) ? NULL : p->key, NULL) == 1;
        memcpy(k->iv_mask, p->iv_mask, sizeof k->iv_mask);
    }
    EVP_CIPHER_free(gcm); /* the contexts hold it */
    if (ok && derives(p->mode, p->client))
        ok = (sa->cmac = cmac_new(p->key)) != NULL;
    return ok ? 0 : -ENOMEM;
}

int uet_tss_setup(struct uet_tss_sa *sa, const struct uet_tss_params *p)
{
    uint8_t cached = p->cached_keys ? p->cached_keys : CACHE_DEFAULT;
    *sa = (struct uet_tss_sa){0};
    if (uet_tss_params_error(p))
        return -EINVAL;
    sa->sdi = p->sdi;
    sa->an = p->an;
    sa->mode = p->mode;
    sa->client = p->client;
    sa->ssi_mode = p->ssi_mode;
    sa->rekey_mask = p->rekey ? p->rekey_mask : 0;
    sa->rekey_shift = p->rekey ? p->rekey_shift : 0;
    sa->encrypt_from = p->encrypt_from;
    sa->readings = p->readings;
    sa->n_keys = derives(p->mode, p->client) ? (uint8_t)(cached + 1) : 1;
    int e = setup_keys(sa, p);
    if (e)
        uet_tss_erase(sa);
    return e;
}

void uet_tss_erase(struct uet_tss_sa *sa)
{
    for (size_t i = 0; i < sa->n_keys; i++)
        EVP_CIPHER_CTX_free(sa->keys[i].gcm); /* wipes its key schedule */
    EVP_MAC_CTX_free(sa->cmac);
    OPENSSL_cleanse(sa, sizeof *sa);
}

int uet_tss_describe(char *out, size_t cap, const struct uet_tss_sa *sa)
{
    struct text t = text_begin(out, cap);
    text_add(&t, "sdi 0x%06x an %u %s", (unsigned)sa->sdi, sa->an,
             uet_enum_name(UET_ENUM_TSS_MODE, sa->mode));
    if (sa->mode == UET_TSS_MODE_SERVER && sa->client == UET_CLIENT_SELF)
        text_add(&t, " (client)");
    if (sa->ssi_mode)
        text_add(&t, " ssi");
    if (sa->rekey_mask)
        text_add(&t, " rekey mask 0x%012llx shift %u", (unsigned long long)sa->rekey_mask,
                 sa->rekey_shift);
    if (sa->encrypt_from == UET_TSS_ENCRYPT_NOTHING)
        text_add(&t, " encrypts nothing");
    else if (sa->encrypt_from)
        text_add(&t, " encrypts from byte %u", sa->encrypt_from);
    if (sa->readings.udp_not_in_aad)
        text_add(&t, " UDP not authenticated (TSS-012 U2)");
    if (sa->readings.ipv6_context_by_ip)
        text_add(&t, " IPv6 key by address (TSS-077)");
    if (sa->readings.unexpected_ssi_is_fit)
        text_add(&t, " takes an unexpected SSI (TSS-041)");
    return (int)t.len;
}

/* ---- the cache of derived keys ---- */

static inline uint8_t *bucket_of(struct uet_tss_sa *sa, const struct uet_tss_purpose *p)
{
    const uint64_t odd =
        0x9e3779b97f4a7c15u; /* mixes towards the high bits, of which six are taken */
    uint64_t mixed = (p->address[0] ^ p->when) * odd + p->address[1];
    return &sa->buckets[mixed * odd >> 58];
}

/* Derives into the spare place, unless it has been done. */
__attribute__((noinline)) static struct uet_tss_key *
derive_key(struct uet_tss_sa *sa, const struct uet_tss_purpose *purpose)
{
    const char *label =
        sa->mode == UET_TSS_MODE_SERVER ? UET_TSS_LABEL_SERVER : UET_TSS_LABEL_CLUSTER;
    struct uet_tss_key *k = &sa->keys[sa->spare];
    struct uet_tss_context c;
    uint8_t out[UET_TSS_DERIVED_LEN];
    if (uet_tss_same_purpose(&k->purpose, purpose))
        return k;
    k->purpose.when = 0;
    uet_tss_context_of(&c, purpose);
    int ok = derive(out, sa->cmac, label, &c) == 0 &&
             EVP_EncryptInit_ex(k->gcm, NULL, NULL, out, NULL) == 1;
    if (ok) {
        memcpy(k->iv_mask, out + UET_TSS_KEY_LEN, UET_TSS_IV_LEN);
        k->purpose = *purpose;
    }
    OPENSSL_cleanse(out, sizeof out);
    return ok ? k : NULL;
}

static void forget(struct uet_tss_sa *sa, uint8_t place)
{
    struct uet_tss_key *k = &sa->keys[place];
    if (!k->purpose.when)
        return;
    uint8_t *at = bucket_of(sa, &k->purpose);
    while (*at != place + 1)
        at = &sa->keys[*at - 1].next;
    *at = k->next;
    k->purpose.when = 0;
}

/* The key has sealed or opened a packet. */
static void keep(struct uet_tss_sa *sa, struct uet_tss_key *k)
{
    if (k != &sa->keys[sa->spare] || sa->n_keys == 1)
        return;
    uint8_t *bucket = bucket_of(sa, &k->purpose);
    k->next = *bucket;
    *bucket = (uint8_t)(sa->spare + 1);
    sa->spare = (uint8_t)((sa->spare + 1) % sa->n_keys);
    forget(sa, sa->spare);
}

__attribute__((always_inline)) static inline struct uet_tss_key *
derived(struct uet_tss_sa *sa, const struct uet_tss_purpose *purpose)
{
    for (uint8_t at = *bucket_of(sa, purpose); at; at = sa->keys[at - 1].next)
        if (uet_tss_same_purpose(&sa->keys[at - 1].purpose, purpose))
            return &sa->keys[at - 1];
    return derive_key(sa, purpose);
}

__attribute__((always_inline)) static inline struct uet_tss_key *
key_of(struct uet_tss_sa *sa, const struct uet_tss_header *h, const uint8_t *frame,
       const struct uet_tss_place *at, bool seal)
{
    struct uet_tss_purpose purpose;
    if (!sa->cmac)
        return &sa->keys[0];
    bool by_dst = sa->mode == UET_TSS_MODE_SERVER &&
                  (sa->client == UET_CLIENT_DST || (sa->client == UET_CLIENT_PEER && seal));
    uint32_t rekey = uet_tss_rekey(h->counter, sa->rekey_mask, sa->rekey_shift);
    uet_tss_purpose_of(&purpose, h, rekey, by_dst, frame, at, &sa->readings);
    return derived(sa, &purpose);
}

/* ---- packets ---- */

/*
 * The ICV as a parameter: EVP_CIPHER_CTX_ctrl does the same in twice the time, because it builds
 * this by itself; and with the IV in one call it takes a little longer than by itself.
 */
#define ICV_PARAM(icv)                                                                             \
    {                                                                                              \
        OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TAG, (icv), UET_TSS_TRAILER_BYTES),         \
            OSSL_PARAM_END                                                                         \
    }

/* One GCM operation of a packet. */
struct operation {
    struct uet_tss_key *key;
    size_t from, limit; /* the encrypted bytes; the ICV stands at limit */
};

/* More bytes, or with to NULL more additional data. */
__attribute__((always_inline)) static inline bool update(const struct operation *op, bool seal,
                                                         uint8_t *to, const uint8_t *from, size_t n)
{
    int done;
    return (seal ? EVP_EncryptUpdate(op->key->gcm, to, &done, from, (int)n)
                 : EVP_DecryptUpdate(op->key->gcm, to, &done, from, (int)n)) == 1;
}

__attribute__((always_inline)) static inline bool bulk(const struct operation *op, bool seal,
                                                       uint8_t *to, const uint8_t *from)
{
    return op->limit == op->from || update(op, seal, to, from, op->limit - op->from);
}

/* Key and IV from the bytes of the frame, which is whole unless it is peeked at. */
__attribute__((always_inline)) static inline enum uet_tss_status
start(struct operation *op, struct uet_tss_sa *sa, const uint8_t *frame,
      const struct uet_tss_place *at, bool seal, bool whole)
{
    struct uet_tss_header h;
    uint8_t iv[UET_TSS_IV_LEN];
    enum uet_tss_status s = uet_tss_header_at(&h, frame, at, whole);
    if (s != UET_TSS_OK)
        return s;
    op->key = key_of(sa, &h, frame, at, seal);
    if (!op->key)
        return UET_TSS_CRYPTO;
    uet_tss_raw_iv(iv, &h, frame, at);
    uet_tss_mask(iv, op->key->iv_mask);
    op->limit = at->end - (whole ? (size_t)UET_TSS_TRAILER_BYTES : 0);
    op->from = uet_tss_encrypted_from(at, h.sp, sa->encrypt_from, op->limit);
    bool ok = (seal ? EVP_EncryptInit_ex2(op->key->gcm, NULL, NULL, iv, NULL)
                    : EVP_DecryptInit_ex2(op->key->gcm, NULL, NULL, iv, NULL)) == 1;
    return ok ? UET_TSS_OK : UET_TSS_CRYPTO;
}

/* Without the UDP header, as the other reading of TSS-012 has it. */
__attribute__((noinline, cold)) static bool aad_in_two(const struct operation *op, bool seal,
                                                       const uint8_t *frame,
                                                       const struct uet_tss_place *at,
                                                       const struct uet_tss_readings *r)
{
    struct uet_tss_run aad[2];
    size_t runs = uet_tss_aad(at, op->from, r, aad);
    bool ok = update(op, seal, NULL, frame + aad[0].offset, aad[0].len);
    return ok && (runs == 1 || update(op, seal, NULL, frame + aad[1].offset, aad[1].len));
}

/* With the additional data; then the bulk can go. */
__attribute__((always_inline)) static inline enum uet_tss_status
begin(struct operation *op, struct uet_tss_sa *sa, const uint8_t *frame,
      const struct uet_tss_place *at, bool seal)
{
    enum uet_tss_status s = start(op, sa, frame, at, seal, true);
    if (s != UET_TSS_OK)
        return s;
    size_t src = uet_tss_address(at, false);
    bool ok = sa->readings.udp_not_in_aad ? aad_in_two(op, seal, frame, at, &sa->readings)
                                          : update(op, seal, NULL, frame + src, op->from - src);
    return ok ? UET_TSS_OK : UET_TSS_CRYPTO;
}

enum uet_tss_status uet_tss_seal_at(struct uet_tss_sa *sa, uint8_t *frame,
                                    const struct uet_tss_place *at, const uint8_t *plain)
{
    struct operation op;
    uint8_t rest[UET_TSS_TRAILER_BYTES];
    int n;
    enum uet_tss_status s = begin(&op, sa, frame, at, true);
    if (s != UET_TSS_OK)
        return s;
    OSSL_PARAM icv[] = ICV_PARAM(frame + op.limit);
    bool ok = bulk(&op, true, frame + op.from, plain ? plain : frame + op.from) &&
              EVP_EncryptFinal_ex(op.key->gcm, rest, &n) == 1 &&
              EVP_CIPHER_CTX_get_params(op.key->gcm, icv) == 1;
    if (!ok)
        return UET_TSS_CRYPTO;
    keep(sa, op.key);
    return UET_TSS_OK;
}

/* GCM encrypts by XOR: the same again brings back what stood there. */
__attribute__((noinline, cold)) static bool undo(struct uet_tss_sa *sa, const uint8_t *frame,
                                                 const struct uet_tss_place *at, uint8_t *bytes)
{
    struct operation op;
    return begin(&op, sa, frame, at, false) == UET_TSS_OK && bulk(&op, false, bytes, bytes);
}

enum uet_tss_status uet_tss_open_at(struct uet_tss_sa *sa, const uint8_t *frame,
                                    const struct uet_tss_place *at, uint8_t *plain)
{
    struct operation op;
    uint8_t rest[UET_TSS_TRAILER_BYTES];
    uint8_t copy[UET_TSS_TRAILER_BYTES]; /* a parameter cannot be constant */
    const OSSL_PARAM icv[] = ICV_PARAM(copy);
    int n;
    enum uet_tss_status s = begin(&op, sa, frame, at, false);
    if (s != UET_TSS_OK)
        return s;
    memcpy(copy, frame + op.limit, sizeof copy);
    if (EVP_CIPHER_CTX_set_params(op.key->gcm, icv) != 1 ||
        !bulk(&op, false, plain, frame + op.from))
        return UET_TSS_CRYPTO;
    if (EVP_DecryptFinal_ex(op.key->gcm, rest, &n) == 1) {
        keep(sa, op.key);
        return UET_TSS_OK;
    }
    if (plain == frame + op.from && !undo(sa, frame, at, plain))
        return UET_TSS_CRYPTO;
    return UET_TSS_BAD_ICV;
}

enum uet_tss_status uet_tss_peek(struct uet_tss_sa *sa, const uint8_t *frame,
                                 const struct uet_tss_place *at, uint8_t *out, size_t n,
                                 size_t *got)
{
    struct operation op;
    *got = 0;
    enum uet_tss_status s = start(&op, sa, frame, at, false, false);
    if (s != UET_TSS_OK)
        return s;
    if (n > at->end - op.from)
        n = at->end - op.from;
    if (n && !update(&op, false, out, frame + op.from, n))
        return UET_TSS_CRYPTO;
    *got = n;
    return UET_TSS_OK;
}
