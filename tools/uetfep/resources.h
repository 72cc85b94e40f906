/* SPDX-License-Identifier: BSD-2-Clause */
/* What stands ready in uetfep from the start: resource indices, memory, posted receives. */
#ifndef UET_TOOLS_UETFEP_RESOURCES_H
#define UET_TOOLS_UETFEP_RESOURCES_H

#include "ut/verbs.h"

enum { RESOURCES_MAX = 64 }; /* of each kind */

struct resources {
    struct uet_ut_service services[RESOURCES_MAX];
    struct uet_ut_memory memory[RESOURCES_MAX]; /* with data NULL, which stands for fill */
    struct uet_ut_receive receives[RESOURCES_MAX];
    size_t n_services, n_memory, n_receives;
};

/*
 * Takes what an option says: "service" JOB:PID:RI:CLASS[:GENERATION], "memory" JOB:PID:RI:KEY:LEN,
 * "receive" JOB:PID:RI:LEN. 0, or -EINVAL or -ENOSPC and in why what to give instead.
 */
int resources_take(struct resources *resources, const char *option, const char *text, char *why,
                   size_t size);

/*
 * Opens them, or, when there is none, job 0, PIDonFEP 0, resource index 0, which is what uetcat
 * addresses unless told otherwise: RMA memory of 1 MiB with key 1 for every job, whose bytes tell
 * where they stand (uet_ut_pattern), and receives. Memory and receives open their resource index.
 * Receives are posted again when filled. 0, or a negative errno and a sentence in ut->error.
 */
int resources_open(const struct resources *resources, struct uet_ut *ut);

#endif
