/* SPDX-License-Identifier: BSD-2-Clause */
/* The benches, each after what its ratio is to, and the goals. */
#include "bench/bench.h"

#include <string.h>

#define MAX_NS(n)                                                                                  \
    {                                                                                              \
        .of = GOAL_NS_MAX, .value = (n)                                                            \
    }
#define MAX_RATIO(x)                                                                               \
    {                                                                                              \
        .of = GOAL_RATIO_MAX, .value = (x)                                                         \
    }
#define MIN_PER_SEC(n)                                                                             \
    {                                                                                              \
        .of = GOAL_PER_SECOND_MIN, .value = (n)                                                    \
    }
#define NO_GOAL                                                                                    \
    {                                                                                              \
        .of = GOAL_NONE                                                                            \
    }

const struct bench benches[] = {
    {"copy_frame", "memcpy of a 162-byte frame", NULL, 4000000, 0, bench_copy_frame, NO_GOAL, 0, 0,
     NULL},
    {"parse", "parse and check a RUD write, 64 bytes, no CRC", "copy_frame", 1000000, 0,
     bench_parse, MAX_NS(60), 0, 0, NULL},
    {"build", "build the same", "copy_frame", 1000000, 0, bench_build, MAX_NS(80), 0, 0, NULL},

    {"copy_64", "memcpy of 64 bytes", NULL, 4000000, 64, bench_copy_64, NO_GOAL, 0, 0, NULL},
    {"crc_64", "CRC-32C of 64 bytes", "copy_64", 2000000, 64, bench_crc_64, NO_GOAL, 0, 0, NULL},
    {"copy_1k", "memcpy of 1 KiB", NULL, 2000000, 1024, bench_copy_1k, NO_GOAL, 0, 0, NULL},
    {"crc_1k", "CRC-32C of 1 KiB", "copy_1k", 400000, 1024, bench_crc_1k, NO_GOAL, 0, 0, NULL},
    {"copy_4k", "memcpy of 4 KiB, in the cache", NULL, 500000, 4096, bench_copy_4k, NO_GOAL, 0, 0,
     NULL},
    {"crc_4k",
     "CRC-32C of 4 KiB",
     "copy_4k",
     100000,
     4096,
     bench_crc_4k,
     {GOAL_GB_MIN, 8, bench_crc_has_instruction},
     0,
     0,
     NULL},
    {"crc_soft_4k", "the same without the CPU's instruction", "copy_4k", 10000, 4096,
     bench_crc_portable_4k, NO_GOAL, 0, 0, NULL},

    {"evp_64", "AES-256-GCM by EVP: IV, 64 bytes, tag", NULL, 100000, 64, bench_evp_64, NO_GOAL, 0,
     0, NULL},
    {"seal_64", "TSS seal, 64 bytes after the TSS header", "evp_64", 100000, 64, bench_seal_64,
     NO_GOAL, 0, 0, NULL},
    {"open_64", "TSS open, the same", "evp_64", 100000, 64, bench_open_64, NO_GOAL, 0, 0, NULL},
    {"evp_1k", "AES-256-GCM by EVP: IV, 1 KiB, tag", NULL, 60000, 1024, bench_evp_1k, NO_GOAL, 0, 0,
     NULL},
    {"seal_1k", "TSS seal, 1 KiB", "evp_1k", 60000, 1024, bench_seal_1k, NO_GOAL, 0, 0, NULL},
    {"open_1k", "TSS open, 1 KiB", "evp_1k", 60000, 1024, bench_open_1k, NO_GOAL, 0, 0, NULL},
    {"evp_4k", "AES-256-GCM by EVP: IV, 4 KiB, tag", NULL, 20000, 4096, bench_evp_4k, NO_GOAL, 0, 0,
     NULL},
    {"gcm_4k", "one long message: no IV, no tag a packet", "evp_4k", 20000, 4096, bench_gcm_4k,
     NO_GOAL, 0, 0, NULL},
    {"seal_4k", "TSS seal, 4 KiB", "evp_4k", 20000, 4096, bench_seal_4k, MAX_RATIO(1.25), 0, 0,
     NULL},
    {"open_4k", "TSS open, 4 KiB", "evp_4k", 20000, 4096, bench_open_4k, MAX_RATIO(1.25), 0, 0,
     NULL},

    {"fwrite", "fwrite of 196 bytes, page cache", NULL, 200000, BENCH_NG_BLOCK, bench_fwrite,
     NO_GOAL, true, 0, NULL},
    {"pcapng", "a 162-byte packet into a pcapng file", "fwrite", 200000, BENCH_NG_BLOCK,
     bench_pcapng, MIN_PER_SEC(3e6), true, 0, NULL},
    {"fwrite_noted", "fwrite of 252 bytes", NULL, 200000, BENCH_NG_NOTED, bench_fwrite_noted,
     NO_GOAL, true, 0, NULL},
    {"pcapng_noted", "the same packet with direction and comment", "fwrite_noted", 200000,
     BENCH_NG_NOTED, bench_pcapng_noted, MIN_PER_SEC(3e6), true, 0, NULL},
#ifdef UET_BENCH_FEPS
    {"copy_payload", "memcpy of 4 KiB, out of the cache", NULL, 40000, BENCH_PAYLOAD,
     bench_copy_payload, NO_GOAL, true, 0, NULL},
    {"feps", "a 4 KiB packet from FEP to FEP, memory port", "copy_payload", 16000, BENCH_PAYLOAD,
     bench_feps, NO_GOAL, true, 0, NULL},
    {"feps_evp", "the same, and its ACK, by EVP alone: sealed, opened", "feps", 16000,
     BENCH_PAYLOAD, bench_feps_evp, NO_GOAL, true, 0, NULL},
    {"feps_sealed", "the same sealed and opened by TSS", "feps_evp", 16000, BENCH_PAYLOAD,
     bench_feps_sealed, MAX_RATIO(1.15), true, 0, "feps"},
    {"feps_nscc", "the same with NSCC", "feps", 16000, BENCH_PAYLOAD, bench_feps_nscc, NO_GOAL,
     true, 0, NULL},
    {"feps_each", "the same without, an ACK each", "feps", 16000, BENCH_PAYLOAD, bench_feps_each,
     NO_GOAL, true, 0, NULL},
    {"feps_nscc_each", "the same with NSCC", "feps_each", 16000, BENCH_PAYLOAD,
     bench_feps_nscc_each, NO_GOAL, true, 0, NULL},
    {"feps_loss", "the same, one frame in a hundred lost", "feps", 16000, BENCH_PAYLOAD,
     bench_feps_loss, NO_GOAL, true, 0, NULL},

    {"send_4k", "a UET_SEND of 4 KiB", "copy_payload", 16000, BENCH_PAYLOAD, bench_send_4k, NO_GOAL,
     true, 1, NULL},
    {"write_4k", "a UET_WRITE of 4 KiB", "copy_payload", 16000, BENCH_PAYLOAD, bench_write_4k,
     NO_GOAL, true, 1, NULL},
    {"read_4k", "a UET_READ of 4 KiB", "copy_payload", 16000, BENCH_PAYLOAD, bench_read_4k, NO_GOAL,
     true, 1, NULL},
    {"send_1m", "a packet of a UET_SEND of 1 MiB", "copy_payload", 16384, BENCH_PAYLOAD,
     bench_send_1m, NO_GOAL, true, 256, NULL},
    {"write_1m", "a packet of a UET_WRITE of 1 MiB", "copy_payload", 16384, BENCH_PAYLOAD,
     bench_write_1m, NO_GOAL, true, 256, NULL},
    {"read_1m", "a packet of a UET_READ of 1 MiB", "copy_payload", 16384, BENCH_PAYLOAD,
     bench_read_1m, NO_GOAL, true, 256, NULL},

    {"seal_stored", "TSS seal of 64 bytes with a stored key", NULL, 100000, 0, bench_seal_stored,
     NO_GOAL, 0, 0, NULL},
    {"seal_cached", "the same with one of 64 derived keys in the cache", "seal_stored", 100000, 0,
     bench_seal_cached, NO_GOAL, 0, 0, NULL},
    {"seal_derives", "the same with a key that must be derived", "seal_stored", 20000, 0,
     bench_seal_derives, NO_GOAL, 0, 0, NULL},
    {"evp_forged", "EVP open of 4 KiB with a wrong tag", NULL, 20000, 0, bench_evp_forged, NO_GOAL,
     0, 0, NULL},
    {"forged", "a FEP receives the like: it drops it", "evp_forged", 20000, 0, bench_forged,
     MAX_RATIO(1.15), 0, 0, NULL},
    {"forged_unknown", "the same from a source whose key must be derived", "evp_forged", 20000, 0,
     bench_forged_sources, NO_GOAL, 0, 0, NULL},

    {"copy_8", "memcpy of 8 bytes, out of the cache", NULL, 2000000, 8, bench_copy_8, NO_GOAL, true,
     0, NULL},
    {"send_8", "a UET_SEND of 8 bytes", "copy_8", 20000, 8, bench_send_8, NO_GOAL, true, 1, NULL},
    {"write_8", "a UET_WRITE of 8 bytes", "copy_8", 20000, 8, bench_write_8, NO_GOAL, true, 1,
     NULL},
    {"read_8", "a UET_READ of 8 bytes", "copy_8", 20000, 8, bench_read_8, NO_GOAL, true, 1, NULL},
    {"fetch_8", "a UET_FETCHING_ATOMIC of 8 bytes", "copy_8", 20000, 8, bench_fetch_8, NO_GOAL,
     true, 1, NULL},

    {"tag_1", "a UET_TAGGED_SEND of 8 bytes to the one receive posted, and its ACK", NULL, 20000, 0,
     bench_tag_1, NO_GOAL, 0, 0, NULL},
    {"tag_1k", "the same, 1,000 posted", "tag_1", 20000, 0, bench_tag_1k, NO_GOAL, 0, 0, NULL},
    {"tag_100k", "the same, 100,000 posted", "tag_1", 20000, 0, bench_tag_100k, NO_GOAL, 0, 0,
     NULL},
    {"tag_1m", "the same, 1,000,000 posted", "tag_1", 20000, 0, bench_tag_1m, NO_GOAL, 0, 0, NULL},
    {"index_1", "a UET_SEND to the one resource index", NULL, 20000, 0, bench_index_1, NO_GOAL, 0,
     0, NULL},
    {"index_16k", "a send to one of 16,384: 2 PIDonFEPs, 2 classes", "index_1", 20000, 0,
     bench_index_16k, NO_GOAL, 0, 0, NULL},
    {"region_1", "a UET_WRITE to the one region", NULL, 20000, 0, bench_region_1, NO_GOAL, 0, 0,
     NULL},
    {"region_64k", "a UET_WRITE to one of 65,535", "region_1", 20000, 0, bench_region_64k, NO_GOAL,
     0, 0, NULL},

    {"pdc_packet", "a NO_OP to an open PDC, and its ACK", NULL, 30000, 0, bench_pdc_packet, NO_GOAL,
     0, 0, NULL},
    {"pdc_open", "one that opens a PDC of 65,535, and its ACK", "pdc_packet", 30000, 0,
     bench_pdc_open, NO_GOAL, 0, 0, NULL},
#endif
};
const size_t n_benches = sizeof benches / sizeof *benches;

const struct bench *bench_find(const char *name)
{
    for (size_t i = 0; i < n_benches; i++)
        if (strcmp(benches[i].name, name) == 0)
            return &benches[i];
    return NULL;
}
