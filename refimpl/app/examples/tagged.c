/* SPDX-License-Identifier: BSD-2-Clause */
/* Tags: whoever sends first, each message finds the receive that asks for its tag and sender. */
#include <stdio.h>
#include <string.h>

#include "refimpl/app/examples/pair.h"

enum { SALT, PEPPER, ANYTHING, RECEIVES };

static struct pair pair;
static char shelf[RECEIVES][16];
static const char *const label[] = {"salt", "pepper", "anything"};

static void take_all(struct uet_cq *cq, struct uet_context *receives)
{
    struct uet_cq_entry got;
    while (uet_cq_read(cq, &got, 1)) {
        const long i = got.context - receives;
        need(!got.error && i >= 0 && i < RECEIVES, "a receive is done");
        printf("the receive for %-8s took tag 0x%02llx: %s\n", label[i],
               (unsigned long long)got.what.match_bits, shelf[i]);
    }
}

int main(void)
{
    struct uet_cq_entry slots[8];
    struct uet_cq cq;
    struct uet_ep cook, boy;
    struct uet_context receives[RECEIVES] = {0}, sends[RECEIVES] = {0};
    struct uet_ep_config c = {.job_id = 7,
                              .pid_on_fep = 3,
                              .resource_index = 5,
                              .initiator = 1,
                              .spaces = UET_EP_IN(UET_RI_TAGGED)};

    pair_open(&pair);
    need(!uet_ep_open(&boy, &pair.domains[0], &c), "the boy's endpoint, with counters alone");
    need(!uet_cq_open(&cq, &pair.domains[1], slots, 8), "the cook's queue");
    c.initiator = 2;
    c.cq = &cq;
    need(!uet_ep_open(&cook, &pair.domains[1], &c), "the cook's endpoint");
    const struct uet_ep_address to = uet_ep_address(&cook), from = uet_ep_address(&boy);

    need(!uet_ep_trecv(&cook, shelf[SALT], 16, &from, 0x10, 0, &receives[SALT]), "salt");
    need(!uet_ep_trecv(&cook, shelf[PEPPER], 16, &from, 0x20, 0, &receives[PEPPER]), "pepper");
    need(!uet_ep_trecv(&cook, shelf[ANYTHING], 16, NULL, 0, 0xff, &receives[ANYTHING]), "any");
    need(!uet_ep_tsend(&boy, "cumin", 6, &to, 0x77, &sends[0]), "cumin is sent");
    need(!uet_ep_tsend(&boy, "pepper", 7, &to, 0x20, &sends[1]), "pepper is sent");
    need(!uet_ep_tsend(&boy, "salt", 5, &to, 0x10, &sends[2]), "salt is sent");
    pair_run(&pair);

    take_all(&cq, receives);
    need(!strcmp(shelf[SALT], "salt"), "salt is where it belongs");
    need(!strcmp(shelf[PEPPER], "pepper"), "so is pepper");
    need(!strcmp(shelf[ANYTHING], "cumin"), "and cumin, with all tag bits to ignore");
    need(boy.counts[UET_EP_SEND].done == RECEIVES && cook.counts[UET_EP_RECEIVE].done == RECEIVES,
         "the counters say so");
    need(uet_ep_cancel(&cook, &receives[SALT]) < 0, "nothing is left to be taken back");
    need(!uet_ep_close(&boy) && !uet_ep_close(&cook), "nothing is under way");
    return 0;
}
