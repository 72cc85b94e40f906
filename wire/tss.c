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
    if (p->rekey_shift && !p->rekey)
        return "rekey_shift needs a rekey_mask that is not 0: write one, or leave rekey_shift out";
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
    sa->keys[0].kept = !derives(p->mode, p->client);
    EVP_CIPHER_free(gcm); /* the contexts hold it */
    if (ok && derives(p->mode, p->client))
        ok = (sa->cmac = cmac_new(p->key)) != NULL;
    return ok ? 0 : -ENOMEM;
}

/* A key leaves the cache, or becomes another one's. */
static void forget_plans(struct uet_tss_sa *sa)
{
    for (size_t i = 0; i < UET_TSS_PLANS; i++)
        sa->plans[0][i].least = sa->plans[1][i].least = SIZE_MAX;
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
    forget_plans(sa);
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
__attribute__((noinline)) static struct uet_tss_key *derive_key(struct uet_tss_sa *sa,
                                                                struct uet_tss_purpose purpose)
{
    const char *label =
        sa->mode == UET_TSS_MODE_SERVER ? UET_TSS_LABEL_SERVER : UET_TSS_LABEL_CLUSTER;
    struct uet_tss_key *k = &sa->keys[sa->spare];
    struct uet_tss_context c;
    uint8_t out[UET_TSS_DERIVED_LEN];
    if (uet_tss_same_purpose(&k->purpose, &purpose))
        return k;
    forget_plans(sa);
    k->purpose.when = 0;
    uet_tss_context_of(&c, &purpose);
    int ok = derive(out, sa->cmac, label, &c) == 0 &&
             EVP_EncryptInit_ex(k->gcm, NULL, NULL, out, NULL) == 1;
    if (ok) {
        memcpy(k->iv_mask, out + UET_TSS_KEY_LEN, UET_TSS_IV_LEN);
        k->purpose = purpose;
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
    k->kept = false;
}

__attribute__((noinline)) static void take_in(struct uet_tss_sa *sa, struct uet_tss_key *k)
{
    uint8_t *bucket = bucket_of(sa, &k->purpose);
    k->kept = true;
    k->next = *bucket;
    *bucket = (uint8_t)(sa->spare + 1);
    sa->spare = (uint8_t)((sa->spare + 1) % sa->n_keys);
    forget_plans(sa);
    forget(sa, sa->spare);
}

/* The key has sealed or opened a packet. */
static inline void keep(struct uet_tss_sa *sa, struct uet_tss_key *k)
{
    if (!k->kept)
        take_in(sa, k);
}

static inline bool by_dst(const struct uet_tss_sa *sa, bool seal)
{
    return sa->mode == UET_TSS_MODE_SERVER &&
           (sa->client == UET_CLIENT_DST || (sa->client == UET_CLIENT_PEER && seal));
}

__attribute__((always_inline)) static inline struct uet_tss_key *
key_of(struct uet_tss_sa *sa, const struct uet_tss_header *h, const uint8_t *frame,
       const struct uet_tss_place *at, bool seal)
{
    struct uet_tss_purpose purpose;
    if (!sa->cmac)
        return &sa->keys[0];
    uint32_t rekey = uet_tss_rekey(h->counter, sa->rekey_mask, sa->rekey_shift);
    uet_tss_purpose_of(&purpose, h, rekey, by_dst(sa, seal), frame, at, &sa->readings);
    for (uint8_t place = *bucket_of(sa, &purpose); place; place = sa->keys[place - 1].next)
        if (uet_tss_same_purpose(&sa->keys[place - 1].purpose, &purpose))
            return &sa->keys[place - 1];
    return derive_key(sa, purpose);
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

/* ... from the bytes of the frame, which is whole unless it is peeked at. */
__attribute__((always_inline)) static inline enum uet_tss_status
work_out(struct uet_tss_plan *plan, struct uet_tss_sa *sa, const uint8_t *frame,
         const struct uet_tss_place *at, bool seal, bool whole)
{
    struct uet_tss_header h;
    enum uet_tss_status s = uet_tss_header_at(&h, frame, at, whole);
    plan->least = SIZE_MAX;
    if (s != UET_TSS_OK)
        return s;
    plan->key = key_of(sa, &h, frame, at, seal);
    if (!plan->key)
        return UET_TSS_CRYPTO;
    uet_tss_raw_iv(plan->iv, &h, frame, at);
    uet_tss_mask(plan->iv, plan->key->iv_mask);
    plan->limit = at->end - (whole ? (size_t)UET_TSS_TRAILER_BYTES : 0);
    plan->from = uet_tss_encrypted_from(at, h.sp, sa->encrypt_from, plan->limit);
    plan->aad[1].len = 0;
    (void)uet_tss_aad(at, plan->from, &sa->readings, plan->aad);
    return UET_TSS_OK;
}

/* The word of a frame that has both IPv4 addresses. */
static inline uint64_t addresses_of(const uint8_t *frame, const struct uet_tss_place *at)
{
    return uet_rd64(frame + at->ip_offset + uet_crc_from(4));
}

/* The header but for epoch and counter. */
static inline uint64_t head_of(const uint8_t *tss)
{
    uint64_t head = uet_rd64(tss);
    return uet_tss_hdr_sp(tss) ? head : head >> 32;
}

static inline uint64_t tsc_of(const uint8_t *tss)
{
    return uet_rd64(tss + uet_tss_header_len(uet_tss_hdr_sp(tss)) - 8);
}

__attribute__((noinline)) static enum uet_tss_status
plan_anew(struct uet_tss_plan *plan, struct uet_tss_sa *sa, const uint8_t *frame,
          const struct uet_tss_place *at, bool seal)
{
    const uint8_t *tss = frame + at->tss_offset;
    enum uet_tss_status s = work_out(plan, sa, frame, at, seal, true);
    if (s != UET_TSS_OK || at->ip_version != 4)
        return s;
    plan->at = *at;
    plan->addresses = addresses_of(frame, at);
    plan->key_addresses = UINT64_MAX << (by_dst(sa, seal) ? 0 : 32); /* the source stands first */
    plan->head = head_of(tss);
    plan->tsc = tsc_of(tss);
    if (plan->from < plan->limit)
        plan->least = plan->from + UET_TSS_TRAILER_BYTES;
    return UET_TSS_OK;
}

/* Where the plan for packets between two addresses stands: few peers have one place. */
__attribute__((always_inline)) static inline struct uet_tss_plan *
place_of_plan(struct uet_tss_sa *sa, const uint8_t *frame, const struct uet_tss_place *at,
              bool seal)
{
    const uint8_t *src = frame + at->ip_offset + uet_crc_from(4);
    return &sa->plans[seal][(src[3] ^ src[7]) % UET_TSS_PLANS];
}

/* Makes the plan good for a packet: mostly it wants but another counter and end. */
__attribute__((always_inline)) static inline enum uet_tss_status
plan_for(struct uet_tss_plan *plan, struct uet_tss_sa *sa, const uint8_t *frame,
         const struct uet_tss_place *at, bool seal)
{
    const uint8_t *tss = frame + at->tss_offset;
    /* Behind options on native IP, TSS may stand where it does behind UDP. */
    if (at->end < plan->least || at->ip_version != 4 || at->ip_offset != plan->at.ip_offset ||
        at->udp_offset != plan->at.udp_offset || at->tss_offset != plan->at.tss_offset)
        return plan_anew(plan, sa, frame, at, seal);
    const uint64_t tsc = tsc_of(tss), key_bits = UINT64_C(0xffff) << 48 | sa->rekey_mask;
    if (((addresses_of(frame, at) ^ plan->addresses) & plan->key_addresses) |
        (head_of(tss) ^ plan->head) | ((tsc ^ plan->tsc) & key_bits))
        return plan_anew(plan, sa, frame, at, seal);
    plan->limit = at->end - (size_t)UET_TSS_TRAILER_BYTES;
    uet_wr64(plan->iv + 4, tsc ^ uet_rd64(plan->key->iv_mask + 4));
    return UET_TSS_OK;
}

/* More bytes, or with to NULL more additional data. */
__attribute__((always_inline)) static inline bool update(EVP_CIPHER_CTX *gcm, bool seal,
                                                         uint8_t *to, const uint8_t *from, size_t n)
{
    int done;
    return (seal ? EVP_EncryptUpdate(gcm, to, &done, from, (int)n)
                 : EVP_DecryptUpdate(gcm, to, &done, from, (int)n)) == 1;
}

/* With the IV, and nothing else. */
__attribute__((always_inline)) static inline bool start(EVP_CIPHER_CTX *gcm,
                                                        const struct uet_tss_plan *plan, bool seal)
{
    return (seal ? EVP_EncryptInit_ex2(gcm, NULL, NULL, plan->iv, NULL)
                 : EVP_DecryptInit_ex2(gcm, NULL, NULL, plan->iv, NULL)) == 1;
}

/* Additional data and bulk. */
__attribute__((always_inline)) static inline bool feed(EVP_CIPHER_CTX *gcm,
                                                       const struct uet_tss_plan *plan, bool seal,
                                                       const uint8_t *frame, uint8_t *to,
                                                       const uint8_t *from)
{
    const struct uet_tss_run *aad = plan->aad;
    return update(gcm, seal, NULL, frame + aad[0].offset, aad[0].len) &&
           (!aad[1].len || update(gcm, seal, NULL, frame + aad[1].offset, aad[1].len)) &&
           (plan->limit == plan->from || update(gcm, seal, to, from, plan->limit - plan->from));
}

/* Not inlined: what is prepared before would take the registers that the calls want. */
__attribute__((noinline)) static enum uet_tss_status encrypt(const struct uet_tss_plan *plan,
                                                             uint8_t *frame, const uint8_t *plain)
{
    uint8_t rest[UET_TSS_TRAILER_BYTES];
    OSSL_PARAM icv[] = ICV_PARAM(frame + plan->limit);
    EVP_CIPHER_CTX *gcm = plan->key->gcm;
    int n;
    bool ok = start(gcm, plan, true) && feed(gcm, plan, true, frame, frame + plan->from, plain) &&
              EVP_EncryptFinal_ex(gcm, rest, &n) == 1 && EVP_CIPHER_CTX_get_params(gcm, icv) == 1;
    return ok ? UET_TSS_OK : UET_TSS_CRYPTO;
}

__attribute__((noinline)) static enum uet_tss_status decrypt(const struct uet_tss_plan *plan,
                                                             const uint8_t *frame, uint8_t *plain)
{
    uint8_t rest[UET_TSS_TRAILER_BYTES];
    uint8_t copy[UET_TSS_TRAILER_BYTES]; /* a parameter cannot be constant */
    const OSSL_PARAM icv[] = ICV_PARAM(copy);
    EVP_CIPHER_CTX *gcm = plan->key->gcm;
    int n;
    memcpy(copy, frame + plan->limit, sizeof copy);
    if (!start(gcm, plan, false) || EVP_CIPHER_CTX_set_params(gcm, icv) != 1 ||
        !feed(gcm, plan, false, frame, plain, frame + plan->from))
        return UET_TSS_CRYPTO;
    return EVP_DecryptFinal_ex(gcm, rest, &n) == 1 ? UET_TSS_OK : UET_TSS_BAD_ICV;
}

enum uet_tss_status uet_tss_seal_at(struct uet_tss_sa *sa, uint8_t *frame,
                                    const struct uet_tss_place *at, const uint8_t *plain)
{
    struct uet_tss_plan *plan = place_of_plan(sa, frame, at, true);
    enum uet_tss_status s = plan_for(plan, sa, frame, at, true);
    if (s == UET_TSS_OK)
        s = encrypt(plan, frame, plain ? plain : frame + plan->from);
    if (s == UET_TSS_OK)
        keep(sa, plan->key);
    return s;
}

/* GCM encrypts by XOR: the same again brings back what stood there. */
__attribute__((noinline, cold)) static bool undo(const struct uet_tss_plan *plan,
                                                 const uint8_t *frame, uint8_t *bytes)
{
    EVP_CIPHER_CTX *gcm = plan->key->gcm;
    return start(gcm, plan, false) && feed(gcm, plan, false, frame, bytes, bytes);
}

enum uet_tss_status uet_tss_open_at(struct uet_tss_sa *sa, const uint8_t *frame,
                                    const struct uet_tss_place *at, uint8_t *plain)
{
    struct uet_tss_plan *plan = place_of_plan(sa, frame, at, false);
    enum uet_tss_status s = plan_for(plan, sa, frame, at, false);
    if (s == UET_TSS_OK)
        s = decrypt(plan, frame, plain);
    if (s == UET_TSS_OK)
        keep(sa, plan->key);
    if (s == UET_TSS_BAD_ICV && plain == frame + plan->from && !undo(plan, frame, plain))
        return UET_TSS_CRYPTO;
    return s;
}

enum uet_tss_status uet_tss_peek(struct uet_tss_sa *sa, const uint8_t *frame,
                                 const struct uet_tss_place *at, uint8_t *out, size_t n,
                                 size_t *got)
{
    struct uet_tss_plan plan;
    *got = 0;
    enum uet_tss_status s = work_out(&plan, sa, frame, at, false, false);
    if (s != UET_TSS_OK)
        return s;
    if (n > at->end - plan.from)
        n = at->end - plan.from;
    EVP_CIPHER_CTX *gcm = plan.key->gcm;
    if (!start(gcm, &plan, false) || (n && !update(gcm, false, out, frame + plan.from, n)))
        return UET_TSS_CRYPTO;
    *got = n;
    return UET_TSS_OK;
}
