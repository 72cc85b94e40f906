/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What ping learns of each entropy value. Packets with the same value take the same path as long as
 * the routes stay, and an answer goes back with the value of its request: a value that loses
 * packets, or is slow while others are not, stands for a bad path.
 */
#ifndef UETCAT_PING_PATHS_H
#define UETCAT_PING_PATHS_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/uetcat/entropy.h"

/* So many of the newest answers are judged. */
enum { PING_PATH_TIMES = 128 };

/* Of fewer answers nothing is said of the times. On a busy host each of them is later than the
 * median as often as not: ten in a row are so on one path of 1,024 that is as good as the others.
 */
enum { PING_PATH_FEW = 10 };

enum ping_path_verdict {
    PING_PATH_GOOD,
    PING_PATH_LOSES, /* more than the others do */
    PING_PATH_DEAD,  /* no answer at all, while others answer */
    PING_PATH_SLOW,  /* slower by far than the others */
};

struct ping_path {
    uint16_t entropy;
    uint8_t verdict; /* enum ping_path_verdict, of ping_paths_judge */
    uint64_t sent, answered;
    uint64_t lost;         /* no answer in time, or only to a copy that was sent again */
    uint64_t answers_lost; /* of them: another ACK told that the request arrived */
    uint64_t marked;       /* answers that tell of congestion (ECN-CE) */
    double min_ms, max_ms;
    double median_ms, least_ms; /* of the newest answers; of ping_paths_judge */
    float ms[PING_PATH_TIMES];
};

struct ping_paths {
    uint32_t n;
    struct ping_path *path; /* in the order of the list */
    uint32_t *index;        /* of a value, to `path`; UINT32_MAX: it has none */
    float *scratch;         /* of ping_paths_judge: one for each path */
    uint32_t bad;           /* of ping_paths_judge */
    double median_ms;       /* of the paths' medians */
};

/* False when there is no memory. */
bool ping_paths_open(struct ping_paths *p, const struct uetcat_entropy *e);
void ping_paths_close(struct ping_paths *p);

/* Requests are counted when sent. A value that is not one of the list is not counted. */
void ping_paths_sent(struct ping_paths *p, uint16_t entropy);
void ping_paths_answered(struct ping_paths *p, uint16_t entropy, uint64_t rtt_ns, bool marked);
void ping_paths_lost(struct ping_paths *p, uint16_t entropy, bool arrived);

/*
 * Says which are bad, against the median of all of them:
 *   dead   nothing was answered, though others were;
 *   loses  two requests or more were lost, and ten percent more of them than the median;
 *   slow   there are PING_PATH_FEW answers, the median is more than twice that of all, and 100 us
 * above it, and even the shortest time is longer than the median of all. One value alone is
 * compared with nothing, and is never bad.
 */
void ping_paths_judge(struct ping_paths *p);

#endif
