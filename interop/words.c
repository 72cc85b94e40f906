/* SPDX-License-Identifier: BSD-2-Clause */
#include "interop/words.h"

#include <stddef.h>

const char *const word_operations[] = {"write",           "send", "tagged_send", "read",
                                       "rendezvous_send", NULL};
const char *const word_modes[] = {"rud", "rod", "rudi", "uud", NULL};
const char *const word_directions[] = {"to-server", "from-server", "both", NULL};
const char *const word_encapsulations[] = {"udp", "native", NULL};
const char *const word_ips[] = {"4", "6", NULL};
const char *const word_protects[] = {"none", "crc", NULL};
const char *const word_specs[] = {"1.0.3", "1.0.2", "1.0.1", NULL};
const char *const word_restarts[] = {"nobody", "client", "server", NULL};
const char *const word_features[] = {"parameters", "trim", "restart", "jobs", NULL};
const char *const word_no_yes[] = {"no", "yes", NULL};
const char *const word_smalls[] = {"no", "hub", "pairs", NULL};
