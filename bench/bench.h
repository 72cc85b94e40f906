/* SPDX-License-Identifier: BSD-2-Clause */
/* What uet-bench measures: each thing as a loop of n rounds. */
#ifndef UET_BENCH_BENCH_H
#define UET_BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a goal bounds, and which way. */
enum goal_of { GOAL_NONE, GOAL_NS_MAX, GOAL_RATIO_MAX, GOAL_PER_SECOND_MIN, GOAL_GB_MIN };

struct goal {
    enum goal_of of;
    double value;
    bool (*applies)(void); /* NULL: on any machine */
};

struct bench {
    const char *name;
    const char *what;     /* one line for people */
    const char *baseline; /* the name of the bench that its ratio is to; NULL begins a group */
    uint32_t rounds;      /* of one run; a few tens of milliseconds */
    uint32_t bytes;       /* of a round, when rates make sense; else 0 */
    void (*run)(uint32_t rounds);
    struct goal goal;
    bool whole;         /* a run is not cut in slices: its preparations are not small */
    uint32_t a_message; /* rounds that one message takes, when the rate is that of messages */
    const char *less;   /* a bench of the same group: the ratio is of what this one and the
                           baseline take more than that; NULL: of all of it */
};

/* table.c: all of them; a group, which is measured together, is the rows up to the next baseline
 * NULL. */
extern const struct bench benches[];
extern const size_t n_benches;

/* The bench of that name, or NULL. */
const struct bench *bench_find(const char *name);

/* measure.c: medians of several runs; see there. */
enum { BENCH_RUNS = 7 };

struct result {
    double ns;    /* a round */
    double ratio; /* to the baseline, 0 without one */
};

/* Results of all benches, in the table's order. */
void bench_measure(struct result *results);

/* report.c: figures that other programs measured, and all of it as text or JSON. */
struct figure {
    char name[32], field[32];
    double value;
};

struct report {
    const struct result *results; /* one a bench */
    struct figure *figures;
    size_t n_figures;
    struct json_t *baseline; /* what baseline.json says, or NULL */
};

/*
 * Reads lines "NAME FIELD NUMBER" ("parse instructions 231"). Ends with status 2 when a line is
 * not one. *figures is the caller's to free.
 */
size_t bench_figures_read(const char *path, struct figure **figures);

/* Ends with status 2 when the file is not like baseline.json. The object is the caller's to free.
 */
struct json_t *bench_baseline_read(const char *path);

/* Both return whether no count of instructions is more than a tenth above the baseline. */
bool bench_report_text(const struct report *r);
bool bench_report_json(const struct report *r);

/* codec.c: the wire codec on a RUD write of 64 bytes without CRC, and copying the same frame. */
enum { BENCH_WRITE_PAYLOAD = 64, BENCH_WRITE_FRAME = 162 }; /* 14 + 20 + 8 + 12 + 44 + 64 */
/* Builds that frame: what an initiator sets for each packet. Returns as uet_build_finish. */
int bench_build_write(uint8_t *out, size_t cap, uint32_t psn);
void bench_copy_frame(uint32_t rounds);
void bench_parse(uint32_t rounds);
void bench_build(uint32_t rounds);

/* crc.c: CRC-32C beside copying the same bytes; _portable: without the CPU's instruction. */
bool bench_crc_has_instruction(void);
void bench_copy_64(uint32_t rounds);
void bench_copy_1k(uint32_t rounds);
void bench_copy_4k(uint32_t rounds);
void bench_crc_64(uint32_t rounds);
void bench_crc_1k(uint32_t rounds);
void bench_crc_4k(uint32_t rounds);
void bench_crc_portable_4k(uint32_t rounds);

/* pcapng.c: packets into a file, and the same bytes through fwrite. */
enum { BENCH_NG_BLOCK = 196, BENCH_NG_NOTED = 252 }; /* bytes in the file for a packet */
void bench_fwrite(uint32_t rounds);
void bench_pcapng(uint32_t rounds);
void bench_fwrite_noted(uint32_t rounds);
void bench_pcapng_noted(uint32_t rounds);

/* feps.c: packets of 4 KiB between two FEPs over a memory port, and copying the same bytes. */
#define BENCH_PAYLOAD 4096u
#define BENCH_LONG    (1u << 20)
void bench_copy_8(uint32_t rounds);
void bench_copy_payload(uint32_t rounds);
void bench_feps(uint32_t rounds);
void bench_feps_sealed(uint32_t rounds);
void bench_feps_nscc(uint32_t rounds);
void bench_feps_each(uint32_t rounds);
void bench_feps_nscc_each(uint32_t rounds);
void bench_feps_loss(uint32_t rounds);
void bench_feps_evp(uint32_t rounds);
/* Messages of 8 bytes, 4 KiB and 1 MiB; a round is a packet of payload. */
void bench_send_8(uint32_t rounds);
void bench_send_4k(uint32_t rounds);
void bench_send_1m(uint32_t rounds);
void bench_write_8(uint32_t rounds);
void bench_write_4k(uint32_t rounds);
void bench_write_1m(uint32_t rounds);
void bench_read_8(uint32_t rounds);
void bench_read_4k(uint32_t rounds);
void bench_read_1m(uint32_t rounds);
void bench_fetch_8(uint32_t rounds);

/* matching.c: one among so many receives, resource indices with a receive each, regions. */
void bench_tag_1(uint32_t rounds);
void bench_tag_1k(uint32_t rounds);
void bench_tag_100k(uint32_t rounds);
void bench_tag_1m(uint32_t rounds);
void bench_index_1(uint32_t rounds);
void bench_index_16k(uint32_t rounds);
void bench_region_1(uint32_t rounds);
void bench_region_64k(uint32_t rounds);

/* secured.c: frames sealed with keys of several kinds; frames whose ICV is wrong. */
void bench_seal_stored(uint32_t rounds);
void bench_seal_cached(uint32_t rounds);
void bench_seal_derives(uint32_t rounds);
void bench_evp_forged(uint32_t rounds);
void bench_forged(uint32_t rounds);
void bench_forged_sources(uint32_t rounds);

/* pdcs.c: a SYN that opens a PDC and its ACK; the same packet on an open PDC. */
void bench_pdc_packet(uint32_t rounds);
void bench_pdc_open(uint32_t rounds);
/* Writes a capture of two FEPs' conversation, at least as many packets, for tshark.sh. */
void bench_capture(const char *path, uint32_t packets);

/*
 * messages.c: writes a capture of that many packets: one message, one a packet, or one in any order
 * (form: long, short, shuffled). Returns what is wrong, or NULL.
 */
const char *bench_messages(const char *path, uint32_t packets, const char *form);

/* tss.c: AES-256-GCM alone, and packets sealed and opened. */
/*
 * Two hosts 0 and 1 whose frames EVP alone seals and opens, between begin and end. leaves: in
 * place, with a tag behind, of which the length comes back; arrives: in a buffer, without it.
 */
void bench_evp_begin(void);
size_t bench_evp_leaves(unsigned host, uint8_t *frame, size_t len);
const uint8_t *bench_evp_arrives(unsigned host, const uint8_t *frame, uint32_t *len);
void bench_evp_end(void);
void bench_gcm_4k(uint32_t rounds);
void bench_evp_64(uint32_t rounds);
void bench_evp_1k(uint32_t rounds);
void bench_evp_4k(uint32_t rounds);
void bench_seal_64(uint32_t rounds);
void bench_seal_1k(uint32_t rounds);
void bench_seal_4k(uint32_t rounds);
void bench_open_64(uint32_t rounds);
void bench_open_1k(uint32_t rounds);
void bench_open_4k(uint32_t rounds);

/* A broken benchmark must not look fast. Prints and ends with status 2. */
_Noreturn void bench_die(const char *what);

/* Keeps a value, and everything that memory holds, from being optimised away. */
static inline void bench_keep(const void *p)
{
    __asm__ volatile("" : : "r"(p) : "memory");
}

/* A length that the compiler does not know, as in real code. */
static inline size_t bench_unknown(size_t n)
{
    __asm__ volatile("" : "+r"(n));
    return n;
}

#endif
