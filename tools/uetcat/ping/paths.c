/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/uetcat/ping/paths.h"

#include <stdlib.h>
#include <string.h>

bool ping_paths_open(struct ping_paths *p, const struct uetcat_entropy *e)
{
    *p = (struct ping_paths){.n = e->n,
                             .path = calloc(e->n, sizeof *p->path),
                             .index = malloc(UETCAT_ENTROPIES * sizeof *p->index),
                             .scratch = calloc(e->n, sizeof *p->scratch)};
    if (!p->path || !p->index || !p->scratch) {
        ping_paths_close(p);
        return false;
    }
    memset(p->index, 0xff, UETCAT_ENTROPIES * sizeof *p->index);
    for (uint32_t i = 0; i < e->n; i++) {
        p->path[i].entropy = e->value[i];
        p->index[e->value[i]] = i;
    }
    return true;
}

void ping_paths_close(struct ping_paths *p)
{
    free(p->path);
    free(p->index);
    free(p->scratch);
    *p = (struct ping_paths){0};
}

static struct ping_path *find(const struct ping_paths *p, uint16_t entropy)
{
    uint32_t i = p->n ? p->index[entropy] : UINT32_MAX;
    return i == UINT32_MAX ? NULL : &p->path[i];
}

void ping_paths_sent(struct ping_paths *p, uint16_t entropy)
{
    struct ping_path *path = find(p, entropy);
    if (path)
        path->sent++;
}

void ping_paths_answered(struct ping_paths *p, uint16_t entropy, uint64_t rtt_ns, bool marked)
{
    struct ping_path *path = find(p, entropy);
    double ms = (double)rtt_ns / 1e6;
    if (!path)
        return;
    if (path->answered == 0 || ms < path->min_ms)
        path->min_ms = ms;
    if (ms > path->max_ms)
        path->max_ms = ms;
    path->ms[path->answered++ % PING_PATH_TIMES] = (float)ms;
    path->marked += marked;
}

void ping_paths_lost(struct ping_paths *p, uint16_t entropy, bool arrived)
{
    struct ping_path *path = find(p, entropy);
    if (!path)
        return;
    path->lost++;
    path->answers_lost += arrived;
}

/* ---- the verdict ---- */

static int by_size(const void *a, const void *b)
{
    const float *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* The lower one of two in the middle; sorts them. */
static double median(float *of, size_t n)
{
    if (n == 0)
        return 0;
    qsort(of, n, sizeof *of, by_size);
    return (double)of[(n - 1) / 2];
}

static void look_at_times(struct ping_path *path)
{
    float ms[PING_PATH_TIMES];
    size_t n = path->answered < PING_PATH_TIMES ? (size_t)path->answered : PING_PATH_TIMES;
    memcpy(ms, path->ms, n * sizeof *ms);
    path->median_ms = median(ms, n);
    path->least_ms = n ? (double)ms[0] : 0;
}

/* Of those that have ended. */
static double loss_of(const struct ping_path *path)
{
    uint64_t ended = path->answered + path->lost;
    return ended ? (double)path->lost / (double)ended : 0;
}

static enum ping_path_verdict verdict_of(const struct ping_path *path, double all_ms,
                                         double all_loss)
{
    if (path->lost && !path->answered && all_ms > 0)
        return PING_PATH_DEAD;
    if (path->lost >= 2 && loss_of(path) >= all_loss + 0.1)
        return PING_PATH_LOSES;
    if (path->answered >= PING_PATH_FEW && path->median_ms > 2 * all_ms &&
        path->least_ms > all_ms && path->median_ms > all_ms + 0.1)
        return PING_PATH_SLOW;
    return PING_PATH_GOOD;
}

void ping_paths_judge(struct ping_paths *p)
{
    float *of = p->scratch;
    uint32_t n = 0;
    double all_loss;
    p->bad = 0;
    for (uint32_t i = 0; i < p->n; i++)
        of[i] = (float)loss_of(&p->path[i]);
    all_loss = median(of, p->n);
    for (uint32_t i = 0; i < p->n; i++) {
        struct ping_path *path = &p->path[i];
        look_at_times(path);
        if (path->answered)
            of[n++] = (float)path->median_ms;
    }
    p->median_ms = median(of, n);
    for (uint32_t i = 0; p->n > 1 && i < p->n; i++) {
        struct ping_path *path = &p->path[i];
        path->verdict = (uint8_t)verdict_of(path, p->median_ms, all_loss);
        p->bad += path->verdict != PING_PATH_GOOD;
    }
}
