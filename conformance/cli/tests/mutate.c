/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mutate OUT.pcap SEED: the scenarios of uetgen one after the other, in every fourth packet one
 * byte of its PDS or SES header altered: a capture that breaks many rules.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/scenario.h"
#include "wire/build.h"

#define SECOND UINT64_C(1000000000)

struct out {
    FILE *file;
    uint64_t random, base_ns;
    unsigned n, altered;
};

static uint64_t draw(struct out *o)
{
    o->random ^= o->random >> 12;
    o->random ^= o->random << 25;
    o->random ^= o->random >> 27;
    return o->random * UINT64_C(0x2545f4914f6cdd1d);
}

static void put32(FILE *f, uint32_t v)
{
    const uint8_t b[4] = {(uint8_t)(v >> 24), (uint8_t)(v >> 16), (uint8_t)(v >> 8), (uint8_t)v};
    fwrite(b, 1, sizeof b, f);
}

/* A pcap file with nanoseconds, big-endian. */
static void write_header(FILE *f)
{
    put32(f, 0xa1b23c4d);
    put32(f, 2u << 16 | 4);
    put32(f, 0);
    put32(f, 0);
    put32(f, 65535);
    put32(f, 1);
}

static void alter(struct out *o, uint8_t *frame, uint32_t len)
{
    struct uet_packet p;
    if (uet_parse(&p, frame, len, NULL) != UET_PARSE_OK || p.payload_offset <= p.pds_offset)
        return;
    size_t at = p.pds_offset + draw(o) % (size_t)(p.payload_offset - p.pds_offset);
    frame[at] ^= (uint8_t)(1u << draw(o) % 8);
    uet_refresh(frame, len, UET_PROTECT_NONE);
    o->altered++;
}

static int take(void *ctx, const struct uet_gen_scene_frame *f)
{
    struct out *o = ctx;
    uint8_t copy[UET_FRAME_MAX];
    uint64_t t = o->base_ns + f->time_ns;
    if (f->len > sizeof copy)
        return 0;
    memcpy(copy, f->bytes, f->len);
    if (draw(o) % 4 == 0)
        alter(o, copy, f->len);
    put32(o->file, (uint32_t)(t / SECOND));
    put32(o->file, (uint32_t)(t % SECOND));
    put32(o->file, f->len);
    put32(o->file, f->len);
    fwrite(copy, 1, f->len, o->file);
    o->n++;
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: mutate OUT.pcap SEED\n");
        return 2;
    }
    uint64_t seed = strtoull(argv[2], NULL, 10);
    struct out o = {.file = fopen(argv[1], "wb"), .random = seed * 0x9e3779b97f4a7c15u + 1};
    char err[256];
    if (!o.file)
        return 2;
    write_header(o.file);
    for (size_t i = 0; i < uet_gen_n_scenarios(); i++, o.base_ns += 10 * SECOND) {
        const struct uet_gen_scene_options options = {.seed = seed + i, .ipv6 = i % 5 == 4};
        struct uet_gen_scene_end end;
        if (uet_gen_scenario_run(uet_gen_scenario(i), &options, take, &o, &end, err, sizeof err)) {
            fprintf(stderr, "%s\n", err);
            return 1;
        }
    }
    printf("%u packets, %u altered\n", o.n, o.altered);
    return fclose(o.file) != 0;
}
