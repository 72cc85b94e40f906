/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages: Bob posts receives, Alice sends; what nobody waits for comes back as an error. */
#include <stdio.h>
#include <string.h>

#include "refimpl/app/examples/pair.h"
#include "uet_spec.h"

static struct pair pair;
static struct uet_cq cq[2];
static struct uet_cq_entry slots[2][8];
static struct uet_ep alice, bob;
static uint8_t letter[10000], inbox[2][10000];

static void open_all(void)
{
    const struct uet_ep_config a = {.job_id = 7,
                                    .pid_on_fep = 1,
                                    .resource_index = 5,
                                    .initiator = 100,
                                    .mode = UET_MODE_ROD, /* what is sent first arrives first */
                                    .cq = &cq[0]};
    const struct uet_ep_config b = {
        .job_id = 7, .pid_on_fep = 2, .resource_index = 5, .initiator = 200, .cq = &cq[1]};
    pair_open(&pair);
    for (int i = 0; i < 2; i++)
        need(!uet_cq_open(&cq[i], &pair.domains[i], slots[i], 8), "a queue");
    need(!uet_ep_open(&alice, &pair.domains[0], &a), "Alice's endpoint");
    need(!uet_ep_open(&bob, &pair.domains[1], &b), "Bob's endpoint");
}

int main(void)
{
    struct uet_context sends[3] = {0}, receives[3] = {0};
    struct uet_cq_entry got = {0};

    open_all();
    const struct uet_ep_address to = uet_ep_address(&bob);
    for (size_t i = 0; i < sizeof letter; i++)
        letter[i] = (uint8_t)("dear Bob, "[i % 10]);
    for (int i = 0; i < 2; i++)
        need(!uet_ep_recv(&bob, inbox[i], sizeof inbox[i], &receives[i]), "a receive");
    need(!uet_ep_recv(&bob, inbox[0], sizeof inbox[0], &receives[2]), "a third receive");
    need(!uet_ep_cancel(&bob, &receives[2]), "the third is taken back");
    need(!uet_ep_senddata(&alice, "hello", 6, 42, &to, &sends[0]), "a short send");
    need(!uet_ep_send(&alice, letter, sizeof letter, &to, &sends[1]), "a long send");
    pair_run(&pair);
    while (uet_cq_read(&cq[1], &got, 1)) {
        need(!got.error && got.kind == UET_EP_RECEIVE, "a receive is done");
        need(got.what.header_data == (got.context == receives ? 42 : 0), "only the first has 42");
        printf("Bob has %u bytes from initiator %u: \"%.9s\"%s\n", got.what.length,
               got.what.initiator, (char *)inbox[got.context - receives],
               got.what.has_header_data ? " and 64 bits beside them" : "");
    }
    need(!strcmp((char *)inbox[0], "hello"), "the short one is the first");
    need(!memcmp(inbox[1], letter, sizeof letter), "the long one is whole");

    need(!uet_ep_send(&alice, "Bob?", 5, &to, &sends[2]), "a send that nobody waits for");
    pair_run(&pair);
    while (uet_cq_read(&cq[0], &got, 1))
        printf("Alice's send %d: %s\n", (int)(got.context - sends),
               uet_enum_name(UET_ENUM_SES_RETURN_CODE, got.what.return_code));
    need(got.error && got.what.return_code == UET_RC_NO_MATCH, "Bob had no receive (SES-096)");
    need(alice.counts[UET_EP_SEND].done == 2 && alice.counts[UET_EP_SEND].failed == 1 &&
             bob.counts[UET_EP_RECEIVE].done == 2,
         "the counters say so");
    printf("%llu frames, %llu us\n", (unsigned long long)pair.frames,
           (unsigned long long)((pair.now_ns - PAIR_START_NS) / 1000));
    return 0;
}
