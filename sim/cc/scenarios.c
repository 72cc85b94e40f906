/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The scenarios and their goals. What a goal wants is worked out from 3.6.13 and 3.6.17: a narrow
 * line that is never idle, a queue that settles below the delay that counts as congested (0.75
 * base RTT) once marks have begun (0.2 Plane_BDP), equal shares for flows of equal RTT.
 */
#include "sim/cc/cc.h"

#include <stddef.h>

/* One BDP of 50 Gbit/s and 12 us is 75000 bytes, the queue of 9 us 56250. */
#define BDP_50G  75000
#define MOST_50G (BDP_50G + 56250)

const struct cc_scenario cc_scenarios[] = {
    {.name = "one",
     .text = "one flow over a line of half its speed",
     .n_flows = 1,
     .line_mbits = 100000,
     .narrow_mbits = 50000,
     .end_us = 4000,
     .goals = {{CC_GOODPUT, 500, 4000, 95, 101},
               {CC_QUEUE, 1000, 4000, 5, 75},
               {CC_WINDOW, 1000, 4000, BDP_50G, MOST_50G},
               {CC_TRIMS, 1000, 4000, 0, 0}}},
    {.name = "two",
     .text = "two flows share a line as fast as each; the second comes 1 ms later and leaves at "
             "5 ms",
     .n_flows = 2,
     .start_us = {0, 1000},
     .stop_us = {0, 5000},
     .line_mbits = 100000,
     .narrow_mbits = 100000,
     .end_us = 8000,
     .goals = {{CC_GOODPUT, 500, 8000, 90, 101},
               {CC_SHARE, 3000, 5000, 80, 100},
               {CC_QUEUE, 2000, 5000, 5, 75},
               {CC_TRIMS, 2000, 5000, 0, 0}}},
    {.name = "eight",
     .text = "eight flows begin at once at a line as fast as each",
     .n_flows = 8,
     .line_mbits = 100000,
     .narrow_mbits = 100000,
     .end_us = 8000,
     .goals = {{CC_GOODPUT, 500, 8000, 90, 101},
               {CC_SHARE, 3000, 8000, 50, 100},
               {CC_QUEUE, 2000, 8000, 5, 90},
               {CC_TRIMS, 4000, 8000, 0, 50}}},
    {.name = "halves",
     .text = "the line of a flow becomes half as fast at 2 ms",
     .n_flows = 1,
     .line_mbits = 100000,
     .narrow_mbits = 100000,
     .changes = {{2000, 50000}},
     .end_us = 5000,
     .goals = {{CC_GOODPUT, 500, 2000, 95, 101},
               {CC_GOODPUT, 2300, 5000, 95, 101},
               {CC_QUEUE, 2500, 5000, 5, 75},
               {CC_TRIMS, 2500, 5000, 0, 0}}},
    {.name = "opens",
     .text = "the line of a flow becomes twice as fast at 2 ms",
     .n_flows = 1,
     .line_mbits = 100000,
     .narrow_mbits = 50000,
     .changes = {{2000, 100000}},
     .end_us = 6000,
     .goals = {{CC_GOODPUT, 500, 2000, 95, 101},
               {CC_GOODPUT, 3000, 6000, 95, 101},
               {CC_TRIMS, 500, 6000, 0, 0}}},
};

const size_t cc_n_scenarios = sizeof cc_scenarios / sizeof *cc_scenarios;
