/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The edge: every frame in comes through uet_edge_open, every frame out goes through
 * uet_edge_begin and uet_edge_finish. Encapsulation and the CRC live here and nowhere else in the
 * FEP. Private.
 */
#ifndef UET_REFIMPL_EDGE_H
#define UET_REFIMPL_EDGE_H

#include "refimpl/state.h"

/* Parses a frame as this FEP is configured (3.5.5); p->error says what is wrong with it. */
void uet_edge_parse(const struct uet_fep *fep, const uint8_t *frame, size_t len,
                    struct uet_packet *p);

/* Is the frame a packet for this FEP, whole or trimmed? False: it is counted and dropped. */
bool uet_edge_open(struct uet_fep *fep, const uint8_t *frame, size_t len, struct uet_packet *p);

/* Does its DSCP say that a switch has cut it (4.1)? A length alone proves nothing. */
static inline bool uet_edge_trimmed(const struct uet_packet *p)
{
    return p->trim == UET_TRIM_TRIMMED || p->trim == UET_TRIM_LASTHOP;
}

#endif
