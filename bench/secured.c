/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a derived key costs that is in the cache, and one that is not; and what a frame with a wrong
 * ICV costs the FEP that it reaches, beside EVP alone, which finds out the same.
 */
#include "bench/bench.h"

#include <stdlib.h>
#include <string.h>

#include "refimpl/fep.h"
#include "wire/build.h"
#include "wire/tss.h"

enum { SDI = 1, SMALL = 64, SOURCES = UET_TSS_CACHE_MAX };

/* A frame as it leaves, with room for the ICV, and where things stand in it. */
struct sealed {
    struct uet_tss_place at;
    uint8_t bytes[UET_FRAME_MAX];
    size_t len;
};

/* From one of many sources, to 192.0.2.2; behind the TSS header so many bytes. */
static void frame_from(struct sealed *f, uint16_t source, size_t n)
{
    static const uint8_t uet[BENCH_PAYLOAD] = {UET_PDS_RUD_REQ << 3};
    const struct uet_route route = {.src = {4, {198, 51, (uint8_t)(source >> 8), (uint8_t)source}},
                                    .dst = {4, {192, 0, 2, 2}}};
    struct uet_build b;
    uet_build_start(&b, f->bytes, sizeof f->bytes, &route);
    uet_tss_hdr_sdi_set(uet_build_tss(&b, UET_H_TSS_HDR_12), SDI);
    uet_build_payload(&b, uet, n);
    int len = uet_build_finish(&b, UET_PROTECT_TSS, NULL);
    if (len < 0 || uet_tss_locate(&f->at, f->bytes, (size_t)len, NULL) != UET_TSS_OK)
        bench_die("the builder made no frame");
    f->len = (size_t)len;
}

static struct uet_tss_params params(uint8_t mode)
{
    return (struct uet_tss_params){
        .sdi = SDI, .mode = mode, .key = {1, 2, 3}, .cached_keys = SOURCES};
}

static void open_association(struct uet_tss_sa *sa, uint8_t mode)
{
    const struct uet_tss_params p = params(mode);
    if (uet_tss_setup(sa, &p) != 0)
        bench_die("TSS could not be set up");
}

static void seal(struct uet_tss_sa *sa, struct sealed *f)
{
    if (uet_tss_seal_at(sa, f->bytes, &f->at, NULL) != UET_TSS_OK)
        bench_die("TSS did not seal");
    bench_keep(f->bytes);
}

/* Frames of so many sources in turn. */
static void from_many(uint8_t mode, uint32_t sources, uint32_t rounds)
{
    static struct sealed f[SOURCES + 1];
    static struct uet_tss_sa sa;
    open_association(&sa, mode);
    for (uint32_t i = 0; i < sources; i++) {
        frame_from(&f[i], (uint16_t)i, SMALL);
        seal(&sa, &f[i]);
    }
    for (uint32_t i = 0; i < rounds; i++)
        seal(&sa, &f[i % sources]);
    uet_tss_erase(&sa);
}

void bench_seal_stored(uint32_t rounds)
{
    from_many(UET_TSS_MODE_DIRECT, SOURCES, rounds);
}

void bench_seal_cached(uint32_t rounds)
{
    from_many(UET_TSS_MODE_CLUSTER, SOURCES, rounds);
}

/* One source more than the cache has places: the oldest key is always the next one wanted. */
void bench_seal_derives(uint32_t rounds)
{
    from_many(UET_TSS_MODE_CLUSTER, SOURCES + 1, rounds);
}

/* ---- wrong ICVs ---- */

static struct uet_fep *fep_open(void)
{
    struct uet_fep_config c;
    struct uet_fep_domain d;
    uet_fep_config_default(&c);
    c.address = (struct uet_ip){4, {192, 0, 2, 2}};
    c.seed = 1;
    c.protect = UET_PROTECT_TSS;
    c.max_domains = 1;
    size_t size = uet_fep_size(&c);
    void *memory = malloc(size ? size : 1);
    struct uet_fep *fep = memory ? uet_fep_init(memory, size, &c, 1) : NULL;
    if (!fep)
        bench_die("no FEP of this configuration");
    uet_fep_domain_default(&d);
    d.keys = params(UET_TSS_MODE_CLUSTER);
    d.auth_fail_threshold = 0; /* a latched domain opens nothing */
    if (uet_fep_domain_install(fep, &d) != 0)
        bench_die("no secure domain");
    return fep;
}

static uint64_t counter(const struct uet_fep *fep, const char *name)
{
    for (size_t i = 0; i < uet_fep_n_counters(); i++)
        if (strcmp(uet_fep_counter_name(i), name) == 0)
            return uet_fep_counter(fep, i);
    bench_die("a counter is missing");
}

static bool answers(struct uet_fep *fep)
{
    static uint8_t out[UET_FRAME_MAX];
    return uet_fep_transmit(fep, out, sizeof out, 1) > 0;
}

/* A FEP, and frames of two sources that nobody has sealed. It is made once: that takes as long as
 * many frames do. */
struct target {
    struct uet_fep *fep;
    struct sealed f[2];
    uint64_t rounds, authentic;
};

/* The one source of both frames is in the cache: a packet of it that was authentic has come. */
static void make_known(struct target *t)
{
    static struct uet_tss_sa sa;
    open_association(&sa, UET_TSS_MODE_CLUSTER);
    seal(&sa, &t->f[0]);
    uet_fep_receive(t->fep, t->f[0].bytes, t->f[0].len, 1);
    while (answers(t->fep))
        ;
    t->f[0].bytes[t->f[0].len - 1] ^= 1;
    t->authentic = 1;
    uet_tss_erase(&sa);
}

/* Frames of both in turn. */
static void forged(struct target *t, bool known, uint32_t rounds)
{
    if (!t->fep) {
        t->fep = fep_open();
        for (uint16_t i = 0; i < 2; i++)
            frame_from(&t->f[i], known ? 0 : i, BENCH_PAYLOAD);
        if (known)
            make_known(t);
    }
    for (uint32_t i = 0; i < rounds; i++)
        uet_fep_receive(t->fep, t->f[i & 1].bytes, t->f[i & 1].len, 1);
    t->rounds += rounds;
    if (counter(t->fep, "in_auth_pkts") != t->authentic ||
        counter(t->fep, "in_auth_fail_pkts") != t->rounds || answers(t->fep))
        bench_die("the FEP did not drop forged frames in silence");
}

void bench_forged(uint32_t rounds)
{
    static struct target t;
    forged(&t, true, rounds);
}

void bench_forged_sources(uint32_t rounds)
{
    static struct target t;
    forged(&t, false, rounds);
}
