/* SPDX-License-Identifier: BSD-2-Clause */
/* The packet vectors sealed and opened; key modes, slots, sources, rekey, trimmed packets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "wire/build.h"
#include "wire/splitmix.h"
#include "wire/tests/golden_tss.h"

static const struct uet_parse_options from_ip = {.start = UET_START_IP};

/* A vector ready for use. */
struct vector {
    const struct golden_tss *g;
    struct uet_tss_sa sa;
    struct uet_tss_place at;
    struct uet_tss_header h;
    uint8_t sealed[256], clear[256];
    size_t sealed_len, clear_len;
};

static void load(struct vector *v, const struct golden_tss *g)
{
    struct uet_tss_params p = golden_tss_params(g);
    v->g = g;
    assert_int_equal(uet_tss_setup(&v->sa, &p), 0);
    v->sealed_len = golden_unhex(v->sealed, sizeof v->sealed, g->packet);
    v->clear_len = golden_tss_clear(v->clear, sizeof v->clear, g);
    assert_int_equal(uet_tss_locate(&v->at, v->sealed, v->sealed_len, &from_ip), UET_TSS_OK);
    assert_int_equal(uet_tss_header_at(&v->h, v->sealed, &v->at, true), UET_TSS_OK);
}

static void is_hex(const char *id, const char *what, const uint8_t *got, size_t n, const char *hex)
{
    uint8_t want[256];
    if (golden_unhex(want, sizeof want, hex) != n || memcmp(got, want, n) != 0)
        fail_msg("%s: another %s", id, what);
}

static void each(void (*check)(struct vector *))
{
    for (size_t i = 0; i < n_golden_tss; i++) {
        struct vector v;
        load(&v, &golden_tss[i]);
        check(&v);
        uet_tss_erase(&v.sa);
    }
}

/* Header, IV, additional data: every value on the way that the vectors name. */
static void check_parts(struct vector *v)
{
    const struct golden_tss *g = v->g;
    uint8_t bytes[256] = {0}, iv[UET_TSS_IV_LEN], mask[UET_TSS_IV_LEN];
    struct uet_tss_run run[2];
    is_hex(g->id, "header", bytes, uet_tss_write(bytes, &v->h), g->header);
    assert_int_equal(v->h.sdi, g->params.sdi);
    assert_int_equal(v->h.an, g->params.an);
    assert_int_equal(v->h.sp, g->params.ssi_mode);
    assert_int_equal(v->h.ssi, g->stamp.ssi);
    assert_int_equal(v->h.epoch, g->stamp.epoch);
    assert_true(v->h.counter == g->stamp.counter);
    uet_tss_raw_iv(iv, &v->h, v->sealed, &v->at);
    is_hex(g->id, "raw IV", iv, sizeof iv, g->raw_iv);
    golden_unhex(mask, sizeof mask, g->iv_mask);
    uet_tss_mask(iv, mask);
    is_hex(g->id, "IV", iv, sizeof iv, g->iv);
    size_t limit = v->at.end - (size_t)UET_TSS_TRAILER_BYTES, n = 0;
    size_t from = uet_tss_encrypted_from(&v->at, v->h.sp, g->params.encrypt_from, limit);
    size_t runs = uet_tss_aad(&v->at, from, &g->params.readings, run);
    for (size_t i = 0; i < runs; n += run[i++].len)
        memcpy(bytes + n, v->sealed + run[i].offset, run[i].len);
    is_hex(g->id, "AAD", bytes, n, g->aad);
    is_hex(g->id, "ciphertext", v->sealed + from, limit - from, g->ciphertext);
    is_hex(g->id, "ICV", v->sealed + limit, UET_TSS_TRAILER_BYTES, g->icv);
}

static void parts(void **state)
{
    (void)state;
    each(check_parts);
}

static void check_seal(struct vector *v)
{
    uint8_t out[256];
    size_t n;
    assert_int_equal(
        uet_tss_seal(&v->sa, &v->g->stamp, v->clear, v->clear_len, &from_ip, out, sizeof out, &n),
        UET_TSS_OK);
    is_hex(v->g->id, "sealed packet", out, n, v->g->packet);
    memcpy(out, v->clear, v->clear_len);
    assert_int_equal(
        uet_tss_seal(&v->sa, &v->g->stamp, out, v->clear_len, &from_ip, out, sizeof out, &n),
        UET_TSS_OK);
    is_hex(v->g->id, "packet sealed in place", out, n, v->g->packet);
    assert_int_equal(
        uet_tss_seal(&v->sa, &v->g->stamp, v->clear, v->clear_len, &from_ip, out, n - 1, &n),
        UET_TSS_NO_ROOM);
    assert_int_equal(n, 0);
}

static void seal(void **state)
{
    (void)state;
    each(check_seal);
}

static void check_open(struct vector *v)
{
    uint8_t out[256];
    size_t n;
    struct uet_tss_header h;
    assert_int_equal(
        uet_tss_open(&v->sa, v->sealed, v->sealed_len, &from_ip, out, sizeof out, &n, &h),
        UET_TSS_OK);
    assert_int_equal(n, v->clear_len);
    assert_memory_equal(out, v->clear, n);
    assert_true(h.counter == v->g->stamp.counter);
    assert_int_equal(
        uet_tss_open(&v->sa, v->sealed, v->sealed_len, &from_ip, out, v->clear_len - 1, &n, NULL),
        UET_TSS_NO_ROOM);
    memcpy(out, v->sealed, v->sealed_len);
    assert_int_equal(
        uet_tss_open(&v->sa, out, v->sealed_len, &from_ip, out, v->sealed_len, &n, NULL),
        UET_TSS_OK);
    assert_int_equal(n, v->clear_len);
    assert_memory_equal(out, v->clear, n);
}

static void open_(void **state)
{
    (void)state;
    each(check_open);
}

/* The inner step alone, with the bytes already laid out. */
static void check_inner(struct vector *v)
{
    uint8_t frame[256], plain[256];
    size_t limit = v->at.end - (size_t)UET_TSS_TRAILER_BYTES;
    size_t from = uet_tss_encrypted_from(&v->at, v->h.sp, v->g->params.encrypt_from, limit);
    memcpy(frame, v->sealed, v->sealed_len);
    assert_int_equal(uet_tss_open_at(&v->sa, frame, &v->at, plain), UET_TSS_OK);
    is_hex(v->g->id, "plaintext", plain, limit - from, v->g->plain);
    assert_int_equal(uet_tss_open_at(&v->sa, frame, &v->at, frame + from), UET_TSS_OK);
    is_hex(v->g->id, "plaintext in place", frame + from, limit - from, v->g->plain);
    memset(frame + limit, 0, UET_TSS_TRAILER_BYTES);
    assert_int_equal(uet_tss_seal_at(&v->sa, frame, &v->at, NULL), UET_TSS_OK);
    assert_memory_equal(frame, v->sealed, v->sealed_len);
    memset(frame + from, 0xee, v->sealed_len - from);
    assert_int_equal(uet_tss_seal_at(&v->sa, frame, &v->at, plain), UET_TSS_OK);
    assert_memory_equal(frame, v->sealed, v->sealed_len);
}

static void inner(void **state)
{
    (void)state;
    each(check_inner);
}

/* Between U1 and U2 only the ICV differs: each reading opens its own packet and not the other. */
static void udp_readings(void **state)
{
    (void)state;
    static const char *const id[] = {"TV4a", "TV4b"};
    struct vector v[2];
    uint8_t out[256];
    size_t n;
    for (int i = 0; i < 2; i++)
        load(&v[i], golden_tss_find(id[i]));
    for (int sa = 0; sa < 2; sa++)
        for (int packet = 0; packet < 2; packet++)
            assert_int_equal(uet_tss_open(&v[sa].sa, v[packet].sealed, v[packet].sealed_len,
                                          &from_ip, out, sizeof out, &n, NULL),
                             sa == packet ? UET_TSS_OK : UET_TSS_BAD_ICV);
    for (int i = 0; i < 2; i++)
        uet_tss_erase(&v[i].sa);
}

static const struct uet_route v4 = {.src = {4, {192, 168, 42, 1}}, .dst = {4, {192, 168, 42, 2}}};
static const struct uet_route v6 = {
    .src = {6, {0x20, 0x01, 0x0c, 0xb0, 0, 0, 0, 0, 0x0f, 0xc0, 0, 0, 0, 0, 0x0a, 0xbc}},
    .dst = {6, {0x20, 0x01, 0x0c, 0xb0, 0, 0, 0, 0, 0x0f, 0xc0, 0, 0, 0, 0, 0x0a, 0xbd}}};

/* An Ethernet frame with the vectors' UET bytes. */
static size_t make(uint8_t out[256], const struct uet_route *route)
{
    uint8_t uet[GOLDEN_TSS_UET_LEN];
    struct uet_build b;
    golden_unhex(uet, sizeof uet, golden_tss_uet);
    uet_build_start(&b, out, 256, route);
    uet_build_payload(&b, uet, sizeof uet);
    return (size_t)uet_build_finish(&b, UET_PROTECT_NONE, NULL);
}

static struct uet_route back(const struct uet_route *r)
{
    return (struct uet_route){.src = r->dst, .dst = r->src};
}

/* Seals with one association, opens with another. */
static enum uet_tss_status across(struct uet_tss_sa *from, struct uet_tss_sa *to,
                                  const struct uet_route *route, const struct uet_tss_stamp *stamp)
{
    uint8_t clear[256], sealed[256], opened[256];
    size_t len = make(clear, route), n, m;
    assert_int_equal(uet_tss_seal(from, stamp, clear, len, NULL, sealed, sizeof sealed, &n),
                     UET_TSS_OK);
    assert_int_equal(n, len + uet_tss_header_len(from->ssi_mode) + UET_TSS_TRAILER_BYTES);
    enum uet_tss_status s = uet_tss_open(to, sealed, n, NULL, opened, sizeof opened, &m, NULL);
    assert_int_equal(m, s == UET_TSS_OK ? len : 0);
    if (s == UET_TSS_OK)
        assert_memory_equal(opened, clear, len);
    return s;
}

static struct uet_tss_params params(const char *key, enum uet_tss_mode mode, bool ssi)
{
    struct uet_tss_params p = {.sdi = 1, .mode = (uint8_t)mode, .ssi_mode = ssi};
    golden_unhex(p.key, sizeof p.key, key);
    return p;
}

/* A client holds the result of the server's derivation (TSS-028). */
static struct uet_tss_params stored(const struct golden_kdf *g, bool ssi)
{
    struct uet_tss_params p = params(g->sdk, UET_TSS_MODE_SERVER, ssi);
    p.client = UET_CLIENT_SELF;
    golden_unhex(p.iv_mask, sizeof p.iv_mask, g->iv_mask);
    return p;
}

/* Both directions on the client's key, with and without its SSI, on IPv4 (KA3). */
static void server_and_client(void **state)
{
    (void)state;
    const struct golden_kdf *ka3 = &golden_kdf[2];
    const struct uet_tss_stamp stamp = {.epoch = 0x1dc0, .counter = 1};
    const struct uet_route reply = back(&v4);
    struct uet_tss_params p = params(ka3->sdki, UET_TSS_MODE_SERVER, false), q = stored(ka3, false);
    struct uet_tss_sa server, client;
    assert_int_equal(uet_tss_setup(&server, &p), 0);
    assert_int_equal(uet_tss_setup(&client, &q), 0);
    assert_int_equal(across(&client, &server, &v4, &stamp), UET_TSS_OK);
    assert_int_equal(across(&server, &client, &reply, &stamp), UET_TSS_OK);
    /* Another client's packets do not open with this one's key. */
    struct uet_route other = v4;
    other.src.bytes[3] = 9;
    assert_int_equal(across(&client, &server, &other, &stamp), UET_TSS_BAD_ICV);
    /* An onlooker with the server's key says which side the client is on. */
    struct uet_tss_sa to_server, from_server;
    p.client = UET_CLIENT_SRC;
    assert_int_equal(uet_tss_setup(&to_server, &p), 0);
    p.client = UET_CLIENT_DST;
    assert_int_equal(uet_tss_setup(&from_server, &p), 0);
    assert_int_equal(across(&server, &from_server, &reply, &stamp), UET_TSS_OK);
    assert_int_equal(across(&server, &to_server, &reply, &stamp), UET_TSS_BAD_ICV);
    assert_int_equal(across(&client, &to_server, &v4, &stamp), UET_TSS_OK);
    assert_int_equal(across(&client, &from_server, &v4, &stamp), UET_TSS_BAD_ICV);
    uet_tss_erase(&server);
    uet_tss_erase(&client);
    uet_tss_erase(&to_server);
    uet_tss_erase(&from_server);
}

/* TV5: the client's stored key seals to the same bytes as the server's derivation opens. */
static void server_with_ssi(void **state)
{
    (void)state;
    struct vector v;
    uint8_t out[256];
    size_t n;
    load(&v, golden_tss_find("TV5"));
    struct uet_tss_params q = params(v.g->sdk, UET_TSS_MODE_SERVER, true);
    q.client = UET_CLIENT_SELF;
    struct uet_tss_sa client;
    golden_unhex(q.iv_mask, sizeof q.iv_mask, v.g->iv_mask);
    assert_int_equal(uet_tss_setup(&client, &q), 0);
    assert_int_equal(
        uet_tss_seal(&client, &v.g->stamp, v.clear, v.clear_len, &from_ip, out, sizeof out, &n),
        UET_TSS_OK);
    is_hex("TV5", "packet of the client", out, n, v.g->packet);
    /* TSS-029: the server answers with the client's SSI. */
    const struct uet_route reply = back(&v4), reply6 = back(&v6);
    const struct uet_tss_stamp answer = {.ssi = 2, .epoch = 0x1dc0, .counter = UINT64_C(1) << 47};
    assert_int_equal(across(&v.sa, &client, &reply, &answer), UET_TSS_OK);
    assert_int_equal(across(&v.sa, &client, &reply6, &answer), UET_TSS_OK);
    const struct uet_tss_stamp other = {.ssi = 3, .epoch = 0x1dc0, .counter = 1};
    assert_int_equal(across(&v.sa, &client, &reply, &other), UET_TSS_BAD_ICV);
    uet_tss_erase(&v.sa);
    uet_tss_erase(&client);
}

/* TSS-077: on IPv6 with an SSI KA9's key is used, with the other reading KA10's. */
static void ipv6_ssi_readings(void **state)
{
    (void)state;
    const struct uet_tss_stamp stamp = {.ssi = 0x0a0b0c0d, .epoch = 3, .counter = 0x28000005};
    for (int by_ip = 0; by_ip < 2; by_ip++) {
        const struct golden_kdf *g = &golden_kdf[by_ip ? 9 : 8];
        struct uet_tss_params p = params(g->sdki, UET_TSS_MODE_CLUSTER, true);
        struct uet_tss_params q = stored(g, true), r = stored(&golden_kdf[by_ip ? 8 : 9], true);
        struct uet_tss_sa sender, right, wrong;
        p.rekey = true;
        p.rekey_mask = UINT64_C(0xfffff8000000);
        p.rekey_shift = 27;
        p.readings.ipv6_context_by_ip = by_ip;
        assert_int_equal(uet_tss_setup(&sender, &p), 0);
        assert_int_equal(uet_tss_setup(&right, &q), 0);
        assert_int_equal(uet_tss_setup(&wrong, &r), 0);
        assert_int_equal(across(&sender, &right, &v6, &stamp), UET_TSS_OK);
        assert_int_equal(across(&sender, &wrong, &v6, &stamp), UET_TSS_BAD_ICV);
        uet_tss_erase(&sender);
        uet_tss_erase(&right);
        uet_tss_erase(&wrong);
    }
}

/* TSS-032: counters on both sides of each edge, out of order, with room for one key and for two. */
static void rekey_across_edges(void **state)
{
    (void)state;
    static const uint64_t counters[] = {0x0ff, 0x100, 0x0fe, 0x1ff, 0x200, 0x101, 0x300, 0x000};
    for (uint8_t cached = 1; cached <= 2; cached++) {
        struct uet_tss_params p = params(golden_kdf[4].sdki, UET_TSS_MODE_CLUSTER, false);
        struct uet_tss_sa a, b, never;
        p.cached_keys = cached;
        assert_int_equal(uet_tss_setup(&never, &p), 0);
        p.rekey = true;
        p.rekey_mask = 0xff00;
        p.rekey_shift = 8;
        assert_int_equal(uet_tss_setup(&a, &p), 0);
        assert_int_equal(uet_tss_setup(&b, &p), 0);
        for (size_t i = 0; i < sizeof counters / sizeof *counters; i++) {
            const struct uet_tss_stamp stamp = {.counter = counters[i]};
            assert_int_equal(across(&a, &b, &v4, &stamp), UET_TSS_OK);
            /* Without rekey the value is 0: only counters below 0x100 agree. */
            assert_int_equal(across(&a, &never, &v4, &stamp),
                             counters[i] < 0x100 ? UET_TSS_OK : UET_TSS_BAD_ICV);
        }
        uet_tss_erase(&a);
        uet_tss_erase(&b);
        uet_tss_erase(&never);
    }
}

/* More senders than cached keys, in changing order: each derives its own (TSS-027). */
static void many_sources(void **state)
{
    (void)state;
    struct uet_tss_params p = params(golden_kdf[4].sdki, UET_TSS_MODE_CLUSTER, false);
    struct uet_tss_sa sender, receiver;
    p.cached_keys = 3;
    assert_int_equal(uet_tss_setup(&sender, &p), 0);
    assert_int_equal(uet_tss_setup(&receiver, &p), 0);
    for (unsigned i = 0; i < 200; i++) {
        const struct uet_tss_stamp stamp = {.counter = i};
        struct uet_route route = i % 7 == 3 ? v6 : v4;
        route.src.bytes[3] = (uint8_t)(i * i % 11);
        assert_int_equal(across(&sender, &receiver, &route, &stamp), UET_TSS_OK);
    }
    uet_tss_erase(&sender);
    uet_tss_erase(&receiver);
}

/* Packets that nobody has sealed, from ever other sources, drive no key out of the cache. */
static void forged_sources(void **state)
{
    (void)state;
    struct uet_tss_params p = params(golden_kdf[4].sdki, UET_TSS_MODE_CLUSTER, false);
    struct uet_tss_sa sender, receiver, other;
    p.cached_keys = 3;
    assert_int_equal(uet_tss_setup(&sender, &p), 0);
    assert_int_equal(uet_tss_setup(&receiver, &p), 0);
    p.key[0] ^= 1;
    assert_int_equal(uet_tss_setup(&other, &p), 0);
    struct uet_route route = v4;
    const struct uet_tss_stamp stamp = {0};
    for (uint8_t i = 0; i < 3; i++) {
        route.src.bytes[3] = (uint8_t)(10 + i);
        assert_int_equal(across(&sender, &receiver, &route, &stamp), UET_TSS_OK);
    }
    const struct uet_tss_sa before = receiver;
    for (uint8_t i = 0; i < 20; i++) {
        route.src.bytes[3] = (uint8_t)(50 + i);
        assert_int_equal(across(&other, &receiver, &route, &stamp), UET_TSS_BAD_ICV);
    }
    assert_int_equal(receiver.spare, before.spare);
    for (uint8_t i = 0; i < receiver.n_keys; i++)
        if (i != before.spare)
            assert_memory_equal(&receiver.keys[i], &before.keys[i], sizeof receiver.keys[i]);
    /* One that is authentic does, and takes the place of the first: all are still found. */
    assert_int_equal(across(&sender, &receiver, &route, &stamp), UET_TSS_OK);
    assert_int_not_equal(receiver.spare, before.spare);
    assert_true(receiver.keys[receiver.spare].purpose.when == 0);
    for (uint8_t i = 0; i < 3; i++) {
        route.src.bytes[3] = (uint8_t)(10 + i);
        assert_int_equal(across(&sender, &receiver, &route, &stamp), UET_TSS_OK);
    }
    uet_tss_erase(&sender);
    uet_tss_erase(&receiver);
    uet_tss_erase(&other);
}

/* Section 4 of the vectors: the PDS header of a trimmed TV1, from a packet without its ICV. */
static void trimmed(void **state)
{
    (void)state;
    struct vector v;
    uint8_t pds[64];
    size_t n;
    load(&v, golden_tss_find("TV1"));
    v.at.end = (uint16_t)(v.at.tss_offset + 12 + 12); /* TSS and PDS header are left */
    assert_int_equal(uet_tss_peek(&v.sa, v.sealed, &v.at, pds, sizeof pds, &n), UET_TSS_OK);
    is_hex("TV1", "PDS header of the trimmed packet", pds, n, "118cffff0001234500010000");
    assert_int_equal(uet_tss_peek(&v.sa, v.sealed, &v.at, pds, 2, &n), UET_TSS_OK);
    is_hex("TV1", "PDS prologue of the trimmed packet", pds, n, "118c");
    v.at.end = (uint16_t)(v.at.tss_offset + 12);
    assert_int_equal(uet_tss_peek(&v.sa, v.sealed, &v.at, pds, sizeof pds, &n), UET_TSS_OK);
    assert_int_equal(n, 0);
    v.at.end = (uint16_t)(v.at.tss_offset + 11);
    assert_int_equal(uet_tss_peek(&v.sa, v.sealed, &v.at, pds, sizeof pds, &n), UET_TSS_SHORT);
    uet_tss_erase(&v.sa);
    /* With encryption from byte 24 on, what stands before is not the peek's to give. */
    load(&v, golden_tss_find("TV6"));
    v.at.end = (uint16_t)(v.at.tss_offset + 12 + 12 + 2);
    assert_int_equal(uet_tss_peek(&v.sa, v.sealed, &v.at, pds, sizeof pds, &n), UET_TSS_OK);
    is_hex("TV6", "SES bytes of the trimmed packet", pds, n, "0103");
    uet_tss_erase(&v.sa);
}

/* A packet that ends before encryption would begin has only its ICV. */
static void short_packet_behind_offset(void **state)
{
    (void)state;
    struct uet_tss_params p = params(golden_kdf[4].sdki, UET_TSS_MODE_CLUSTER, false);
    struct uet_tss_sa sa;
    uint8_t clear[256], sealed[256];
    size_t len = make(clear, &v4), n;
    const struct uet_tss_stamp stamp = {.counter = 1};
    p.encrypt_from = 12 + 64 + 1;
    assert_int_equal(uet_tss_setup(&sa, &p), 0);
    assert_int_equal(across(&sa, &sa, &v4, &stamp), UET_TSS_OK);
    assert_int_equal(uet_tss_seal(&sa, &stamp, clear, len, NULL, sealed, sizeof sealed, &n),
                     UET_TSS_OK);
    assert_memory_equal(sealed + 14 + 20 + 8 + 12, clear + 14 + 20 + 8, 64);
    uet_tss_erase(&sa);
}

/* ---- a packet after another one ---- */

enum { KINDS = 12 };

/* A frame that differs in one thing from that of kind 0; the association has an SSI or not. */
static size_t make_kind(uint8_t out[256], int kind, bool ssi, struct uet_tss_place *at)
{
    static const uint8_t payload[40] = {UET_PDS_RUD_REQ << 3, 1, 2, 3};
    struct uet_route route = kind == 1 ? v6 : v4;
    struct uet_tss_header h = {.sdi = 1, .ssi = 7, .counter = 0x1ff, .sp = ssi};
    struct uet_build b;
    if (kind == 2 || kind == 3)
        (kind == 2 ? &route.src : &route.dst)->bytes[2]++; /* in the same place of the plans */
    route.native = kind == 4 || kind == 11;
    route.stream_ids = kind == 11; /* then TSS stands where it does behind UDP */
    h.epoch = kind == 5;
    h.counter += kind == 6;
    h.ssi += kind == 7;
    h.sdi += kind == 8;
    h.reserved = kind == 9;
    uet_build_start(&b, out, 256, &route);
    uet_tss_write(uet_build_tss(&b, ssi ? UET_H_TSS_HDR_16 : UET_H_TSS_HDR_12), &h);
    uet_build_payload(&b, payload, kind == 10 ? 1 : 40); /* shorter than what stays in clear */
    size_t len = (size_t)uet_build_finish(&b, UET_PROTECT_TSS, NULL);
    assert_int_equal(uet_tss_locate(at, out, len, NULL), UET_TSS_OK);
    return len;
}

/* Two packets, and where things stand in them. */
struct two {
    uint8_t bytes[2][256];
    size_t len[2];
    struct uet_tss_place at[2];
};

/* The second packet comes out as from an association that has seen none before it. */
static void sealed_after(struct uet_tss_sa *sa, const struct uet_tss_params *p, struct two *t)
{
    uint8_t alone[256], again[256];
    struct uet_tss_sa fresh;
    memcpy(alone, t->bytes[1], t->len[1]);
    memcpy(again, t->bytes[0], t->len[0]); /* a key that is new takes no plan with it */
    assert_int_equal(uet_tss_seal_at(sa, again, &t->at[0], NULL), UET_TSS_OK);
    assert_int_equal(uet_tss_setup(&fresh, p), 0);
    assert_int_equal(uet_tss_seal_at(&fresh, alone, &t->at[1], NULL), UET_TSS_OK);
    for (int i = 0; i < 2; i++)
        assert_int_equal(uet_tss_seal_at(sa, t->bytes[i], &t->at[i], NULL), UET_TSS_OK);
    assert_memory_equal(t->bytes[1], alone, t->len[1]);
    uet_tss_erase(&fresh);
}

static void opened_after(struct uet_tss_sa *sa, const struct two *t, const uint8_t *clear)
{
    uint8_t opened[256];
    size_t limit = t->len[1] - UET_TSS_TRAILER_BYTES;
    size_t from = uet_tss_encrypted_from(&t->at[1], sa->ssi_mode, sa->encrypt_from, limit);
    for (int i = 0; i < 3; i++)
        assert_int_equal(uet_tss_open_at(sa, t->bytes[i / 2], &t->at[i / 2], opened), UET_TSS_OK);
    assert_memory_equal(opened, clear + from, limit - from);
}

static void one_after_other(const struct uet_tss_params *p, int first, int second)
{
    uint8_t clear[256];
    struct two t = {0};
    struct uet_tss_sa sa;
    t.len[0] = make_kind(t.bytes[0], first, p->ssi_mode, &t.at[0]);
    t.len[1] = make_kind(t.bytes[1], second, p->ssi_mode, &t.at[1]);
    memcpy(clear, t.bytes[1], t.len[1]);
    assert_int_equal(uet_tss_setup(&sa, p), 0);
    sealed_after(&sa, p, &t);
    if (p->mode != UET_TSS_MODE_SERVER) /* what it opens comes from clients */
        opened_after(&sa, &t, clear);
    uet_tss_erase(&sa);
}

static void one_packet_after_another(void **state)
{
    (void)state;
    static const enum uet_tss_mode modes[] = {UET_TSS_MODE_DIRECT, UET_TSS_MODE_CLUSTER,
                                              UET_TSS_MODE_SERVER};
    for (int variant = 0; variant < 24; variant++) {
        struct uet_tss_params p =
            params(golden_kdf[4].sdki, modes[variant % 3], variant / 3 % 2 != 0);
        p.cached_keys = 1;
        p.encrypt_from = variant / 6 % 2 ? 30 : 0;
        p.readings.udp_not_in_aad = variant / 12 != 0;
        p.rekey = p.mode == UET_TSS_MODE_CLUSTER;
        p.rekey_mask = p.rekey ? 0xff00 : 0;
        for (int i = 0; i < KINDS * KINDS; i++)
            one_after_other(&p, i % KINDS, i / KINDS);
    }
}

enum { STEPS = 400, SOURCES = 4 };

/* Sealed, opened or forged packets of few sources in any order, where one key is kept. */
static void keys_come_and_go(void **state)
{
    (void)state;
    struct uet_tss_params p = params(golden_kdf[4].sdki, UET_TSS_MODE_CLUSTER, false);
    struct uet_tss_sa sa, of[SOURCES];
    uint64_t seed = 1;
    p.cached_keys = 1;
    assert_int_equal(uet_tss_setup(&sa, &p), 0);
    for (int i = 0; i < SOURCES; i++)
        assert_int_equal(uet_tss_setup(&of[i], &p), 0);
    for (int step = 0; step < STEPS; step++) {
        const uint64_t r = uet_splitmix64(&seed);
        struct uet_route route = v4;
        uint8_t clear[256], sealed[256], opened[256];
        size_t len, n, m;
        route.src.bytes[3] = (uint8_t)(r % SOURCES);
        len = make(clear, &route);
        const struct uet_tss_stamp stamp = {.counter = (uint64_t)step};
        struct uet_tss_sa *own = &of[r % SOURCES], *sealer = r >> 32 & 1 ? &sa : own;
        assert_int_equal(uet_tss_seal(sealer, &stamp, clear, len, NULL, sealed, sizeof sealed, &n),
                         UET_TSS_OK);
        const bool forged = r >> 33 & 1;
        sealed[n - 1] ^= forged;
        assert_int_equal(uet_tss_open(sealer == &sa ? own : &sa, sealed, n, NULL, opened,
                                      sizeof opened, &m, NULL),
                         forged ? UET_TSS_BAD_ICV : UET_TSS_OK);
    }
    uet_tss_erase(&sa);
    for (int i = 0; i < SOURCES; i++)
        uet_tss_erase(&of[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts),
        cmocka_unit_test(seal),
        cmocka_unit_test(open_),
        cmocka_unit_test(inner),
        cmocka_unit_test(udp_readings),
        cmocka_unit_test(server_and_client),
        cmocka_unit_test(server_with_ssi),
        cmocka_unit_test(ipv6_ssi_readings),
        cmocka_unit_test(rekey_across_edges),
        cmocka_unit_test(many_sources),
        cmocka_unit_test(forged_sources),
        cmocka_unit_test(trimmed),
        cmocka_unit_test(short_packet_behind_offset),
        cmocka_unit_test(one_packet_after_another),
        cmocka_unit_test(keys_come_and_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
