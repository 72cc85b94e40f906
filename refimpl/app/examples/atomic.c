/* SPDX-License-Identifier: BSD-2-Clause */
/* Atomics: tickets from a machine that stands in the memory of a peer, and a lock beside it. */
#include <inttypes.h>
#include <stdio.h>

#include "refimpl/app/examples/pair.h"
#include "uet_spec.h"

#define KEY     0x99u
#define TICKETS 5u

static struct pair pair;
static struct uet_ep clerk, shop;
static struct {
    uint64_t ticket, lock;
} machine;

/* One atomic on the word of the machine at this offset; waits for its end. */
static void apply(uint64_t offset, const struct uet_amo *amo)
{
    const struct uet_rma at = {.at = uet_ep_address(&shop), .key = KEY, .offset = offset};
    struct uet_context context = {0};
    need(!uet_ep_atomic(&clerk, amo, &at, &context), "an atomic begins");
    pair_run(&pair);
    need(!context.ep, "it has ended");
}

int main(void)
{
    const uint64_t one = 1, free = 0, owner = 77;
    uint64_t before = 0;
    struct uet_mr region;
    const struct uet_ep_config c = {.job_id = 7, .pid_on_fep = 1, .resource_index = 5};
    struct uet_amo amo = {.opcode = UET_AMO_SUM,
                          .datatype = UET_TYPE_UINT64,
                          .operand = &one,
                          .into = &before,
                          .length = sizeof one};

    pair_open(&pair);
    need(!uet_ep_open(&clerk, &pair.domains[0], &c), "the clerk's endpoint, with counters alone");
    need(!uet_ep_open(&shop, &pair.domains[1], &c), "the shop's endpoint");
    need(!uet_mr_open(&region, &shop, &machine, sizeof machine, UET_RIGHT_READ | UET_RIGHT_WRITE,
                      KEY),
         "the machine's region");
    for (uint64_t i = 0; i < TICKETS; i++) {
        apply(0, &amo); /* fetch and add */
        printf("ticket %" PRIu64 "\n", before);
        need(before == i, "each ticket is another one");
    }
    amo.into = NULL;
    apply(0, &amo); /* the same, and nothing comes back */
    need(machine.ticket == TICKETS + 1 && before == TICKETS - 1, "a ticket that nobody took");

    amo = (struct uet_amo){.opcode = UET_AMO_CSWAP,
                           .datatype = UET_TYPE_UINT64,
                           .operand = &owner,
                           .compare = &free,
                           .into = &before,
                           .length = sizeof owner};
    apply(8, &amo);
    need(before == 0 && machine.lock == 77, "the lock was free and is taken");
    apply(8, &amo);
    printf("the lock is taken: by %" PRIu64 "\n", before);
    need(before == 77 && machine.lock == 77, "it is not free");
    need(clerk.counts[UET_EP_ATOMIC].done == TICKETS + 3, "the counter says so");
    return 0;
}
