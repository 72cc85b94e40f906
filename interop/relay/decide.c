/* SPDX-License-Identifier: BSD-2-Clause */
#include "interop/relay/switch.h"

#include "wire/class.h"
#include "wire/splitmix.h"

/* Chances are drawn for different ends, which must not depend on each other. */
enum purpose { OF_RULE, OF_BIT, OF_JITTER, OF_PATH };

/* 64 bits that depend on all of these and on nothing else. */
static uint64_t draw(uint64_t seed, unsigned rule, enum relay_side from, enum purpose purpose,
                     uint64_t index)
{
    uint64_t state = seed;

    state = uet_splitmix64(&state) ^ (rule << 8 | (unsigned)from << 4 | purpose);
    state = uet_splitmix64(&state) ^ index;
    return uet_splitmix64(&state);
}

bool relay_is_uet(const struct uet_packet *p)
{
    return p->error != UET_PARSE_NOT_UET && p->ip_version && (p->udp_offset || p->entropy_offset);
}

/*
 * Would the receiver know it? With a CRC trailer that is right as it comes, or an ICV. The UDP
 * checksum guards nothing: it is 0, or ignored (3.5.10.1).
 */
static bool guarded(const struct relay_frame_info *info)
{
    static const struct uet_parse_options usual = {0};
    struct uet_parse_options any_order = info->how ? *info->how : usual;
    struct uet_packet whole;

    if (info->packet->icv_offset)
        return true;
    any_order.protect = UET_PROTECT_AUTO;
    uet_parse(&whole, info->packet->frame, info->packet->len, &any_order);
    return whole.crc_state == UET_CRC_GOOD;
}

/* TSS or PDS header up to ICV or CRC trailer. False when it has no such part. */
static bool corrupt(const struct relay_frame_info *info, uint64_t chance, struct relay_fate *fate)
{
    const struct uet_packet *p = info->packet;
    uint32_t first = p->tss_offset ? p->tss_offset : p->pds_offset;

    if (relay_is(fate, RELAY_TRIM) || first == 0 || first >= p->ip_end || !guarded(info))
        return false;
    chance %= (p->ip_end - first) * 8u;
    fate->corrupt_byte = first + (uint32_t)chance / 8;
    fate->corrupt_bit = chance % 8;
    return true;
}

/* From time to time all entropy values are sent elsewhere. */
static uint32_t path(const struct relay_rule *r, unsigned rule, uint64_t seed,
                     const struct relay_frame_info *info)
{
    uint64_t epoch = r->span_ns ? info->time_ns / r->span_ns : 0;

    return (
        uint32_t)(draw(seed, rule, info->from, OF_PATH, epoch << 16 | uet_entropy(info->packet)) %
                  r->count);
}

/* One rule whose turn it is. False: it cannot be done to this packet. */
static bool apply(const struct relay_rule *r, unsigned rule, uint64_t seed,
                  const struct relay_frame_info *info, struct relay_fate *fate)
{
    uint64_t index = info->index;

    switch ((enum relay_kind)r->kind) {
    case RELAY_TRIM:
        return relay_trim(r, info->packet, fate);
    case RELAY_CE:
        return relay_mark(info->packet, fate);
    case RELAY_CORRUPT:
        return corrupt(info, draw(seed, rule, info->from, OF_BIT, index), fate);
    case RELAY_DUPLICATE:
        fate->copy_ns = r->span_ns;
        return true;
    case RELAY_DELAY:
        fate->delay_ns += r->ns;
        if (r->span_ns)
            fate->delay_ns += draw(seed, rule, info->from, OF_JITTER, index) % (r->span_ns + 1);
        return true;
    case RELAY_REHASH:
        fate->path = path(r, rule, seed, info);
        fate->delay_ns += fate->path * r->ns;
        return true;
    case RELAY_REORDER:
        fate->waits_for = r->count;
        return true;
    default:
        return true;
    }
}

/* Is it this packet's turn? */
static bool meant(const struct relay_rule *r, unsigned rule, uint64_t seed,
                  const struct relay_frame_info *info)
{
    if (!r->from[info->from])
        return false;
    if (r->kind == RELAY_CUT) /* of a cable: whatever the frame is */
        return info->time_ns >= r->ns && info->time_ns - r->ns < r->span_ns;
    return info->packet && (r->packets == UET_CLASS_ANY || uet_is_of(r->packets, info->packet)) &&
           draw(seed, rule, info->from, OF_RULE, info->index) % RELAY_MILLION < r->chance;
}

struct relay_fate relay_decide(const struct relay_plan *plan, uint64_t seed,
                               const struct relay_frame_info *info, struct relay_queues *queues)
{
    struct relay_fate fate = {0};

    for (unsigned kind = 0; kind < RELAY_KINDS; kind++)
        for (unsigned i = 0; i < plan->n_rules && !relay_lost(&fate); i++) {
            const struct relay_rule *r = &plan->rules[i];

            if (r->kind != kind || !meant(r, i, seed, info))
                continue;
            if (kind == RELAY_QUEUE)
                relay_queue(r, info->time_ns, info->packet, &queues->empty_ns[i], &fate);
            else if (apply(r, i, seed, info, &fate))
                fate.done |= 1u << kind;
            else
                fate.spared |= 1u << kind;
        }
    fate.spared &= ~fate.done;
    return fate;
}
