/* SPDX-License-Identifier: BSD-2-Clause */
/* RMA: Alice writes into a region of Bob's and reads it back, while Bob does nothing at all. */
#include <stdio.h>
#include <string.h>

#include "refimpl/app/examples/pair.h"
#include "uet_spec.h"

#define KEY 0x1234u

static struct pair pair;
static uint8_t board[20000], copy[20000];

/* What one operation came to. */
static struct uet_cq_entry result(struct uet_cq *cq)
{
    struct uet_cq_entry got;
    pair_run(&pair);
    need(uet_cq_read(cq, &got, 1) == 1, "a completion");
    return got;
}

int main(void)
{
    struct uet_cq_entry slots[2][4], got;
    struct uet_cq mine, his;
    struct uet_ep alice, bob;
    struct uet_mr region;
    struct uet_context context = {0};
    const char text[] = "Kilroy was here";

    for (size_t i = 0; i < sizeof board; i++)
        board[i] = (uint8_t)(i + i / 256);
    pair_open(&pair);
    need(!uet_cq_open(&mine, &pair.domains[0], slots[0], 4), "Alice's queue");
    need(!uet_cq_open(&his, &pair.domains[1], slots[1], 4), "Bob's queue");
    struct uet_ep_config c = {.job_id = 7, .pid_on_fep = 1, .resource_index = 5, .cq = &mine};
    need(!uet_ep_open(&alice, &pair.domains[0], &c), "Alice's endpoint");
    c.cq = &his;
    need(!uet_ep_open(&bob, &pair.domains[1], &c), "Bob's endpoint");
    need(!uet_mr_open(&region, &bob, board, sizeof board, UET_RIGHT_READ | UET_RIGHT_WRITE, KEY),
         "Bob's region");

    struct uet_rma there = {.at = uet_ep_address(&bob), .key = KEY, .offset = 12000};
    need(!uet_ep_writedata(&alice, text, sizeof text, 2026, &there, &context), "a write begins");
    got = result(&mine);
    need(got.kind == UET_EP_WRITE && !got.error, "the write is done");
    printf("Bob's board at 12000: \"%s\"\n", (char *)board + 12000);
    need(!memcmp(board + 12000, text, sizeof text), "the text is there");
    need(uet_cq_read(&his, &got, 1) == 1 && got.mr == &region && got.what.header_data == 2026,
         "its 64 bits reach Bob");

    there.offset = 0;
    need(!uet_ep_read(&alice, copy, sizeof copy, &there, &context), "a read begins");
    got = result(&mine);
    printf("Alice reads %u bytes back\n", got.what.length);
    need(!got.error && !memcmp(copy, board, sizeof board), "Alice has all of it");

    need(!uet_mr_close(&region), "Bob takes the region back");
    need(!uet_ep_write(&alice, text, sizeof text, &there, &context), "another write begins");
    got = result(&mine);
    printf("without the region: %s\n",
           uet_enum_name(UET_ENUM_SES_RETURN_CODE, got.what.return_code));
    need(got.error && got.what.return_code == UET_RC_BAD_MKEY, "its key is gone (SES-063)");
    need(alice.counts[UET_EP_WRITE].done == 1 && alice.counts[UET_EP_WRITE].failed == 1,
         "the counters say so");
    return 0;
}
