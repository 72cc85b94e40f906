/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Following a PDC: in tshark by epan (follow.c), in Wireshark 4.0 in a window of ours. */
#ifndef UETX_FOLLOW_H
#define UETX_FOLLOW_H

#include "dissector/statistics/tap.h"

#include <epan/follow.h>

#define UETX_FOLLOW_TAP "uetx_follow"

/* PSNs of what is sent and those that ACKs name are two orders. */
enum uetx_follow_kind {
    UETX_FOLLOW_SENT,       /* payload of a Request */
    UETX_FOLLOW_ACK,        /* data in an ACK: by the PSN that asked for them (3.5.12.1) */
    UETX_FOLLOW_UNNUMBERED, /* in the order of capture */
};

/* epan's record, which stands first, and what puts it in order. */
struct uetx_follow_record {
    follow_record_t epan;
    uint32_t psn; /* meaningful when numbered */
    enum uetx_follow_kind kind;
};

/* The listener of tap UETX_FOLLOW_TAP; data is the follow_info_t, whose payload it fills. */
tap_packet_status uetx_follow_packet(void *data, packet_info *pinfo, epan_dissect_t *edt,
                                     const void *tapped, tap_flags_t flags);

/* "uetx.stream == 3", to be freed with g_free. */
char *uetx_follow_filter(uint32_t stream);

/* follow_window.c: Analyze > Follow > UETX > PDC. */
void uetx_follow_window_register(int proto);

#endif
