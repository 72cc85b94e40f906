/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/fabric/scenario.h"

/*
 * 2:1: three edges with 8 hosts and 4 cables up; 12 hosts over 4 cables are 3:1. There writes are
 * long: while two thirds of all packets are cut, the ends of short ones leave cables idle.
 */
#define TREE_2_TO_1(which, ...)                                                                    \
    {                                                                                              \
        .radix = 12, .levels = 2, .over = 2, .hosts = 24, .message = 1 << 20, .cc = (which),       \
        .seed = 1, __VA_ARGS__                                                                     \
    }
#define TREE_3_TO_1(which, ...)                                                                    \
    {                                                                                              \
        .radix = 16, .levels = 2, .over = 3, .hosts = 24, .message = 1 << 24, .cc = (which),       \
        .seed = 1, __VA_ARGS__                                                                     \
    }
/* What the paper's figures for credit go by: a source asks for its share, also for what it cannot
 * use. */
#define ASKS_FOR_ALL .params = {{"target_of_backlog", 1}}
/* And a window of about one BDP: 30 packets of a PDC, which may have half. */
#define WINDOW .packets = 60
/* Three edges with 4 hosts and 4 cables up. */
#define TREE_FULL(balance)                                                                         \
    {                                                                                              \
        .radix = 8, .levels = 2, .over = 1, .hosts = 12, .lb = (balance), .seed = 1                \
    }
/* Two of those. */
#define TREE_CROSS(balance)                                                                        \
    {                                                                                              \
        .radix = 8, .levels = 2, .over = 1, .hosts = 8, .message = 1 << 20, .lb = (balance),       \
        .seed = 1                                                                                  \
    }

const struct fabric_scenario fabric_scenarios[] = {
    {.name = "paths",
     .text = "how often two random entropy values of a flow take the same way",
     .needs = "a tree of 3 levels, and hosts in two groups of it",
     .usual = {.radix = 8, .levels = 3, .over = 1, .hosts = 64, .seed = 1},
     .still = true,
     .run = fabric_paths},
    {.name = "polarisation",
     .text = "two flows over one cable of a spine, and the same two spraying",
     .needs = "hosts at three edges, and so few cables up from each that two flows soon share one",
     .usual = {.radix = 8, .levels = 2, .over = 1, .seed = 1},
     .run = fabric_polarisation},
    {.name = "incast-nscc",
     .text = "four hosts write to one; NSCC alone",
     .needs = "at least 18 hosts",
     .usual = TREE_2_TO_1(NET_NSCC),
     .plots = true,
     .by_cc = true,
     .run = fabric_incast},
    {.name = "incast-rccc",
     .text = "four hosts write to one; RCCC alone",
     .needs = "at least 18 hosts",
     .usual = TREE_2_TO_1(NET_RCCC),
     .plots = true,
     .by_cc = true,
     .run = fabric_incast},
    {.name = "incast-both",
     .text = "four hosts write to one; NSCC and RCCC",
     .needs = "at least 18 hosts",
     .usual = TREE_2_TO_1(NET_BOTH),
     .plots = true,
     .by_cc = true,
     .run = fabric_incast},
    {.name = "outcast-nscc",
     .text = "one host writes to four, and another one to the last of them; NSCC alone",
     .needs = "at least 18 hosts",
     .usual = TREE_2_TO_1(NET_NSCC),
     .plots = true,
     .by_cc = true,
     .run = fabric_outcast},
    {.name = "outcast-rccc",
     .text = "one host writes to four, and another one to the last of them; RCCC alone",
     .needs = "at least 18 hosts",
     .usual = TREE_2_TO_1(NET_RCCC, ASKS_FOR_ALL),
     .plots = true,
     .by_cc = true,
     .run = fabric_outcast},
    {.name = "outcast-both",
     .text = "one host writes to four, and another one to the last of them; NSCC and RCCC",
     .needs = "at least 18 hosts",
     .usual = TREE_2_TO_1(NET_BOTH, ASKS_FOR_ALL),
     .plots = true,
     .by_cc = true,
     .run = fabric_outcast},
    {.name = "oversubscription-nscc",
     .text = "twelve hosts write over four cables, and one more to a partner of them; NSCC alone",
     .needs = "at least 24 hosts",
     .usual = TREE_3_TO_1(NET_NSCC),
     .plots = true,
     .by_cc = true,
     .run = fabric_oversubscription},
    {.name = "oversubscription-rccc",
     .text = "twelve hosts write over four cables, and one more to a partner of them; RCCC alone",
     .needs = "at least 24 hosts",
     .usual = TREE_3_TO_1(NET_RCCC, ASKS_FOR_ALL, WINDOW),
     .plots = true,
     .by_cc = true,
     .run = fabric_oversubscription},
    {.name = "oversubscription-both",
     .text =
         "twelve hosts write over four cables, and one more to a partner of them; NSCC and RCCC",
     .needs = "at least 24 hosts",
     .usual = TREE_3_TO_1(NET_BOTH),
     .plots = true,
     .by_cc = true,
     .run = fabric_oversubscription},
    {.name = "deadlock",
     .text = "lossless requests and answers that wait for each other's buffers, or do not",
     .needs = "at least 8 hosts",
     .usual = {.radix = 8,
               .levels = 2,
               .over = 1,
               .hosts = 8,
               .message = 1 << 20,
               .count = 1,
               .classes = FABRIC_PAIR,
               .seed = 1},
     .run = fabric_deadlock},
    {.name = "deadlock-worlds",
     .text = "the same in a tree, with hosts, flows, buffers and slow cables, that the seed draws",
     .usual = {.classes = FABRIC_PAIR, .seed = 1},
     .run = fabric_worlds}, /* what is 0 of its tree is drawn */
    {.name = "rod-cross-random",
     .text = "an ordered flow on one way beside three sprayed ones; random entropy values",
     .needs = "at least 8 hosts",
     .usual = TREE_CROSS(0),
     .plots = true,
     .by_lb = true,
     .run = fabric_rod_cross},
    {.name = "rod-cross-reps",
     .text = "an ordered flow on one way beside three sprayed ones; REPS",
     .needs = "at least 8 hosts",
     .usual = TREE_CROSS(2),
     .plots = true,
     .by_lb = true,
     .run = fabric_rod_cross},
    {.name = "rod-cross-bitmap",
     .text = "an ordered flow on one way beside three sprayed ones; the EV bitmap",
     .needs = "at least 8 hosts",
     .usual = TREE_CROSS(3),
     .plots = true,
     .by_lb = true,
     .run = fabric_rod_cross},
    {.name = "weights",
     .text = "a lossless flow and one of best effort share a line by deficit round robin",
     .needs = "at least 5 hosts",
     .usual = {.radix = 8, .levels = 2, .over = 1, .hosts = 8, .seed = 1},
     .run = fabric_turns},
    {.name = "slow-link-reps",
     .text = "a cable between two switches falls to a quarter of its speed; REPS",
     .needs = "two edges or more, all with the same number of hosts, and two cables up or more",
     .usual = TREE_FULL(2),
     .plots = true,
     .by_lb = true,
     .run = fabric_slow_link},
    {.name = "slow-link-bitmap",
     .text = "a cable between two switches falls to a quarter of its speed; the EV bitmap",
     .needs = "two edges or more, all with the same number of hosts, and two cables up or more",
     .usual = TREE_FULL(3),
     .plots = true,
     .by_lb = true,
     .run = fabric_slow_link},
    {.name = "failed-link-reps",
     .text = "a cable between two switches fails, and no switch knows; REPS",
     .needs = "two edges or more, all with the same number of hosts, and two cables up or more",
     .usual = TREE_FULL(2),
     .plots = true,
     .by_lb = true,
     .run = fabric_failed_link},
    {.name = "failed-link-bitmap",
     .text = "a cable between two switches fails, and no switch knows; the EV bitmap",
     .needs = "two edges or more, all with the same number of hosts, and two cables up or more",
     .usual = TREE_FULL(3),
     .plots = true,
     .by_lb = true,
     .run = fabric_failed_link},
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
