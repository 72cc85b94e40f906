/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The dissector inside a program of our own, with real epan around it: for fuzzing, and for passes
 * over a capture in an order that tshark does not take. One thread.
 */
#ifndef UETX_TESTS_EPAN_RUN_H
#define UETX_TESTS_EPAN_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Starts epan with the dissector in it; once. Exits with status 2 when it cannot. */
void epan_run_start(void);

/* A preference as after tshark -o: "uetx.rules:both". False when epan refuses it. */
bool epan_run_set(const char *preference);

/* A capture begins; the one before is forgotten. */
void epan_run_open(void);

/* Leaves only these protocols on, by filter name, NULL-ended; what other dissectors do is theirs.
 */
void epan_run_only(const char *const *protocols);

/* Turns a heuristic dissector on, by its short name. False when there is none. */
bool epan_run_heuristic(const char *name);

enum epan_run_link {
    EPAN_RUN_ETHERNET,
    EPAN_RUN_USER0, /* what the preference "user_dlts" says of it */
};

/* The next frame of the capture, numbered from 1. */
struct epan_run_frame {
    const uint8_t *bytes;
    size_t len; /* as captured */
    uint64_t time_us;
    size_t cut; /* bytes that it had on the wire and the capture has not */
    enum epan_run_link link;
};

/*
 * The frames of a pcap file of this machine's byte order, at most max of them; how many there are.
 * Exits with status 2 when it cannot be read. Unload frees their bytes.
 */
uint32_t epan_run_load(const char *path, struct epan_run_frame *into, uint32_t max);
void epan_run_unload(struct epan_run_frame *frames_of_it, uint32_t n);

/*
 * Dissects frame number n, from 1. The first time must be in order; later times may come as they
 * like. tree: with a protocol tree, of which epan makes what is used. text: the tree and the Info
 * column as text, to be freed with g_free; NULL when it is not wanted. bytes must stay until the
 * capture is closed. Listeners to taps get it.
 */
void epan_run_dissect(uint32_t n, const struct epan_run_frame *frame, bool tree, char **text);

/*
 * Does a display filter hold for a frame in whose tree the unsigned field hf stands with this
 * value? False, and a line on stdout, also when epan refuses the filter.
 */
bool epan_run_holds(const char *filter, int hf, uint32_t value);

#endif
