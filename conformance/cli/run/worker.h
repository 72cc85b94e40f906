/* SPDX-License-Identifier: BSD-2-Clause */
/* A process that runs a share of the tests and writes down a pipe what becomes of each. */
#ifndef UET_CONFORMANCE_CLI_WORKER_H
#define UET_CONFORMANCE_CLI_WORKER_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "conformance/cli/run/jobs.h"

enum uet_parcel_kind {
    UET_PARCEL_BEGIN,
    UET_PARCEL_DONE,
    UET_PARCEL_NOT_RUN, /* result.message is the reason */
    UET_PARCEL_ENDED,   /* the worker's run ended early: result.message says why */
};

/* On its way from a worker: the pointers in the result mean nothing to who reads it. */
struct uet_parcel {
    size_t index; /* of the test, among all */
    uint8_t kind; /* enum uet_parcel_kind */
    struct uet_result result;
};

/* So many bytes of it go down the pipe: what begins has no result. */
static inline size_t uet_parcel_size(uint8_t kind)
{
    return kind == UET_PARCEL_BEGIN ? offsetof(struct uet_parcel, result)
                                    : sizeof(struct uet_parcel);
}

/* A test begins at every point; that is told when it has not been for so long. */
#define UET_BEGIN_AGAIN_NS UINT64_C(100000000)

/* A clock that all these processes share, in ns. */
uint64_t uet_worker_now_ns(void);

/* A worker's share: every step-th test, from `first`. */
struct uet_share {
    const struct uet_test *const *tests; /* all of them */
    size_t n, first, step;
    volatile sig_atomic_t *stop; /* shared: end the test that runs, and begin no other */
    bool taken_over; /* of a process that died: at a real FEP maybe while it was asked something */
};

/*
 * Starts one. *inside is shared memory: true while the FEP is at work. The caller closes *fd (the
 * end to read parcels from; its end is the worker's) and reaps *pid. 0, or a negative errno.
 */
int uet_worker_start(const struct uet_jobs *jobs, const struct uet_share *share,
                     volatile bool *inside, pid_t *pid, int *fd);

#endif
