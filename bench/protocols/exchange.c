/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One message from one reference FEP to another, and when all of it is there. The cable leaves out
 * the time of ACKs, as the paper's model does.
 */
#include "bench/protocols/protocols.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "port/fabric/fabric.h"
#include "refimpl/fep.h"

enum { SOURCE, TARGET, JOB = 1, RI = 5, KEY = 7, NOTE_BYTES = 16, CONTROL = 46 };

#define START_NS UINT64_C(1000000000)
#define PATIENCE UINT64_C(10000000000)

struct run {
    const struct cell *cell;
    struct measured *at;
    struct uet_fabric *fabric;
    struct uet_fep *fep[2];
    void *memory[2];
    uint8_t *data, *buffer;
    uint8_t note[NOTE_BYTES]; /* where to write, as the source has got it */
    bool has_sent, has_posted, wrong, done;
};

static const struct uet_ip addresses[2] = {{4, {192, 0, 2, 1}}, {4, {192, 0, 2, 2}}};

static void fails(struct run *r, const char *what)
{
    if (!r->wrong)
        fprintf(stderr, "uet-protocols: %s\n", what);
    r->wrong = true;
}

/* ---- what the two applications do ---- */

static struct uet_operation message(const struct run *r, uint8_t opcode)
{
    return (struct uet_operation){.to = addresses[TARGET],
                                  .opcode = opcode,
                                  .relative = true,
                                  .job_id = JOB,
                                  .resource_index = RI,
                                  .data = r->data,
                                  .length = r->cell->bytes};
}

static void submit(struct run *r, int host, const struct uet_operation *op, uint64_t now)
{
    if (uet_fep_submit(r->fep[host], op, now))
        fails(r, "an operation was not taken");
}

static void post(struct run *r, int host, uint8_t *base, uint32_t length)
{
    const struct uet_receive v = {
        .job_id = JOB, .resource_index = RI, .base = base, .length = length};
    if (uet_fep_post_receive(r->fep[host], &v))
        fails(r, "a receive was not taken");
}

static void send_by_rendezvous(struct run *r, uint64_t now)
{
    struct uet_operation op = message(r, UET_OP_RENDEZVOUS_SEND);
    op.eager = model_eager(r->cell);
    submit(r, SOURCE, &op, now);
}

static void send_deferrably(struct run *r, uint64_t now)
{
    const struct uet_operation op = message(r, UET_OP_DEFERRABLE_SEND);
    submit(r, SOURCE, &op, now);
}

static void send_plainly(struct run *r, uint64_t now)
{
    const struct uet_operation op = message(r, UET_OP_SEND);
    submit(r, SOURCE, &op, now);
}

static void post_buffer(struct run *r, uint64_t now)
{
    (void)now;
    post(r, TARGET, r->buffer, r->cell->bytes);
}

/* What fits in the window needs no question whether its receive is there, when it is. */
static bool in_one_step(const struct run *r)
{
    return r->cell->expected && !model_is_large(r->cell);
}

/* The source's software has the message, and knows where to write it (AI Base). */
static void write_if_both(struct run *r, uint64_t now)
{
    if (!r->has_sent || !r->note[0])
        return;
    struct uet_operation op = message(r, UET_OP_WRITE);
    op.key = KEY;
    op.has_header_data = true; /* the target is told of the end */
    submit(r, SOURCE, &op, now);
}

static void send_when_asked(struct run *r, uint64_t now)
{
    if (in_one_step(r))
        send_plainly(r, now);
    else
        write_if_both(r, now);
}

static void ask_for_it(struct run *r, uint64_t now)
{
    static const uint8_t note[NOTE_BYTES] = {KEY};
    const struct uet_operation op = {.to = addresses[SOURCE],
                                     .opcode = UET_OP_SEND,
                                     .relative = true,
                                     .job_id = JOB,
                                     .resource_index = RI,
                                     .data = note,
                                     .length = sizeof note};
    if (in_one_step(r))
        post_buffer(r, now);
    else
        submit(r, TARGET, &op, now);
}

static void nothing(struct run *r, uint64_t now)
{
    (void)r, (void)now;
}

static const struct {
    void (*send)(struct run *r, uint64_t now); /* the source's application, at t_s */
    void (*post)(struct run *r, uint64_t now); /* the target's, at t_r */
    void (*told)(struct run *r, uint64_t now); /* the source's receive was filled */
} applications[PROTOCOLS] = {
    [RENDEZVOUS] = {send_by_rendezvous, post_buffer, nothing},
    [DEFERRABLE] = {send_deferrably, post_buffer, nothing},
    [RECEIVER_INITIATED] = {send_when_asked, ask_for_it, write_if_both},
    [BUFFERED] = {send_plainly, post_buffer, nothing},
};

static void told(struct run *r, int host, const struct uet_completion *c, uint64_t now)
{
    if (c->status != UET_STATUS_OK)
        fails(r, "an operation or a receive ended in error");
    if (c->kind == UET_COMPLETION_OPERATION)
        return;
    if (host == SOURCE) {
        applications[r->cell->protocol].told(r, now);
        return;
    }
    r->done = true;
    r->at->done = now;
}

/* ---- the callbacks of the fabric ---- */

static void deliver(void *ctx, uint16_t host, const uint8_t *frame, uint32_t len, uint64_t now)
{
    uet_fep_receive(((struct run *)ctx)->fep[host], frame, len, now);
}

static size_t pull(void *ctx, uint16_t host, uint8_t *buffer, size_t cap, uint64_t now)
{
    return uet_fep_transmit(((struct run *)ctx)->fep[host], buffer, cap, now);
}

static uint64_t act(struct run *r, uint16_t host, uint64_t now)
{
    bool *did = host == SOURCE ? &r->has_sent : &r->has_posted;
    uint64_t when = host == SOURCE ? r->at->sent : r->at->posted;
    if (*did)
        return UET_FEP_NEVER;
    if (now < when)
        return when;
    *did = true;
    if (host == SOURCE)
        applications[r->cell->protocol].send(r, now);
    else
        applications[r->cell->protocol].post(r, now);
    return UET_FEP_NEVER;
}

static uint64_t advance(void *ctx, uint16_t host, uint64_t now)
{
    struct run *r = ctx;
    struct uet_completion c;
    uet_fep_advance(r->fep[host], now);
    uint64_t application = act(r, host, now);
    while (uet_fep_completion(r->fep[host], &c))
        told(r, host, &c, now);
    uint64_t fep = uet_fep_deadline(r->fep[host]);
    return application < fep ? application : fep;
}

/* ---- set up ---- */

static bool fep_open(struct run *r, int i)
{
    struct uet_fep_config c;
    uet_fep_config_default(&c);
    c.address = addresses[i];
    c.payload_mtu = PAYLOAD_MTU;
    c.protect = UET_PROTECT_NONE;
    c.dscp_control = CONTROL;
    c.params.CC_Window = r->cell->window;
    size_t size = uet_fep_size(&c);
    r->memory[i] = size ? malloc(size) : NULL;
    r->fep[i] = r->memory[i] ? uet_fep_init(r->memory[i], size, &c, START_NS) : NULL;
    return r->fep[i];
}

static bool offer(struct run *r, int host, uint8_t *bytes)
{
    struct uet_service s = {.job_id = JOB, .resource_index = RI, .ri_class = UET_RI_RMA};
    const struct uet_region g = {.job_id = JOB,
                                 .resource_index = RI,
                                 .key = KEY,
                                 .rights = UET_RIGHT_READ | UET_RIGHT_WRITE,
                                 .base = bytes,
                                 .length = r->cell->bytes};
    bool good = uet_fep_service_add(r->fep[host], &s) == 0;
    s.ri_class = UET_RI_SEND;
    s.keeps_unexpected = r->cell->protocol == BUFFERED;
    return good && uet_fep_service_add(r->fep[host], &s) == 0 &&
           uet_fep_region_add(r->fep[host], &g) >= 0;
}

static bool cable_open(struct run *r)
{
    const struct uet_fabric_cable cable = {0,
                                           1,
                                           {.latency_ns = r->cell->latency_ns,
                                            .bits_per_s = LINE_BITS_PER_S,
                                            .weightless = 1u << UET_FABRIC_HIGH}};
    const struct uet_fabric_config config = {.n_hosts = 2,
                                             .cables = &cable,
                                             .n_cables = 1,
                                             .dscp_trimmable = UET_FABRIC_NO_DSCP,
                                             .dscp_trimmable_rtx = UET_FABRIC_NO_DSCP,
                                             .dscp_trimmed = UET_FABRIC_NO_DSCP,
                                             .dscp_trimmed_lasthop = UET_FABRIC_NO_DSCP,
                                             .dscp_control = CONTROL,
                                             .trim_keep = UET_FABRIC_TRIM_KEEP,
                                             .ctx = r,
                                             .deliver = deliver,
                                             .pull = pull,
                                             .advance = advance};
    return uet_fabric_new(&r->fabric, &config, START_NS) == 0;
}

/*
 * Expected: the receive is posted when the first bit of the message arrives, which is the worst
 * case of a receiver that asks. Unexpected: when all that came before it is over.
 */
static void set_times(const struct cell *c, struct measured *m)
{
    m->sent = START_NS + c->latency_ns;
    m->posted = m->sent + c->latency_ns;
    if (!c->expected)
        m->posted += 4 * c->latency_ns + 4 * (uint64_t)c->window;
}

static bool open_all(struct run *r)
{
    uint32_t n = r->cell->bytes;
    r->data = malloc(n);
    r->buffer = calloc(1, n);
    if (!r->data || !r->buffer || !fep_open(r, SOURCE) || !fep_open(r, TARGET) ||
        !offer(r, SOURCE, r->data) || !offer(r, TARGET, r->buffer))
        return false;
    for (uint32_t i = 0; i < n; i++)
        r->data[i] = (uint8_t)(i * 2654435761u >> 24);
    post(r, SOURCE, r->note, sizeof r->note); /* for a receiver that asks */
    set_times(r->cell, r->at);
    return cable_open(r);
}

static void close_all(struct run *r)
{
    uet_fabric_free(r->fabric);
    for (int i = 0; i < 2; i++)
        free(r->memory[i]);
    free(r->data);
    free(r->buffer);
}

bool exchange(const struct cell *c, struct measured *m)
{
    struct run r = {.cell = c, .at = m};
    if (!open_all(&r))
        fails(&r, "out of memory, or no FEP of this configuration");
    while (!r.wrong && !r.done) {
        uint64_t next = uet_fabric_deadline(r.fabric);
        if (next == UET_FABRIC_NEVER || next > START_NS + PATIENCE)
            fails(&r, "the message does not arrive");
        else
            uet_fabric_advance(r.fabric, next);
    }
    if (!r.wrong && memcmp(r.data, r.buffer, c->bytes) != 0)
        fails(&r, "the message arrives with other bytes");
    close_all(&r);
    return !r.wrong;
}
