/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of what completions tell, of whatever ended (ses/completion.c). */
#include "refimpl/faults/ways.h"
#include "refimpl/fep.h"

/* Those that wait for the application: a change that is made twice is as one. */
static void each(struct uet_fep *fep, void (*change)(struct uet_completion *c))
{
    struct completion_ring *ring = &fep->completions;
    for (uint32_t i = 0; i < ring->n; i++)
        change(&ring->slots[(ring->head + i) % ring->cap]);
}

#define TELLS(name, change)                                                                        \
    static void name##_told(struct uet_completion *c)                                              \
    {                                                                                              \
        change;                                                                                    \
    }                                                                                              \
    static void name(struct uet_fep *fep, uint64_t *memo)                                          \
    {                                                                                              \
        (void)memo;                                                                                \
        each(fep, name##_told);                                                                    \
    }

TELLS(no_job, if (c->kind == UET_COMPLETION_RECEIVE) c->job_id = 0)
TELLS(half_initiator, c->initiator &= 0xffff)
TELLS(half_tag, c->match_bits &= UINT32_MAX)
TELLS(no_initiator, if (c->kind == UET_COMPLETION_WRITE) c->initiator = 0)
TELLS(one_code, if (c->status == UET_STATUS_SES_ERROR) c->return_code = UET_RC_UNCOR)
TELLS(other_peer, c->peer.bytes[3] = 99)
TELLS(whole_packets, if (c->length > 1024) c->length &= ~1023u)

TELLS(answered_datagram,
      if (c->status == UET_STATUS_OK && c->return_code == UET_RC_NULL) c->return_code = UET_RC_OK)

static const struct uet_fault_way ways[] = {
    {VIOLATION_ROB_056, .after = no_job},
    {VIOLATION_ROB_056_INITIATOR, .after = half_initiator},
    {VIOLATION_ROB_056_TAG, .after = half_tag},
    {VIOLATION_ROB_056_WRITE, .after = no_initiator},
    {VIOLATION_ROB_056_CODE, .after = one_code},
    {VIOLATION_ROB_056_PEER, .after = other_peer},
    {VIOLATION_ROB_056_DATAGRAM, .after = answered_datagram},
    {VIOLATION_ROB_056_LENGTH, .after = whole_packets},
};

UET_FAULT_WAYS(uet_faults_of_completions, ways);
