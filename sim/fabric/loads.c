/* SPDX-License-Identifier: BSD-2-Clause */
/* The workloads but for the permutation. */
#include "sim/fabric/load.h"

/* All to the last host. With a multiple of the hosts of an edge as senders it has an edge alone, so
 * that all have ways of one length. */
int fabric_n_to_1(const struct fabric_wish *wish, struct fabric_result *result)
{
    struct fabric_wish is = *wish;
    struct load load;
    int rc = load_make(&load, wish->senders);

    is.hosts = (uint16_t)(wish->senders + 1);
    for (uint16_t i = 0; !rc && i < wish->senders; i++)
        load_add(&load, &(struct load_flow){
                            .from = i, .to = wish->senders, .message = wish->message, .count = 1});
    if (!rc)
        rc = load_run(&load, &is, 1.1, result);
    load_free(&load);
    return rc;
}
