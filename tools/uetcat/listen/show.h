/* SPDX-License-Identifier: BSD-2-Clause */
/* What `uetcat listen` prints: a line for each thing that came, as text or JSON. */
#ifndef UETCAT_LISTEN_SHOW_H
#define UETCAT_LISTEN_SHOW_H

#include <stdio.h>

#include "wire/packet.h"

enum listen_kind {
    LISTEN_MESSAGE, /* it came whole, and was taken */
    LISTEN_REFUSED, /* a request was refused by a return code */
    LISTEN_NACK,    /* a packet was refused by a NACK */
    LISTEN_KINDS
};

struct listen_event {
    uint8_t kind; /* enum listen_kind */
    struct uet_ip peer;
    bool has_opcode; /* else what it was is not known */
    uint8_t opcode;
    bool has_place; /* job, PIDonFEP, resource index */
    uint32_t job_id;
    uint16_t pid_on_fep, resource_index;
    bool has_key; /* memory key, and where in the region */
    uint64_t key, offset;
    bool has_tag;
    uint64_t tag;
    bool has_length;
    uint32_t length, initiator;
    bool has_header_data;
    uint64_t header_data;
    uint8_t code;         /* return code, or NACK code */
    const uint8_t *bytes; /* what came, or NULL */
    uint32_t n_bytes;
};

struct listen_show {
    FILE *out;
    bool json, hex, quiet;
    uint64_t seen[LISTEN_KINDS]; /* how many of each kind */
    uint64_t bytes;              /* of the messages */
    uint64_t missed;             /* packets that were lost here, for want of speed */
};

void listen_show_start(const struct listen_show *s, const struct uet_ip *own, const char *on);
void listen_show_event(struct listen_show *s, const struct listen_event *event);
/* The totals. */
void listen_show_end(const struct listen_show *s);

#endif
