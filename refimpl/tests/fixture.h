/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two FEPs and the wire between them in virtual time: frames are lost, doubled and delayed as a
 * seed says. Test code: it may use the heap.
 */
#ifndef UET_REFIMPL_TESTS_FIXTURE_H
#define UET_REFIMPL_TESTS_FIXTURE_H

#include "refimpl/fep.h"
#include "refimpl/tests/counter.h"

#define FIXTURE_START_NS 1000000000ull

struct fixture_frame {
    uint64_t at;
    uint64_t order; /* ties go by order of sending */
    int to;
    uint32_t len;
    uint8_t *bytes;
};

struct fixture {
    struct uet_fep *fep[2];
    struct uet_ip ip[2];
    void *memory[2];
    uint64_t now, prng, order;
    struct fixture_frame *frames;
    size_t n_frames, cap_frames;
    /* Out of 1000: lost, doubled. Delay: latency + 0..jitter. */
    unsigned loss, dup;
    uint64_t latency, jitter;
    uint64_t n_sent, n_lost;
};

/* ip_version 4 or 6; change may be NULL and adjusts the configuration of both. */
void fixture_init(struct fixture *w, uint64_t seed, int ip_version,
                  void (*change)(struct uet_fep_config *));
void fixture_free(struct fixture *w);
/* Runs until nothing is on the wire and no timer runs, or until the time; true: all is quiet. */
bool fixture_run(struct fixture *w, uint64_t until);

#endif
