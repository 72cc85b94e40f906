/* SPDX-License-Identifier: BSD-2-Clause */
/* One question of `uetcat probe` to the FEP, and what came of it. */
#ifndef UETCAT_PROBE_ASK_H
#define UETCAT_PROBE_ASK_H

#include "tools/uetcat/client.h"

struct probe_answer {
    bool came; /* a packet: */
    uint8_t pds;
    uint64_t after_ns;
    bool nack;
    uint8_t nack_code;
    bool ended; /* the operation has completed: */
    uint8_t status, return_code;
    bool unasked; /* this FEP cannot ask that */
    /* of the packet */
    bool has_crc, little, same_entropy, ce;
    uint8_t dscp;
};

enum probe_asks { PROBE_BY_REQUEST, PROBE_BY_CONTROL };

struct probe {
    struct uetcat_link *link;
    struct uetcat_client client;
    bool open; /* the client is */
    bool waits;
    /* The packet that asks, once it was sent: others of this end may be under way, too. */
    uint8_t asks; /* enum probe_asks */
    uint8_t ctl_type;
    bool asked;
    uint16_t pdcid;
    uint32_t psn;   /* or pkt_id */
    bool marks;     /* what is sent has been marked CE */
    bool new_start; /* the FEP has named another Start_PSN */
    uint64_t since_ns;
    uint16_t entropy; /* of the last Request */
    struct probe_answer answer;
};

/* A client that wraps its packets so, at the link; false after a message. */
bool probe_open(struct probe *p, bool native, enum uet_protect protect, uint8_t order);
/* Closes its PDCs, as far as somebody has answered, and ends it. */
void probe_close(struct probe *p);

/* The operation's to, job, PIDonFEP and resource index are those of the link. */
struct probe_answer probe_operation(struct probe *p, const struct uet_operation *op);
struct probe_answer probe_control(struct probe *p, uint8_t ctl_type);
/* A NOOP, in clear, for a PDC that nobody has. */
struct probe_answer probe_stranger(struct probe *p);

/* "ACK, RC_OK, 0.213 ms", "NACK UET_INV_DPDCID", "silence". */
void probe_text(const struct probe_answer *a, char *text, size_t n);

#endif
