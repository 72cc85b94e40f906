/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * `uetsim fabric`: what is known beforehand of a whole fabric, and what reference FEPs make of it.
 * A scenario is a row with a function; what it measures are rows, most of them goals.
 */
#ifndef UET_SIM_FABRIC_SCENARIO_H
#define UET_SIM_FABRIC_SCENARIO_H

#include <stdio.h>

#include "sim/fabric/net.h"

enum { FABRIC_ROWS = 48, FABRIC_TEXT = 96, FABRIC_MBITS = 100000 };

/* Exit status of `uetsim fabric`; usage errors are UETSIM_USAGE. */
enum { FABRIC_MET, FABRIC_MISSED };

/* Requests and answers of the lossless classes. */
enum fabric_classes { FABRIC_BEST_EFFORT, FABRIC_PAIR, FABRIC_ONE };

struct fabric_wish {
    uint16_t radix, over, hosts;
    uint8_t levels;
    uint32_t message, count;
    uint8_t classes; /* enum fabric_classes; of a scenario that has lossless ones */
    uint16_t senders;
    uint8_t cc, lb;   /* enum net_cc; the parameter LB */
    uint16_t evs;     /* entropy values of a flow; 0: a new one for each packet */
    uint16_t packets; /* max_packets of every FEP; 0: as usual */
    uint16_t mtu;     /* Payload MTU of every FEP (3.4.1.11), of a workload; 0: NET_MTU */
    struct net_param params[NET_PARAMS]; /* of every FEP; the first without a name is no more */
    uint64_t seed;
    FILE *svg;    /* for a plot, of a scenario that has one; or NULL */
    FILE *matrix; /* for the flows, of a workload; or NULL */
};

struct fabric_row {
    char what[FABRIC_TEXT];
    double value, low, high;
    bool goal; /* else it is told only */
};

struct fabric_result {
    struct fabric_row rows[FABRIC_ROWS];
    size_t n;
    uint64_t digest;
};

struct fabric_scenario {
    const char *name, *text;
    const char *needs; /* of its tree; NULL: nothing more than hosts */
    struct fabric_wish usual;
    bool plots;
    bool load;  /* flows that begin and end */
    bool still; /* no packets go: nothing to balance or to hold back */
    bool by_cc; /* its name says which congestion control */
    bool by_lb; /* likewise, of the balancing */
    /* 0, or what net_new says. */
    int (*run)(const struct fabric_wish *wish, struct fabric_result *result);
};

extern const struct fabric_scenario fabric_scenarios[];
extern const size_t fabric_n_scenarios;

/* ---- result.c ---- */

__attribute__((format(printf, 3, 4))) void fabric_tell(struct fabric_result *result, double value,
                                                       const char *what, ...);
__attribute__((format(printf, 5, 6))) void fabric_goal(struct fabric_result *result, double value,
                                                       double low, double high, const char *what,
                                                       ...);
/* The scenario's run, behind what it has its FEPs do otherwise: 0 or as that. */
int fabric_run(const struct fabric_scenario *scenario, const struct fabric_wish *wish,
               struct fabric_result *result);
bool fabric_met(const struct fabric_row *row);
/* The tree of this wish: 0 or as tree_make. */
int fabric_tree(const struct fabric_wish *wish, struct tree *tree);
/* Nominal bytes in so many nanoseconds, in per cent of what a line carries of full packets. */
double fabric_percent(uint64_t nominal, uint64_t ns);
/* A net of this wish with these flows. */
struct net_wish fabric_net(const struct fabric_wish *wish, const struct net_flow *flows,
                           uint32_t n_flows);

/* ---- params.c: of NET_PARAMS, in a wish ---- */

/* NAME=VALUE: 0; -ENOENT: no such parameter; -ERANGE: none of its values; -EEXIST: it has
 * one; or as fabric_param_put. */
int fabric_param_read(struct net_param *params, const char *text);
/* In the place of what was said of it before: 0; -E2BIG: no room for one more. */
int fabric_param_put(struct net_param *params, const struct net_param *param);

/* ---- the scenarios ---- */

int fabric_paths(const struct fabric_wish *wish, struct fabric_result *result);
int fabric_polarisation(const struct fabric_wish *wish, struct fabric_result *result);
int fabric_incast(const struct fabric_wish *wish, struct fabric_result *result);
int fabric_outcast(const struct fabric_wish *wish, struct fabric_result *result);
int fabric_oversubscription(const struct fabric_wish *wish, struct fabric_result *result);
int fabric_n_to_1(const struct fabric_wish *wish, struct fabric_result *result);
int fabric_all_to_all(const struct fabric_wish *wish, struct fabric_result *result);
int fabric_ring(const struct fabric_wish *wish, struct fabric_result *result);
int fabric_binomial(const struct fabric_wish *wish, struct fabric_result *result);
int fabric_permutation(const struct fabric_wish *wish, struct fabric_result *result);
int fabric_slow_link(const struct fabric_wish *wish, struct fabric_result *result);
int fabric_failed_link(const struct fabric_wish *wish, struct fabric_result *result);
int fabric_rod_cross(const struct fabric_wish *wish, struct fabric_result *result);
int fabric_turns(const struct fabric_wish *wish, struct fabric_result *result);
int fabric_deadlock(const struct fabric_wish *wish, struct fabric_result *result);
int fabric_worlds(const struct fabric_wish *wish, struct fabric_result *result);

/* ---- deadlock.c: net_wish's tune of FEPs with lossless classes ---- */

void fabric_lossless_tune(struct uet_fep_params *params);

/* The arguments behind `uetsim fabric`. */
int fabric_main(int argc, char **argv);

#endif
