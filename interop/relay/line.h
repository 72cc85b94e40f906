/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames under way in one direction, by the time when each is due. No clock: the caller tells. */
#ifndef UET_INTEROP_RELAY_LINE_H
#define UET_INTEROP_RELAY_LINE_H

#include "interop/relay/decide.h"

/* A frame held back for others goes after so long in any case: there may be no others. */
#define RELAY_HOLD_NS 10000000u

/* Bytes under way in one direction; more are lost, counted and told. */
#define RELAY_LINE_BYTES (UINT64_C(256) << 20)

struct relay_frame {
    struct relay_frame *next; /* of those held back */
    uint64_t due_ns, order;   /* by due_ns, then in the order of arrival */
    uint64_t until_ns;        /* of one held back: due even if fewer came */
    uint32_t waits_for;       /* frames still to pass it */
    bool copy;                /* the second one */
    struct relay_fate fate;
    uint32_t len;
    uint8_t data[];
};

struct relay_line {
    struct relay_frame **heap;
    size_t n, cap;
    struct relay_frame *held; /* oldest first */
    uint64_t order, bytes;
};

/*
 * Takes a frame over that relay_frame_new made, with due_ns set. With waits_for above 0 it stays
 * until so many others were put behind it; the others count it down. False: too many bytes, or no
 * memory: then the frame is freed.
 */
bool relay_line_put(struct relay_line *line, struct relay_frame *frame);

/* The next one that is due by now_ns, which is the caller's (free); NULL: none. */
struct relay_frame *relay_line_take(struct relay_line *line, uint64_t now_ns);

/* When the next is due; UINT64_MAX: none. */
uint64_t relay_line_next_ns(const struct relay_line *line);

/* Frees all that is left and returns how many frames that were. */
size_t relay_line_end(struct relay_line *line);

/* A copy of the bytes; NULL without memory. */
struct relay_frame *relay_frame_new(const uint8_t *data, uint32_t len);

#endif
