/* SPDX-License-Identifier: BSD-2-Clause */
#include "refimpl/app/examples/pair.h"

#include <stdio.h>
#include <stdlib.h>

/* A small FEP is enough here. */
static struct uet_fep_config config_of(const char *address, uint64_t seed)
{
    struct uet_fep_config c;
    uet_fep_config_default(&c);
    c.seed = seed;
    c.max_pdcs = 4;
    c.max_receives = c.max_services = c.max_regions = c.max_operations = 8;
    c.max_packets = c.max_rudi_packets = c.max_stored_responses = 64;
    c.max_messages = c.max_read_parts = 16;
    need(!uet_ip_parse(&c.address, address), "an address");
    return c;
}

void pair_open(struct pair *pair)
{
    static const char *const addresses[] = {"192.0.2.1", "192.0.2.2"};
    pair->now_ns = PAIR_START_NS;
    pair->frames = 0;
    pair->cut = false;
    for (unsigned i = 0; i < 2; i++) {
        const struct uet_fep_config c = config_of(addresses[i], i + 1);
        struct uet_fep *fep = uet_fep_init(pair->memory[i], PAIR_FEP_BYTES, &c, pair->now_ns);
        need(fep, "memory for a FEP");
        uet_domain_open(&pair->domains[i], fep, pair->now_ns);
    }
}

/* All that this side has to send; one frame after the other, each on its way for a while. */
static bool carry(struct pair *pair, unsigned side)
{
    static uint8_t frame[UET_FRAME_MAX];
    struct uet_fep *from = pair->domains[side].fep, *to = pair->domains[!side].fep;
    const uint64_t before = pair->frames;
    size_t n;
    while ((n = uet_fep_transmit(from, frame, sizeof frame, pair->now_ns)) > 0) {
        pair->frames++;
        pair->now_ns += PAIR_LATENCY_NS;
        if (!pair->cut)
            uet_fep_receive(to, frame, n, pair->now_ns);
    }
    return pair->frames > before;
}

static uint64_t deadline_of(const struct pair *pair)
{
    const uint64_t a = uet_fep_deadline(pair->domains[0].fep);
    const uint64_t b = uet_fep_deadline(pair->domains[1].fep);
    return a < b ? a : b;
}

/* Frames, or else time; false: nothing will ever happen. */
static bool step(struct pair *pair)
{
    const bool there = carry(pair, 0), back = carry(pair, 1);
    if (there || back)
        return true;
    const uint64_t next = deadline_of(pair);
    if (next > pair->now_ns && next != UET_FEP_NEVER)
        pair->now_ns = next;
    return next != UET_FEP_NEVER;
}

void pair_run(struct pair *pair)
{
    do {
        for (unsigned i = 0; i < 2; i++)
            uet_domain_progress(&pair->domains[i], pair->now_ns);
    } while (step(pair));
}

void need(bool so, const char *what)
{
    if (so)
        return;
    fprintf(stderr, "not so: %s\n", what);
    exit(1);
}
