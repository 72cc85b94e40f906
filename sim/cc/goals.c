/* SPDX-License-Identifier: BSD-2-Clause */
/* What a run comes to between two times. */
#include "sim/cc/cc.h"

const char *const cc_measure_names[CC_MEASURES] = {
    [CC_NOTHING] = "nothing",
    [CC_GOODPUT] = "goodput, % of the narrow line",
    [CC_SHARE] = "slowest flow, % of the fastest",
    [CC_QUEUE] = "queue, % of Plane_BDP",
    [CC_WINDOW] = "window, bytes",
    [CC_LOST] = "packets lost",
    [CC_TRIMS] = "packets trimmed",
    [CC_STRAYED] = "credit lost or created, bytes",
};

/* Ethernet, preamble, FCS and gap around a packet, and the 40 bytes of its nominal size. */
#define MTU_ON_THE_WIRE 4218.0 /* of a packet in the middle of a WRITE, over IPv4 and UDP */
#define MTU_NOMINAL     4200.0

static size_t at(const struct cc_run *run, double us)
{
    size_t i = (size_t)(us * 1e3 / CC_STEP_NS);

    return i < run->n ? i : run->n - 1;
}

double cc_gbits(const struct cc_run *run, uint16_t flow, size_t from, size_t to)
{
    uint64_t bytes = run->samples[to].rcvd[flow] - run->samples[from].rcvd[flow];

    return to > from ? (double)bytes * 8 / ((double)(to - from) * CC_STEP_NS) : 0;
}

static double goodput(const struct cc_run *run, size_t from, size_t to)
{
    double sum = 0, could = 0;

    for (uint16_t f = 0; f < run->scenario->n_flows; f++)
        sum += cc_gbits(run, f, from, to);
    for (size_t i = from; i < to; i++)
        could += run->samples[i].mbits / 1e3 * MTU_NOMINAL / MTU_ON_THE_WIRE;
    return 100 * sum * (double)(to - from) / could;
}

static double share(const struct cc_run *run, size_t from, size_t to)
{
    double least = cc_gbits(run, 0, from, to), most = least;

    for (uint16_t f = 1; f < run->scenario->n_flows; f++) {
        double g = cc_gbits(run, f, from, to);
        least = g < least ? g : least;
        most = g > most ? g : most;
    }
    return most > 0 ? 100 * least / most : 0;
}

static double queue(const struct cc_run *run, size_t from, size_t to)
{
    double sum = 0;

    for (size_t i = from; i < to; i++)
        sum += run->samples[i].queue;
    return 100 * sum / (double)(to - from) / cc_plane_bdp(run->scenario);
}

static double window(const struct cc_run *run, size_t from, size_t to)
{
    double sum = 0;

    for (size_t i = from; i < to; i++)
        for (uint16_t f = 0; f < run->scenario->n_flows; f++)
            sum += run->samples[i].cwnd[f];
    return sum / (double)(to - from) / run->scenario->n_flows;
}

static double strayed(const struct cc_run *run, size_t from, size_t to)
{
    double sum = 0;

    for (size_t i = from; i <= to; i++)
        sum += (double)run->samples[i].strayed;
    return sum;
}

double cc_measured(const struct cc_run *run, const struct cc_goal *goal)
{
    size_t from = at(run, goal->from_us), to = at(run, goal->to_us);

    switch (goal->what) {
    case CC_GOODPUT:
        return goodput(run, from, to);
    case CC_SHARE:
        return share(run, from, to);
    case CC_QUEUE:
        return queue(run, from, to);
    case CC_WINDOW:
        return window(run, from, to);
    case CC_LOST:
        return (double)(run->samples[to].lost - run->samples[from].lost);
    case CC_STRAYED:
        return strayed(run, from, to);
    default:
        return (double)(run->samples[to].trimmed - run->samples[from].trimmed);
    }
}
