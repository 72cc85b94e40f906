/* SPDX-License-Identifier: BSD-2-Clause */
/* The verbs of docs/upper-tester.md on a libfabric provider. */
#ifndef UT_LIBFABRIC_VERBS_H
#define UT_LIBFABRIC_VERBS_H

#include <jansson.h>

#include "tools/ut_libfabric/fabric.h"

struct adapter {
    struct fabric *fabric;
    struct fabric_config config;
    uint32_t job_id;
    uint16_t payload_mtu; /* bytes, as `hello` tells it */
    const char *spec;
    const char *without; /* verbs that are not offered, with commas between; "": none */
    struct bytes *bytes; /* all memory, by handle */
    uint64_t next_handle;
    json_t *ended; /* completions that nobody has waited for */
};

/* ctx: a struct adapter. For uet_ut_server_poll. */
json_t *adapter_handle(void *ctx, json_t *request);

/* Is there a verb of that name, whatever the provider can? */
bool adapter_knows(const char *name);

/* Lets the provider work, and keeps what has ended. */
void adapter_progress(struct adapter *adapter);

/* Gives back all memory; the fabric is the caller's. */
void adapter_end(struct adapter *adapter);

#endif
