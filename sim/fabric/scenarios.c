/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/fabric/scenario.h"

const struct fabric_scenario fabric_scenarios[] = {
    {.name = "paths",
     .text = "how often two random entropy values of a flow take the same way",
     .usual = {.radix = 8, .levels = 3, .over = 1, .hosts = 64, .seed = 1},
     .run = fabric_paths},
    {.name = "permutation",
     .text = "every host writes to another one, and each is written to by one",
     .usual =
         {.radix = 8, .levels = 3, .over = 1, .hosts = 64, .message = 8192, .count = 1, .seed = 1},
     .run = fabric_permutation},
};

const size_t fabric_n_scenarios = sizeof fabric_scenarios / sizeof *fabric_scenarios;
