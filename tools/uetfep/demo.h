/* SPDX-License-Identifier: BSD-2-Clause */
/* What uetfep offers to everybody unless told otherwise. */
#ifndef UET_TOOLS_UETFEP_DEMO_H
#define UET_TOOLS_UETFEP_DEMO_H

#include "ut/ut.h"

/*
 * Job 0, PIDonFEP 0, resource index 0, which is what uetcat addresses unless told otherwise: RMA
 * memory of 1 MiB with key 1 for every job, whose bytes tell where they stand (uet_ut_pattern), and
 * receives that are posted again when filled. 0, or a negative errno and a sentence in ut->error.
 */
int demo_open(struct uet_ut *ut);

#endif
