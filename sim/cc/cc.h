/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * `uetsim cc`: flows of reference FEPs with NSCC or RCCC that meet in one narrow line, and what
 * must come of it. A scenario is a row; so is each of its goals.
 */
#ifndef UET_SIM_CC_CC_H
#define UET_SIM_CC_CC_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { CC_FLOWS = 8, CC_SPINES = 8, CC_CHANGES = 2, CC_GOALS = 8 };

/* Exit status of `uetsim cc`; usage errors are UETSIM_USAGE. */
enum { CC_MET, CC_MISSED };

enum cc_measure {
    CC_NOTHING, /* ends the list of goals */
    CC_GOODPUT, /* nominal bytes that arrive: per cent of what the narrow line carries then */
    CC_SHARE,   /* the slowest flow's goodput, per cent of the fastest's */
    CC_QUEUE,   /* mean bytes that wait before the narrow line, per cent of its Plane_BDP */
    CC_WINDOW,  /* mean cwnd of a flow, in bytes */
    CC_LOST,    /* packets that the failed spine takes */
    CC_TRIMS,   /* packets that the switch cuts */
    CC_STRAYED, /* bytes of credit that a source has and was not granted, or had and has lost */
    CC_MEASURES
};

/* Between these two times the measure lies between low and high. */
struct cc_goal {
    enum cc_measure what;
    double from_us, to_us, low, high;
};

struct cc_scenario {
    const char *name, *text;
    uint16_t n_flows;
    double start_us[CC_FLOWS], stop_us[CC_FLOWS]; /* stop 0: never */
    uint32_t line_mbits, narrow_mbits;            /* of the sources, of the sink */
    struct {
        double at_us;
        uint32_t mbits; /* of the narrow line from then on; 0: no change */
    } changes[CC_CHANGES];
    uint16_t spines;  /* between the switch of the sources and that of the sink; 0: one switch */
    double fails_us;  /* the first spine's cables; 0: never */
    uint8_t lb;       /* the parameter LB */
    uint8_t pressure; /* the sink's parameter host_pressure (3.6.13.2) */
    bool nscc_too;    /* with RCCC, which goes without it else */
    bool rccc;        /* in the place of NSCC; marks at the last hop are off then (CMS-107) */
    double end_us;
    struct cc_goal goals[CC_GOALS];
};

extern const struct cc_scenario cc_scenarios[];
extern const size_t cc_n_scenarios;

/* The network that every scenario has (3.6.13.3, 3.6.17). */
#define CC_BASE_RTT_NS 12000u
#define CC_STEP_NS     10000u /* from one sample to the next */
#define CC_PAYLOAD_MTU 4096u

struct cc_sample {
    uint32_t cwnd[CC_FLOWS], inflight[CC_FLOWS];
    uint64_t rcvd[CC_FLOWS]; /* nominal bytes that have arrived so far */
    uint32_t queue;
    uint32_t mbits; /* of the narrow line */
    uint64_t trimmed, marked, lost;
    int32_t credit[CC_FLOWS];
    uint64_t strayed; /* of credit, at this moment */
};

struct cc_run {
    const struct cc_scenario *scenario;
    struct cc_sample *samples; /* at 0, one step, two steps, ... */
    size_t n;
};

/* ---- network.c ---- */

/* Runs it from this seed. 0, -ENOMEM or -EINVAL; cc_run_free after 0. */
int cc_run(struct cc_run *run, const struct cc_scenario *scenario, uint64_t seed);
void cc_run_free(struct cc_run *run);
/* Bytes: what fits into a base RTT at the narrow line's first rate. */
uint32_t cc_plane_bdp(const struct cc_scenario *scenario);

/* ---- goals.c ---- */

double cc_measured(const struct cc_run *run, const struct cc_goal *goal);
/* Gbit/s of a flow between two samples. */
double cc_gbits(const struct cc_run *run, uint16_t flow, size_t from, size_t to);
extern const char *const cc_measure_names[CC_MEASURES];

/* ---- plot.c, tell.c ---- */

void cc_plot(const struct cc_run *run, FILE *file);

/* The arguments behind `uetsim cc`. */
int cc_main(int argc, char **argv);

#endif
