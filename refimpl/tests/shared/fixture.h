/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two FEPs back to back on a fabric that loses, doubles and delays frames by chance. Test code: it
 * may use the heap.
 */
#ifndef UET_REFIMPL_TESTS_FIXTURE_H
#define UET_REFIMPL_TESTS_FIXTURE_H

#include "port/fabric/fabric.h"
#include "refimpl/fep.h"
#include "refimpl/tests/shared/counter.h"

#define FIXTURE_START_NS 1000000000ull

struct fixture {
    struct uet_fep *fep[2];
    struct uet_ip ip[2];
    void *memory[2];
    struct uet_fabric *fabric;
    uint64_t now;
};

/* ip_version 4 or 6; change may be NULL and adjusts the configuration of both. */
void fixture_init(struct fixture *w, uint64_t seed, int ip_version,
                  void (*change)(struct uet_fep_config *));
/* Out of 1000 frames: lost, doubled; each comes up to jitter_ns later. Before: none. */
void fixture_wire(struct fixture *w, uint32_t loss, uint32_t dup, uint64_t jitter_ns);
void fixture_free(struct fixture *w);
/* Runs until nothing is on the wire and no timer runs, or until the time; true: all is quiet. */
bool fixture_run(struct fixture *w, uint64_t until);

#endif
