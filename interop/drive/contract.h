/* SPDX-License-Identifier: BSD-2-Clause */
/* The environment that the runner gives to an endpoint (docs/interop.md), read. */
#ifndef UET_INTEROP_CONTRACT_H
#define UET_INTEROP_CONTRACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "interop/words.h"
#include "ut/verbs.h"

enum { ITEM_NAME = 32 };

/* A file: a message or a region of memory. */
struct item {
    char name[ITEM_NAME];
    uint64_t length, key;
    uint32_t job_id;
    uint64_t handle; /* of the memory, the receive or the operation; 0: none */
    uint64_t region; /* of a rendezvous, where its bytes are */
    uint64_t got;    /* bytes that have come */
    unsigned tries;
    bool done, chosen; /* chosen: the key is the FEP's own */
};

struct items {
    struct item *all;
    size_t n;
};

struct contract {
    bool server, keep_open, relative;
    uint8_t operation; /* enum operation */
    uint8_t mode;      /* enum uet_ut_mode */
    struct uet_ip address, peer;
    uint16_t pid_on_fep, resource_index;
    unsigned at_once, pause_after;
    const char *in, *out, *logs, *params;
    const char *ready, *go, *paused, *done;
    struct items send, receive;
};

/*
 * 0; -ENOTSUP when it asks for something unknown, -EINVAL when a variable is wrong or missing, and
 * in err one sentence on it.
 */
int contract_read(struct contract *contract, char *err, size_t errlen);

void contract_free(struct contract *contract);

#endif
