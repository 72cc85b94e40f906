/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two FEPs of a secure domain, back to back; whoever looks at the wire between them has the key.
 * Test code: it may use the heap.
 */
#ifndef UET_REFIMPL_TESTS_TSS_PAIR_H
#define UET_REFIMPL_TESTS_TSS_PAIR_H

#include "refimpl/fep.h"
#include "refimpl/tests/shared/counter.h"

#define PAIR_JOB      0x56789au
#define PAIR_PID      7u
#define PAIR_RI       5u
#define PAIR_KEY      0x1234u
#define PAIR_SAFE_KEY (1ull << 63 | 2) /* idempotent: of the same bytes */
#define PAIR_SDI      0x00abcdu
#define PAIR_BYTES    9000u
#define PAIR_TRIMMED  11                                               /* DSCP */
#define PAIR_TSS_AT   (UET_ETH_BYTES + UET_IPV4_BYTES + UET_UDP_BYTES) /* of the TSS header */

struct pair_kind {
    bool ipv6, native, ssi, rekey;
    uint8_t mode; /* enum uet_tss_mode; 0: cluster. Server: FEP 1 is it */
    bool beside;  /* jobs without domain go in clear */
    uint64_t seed, secret;
    uint8_t start; /* enum uet_fep_start, of the target */
    /* Changes the domain before FEP i installs it; NULL: not. */
    void (*change)(struct uet_fep_domain *domain, int i);
};

struct pair_frame {
    uint8_t bytes[UET_FRAME_MAX];
    size_t len;
};

struct pair {
    struct uet_fep *fep[2];
    void *memory[2];
    struct uet_ip ip[2];
    struct pair_kind kind;
    struct uet_tss_params keys;
    struct uet_tss_sa onlooker[2]; /* by AN */
    uint64_t now;
    struct pair_frame taken;
    struct uet_packet p; /* the frame taken last, opened; p.frame is `clear` */
    uint8_t clear[UET_FRAME_MAX];
    size_t clear_len;
    struct uet_tss_header h; /* its TSS header */
    uint32_t n_sealed[2], n_clear;
    uint64_t newest[2]; /* counters seen */
    uint8_t region[PAIR_BYTES], source[PAIR_BYTES], into[PAIR_BYTES], buffer[PAIR_BYTES];
};

void pair_init(struct pair *t, const struct pair_kind *kind);
void pair_free(struct pair *t);

/* The domain of the pair, as FEP i installs it. */
struct uet_fep_domain pair_domain(const struct pair *t, int i);

/*
 * The next frame of a FEP, NULL when there is none. It is opened with the key: the test fails when
 * that cannot be done, or its counter is not beyond all before it of that sender.
 */
struct pair_frame *pair_take(struct pair *t, int from);
void pair_give(struct pair *t, int to, const struct pair_frame *f);
/* The frame taken last, sealed anew with this key and stamp: what a member of the domain may do. */
struct pair_frame pair_sealed(struct pair *t, struct uet_tss_sa *sa, struct uet_tss_stamp stamp);
/* Frames and timers, until both are quiet or 10 s have passed. */
void pair_run(struct pair *t);

/* An operation of FEP 0 to FEP 1, to be submitted. */
struct uet_operation pair_operation(struct pair *t, uint8_t opcode, uint32_t length);
/* FEP 0 does it to FEP 1. */
void pair_write(struct pair *t, uint32_t length);
void pair_read(struct pair *t, uint32_t length);
void pair_send(struct pair *t, uint32_t length);
/* A WRITE, a READ and a SEND, each to its end, with their bytes compared. */
void pair_write_read_send(struct pair *t);
/* What is open goes to its end, and FEP 0 has a success. */
void pair_finished(struct pair *t);
/* FEP 0 closes its PDCs. */
void pair_close(struct pair *t);
/* The domain of FEP i. */
struct uet_fep_domain_state pair_state(struct pair *t, int i);
/* The status of the next completion of a FEP; the test fails when there is none. */
uint8_t pair_status(struct pair *t, int of);

#endif
