/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two reference FEPs back to back over a pair of memory ports: writes of many 4 KiB packets, or of
 * one small packet each into a capture.
 */
#include "bench/bench.h"

#include <stdlib.h>
#include <string.h>

#include "port/memory.h"
#include "port/pcapng.h"
#include "refimpl/fep.h"

/* Large enough that the caches do not hold it all, small enough for any machine. */
enum { REGION = 4 << 20, PACKETS_A_MESSAGE = 16, LARGE = PACKETS_A_MESSAGE * BENCH_PAYLOAD };
enum { IN_FLIGHT = 8, BATCH = 64, KEY = 1, SMALL = 64 };

struct end {
    struct uet_fep *fep;
    void *memory;
    struct uet_port *port;
};

struct pair {
    struct end a, b; /* initiator, target */
    uint8_t *source, *region;
    uint8_t frame[UET_FRAME_MAX];
    uint32_t submitted, done, idle;
    uint64_t done_ns;           /* when the last one was done */
    uint32_t lose;              /* every lose-th frame; 0: none */
    uint32_t sent;              /* frames, lost ones too */
    struct uet_pcapng *capture; /* NULL: none */
    uint32_t captured;          /* packets */
};

static void fep_open(struct end *end, const struct uet_ip *address)
{
    struct uet_fep_config c;
    uet_fep_config_default(&c);
    c.address = *address;
    c.seed = 1;
    c.payload_mtu = BENCH_PAYLOAD;
    c.protect = UET_PROTECT_NONE;
    size_t size = uet_fep_size(&c);
    end->memory = malloc(size ? size : 1);
    if (!end->memory)
        bench_die("out of memory");
    end->fep = uet_fep_init(end->memory, size, &c, uet_port_now(end->port));
    if (!end->fep)
        bench_die("no FEP of this configuration");
}

static void pair_open(struct pair *p)
{
    const struct uet_ip ip_a = {4, {192, 0, 2, 1}}, ip_b = {4, {192, 0, 2, 2}};
    p->source = calloc(1, REGION);
    p->region = calloc(1, REGION);
    if (!p->source || !p->region || uet_mem_pair(&p->a.port, &p->b.port) < 0)
        bench_die("out of memory");
    fep_open(&p->a, &ip_a);
    fep_open(&p->b, &ip_b);
    const struct uet_service s = {.job_id = 1, .resource_index = 5, .ri_class = UET_RI_RMA};
    const struct uet_region r = {.job_id = 1,
                                 .resource_index = 5,
                                 .key = KEY,
                                 .rights = UET_RIGHT_WRITE,
                                 .base = p->region,
                                 .length = REGION};
    if (uet_fep_service_add(p->b.fep, &s) < 0 || uet_fep_region_add(p->b.fep, &r) < 0)
        bench_die("the target takes no region");
}

static void pair_close(struct pair *p)
{
    uet_port_close(p->a.port);
    uet_port_close(p->b.port);
    free(p->a.memory);
    free(p->b.memory);
    free(p->source);
    free(p->region);
}

/* Everything that the FEP has to send now. */
static bool transmit(struct pair *p, struct end *end)
{
    bool any = false;
    size_t len;
    while ((len = uet_fep_transmit(end->fep, p->frame, sizeof p->frame, uet_port_now(end->port))) >
           0) {
        struct uet_frame f = {.data = p->frame, .len = (uint32_t)len};
        any = true;
        if (p->lose && ++p->sent % p->lose == 0)
            continue;
        if (uet_port_send(end->port, &f, 1) != 1)
            bench_die("the memory port takes no frame");
        if (p->capture) {
            uet_pcapng_write(p->capture, p->frame, (uint32_t)len, uet_port_now(end->port),
                             UET_DIRECTION_UNKNOWN, NULL);
            p->captured++;
        }
    }
    return any;
}

static bool receive(struct end *end, uint64_t deadline)
{
    struct uet_frame frames[BATCH];
    int n = uet_port_receive(end->port, frames, BATCH, deadline);
    for (int i = 0; i < n; i++)
        uet_fep_receive(end->fep, frames[i].data, frames[i].len, frames[i].time_ns);
    uet_fep_advance(end->fep, uet_port_now(end->port));
    return n > 0;
}

static uint64_t sooner(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Moves what there is to move, else the time. */
static void step(struct pair *p)
{
    uint64_t now = uet_port_now(p->a.port);
    bool any = transmit(p, &p->a);
    any |= transmit(p, &p->b);
    any |= receive(&p->b, now);
    any |= receive(&p->a, now);
    /* Twice nothing in a frame's way: the wire is empty, and only a timer will go on. */
    p->idle = any ? 0 : p->idle + 1;
    if (!any) {
        uint64_t next = sooner(uet_fep_deadline(p->a.fep), uet_fep_deadline(p->b.fep));
        uint64_t way = now + UET_MEM_LATENCY_NS;
        receive(&p->b, p->idle > 2 && next != UET_FEP_NEVER ? next : sooner(next, way));
    }
}

static void take_completions(struct pair *p)
{
    struct uet_completion c;
    while (uet_fep_completion(p->a.fep, &c)) {
        if (c.status != UET_STATUS_OK)
            bench_die("a write failed");
        p->done++;
        p->done_ns = uet_port_now(p->a.port);
    }
    while (uet_fep_completion(p->b.fep, &c))
        ;
}

/* Another write, when fewer than IN_FLIGHT are under way. */
static void submit(struct pair *p, uint32_t length)
{
    uint64_t offset = (uint64_t)p->submitted * length % REGION;
    const struct uet_operation op = {.to = {4, {192, 0, 2, 2}},
                                     .opcode = UET_OP_WRITE,
                                     .job_id = 1,
                                     .resource_index = 5,
                                     .relative = true,
                                     .key = KEY,
                                     .buffer_offset = offset,
                                     .data = p->source + offset,
                                     .length = length,
                                     .token = p->submitted};
    if (p->submitted - p->done < IN_FLIGHT &&
        uet_fep_submit(p->a.fep, &op, uet_port_now(p->a.port)) == 0)
        p->submitted++;
}

static void one_round(struct pair *p, uint32_t length, bool more)
{
    static const uint64_t a_minute = 60 * UINT64_C(1000000000); /* of virtual time */
    if (more)
        submit(p, length);
    step(p);
    take_completions(p);
    if (uet_port_now(p->a.port) > p->done_ns + a_minute)
        bench_die("the writes do not end");
}

static void exchange(uint32_t rounds, uint32_t lose)
{
    static struct pair p;
    memset(&p, 0, sizeof p);
    p.lose = lose;
    pair_open(&p);
    uint32_t messages = (rounds + PACKETS_A_MESSAGE - 1) / PACKETS_A_MESSAGE;
    while (p.done < messages)
        one_round(&p, LARGE, p.submitted < messages);
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
    memset(&p, 0, sizeof p);
    if (uet_pcapng_open(&p.capture, path, err, sizeof err) != 0)
        bench_die(err);
    pair_open(&p);
    while (p.captured < packets || p.done < p.submitted)
        one_round(&p, SMALL, p.captured < packets);
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
