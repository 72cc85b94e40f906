/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/fabric/scenario.h"

/* 2:1: three edges with 8 hosts and 4 cables up; 12 hosts over 4 cables are 3:1. */
#define TREE_2_TO_1(which)                                                                         \
    {                                                                                              \
        .radix = 12, .levels = 2, .over = 2, .hosts = 24, .message = 1 << 20, .cc = (which),       \
        .seed = 1                                                                                  \
    }
#define TREE_3_TO_1(which)                                                                         \
    {                                                                                              \
        .radix = 16, .levels = 2, .over = 3, .hosts = 24, .message = 1 << 20, .cc = (which),       \
        .seed = 1                                                                                  \
    }

const struct fabric_scenario fabric_scenarios[] = {
    {.name = "paths",
     .text = "how often two random entropy values of a flow take the same way",
     .usual = {.radix = 8, .levels = 3, .over = 1, .hosts = 64, .seed = 1},
     .still = true,
     .run = fabric_paths},
    {.name = "polarisation",
     .text = "two flows over one cable of a spine, and the same two spraying",
     .usual = {.radix = 8, .levels = 2, .over = 1, .seed = 1},
     .run = fabric_polarisation},
    {.name = "incast-nscc",
     .text = "four hosts write to one; NSCC alone",
     .usual = TREE_2_TO_1(NET_NSCC),
     .plots = true,
     .by_cc = true,
     .run = fabric_incast},
    {.name = "incast-rccc",
     .text = "four hosts write to one; RCCC alone",
     .usual = TREE_2_TO_1(NET_RCCC),
     .plots = true,
     .by_cc = true,
     .run = fabric_incast},
    {.name = "incast-both",
     .text = "four hosts write to one; NSCC and RCCC",
     .usual = TREE_2_TO_1(NET_BOTH),
     .plots = true,
     .by_cc = true,
     .run = fabric_incast},
    {.name = "outcast-nscc",
     .text = "one host writes to four, and another one to the last of them; NSCC alone",
     .usual = TREE_2_TO_1(NET_NSCC),
     .plots = true,
     .by_cc = true,
     .run = fabric_outcast},
    {.name = "outcast-rccc",
     .text = "one host writes to four, and another one to the last of them; RCCC alone",
     .usual = TREE_2_TO_1(NET_RCCC),
     .plots = true,
     .by_cc = true,
     .run = fabric_outcast},
    {.name = "outcast-both",
     .text = "one host writes to four, and another one to the last of them; NSCC and RCCC",
     .usual = TREE_2_TO_1(NET_BOTH),
     .plots = true,
     .by_cc = true,
     .run = fabric_outcast},
    {.name = "oversubscription-nscc",
     .text = "twelve hosts write over four cables, and one more to a partner of them; NSCC alone",
     .usual = TREE_3_TO_1(NET_NSCC),
     .plots = true,
     .by_cc = true,
     .run = fabric_oversubscription},
    {.name = "oversubscription-rccc",
     .text = "twelve hosts write over four cables, and one more to a partner of them; RCCC alone",
     .usual = TREE_3_TO_1(NET_RCCC),
     .plots = true,
     .by_cc = true,
     .run = fabric_oversubscription},
    {.name = "oversubscription-both",
     .text =
         "twelve hosts write over four cables, and one more to a partner of them; NSCC and RCCC",
     .usual = TREE_3_TO_1(NET_BOTH),
     .plots = true,
     .by_cc = true,
     .run = fabric_oversubscription},
    {.name = "permutation",
     .text = "every host writes to another one, and each is written to by one",
     .usual =
         {.radix = 8, .levels = 3, .over = 1, .hosts = 64, .message = 8192, .count = 1, .seed = 1},
     .load = true,
     .run = fabric_permutation},
    {.name = "incast",
     .text = "many hosts write to one, once",
     .usual = {.radix = 16, .levels = 3, .over = 1, .message = 1 << 20, .senders = 8, .seed = 1},
     .load = true,
     .run = fabric_n_to_1},
    {.name = "all-to-all",
     .text = "every host writes to every other one, all at once",
     .usual = {.radix = 8, .levels = 3, .over = 1, .hosts = 32, .message = 16384, .seed = 1},
     .load = true,
     .run = fabric_all_to_all},
    {.name = "allreduce-ring",
     .text = "every host writes a part to the next one as often as one has come to it",
     .usual = {.radix = 8, .levels = 3, .over = 1, .hosts = 32, .message = 1 << 20, .seed = 1},
     .load = true,
     .run = fabric_ring},
    {.name = "allreduce-tree",
     .text = "up a binomial tree of the hosts, and down again",
     .usual = {.radix = 8, .levels = 3, .over = 1, .hosts = 32, .message = 1 << 20, .seed = 1},
     .load = true,
     .run = fabric_binomial},
};

const size_t fabric_n_scenarios = sizeof fabric_scenarios / sizeof *fabric_scenarios;
