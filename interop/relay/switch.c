/* SPDX-License-Identifier: BSD-2-Clause */
/* What a congested switch does to packets, and one that is: a slow link and the queue before it. */
#include "interop/relay/switch.h"

#define SECOND_NS UINT64_C(1000000000)

/* Preamble, FCS and gap, which take their time on the wire, too. */
#define AROUND 24u

bool relay_trim(const struct relay_rule *r, const struct uet_packet *p, struct relay_fate *fate)
{
    uint32_t header = p->udp_offset ? p->udp_offset : p->entropy_offset;

    if (uet_dscp(p) != r->dscp || p->ip_end <= header + UET_MIN_TRIM_SIZE_UDP)
        return false;
    fate->dscp_after = r->dscp_after;
    fate->done |= 1u << RELAY_TRIM;
    return true;
}

/* A switch marks who says that it is ECN capable; what was cut is in a class without ECN. */
bool relay_mark(const struct uet_packet *p, struct relay_fate *fate)
{
    if (relay_is(fate, RELAY_TRIM) || (uet_ecn(p) != UET_ECN_ECT0 && uet_ecn(p) != UET_ECN_ECT1))
        return false;
    fate->done |= 1u << RELAY_CE;
    return true;
}

static uint64_t wire_ns(const struct relay_rule *r, uint32_t len)
{
    return (len + AROUND) * UINT64_C(8) * SECOND_NS / r->rate;
}

void relay_queue(const struct relay_rule *r, uint64_t now_ns, const struct uet_packet *p,
                 uint64_t *empty_ns, struct relay_fate *fate)
{
    uint64_t wait_ns = *empty_ns > now_ns ? *empty_ns - now_ns : 0;
    /* At most the bytes that fit are waited for: no overflow. */
    uint64_t bytes = wait_ns * (r->rate / 8000) / (SECOND_NS / 1000);

    if (relay_is(fate, RELAY_TRIM)) /* by a queue before this one */
        return;
    if (bytes + p->len > r->trim_above && relay_trim(r, p, fate))
        return;
    if (bytes + p->len > r->bytes) {
        fate->done |= 1u << RELAY_QUEUE;
        return;
    }
    if (bytes + p->len > r->ce_above)
        (void)relay_mark(p, fate);
    wait_ns += wire_ns(r, p->len);
    *empty_ns = now_ns + wait_ns;
    fate->delay_ns += wait_ns;
}
