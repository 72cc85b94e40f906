/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files that draw plans share. */
#ifndef UET_SIM_PLAN_INTERNAL_H
#define UET_SIM_PLAN_INTERNAL_H

#include "sim/plan/plan.h"
#include "sim/random.h"

/* Code points as an operator might set them (4.1.4.1 fixes none). */
enum {
    SIM_DSCP_TRIMMABLE = 8,
    SIM_DSCP_TRIMMABLE_RTX = 10,
    SIM_DSCP_TRIMMED = 16,
    SIM_DSCP_TRIMMED_LASTHOP = 18,
    SIM_DSCP_CONTROL = 46,
    SIM_DSCP_OTHER = 0,
};

#define SIM_LASTHOP_MASK (1ull << SIM_DSCP_TRIMMED_LASTHOP)
#define SIM_TRIMMED_MASK (1ull << SIM_DSCP_TRIMMED | SIM_LASTHOP_MASK)

/* FEPs: parameters, choices and limits. */
void plan_draw_feps(struct sim_plan *plan, struct sim_random *r);
/* Whether these FEPs have a secure domain, and what becomes of it. */
void plan_draw_security(struct sim_plan *plan, const struct sim_limits *limits);
/* When its keys change: once it is known how long it all lasts. */
void plan_draw_rotations(struct sim_plan *plan);
/* Operations, their places in memory, and how long it all lasts. 0 or -ENOMEM. */
int plan_draw_traffic(struct sim_plan *plan, struct sim_random *r, const struct sim_limits *limits);
/* Atomics and tagged sends beside them, in order of time among themselves. 0 or -ENOMEM. */
int plan_draw_added(struct sim_plan *plan, const struct sim_limits *limits);
/* FEPs that keep sends without receive. */
void plan_draw_keeping(struct sim_plan *plan);
/* Sends that may be put off, and receives taken back, behind these. 0 or -ENOMEM. */
int plan_draw_put_off(struct sim_plan *plan, const struct sim_limits *limits);
/* Atomics of all kinds behind these. 0 or -ENOMEM. */
int plan_draw_lone(struct sim_plan *plan, const struct sim_limits *limits);
/* Sometimes none, sometimes up to max, of RUD and ROD: what they share is drawn before. */
typedef void plan_draw_function(struct sim_op *op, struct sim_random *r,
                                const struct sim_plan *plan);
void plan_draw_some(struct sim_plan *plan, struct sim_random *r, plan_draw_function *draw,
                    uint32_t modes, uint32_t max);
/* Those of the same time stay in their order. */
void plan_sort_by_time(struct sim_op *ops, uint32_t n);
/* What operations of all kinds are drawn with. */
void plan_draw_pair(struct sim_op *op, struct sim_random *r, const struct sim_plan *plan);
void plan_fit_to_pair(struct sim_op *op, struct sim_random *r, const struct sim_plan *plan);
void plan_draw_header(struct sim_op *op, struct sim_random *r, uint32_t mtu);
void plan_draw_wrong(struct sim_op *op, struct sim_random *r);
/* Faults and restarts within that time. 0 or -ENOMEM. */
int plan_draw_faults(struct sim_plan *plan, struct sim_random *r);
/* Congestion control of these FEPs, and storms of marks and trims behind those. 0 or -ENOMEM. */
int plan_draw_congestion(struct sim_plan *plan, const struct sim_limits *limits);

#endif
