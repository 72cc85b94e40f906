/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two reference FEPs back to back: writes of many 4 KiB packets, or of
 * one small packet each into a capture.
 */
#include "bench/bench.h"

#include <stdlib.h>
#include <string.h>

#include "port/fabric/fabric.h"
#include "port/pcapng.h"
#include "refimpl/fep.h"

/* Large enough that the caches do not hold it all, small enough for any machine. */
enum { REGION = 4 << 20, PACKETS_A_MESSAGE = 16, LARGE = PACKETS_A_MESSAGE * BENCH_PAYLOAD };
enum { IN_FLIGHT = 8, KEY = 1, SMALL = 64 };

#define START_NS   UINT64_C(1000000000)
#define LATENCY_NS 1000u

struct pair {
    struct uet_fabric *fabric;
    struct uet_fep *fep[2]; /* initiator, target */
    void *memory[2];
    uint8_t *source, *region;
    uint32_t length; /* of a write */
    uint32_t writes; /* to be submitted in all */
    uint32_t submitted, done;
    uint64_t done_ns;           /* when the last one was done */
    uint32_t lose;              /* every lose-th frame; 0: none */
    uint32_t sent;              /* frames, lost ones too */
    struct uet_pcapng *capture; /* NULL: none */
    uint32_t captured;          /* packets */
};

static const struct uet_ip addresses[2] = {{4, {192, 0, 2, 1}}, {4, {192, 0, 2, 2}}};

/* ---- the callbacks of the fabric ---- */

static void deliver(void *ctx, uint16_t host, const uint8_t *frame, uint32_t len, uint64_t now_ns)
{
    uet_fep_receive(((struct pair *)ctx)->fep[host], frame, len, now_ns);
}

static size_t pull(void *ctx, uint16_t host, uint8_t *buffer, size_t cap, uint64_t now_ns)
{
    struct pair *p = ctx;
    size_t len;
    do
        len = uet_fep_transmit(p->fep[host], buffer, cap, now_ns);
    while (len && p->lose && ++p->sent % p->lose == 0);
    if (len && p->capture) {
        uet_pcapng_write(p->capture, buffer, (uint32_t)len, now_ns, UET_DIRECTION_UNKNOWN, NULL);
        p->captured++;
    }
    return len;
}

/* Another write, when fewer than IN_FLIGHT are under way. */
static bool submit(struct pair *p, uint64_t now_ns)
{
    uint64_t offset = (uint64_t)p->submitted * p->length % REGION;
    const struct uet_operation op = {.to = addresses[1],
                                     .opcode = UET_OP_WRITE,
                                     .job_id = 1,
                                     .resource_index = 5,
                                     .relative = true,
                                     .key = KEY,
                                     .buffer_offset = offset,
                                     .data = p->source + offset,
                                     .length = p->length,
                                     .token = p->submitted};
    return p->submitted < p->writes && p->submitted - p->done < IN_FLIGHT &&
           uet_fep_submit(p->fep[0], &op, now_ns) == 0;
}

static uint64_t advance(void *ctx, uint16_t host, uint64_t now_ns)
{
    struct pair *p = ctx;
    struct uet_completion c;
    uet_fep_advance(p->fep[host], now_ns);
    while (uet_fep_completion(p->fep[host], &c)) {
        if (c.status != UET_STATUS_OK)
            bench_die("a write failed");
        p->done += host == 0;
        p->done_ns = now_ns;
    }
    while (host == 0 && submit(p, now_ns))
        p->submitted++;
    return uet_fep_deadline(p->fep[host]);
}

/* ---- the exchange ---- */

static void fep_open(struct pair *p, int i)
{
    struct uet_fep_config c;
    uet_fep_config_default(&c);
    c.address = addresses[i];
    c.seed = 1;
    c.payload_mtu = BENCH_PAYLOAD;
    c.protect = UET_PROTECT_NONE;
    size_t size = uet_fep_size(&c);
    p->memory[i] = malloc(size ? size : 1);
    if (!p->memory[i])
        bench_die("out of memory");
    p->fep[i] = uet_fep_init(p->memory[i], size, &c, START_NS);
    if (!p->fep[i])
        bench_die("no FEP of this configuration");
}

static void pair_open(struct pair *p)
{
    const struct uet_fabric_cable cable = {0, 1, {.latency_ns = LATENCY_NS}};
    const struct uet_fabric_config config = {.n_hosts = 2,
                                             .cables = &cable,
                                             .n_cables = 1,
                                             .trim_keep = UET_FABRIC_TRIM_KEEP,
                                             .ctx = p,
                                             .deliver = deliver,
                                             .pull = pull,
                                             .advance = advance};
    p->source = calloc(1, REGION);
    p->region = calloc(1, REGION);
    if (!p->source || !p->region || uet_fabric_new(&p->fabric, &config, START_NS))
        bench_die("out of memory");
    fep_open(p, 0);
    fep_open(p, 1);
    const struct uet_service s = {.job_id = 1, .resource_index = 5, .ri_class = UET_RI_RMA};
    const struct uet_region r = {.job_id = 1,
                                 .resource_index = 5,
                                 .key = KEY,
                                 .rights = UET_RIGHT_WRITE,
                                 .base = p->region,
                                 .length = REGION};
    if (uet_fep_service_add(p->fep[1], &s) < 0 || uet_fep_region_add(p->fep[1], &r) < 0)
        bench_die("the target takes no region");
}

static void pair_close(struct pair *p)
{
    uet_fabric_free(p->fabric);
    free(p->memory[0]);
    free(p->memory[1]);
    free(p->source);
    free(p->region);
}

/* The next thing that happens. */
static void step(struct pair *p)
{
    static const uint64_t a_minute = 60 * UINT64_C(1000000000); /* of virtual time */
    uint64_t next = uet_fabric_deadline(p->fabric);
    if (next == UET_FABRIC_NEVER || next > START_NS + p->done_ns + a_minute)
        bench_die("the writes do not end");
    uet_fabric_advance(p->fabric, next);
}

static void exchange(uint32_t rounds, uint32_t lose)
{
    static struct pair p;
    p = (struct pair){.lose = lose,
                      .length = LARGE,
                      .writes = (rounds + PACKETS_A_MESSAGE - 1) / PACKETS_A_MESSAGE};
    pair_open(&p);
    while (p.done < p.writes)
        step(&p);
    pair_close(&p);
}

void bench_feps(uint32_t rounds)
{
    exchange(rounds, 0);
}

/* One frame in a hundred, either way. */
void bench_feps_loss(uint32_t rounds)
{
    exchange(rounds, 101); /* a prime: not always the same kind of packet */
}

void bench_capture(const char *path, uint32_t packets)
{
    static struct pair p;
    char err[256];
    p = (struct pair){.length = SMALL, .writes = UINT32_MAX};
    if (uet_pcapng_open(&p.capture, path, err, sizeof err) != 0)
        bench_die(err);
    pair_open(&p);
    while (p.captured < packets || p.done < p.submitted) {
        if (p.captured >= packets)
            p.writes = p.submitted;
        step(&p);
    }
    pair_close(&p);
    if (uet_pcapng_close(p.capture) != 0)
        bench_die("the capture could not be written");
}

void bench_copy_payload(uint32_t rounds)
{
    uint8_t *from = calloc(1, REGION), *to = calloc(1, REGION);
    if (!from || !to)
        bench_die("out of memory");
    for (uint32_t i = 0; i < rounds; i++) {
        size_t at = (size_t)i * BENCH_PAYLOAD % REGION;
        memcpy(to + at, from + at, BENCH_PAYLOAD);
        bench_keep(to);
    }
    free(from);
    free(to);
}
