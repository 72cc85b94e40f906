/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * TSS seal and open of whole packets, beside two loops of EVP alone over the same bytes: evp_* sets
 * an IV and takes a tag for each packet, which nobody who uses GCM can leave out; gcm_4k is one
 * long message without either, what the cipher itself can do.
 */
#include "bench/bench.h"

#include <string.h>

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include "wire/build.h"
#include "wire/tss.h"

/* PDS, SES and payload of a packet, and its clear and sealed frames. */
struct packet {
    size_t uet_len, clear_len, sealed_len;
    uint8_t clear[UET_FRAME_MAX], sealed[UET_FRAME_MAX], out[UET_FRAME_MAX];
};

static struct packet packet;
static struct uet_tss_sa sa;

/* Cluster mode: the key of the sender is derived once and then found. */
static void prepare(size_t uet_len)
{
    static const struct uet_route route = {.src = {4, {192, 0, 2, 1}}, .dst = {4, {192, 0, 2, 2}}};
    static const uint8_t uet[BENCH_PAYLOAD] = {UET_PDS_RUD_REQ << 3};
    const struct uet_tss_params p = {.sdi = 1, .mode = UET_TSS_MODE_CLUSTER, .key = {1, 2, 3}};
    const struct uet_tss_stamp stamp = {.counter = 1};
    struct uet_build b;
    if (uet_tss_setup(&sa, &p) != 0)
        bench_die("TSS could not be set up");
    uet_build_start(&b, packet.clear, sizeof packet.clear, &route);
    uet_build_payload(&b, uet, uet_len);
    int n = uet_build_finish(&b, UET_PROTECT_NONE, NULL);
    if (n < 0)
        bench_die("the builder made no frame");
    packet.uet_len = uet_len;
    packet.clear_len = (size_t)n;
    if (uet_tss_seal(&sa, &stamp, packet.clear, packet.clear_len, NULL, packet.sealed,
                     sizeof packet.sealed, &packet.sealed_len) != UET_TSS_OK)
        bench_die("TSS did not seal");
}

static void seal(size_t uet_len, uint32_t rounds)
{
    struct uet_tss_sender sender = {0};
    struct uet_tss_stamp stamp;
    enum uet_tss_status s = UET_TSS_OK;
    size_t n;
    prepare(uet_len);
    for (uint32_t i = 0; i < rounds && s == UET_TSS_OK; i++) {
        uet_tss_next(&sender, &stamp);
        s = uet_tss_seal(&sa, &stamp, packet.clear, packet.clear_len, NULL, packet.out,
                         sizeof packet.out, &n);
        bench_keep(packet.out);
    }
    uet_tss_erase(&sa);
    if (s != UET_TSS_OK)
        bench_die("TSS did not seal");
}

static void open_(size_t uet_len, uint32_t rounds)
{
    enum uet_tss_status s = UET_TSS_OK;
    size_t n;
    prepare(uet_len);
    for (uint32_t i = 0; i < rounds && s == UET_TSS_OK; i++) {
        s = uet_tss_open(&sa, packet.sealed, packet.sealed_len, NULL, packet.out, sizeof packet.out,
                         &n, NULL);
        bench_keep(packet.out);
    }
    uet_tss_erase(&sa);
    if (s != UET_TSS_OK || (rounds && n != packet.clear_len))
        bench_die("TSS did not open");
}

/* The same bytes through EVP alone: packets, or one message. */
static void evp(size_t len, uint32_t rounds, bool packets)
{
    static const uint8_t key[UET_TSS_KEY_LEN] = {1, 2, 3};
    uint8_t iv[UET_TSS_IV_LEN] = {0}, tag[UET_TSS_TRAILER_BYTES];
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, "AES-256-GCM", NULL);
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    int n, ok = cipher && ctx && EVP_EncryptInit_ex(ctx, cipher, NULL, key, iv) == 1;
    for (uint32_t i = 0; i < rounds && ok; i++) {
        if (packets) {
            memcpy(iv, &i, sizeof i);
            ok = EVP_EncryptInit_ex(ctx, NULL, NULL, NULL, iv) == 1;
        }
        ok = ok && EVP_EncryptUpdate(ctx, packet.out, &n, packet.clear, (int)len) == 1;
        if (packets)
            ok = ok && EVP_EncryptFinal_ex(ctx, tag, &n) == 1 &&
                 EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, sizeof tag, tag) == 1;
        bench_keep(packet.out);
    }
    EVP_CIPHER_CTX_free(ctx);
    EVP_CIPHER_free(cipher);
    if (!ok)
        bench_die("EVP did not encrypt");
}

/* ---- frames by EVP alone: what any FEP must do to seal and to open ---- */

/* From one host to the other: the sender's context and the receiver's, and how many frames. */
struct evp_way {
    EVP_CIPHER_CTX *seal, *open;
    uint64_t sealed, opened;
};

/* What is authenticated and what is encrypted too, as many bytes as in a frame with TSS header. */
enum {
    CLOSED_AT = UET_ETH_BYTES + UET_IPV4_BYTES + UET_UDP_BYTES,
    AAD_AT = CLOSED_AT - (8 + UET_UDP_BYTES + UET_TSS_HDR_12_BYTES),
};

static struct evp_way way[2];
static uint8_t opened[UET_FRAME_MAX];

static EVP_CIPHER_CTX *evp_new(bool seal)
{
    static const uint8_t key[UET_TSS_KEY_LEN] = {1, 2, 3};
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, "AES-256-GCM", NULL);
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    if (!cipher || !ctx || EVP_CipherInit_ex(ctx, cipher, NULL, key, NULL, seal) != 1)
        bench_die("EVP gives no context");
    EVP_CIPHER_free(cipher);
    return ctx;
}

void bench_evp_begin(void)
{
    for (int host = 0; host < 2; host++)
        way[host] = (struct evp_way){.seal = evp_new(true), .open = evp_new(false)};
}

void bench_evp_end(void)
{
    for (int host = 0; host < 2; host++) {
        EVP_CIPHER_CTX_free(way[host].seal);
        EVP_CIPHER_CTX_free(way[host].open);
    }
}

size_t bench_evp_leaves(unsigned host, uint8_t *frame, size_t len)
{
    EVP_CIPHER_CTX *ctx = way[host].seal;
    uint8_t iv[UET_TSS_IV_LEN] = {0}, none[UET_TSS_TRAILER_BYTES];
    OSSL_PARAM tag[] = {
        OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TAG, frame + len, UET_TSS_TRAILER_BYTES),
        OSSL_PARAM_END};
    int n;
    memcpy(iv, &way[host].sealed, sizeof way[host].sealed);
    way[host].sealed++;
    if (EVP_EncryptInit_ex2(ctx, NULL, NULL, iv, NULL) != 1 ||
        EVP_EncryptUpdate(ctx, NULL, &n, frame + AAD_AT, CLOSED_AT - AAD_AT) != 1 ||
        EVP_EncryptUpdate(ctx, frame + CLOSED_AT, &n, frame + CLOSED_AT, (int)len - CLOSED_AT) !=
            1 ||
        EVP_EncryptFinal_ex(ctx, none, &n) != 1 || EVP_CIPHER_CTX_get_params(ctx, tag) != 1)
        bench_die("EVP did not seal");
    return len + UET_TSS_TRAILER_BYTES;
}

/* From the other host; false: the tag is wrong. */
static bool evp_open(struct evp_way *from, const uint8_t *frame, size_t len)
{
    EVP_CIPHER_CTX *ctx = from->open;
    uint8_t iv[UET_TSS_IV_LEN] = {0}, none[UET_TSS_TRAILER_BYTES], icv[UET_TSS_TRAILER_BYTES];
    const OSSL_PARAM tag[] = {OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TAG, icv, sizeof icv),
                              OSSL_PARAM_END};
    int n;
    memcpy(iv, &from->opened, sizeof from->opened);
    memcpy(icv, frame + len, sizeof icv);
    if (EVP_DecryptInit_ex2(ctx, NULL, NULL, iv, NULL) != 1 ||
        EVP_CIPHER_CTX_set_params(ctx, tag) != 1 ||
        EVP_DecryptUpdate(ctx, NULL, &n, frame + AAD_AT, CLOSED_AT - AAD_AT) != 1 ||
        EVP_DecryptUpdate(ctx, opened + CLOSED_AT, &n, frame + CLOSED_AT, (int)len - CLOSED_AT) !=
            1)
        bench_die("EVP did not decrypt");
    return EVP_DecryptFinal_ex(ctx, none, &n) == 1;
}

const uint8_t *bench_evp_arrives(unsigned host, const uint8_t *frame, uint32_t *len)
{
    struct evp_way *from = &way[!host];
    *len -= UET_TSS_TRAILER_BYTES;
    memcpy(opened, frame, CLOSED_AT);
    if (!evp_open(from, frame, *len))
        bench_die("EVP did not open");
    from->opened++;
    return opened;
}

void bench_evp_forged(uint32_t rounds)
{
    bench_evp_begin();
    size_t len = bench_evp_leaves(0, packet.sealed, CLOSED_AT + BENCH_PAYLOAD);
    packet.sealed[len - 1] ^= 1;
    for (uint32_t i = 0; i < rounds; i++) {
        if (evp_open(&way[0], packet.sealed, len - UET_TSS_TRAILER_BYTES))
            bench_die("EVP opened what is forged");
        bench_keep(opened);
    }
    bench_evp_end();
}

void bench_gcm_4k(uint32_t rounds)
{
    evp(4096, rounds, false);
}

void bench_evp_64(uint32_t rounds)
{
    evp(64, rounds, true);
}

void bench_evp_1k(uint32_t rounds)
{
    evp(1024, rounds, true);
}

void bench_evp_4k(uint32_t rounds)
{
    evp(4096, rounds, true);
}

void bench_seal_64(uint32_t rounds)
{
    seal(64, rounds);
}

void bench_seal_1k(uint32_t rounds)
{
    seal(1024, rounds);
}

void bench_seal_4k(uint32_t rounds)
{
    seal(4096, rounds);
}

void bench_open_64(uint32_t rounds)
{
    open_(64, rounds);
}

void bench_open_1k(uint32_t rounds)
{
    open_(1024, rounds);
}

void bench_open_4k(uint32_t rounds)
{
    open_(4096, rounds);
}
