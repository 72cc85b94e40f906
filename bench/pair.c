/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/pair.h"

#include <stdlib.h>

#include "bench/bench.h"

enum { JOB = 1, RI = 5, KEY = 1 };

#define START_NS   UINT64_C(1000000000)
#define LATENCY_NS 1000u
/* By which NSCC takes a window of 600 KB for 2 us: nothing waits for it. */
#define NSCC_MBITS_PER_S 1600000u

static const struct uet_ip addresses[2] = {{4, {192, 0, 2, 1}}, {4, {192, 0, 2, 2}}};

/* ---- the callbacks of the fabric ---- */

static void deliver(void *ctx, uint16_t host, const uint8_t *frame, uint32_t len, uint64_t now_ns)
{
    struct pair *p = ctx;
    if (p->evp)
        frame = bench_evp_arrives(host, frame, &len);
    uet_fep_receive(p->fep[host], frame, len, now_ns);
}

static size_t pull(void *ctx, uint16_t host, uint8_t *buffer, size_t cap, uint64_t now_ns)
{
    struct pair *p = ctx;
    size_t len;
    do
        len = uet_fep_transmit(p->fep[host], buffer, cap, now_ns);
    while (len && p->lose && ++p->sent % p->lose == 0);
    if (len && p->evp)
        len = bench_evp_leaves(host, buffer, len);
    if (len && p->capture) {
        uet_pcapng_write(p->capture, buffer, (uint32_t)len, now_ns, UET_DIRECTION_UNKNOWN, NULL);
        p->captured++;
    }
    return len;
}

/* The receive of a message before the message itself. */
static bool post(struct pair *p, uint64_t offset)
{
    const struct uet_receive v = {
        .job_id = JOB, .resource_index = RI, .base = p->region + offset, .length = p->length};
    return p->opcode != UET_OP_SEND || uet_fep_post_receive(p->fep[1], &v) == 0;
}

/* Another message, when fewer than in_flight are under way. */
static bool submit(struct pair *p, uint64_t now_ns)
{
    uint64_t offset = (uint64_t)p->submitted * p->length % PAIR_REGION;
    const struct uet_operation op = {.to = addresses[1],
                                     .opcode = p->opcode,
                                     .job_id = JOB,
                                     .resource_index = RI,
                                     .relative = true,
                                     .key = KEY,
                                     .buffer_offset = p->opcode == UET_OP_SEND ? 0 : offset,
                                     .data = p->source + offset,
                                     .into = p->source + offset,
                                     .length = p->length,
                                     .amo = UET_AMO_SUM,
                                     .datatype = UET_TYPE_UINT64,
                                     .token = p->submitted};
    return p->submitted < p->messages && p->submitted - p->done < p->in_flight && post(p, offset) &&
           uet_fep_submit(p->fep[0], &op, now_ns) == 0;
}

static uint64_t advance(void *ctx, uint16_t host, uint64_t now_ns)
{
    struct pair *p = ctx;
    struct uet_completion c;
    uet_fep_advance(p->fep[host], now_ns);
    while (uet_fep_completion(p->fep[host], &c)) {
        if (c.status != UET_STATUS_OK)
            bench_die("a message failed");
        p->done += host == 0;
        p->done_ns = now_ns;
    }
    while (host == 0 && submit(p, now_ns))
        p->submitted++;
    return uet_fep_deadline(p->fep[host]);
}

/* ---- set up ---- */

static void fep_open(struct pair *p, int i)
{
    struct uet_fep_config c;
    uet_fep_config_default(&c);
    c.address = addresses[i];
    c.seed = 1;
    c.payload_mtu = BENCH_PAYLOAD;
    c.protect = p->sealed ? UET_PROTECT_TSS : UET_PROTECT_NONE;
    c.max_domains = p->sealed;
    c.params.NSCC = p->nscc;
    c.params.sender_link_rate = NSCC_MBITS_PER_S;
    c.params.Enb_ACK_Per_Pkt = p->ack_each;
    size_t size = uet_fep_size(&c);
    p->memory[i] = malloc(size ? size : 1);
    if (!p->memory[i])
        bench_die("out of memory");
    p->fep[i] = uet_fep_init(p->memory[i], size, &c, START_NS);
    if (!p->fep[i])
        bench_die("no FEP of this configuration");
    struct uet_fep_domain d;
    uet_fep_domain_default(&d);
    d.keys.sdi = 1;
    if (p->sealed && uet_fep_domain_install(p->fep[i], &d) != 0)
        bench_die("no secure domain");
}

static void offer(struct pair *p)
{
    struct uet_service s = {.job_id = JOB, .resource_index = RI, .ri_class = UET_RI_RMA};
    const struct uet_region r = {.job_id = JOB,
                                 .resource_index = RI,
                                 .key = KEY,
                                 .rights = UET_RIGHT_READ | UET_RIGHT_WRITE,
                                 .base = p->region,
                                 .length = PAIR_REGION};
    bool good = uet_fep_service_add(p->fep[1], &s) >= 0;
    s.ri_class = UET_RI_SEND;
    if (!good || uet_fep_service_add(p->fep[1], &s) < 0 || uet_fep_region_add(p->fep[1], &r) < 0)
        bench_die("the target takes no region");
}

void pair_open(struct pair *p)
{
    if (p->evp)
        bench_evp_begin();
    const struct uet_fabric_cable cable = {
        0, 1, {.latency_ns = LATENCY_NS, .bits_per_s = p->bits_per_s}};
    const struct uet_fabric_config config = {.n_hosts = 2,
                                             .cables = &cable,
                                             .n_cables = 1,
                                             .trim_keep = UET_FABRIC_TRIM_KEEP,
                                             .ctx = p,
                                             .deliver = deliver,
                                             .pull = pull,
                                             .advance = advance};
    p->source = calloc(1, PAIR_REGION);
    p->region = calloc(1, PAIR_REGION);
    if (!p->source || !p->region || uet_fabric_new(&p->fabric, &config, START_NS))
        bench_die("out of memory");
    fep_open(p, 0);
    fep_open(p, 1);
    offer(p);
}

void pair_close(struct pair *p)
{
    uet_fabric_free(p->fabric);
    if (p->evp)
        bench_evp_end();
    uet_fep_erase(p->fep[0]);
    uet_fep_erase(p->fep[1]);
    free(p->memory[0]);
    free(p->memory[1]);
    free(p->source);
    free(p->region);
}

void pair_step(struct pair *p)
{
    static const uint64_t a_minute = 60 * UINT64_C(1000000000); /* of virtual time */
    uint64_t next = uet_fabric_deadline(p->fabric);
    if (next == UET_FABRIC_NEVER || next > START_NS + p->done_ns + a_minute)
        bench_die("the messages do not end");
    uet_fabric_advance(p->fabric, next);
}

void pair_run(struct pair *p)
{
    pair_open(p);
    while (p->done < p->messages)
        pair_step(p);
    pair_close(p);
}
