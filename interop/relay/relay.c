/* SPDX-License-Identifier: BSD-2-Clause */
#include "interop/relay/relay.h"

/* Its number and time, by which all is decided. */
static struct relay_frame_info describe(struct relay *relay, enum relay_side from,
                                        const struct uet_packet *packet, uint64_t now_ns)
{
    struct relay_frame_info info = {.from = from, .how = &relay->how};

    if (relay_is_uet(packet)) {
        if (!relay->started)
            relay->start_ns = now_ns;
        relay->started = true;
        info.packet = packet;
        info.index = relay->counters[from].uet++;
    }
    info.time_ns = relay->started ? now_ns - relay->start_ns : UINT64_MAX;
    if (relay->started && now_ns < relay->start_ns) /* read from its side a little later */
        info.time_ns = 0;
    return info;
}

static void count(struct relay_counters *counters, const struct relay_fate *fate)
{
    for (unsigned kind = 0; kind < RELAY_KINDS; kind++) {
        counters->done[kind] += fate->done >> kind & 1;
        counters->spared[kind] += fate->spared >> kind & 1;
    }
}

static void put(struct relay *relay, const struct relay_frame_info *info,
                const struct relay_fate *fate, bool copy, const uint8_t *data, uint32_t len,
                uint64_t now_ns)
{
    struct relay_frame *frame = relay_frame_new(data, len);

    if (frame) {
        frame->fate = *fate;
        frame->copy = copy;
        frame->due_ns = now_ns + fate->delay_ns + (copy ? fate->copy_ns : 0);
        frame->waits_for = copy ? 0 : fate->waits_for;
        if (info->packet)
            relay_alter(fate, info->packet, frame->data, &frame->len);
        if (relay_line_put(&relay->lines[info->from], frame))
            return;
    }
    relay->counters[info->from].no_room++;
}

struct relay_fate relay_arrive(struct relay *relay, enum relay_side from, const uint8_t *data,
                               uint32_t len, uint64_t now_ns)
{
    struct relay_counters *counters = &relay->counters[from];
    struct uet_packet packet;

    counters->frames++;
    counters->bytes += len;
    uet_parse(&packet, data, len, &relay->how);

    struct relay_frame_info info = describe(relay, from, &packet, now_ns);
    struct relay_fate fate = relay_decide(&relay->plan, relay->seed, &info, &relay->queues[from]);
    count(counters, &fate);
    if (relay_lost(&fate))
        return fate;
    put(relay, &info, &fate, false, data, len, now_ns);
    if (relay_is(&fate, RELAY_DUPLICATE))
        put(relay, &info, &fate, true, data, len, now_ns);
    return fate;
}

void relay_end(struct relay *relay)
{
    for (int side = 0; side < RELAY_SIDES; side++)
        relay->counters[side].left += relay_line_end(&relay->lines[side]);
}
