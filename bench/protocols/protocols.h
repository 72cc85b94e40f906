/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The three ways to send a message of which the authors' paper (Hoefler et al., 2025) models the
 * time: two reference FEPs send one over a cable in virtual time, and a formula says when it should
 * be there.
 */
#ifndef UET_BENCH_PROTOCOLS_PROTOCOLS_H
#define UET_BENCH_PROTOCOLS_PROTOCOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum protocol {
    RENDEZVOUS,
    DEFERRABLE,
    RECEIVER_INITIATED,
    BUFFERED, /* a small message that is kept whole, by whatever profile, until its receive is there
               */
    PROTOCOLS
};

/* A byte takes a nanosecond of the line: no time is ever rounded. Only ratios mean anything. */
#define LINE_BITS_PER_S UINT64_C(8000000000)
#define PAYLOAD_MTU     4096u

struct cell {
    enum protocol protocol;
    bool expected;       /* its receive is there when its first packet arrives */
    uint32_t bytes;      /* of the message; whole packets */
    uint64_t latency_ns; /* one way: alpha */
    uint32_t window;     /* bytes of frames under way, and of an eager part */
};

/* ---- model.c ---- */

/* Wire time of a full packet of a SEND. */
uint64_t model_packet_ns(void);

/* A window for this latency: percent 100 is one BDP, and what ACKs that come in bunches hold. */
uint32_t model_window(uint64_t latency_ns, uint32_t percent);

/* Bytes of the message that its own packets bring, when it goes by rendezvous. */
uint32_t model_eager(const struct cell *c);

/* More than the window holds (and so more than an eager part). Never buffered. */
bool model_is_large(const struct cell *c);

/*
 * When the message should be there: since the send if it is expected, else since the receive. Of
 * what is unexpected `literal` counts the latency as the paper writes it; `asked` counts the way of
 * the request to go on, too. Both are the same where that is no question.
 */
struct model_time {
    uint64_t literal, asked;
    uint64_t transfer;   /* beta s of both */
    const char *formula; /* of `asked` */
};
struct model_time model_of(const struct cell *c);

/* ---- exchange.c ---- */

struct measured {
    uint64_t sent, posted, done; /* when */
};

/* false: the message did not arrive, or not as it was sent; the reason is told on stderr. */
bool exchange(const struct cell *c, struct measured *m);

struct row {
    struct cell cell;
    struct model_time model;
    struct measured measured;
};

/* model.c. The time that counts: since the send of what is expected, else since the receive. */
uint64_t row_took(const struct row *r);

/* ---- plot.c ---- */

/* Writes an SVG of the rows, which come by latency; false: the file cannot be written. */
bool plot(const char *path, const struct row *rows, size_t n);

extern const char *const protocol_names[PROTOCOLS];

#endif
