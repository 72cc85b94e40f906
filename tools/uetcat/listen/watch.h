/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What others do with the memory that `uetcat listen` serves, and what it refuses. The FEP has no
 * completion for these: they are seen in the packets, with the tracker (track/).
 */
#ifndef UETCAT_LISTEN_WATCH_H
#define UETCAT_LISTEN_WATCH_H

#include "tools/uetcat/listen/show.h"
#include "track/track.h"

enum { LISTEN_PENDING = 256 };

struct listen_watch {
    struct uet_track *track;
    /* Whole messages that no ACK covers yet, the oldest first. */
    const struct uet_track_message *pending[LISTEN_PENDING];
    uint32_t n_pending;
    bool failed; /* no memory */
    void (*event)(void *ctx, const struct listen_event *event);
    void *ctx;
};

/* False: no memory. Events come until listen_watch_close. */
bool listen_watch_open(struct listen_watch *w, uint8_t ip_protocol,
                       void (*event)(void *ctx, const struct listen_event *event), void *ctx);
void listen_watch_close(struct listen_watch *w);

/* Each packet sent, and each that came, in order. */
void listen_watch_packet(struct listen_watch *w, const struct uet_packet *p, bool sent,
                         uint64_t now_ns);

#endif
