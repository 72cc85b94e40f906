/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What it takes to find a receive, a region or a resource index among many: a send or a write of
 * eight bytes into a FEP, its ACK out, and the receive posted again. The peer is one frame in which
 * the names change.
 */
#include "bench/bench.h"

#include <stdlib.h>
#include <string.h>

#include "refimpl/fep.h"
#include "wire/build.h"

enum { FRAME = 256, JOB = 1, BYTES = 8, START_PSN = 1000 };
enum { PIDS = 2, RIS = 4096, INDICES = PIDS * RIS * 2, REGIONS = 65535 };

struct target {
    struct uet_fep *fep;
    uint32_t n; /* things among which one is found */
    uint32_t at, psn, len;
    uint8_t frame[FRAME], out[UET_FRAME_MAX];
    uint8_t *pds, *ses;
    uint8_t bytes[BYTES];
};

static const struct uet_ip ip = {4, {192, 0, 2, 1}}, peer = {4, {192, 0, 2, 2}};

/* ---- the peer ---- */

/* A NO_OP with syn; its opcode and names are set for each packet. */
static void frame_build(struct target *t)
{
    static const uint8_t payload[BYTES];
    const struct uet_route route = {.src = peer, .dst = ip, .entropy = 0x4242};
    struct uet_build b;
    uet_build_start(&b, t->frame, sizeof t->frame, &route);
    t->pds = uet_build_pds(&b, UET_H_RUD_ROD_REQ_SYN);
    uet_rud_rod_req_type_set(t->pds, UET_PDS_RUD_REQ);
    uet_rud_rod_req_next_hdr_set(t->pds, UET_NH_REQUEST_STD);
    uet_rud_rod_req_ar_set(t->pds, true);
    uet_rud_rod_req_syn_set(t->pds, true);
    uet_rud_rod_req_clear_psn_offset_set(t->pds, -1);
    uet_rud_rod_req_spdcid_set(t->pds, 1);
    t->ses = uet_build_ses(&b, UET_H_SES_REQ_STD_SOM1);
    uet_ses_req_som_set(t->ses, true);
    uet_ses_req_eom_set(t->ses, true);
    uet_ses_req_rel_set(t->ses, true);
    uet_ses_req_job_id_set(t->ses, JOB);
    uet_ses_req_std_message_id_set(t->ses, 1);
    uet_ses_req_std_request_length_set(t->ses, BYTES);
    uet_build_payload(&b, payload, sizeof payload);
    int n = uet_build_finish(&b, UET_PROTECT_NONE, NULL);
    if (n < 0)
        bench_die("no room for a send");
    t->len = (uint32_t)n;
}

/* The packet in, its ACK out, which tells a success. The first one opens the PDC. */
static void exchange(struct target *t)
{
    struct uet_packet ack;
    uet_rud_rod_req_psn_set(t->pds, t->psn++);
    uet_fep_receive(t->fep, t->frame, t->len, 1);
    size_t n = uet_fep_transmit(t->fep, t->out, sizeof t->out, 1);
    if (!n || uet_parse(&ack, t->out, n, NULL) != UET_PARSE_OK || !uet_is_ack(&ack) ||
        uet_ses_rsp_return_code(uet_ses(&ack)) != UET_RC_OK)
        bench_die("a message was not answered, or refused");
    if (uet_rud_rod_req_syn(t->pds)) {
        uet_rud_rod_req_syn_set(t->pds, false);
        uet_rud_rod_req_dpdcid_set(t->pds, uet_spdcid(&ack));
    }
}

/* ---- the FEP ---- */

static void open_fep(struct target *t, uint32_t receives, uint16_t regions, uint16_t services)
{
    struct uet_fep_config c;
    uet_fep_config_default(&c);
    c.address = ip;
    c.max_receives = receives;
    c.max_regions = regions;
    c.max_services = services;
    size_t size = uet_fep_size(&c);
    void *memory = malloc(size ? size : 1);
    t->fep = memory ? uet_fep_init(memory, size, &c, 1) : NULL;
    if (!t->fep)
        bench_die("no FEP of so many");
    t->psn = START_PSN;
    frame_build(t);
}

static void open_service(struct target *t, uint16_t pid, uint16_t ri, uint8_t class)
{
    const struct uet_service s = {
        .job_id = JOB, .pid_on_fep = pid, .resource_index = ri, .ri_class = class};
    if (uet_fep_service_add(t->fep, &s))
        bench_die("a resource index could not be opened");
}

/* Numbers in an order that no cache foresees. */
static uint32_t next(struct target *t)
{
    t->at = t->at * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)t->at * t->n >> 32);
}

/* ---- receives ---- */

static void post(struct target *t, const struct uet_receive *like)
{
    struct uet_receive v = *like;
    v.job_id = JOB;
    v.base = t->bytes;
    v.length = BYTES;
    if (uet_fep_post_receive(t->fep, &v))
        bench_die("a receive could not be posted");
}

/* Sends, and posts again what the send has filled. */
static void fill(struct target *t, const struct uet_receive *v)
{
    struct uet_completion c;
    uet_ses_req_opcode_set(t->ses, v->tagged ? UET_OP_TAGGED_SEND : UET_OP_SEND);
    uet_ses_req_pid_on_fep_set(t->ses, v->pid_on_fep);
    uet_ses_req_resource_index_set(t->ses, v->resource_index);
    uet_ses_req_match_bits_or_memory_key_set(t->ses, v->match_bits);
    uet_ses_req_initiator_set(t->ses, v->initiator);
    exchange(t);
    if (!uet_fep_completion(t->fep, &c) || c.status != UET_STATUS_OK)
        bench_die("a send has not filled its receive");
    post(t, v);
}

/* As MPI packs them: a communicator in the high bits, a tag in the low ones. */
static struct uet_receive by_tag(uint32_t i)
{
    return (struct uet_receive){
        .tagged = true, .match_bits = (uint64_t)(i % 1024) << 48 | i / 1024, .initiator = i % 64};
}

static struct uet_receive by_index(uint32_t i)
{
    return (struct uet_receive){.pid_on_fep = (uint16_t)(i / RIS % PIDS),
                                .resource_index = (uint16_t)(i % RIS),
                                .tagged = i / RIS / PIDS};
}

static void post_all(struct target *t, struct uet_receive (*one)(uint32_t i))
{
    for (uint32_t i = 0; i < t->n; i++) {
        const struct uet_receive v = one(i);
        post(t, &v);
    }
}

static void fill_some(struct target *t, struct uet_receive (*one)(uint32_t i), uint32_t rounds)
{
    for (uint32_t i = 0; i < rounds; i++) {
        const struct uet_receive v = one(next(t));
        fill(t, &v);
    }
}

/* Receives of one resource index, each with its tag. */
static void tags(struct target *t, uint32_t n, uint32_t rounds)
{
    if (!t->fep) {
        t->n = n;
        open_fep(t, n, 1, 1);
        open_service(t, 0, 0, UET_RI_TAGGED);
        post_all(t, by_tag);
    }
    fill_some(t, by_tag, rounds);
}

/* Resource indices of both classes with a receive each. */
static void indices(struct target *t, uint32_t n, uint32_t rounds)
{
    if (!t->fep) {
        t->n = n;
        open_fep(t, n, 1, (uint16_t)n);
        for (uint32_t i = 0; i < n; i++) {
            const struct uet_receive v = by_index(i);
            open_service(t, v.pid_on_fep, v.resource_index, v.tagged ? UET_RI_TAGGED : UET_RI_SEND);
        }
        post_all(t, by_index);
    }
    fill_some(t, by_index, rounds);
}

/* ---- regions ---- */

static uint64_t key_of(uint32_t i)
{
    return (uint64_t)(i % 256) << 40 | i / 256;
}

static void regions(struct target *t, uint32_t n, uint32_t rounds)
{
    if (!t->fep) {
        t->n = n;
        open_fep(t, 1, (uint16_t)n, 1);
        open_service(t, 0, 0, UET_RI_RMA);
        uet_ses_req_opcode_set(t->ses, UET_OP_WRITE);
        for (uint32_t i = 0; i < n; i++) {
            const struct uet_region g = {.job_id = JOB,
                                         .key = key_of(i),
                                         .rights = UET_RIGHT_WRITE,
                                         .base = t->bytes,
                                         .length = BYTES};
            if (uet_fep_region_add(t->fep, &g) < 0)
                bench_die("a region could not be registered");
        }
    }
    for (uint32_t i = 0; i < rounds; i++) {
        uet_ses_req_match_bits_or_memory_key_set(t->ses, key_of(next(t)));
        exchange(t);
    }
}

#define BENCH_AMONG(name, what, n)                                                                 \
    void bench_##name(uint32_t rounds)                                                             \
    {                                                                                              \
        static struct target t;                                                                    \
        what(&t, n, rounds);                                                                       \
    }

BENCH_AMONG(tag_1, tags, 1)
BENCH_AMONG(tag_1k, tags, 1000)
BENCH_AMONG(tag_100k, tags, 100000)
BENCH_AMONG(tag_1m, tags, 1000000)
BENCH_AMONG(index_1, indices, 1)
BENCH_AMONG(index_16k, indices, INDICES)
BENCH_AMONG(region_1, regions, 1)
BENCH_AMONG(region_64k, regions, REGIONS)
