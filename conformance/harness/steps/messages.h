/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages of several packets to a FEP that is the target (3.4.1.7). */
#ifndef UET_HARNESS_STEPS_MESSAGES_H
#define UET_HARNESS_STEPS_MESSAGES_H

#include "conformance/harness/steps/steps.h"

#define MESSAGE_MOST 3

/*
 * A message under way: made as designators of what stands above the line. All packets but the last
 * carry a payload MTU.
 */
struct message {
    uint8_t opcode;      /* UET_OP_WRITE if nothing is said, UET_OP_SEND */
    uint8_t packets;     /* at most MESSAGE_MOST */
    uint32_t last;       /* bytes of the last packet */
    uint32_t at;         /* offset of the message in its region */
    uint32_t room;       /* bytes of the region, or receive, behind it */
    bool one_ar;         /* the last packet alone asks for an ACK; else all do */
    struct uet_memory m; /* made, and the PDC opened, if none is given */
    struct uet_pdc *p;
    /* ---- */
    uint32_t mtu, n; /* bytes of a full packet, and of the message */
    const uint8_t *bytes;
    struct uet_out o[MESSAGE_MOST];
};

/* Its region or posted receive (of at least at + n + room bytes), an open PDC, its packets. */
#define message(tc, ...) uet_message_of(tc, (struct message){__VA_ARGS__})
struct message uet_message_of(struct uet_tc *tc, struct message shape);

/* The same, and the first packet is said and acknowledged, named or covered. */
#define message_begun(tc, ...) uet_message_begun(tc, (struct message){__VA_ARGS__})
struct message uet_message_begun(struct uet_tc *tc, struct message shape);

/*
 * The receive that a SEND has taken, and of which nothing more comes, ends as no success; or it is
 * free again, and the next SEND of four bytes gets it, on that PDC.
 */
void ends_or_is_free(struct uet_tc *tc, const char *requirement, const struct message *s,
                     struct uet_pdc *p);

#endif
