/* SPDX-License-Identifier: BSD-2-Clause */
/* One direction of a cable: admission to its queues, the turn of the classes, faults. */
#include "port/fabric/internal.h"

static uint32_t shrunk(const struct line *line, uint32_t bytes)
{
    uint32_t percent = line->faults.buffer_percent;

    return percent && percent < 100 ? (uint32_t)((uint64_t)bytes * percent / 100) : bytes;
}

void line_limit(struct line *line)
{
    struct limits *limits = &line->limits;

    for (int c = 0; c < UET_FABRIC_CLASSES; c++)
        limits->drop[c] = shrunk(line, line->is.drop_bytes[c]);
    limits->trim = line->is.trim_bytes ? shrunk(line, line->is.trim_bytes) : UINT32_MAX;
    limits->ecn_max = shrunk(line, line->is.ecn_max_bytes);
    limits->ecn_min = limits->ecn_max ? shrunk(line, line->is.ecn_min_bytes) : UINT32_MAX;
}

/* From min to max the chance of a mark rises from none to certain (3.6.17). */
static bool congested(struct line *line)
{
    uint32_t min = line->limits.ecn_min, max = line->limits.ecn_max;
    uint32_t waiting = line->queue[UET_FABRIC_LOW].bytes;

    return waiting >= max || uet_splitmix64(&line->prng) % (max - min) < waiting - min;
}

__attribute__((noinline)) static void mark(struct uet_fabric *fabric, struct line *line,
                                           struct frame *frame)
{
    if (frame->class == UET_FABRIC_LOW && congested(line) && frame_mark(frame)) {
        fabric->stats.marked++;
        line->port.marked++;
    }
}

static inline void mark_if_congested(struct uet_fabric *fabric, struct line *line,
                                     struct frame *frame)
{
    if (line->queue[UET_FABRIC_LOW].bytes > line->limits.ecn_min)
        mark(fabric, line, frame);
}

static inline bool fits(const struct line *line, const struct frame *frame)
{
    return line->queue[frame->class].bytes + frame->len <= line->limits.drop[frame->class];
}

static void trim(struct uet_fabric *fabric, struct line *line, struct frame *frame)
{
    if (!frame_trimmable(fabric, frame) || !frame_trim(fabric, frame, is_to_host(fabric, line)))
        return;
    fabric->stats.trimmed++;
    line->port.trimmed++;
}

/* A cut frame is a new arrival of its class and may find that queue full as well (4.1). */
__attribute__((always_inline)) static inline bool admit(struct uet_fabric *fabric,
                                                        struct line *line, struct frame *frame)
{
    if (frame->class == UET_FABRIC_LOW &&
        line->queue[UET_FABRIC_LOW].bytes + frame->len > line->limits.trim)
        trim(fabric, line, frame);
    if (!fits(line, frame))
        return false;
    if (line->waiting && !line->is.ecn_at_dequeue)
        mark_if_congested(fabric, line, frame);
    return true;
}

static struct frame *next_frame(struct line *line)
{
    struct frame_queue *low = &line->queue[UET_FABRIC_LOW], *med = &line->queue[UET_FABRIC_MED],
                       *queue = &line->queue[UET_FABRIC_HIGH];

    if (!queue->head) {
        queue = med->head && (line->med_turn || !low->head) ? med : low;
        line->med_turn = queue == low;
    }
    if (!queue->head)
        return NULL;
    line->waiting--;
    return queue_get(queue);
}

__attribute__((always_inline)) static inline void
arrive_plainly(struct uet_fabric *fabric, struct line *line, struct frame *frame, uint64_t at)
{
    frame->event.kind = EVENT_ARRIVE;
    frame->event.line = line;
    if (!event_put(fabric, &frame->event, at))
        frame_drop(fabric, frame);
}

static void arrive_at(struct uet_fabric *fabric, struct line *line, struct frame *frame,
                      uint64_t at)
{
    const struct uet_fabric_faults *faults = &line->faults;
    bool touched = !(faults->spared >> frame->class & 1) && !is_lossless(frame->class);

    if (touched && faults->delay_ns && fabric_chance(&line->prng, faults->delay)) {
        at += uet_splitmix64(&line->prng) % (faults->delay_ns + 1);
        fabric->stats.delayed++;
    }
    /* A cut frame has lost its CRC; only the FCS of each link guards it, and that drops it. */
    if (touched && frame->class != UET_FABRIC_MED && fabric_chance(&line->prng, faults->corrupt)) {
        frame_corrupt(frame, &line->prng);
        fabric->stats.corrupted++;
    }
    arrive_plainly(fabric, line, frame, at);
}

/* Alone, or in a run of up to so many. */
static bool in_run(struct line *line, uint32_t chance, uint16_t longest, uint16_t *left)
{
    if (*left) {
        --*left;
        return true;
    }
    if (!fabric_chance(&line->prng, chance))
        return false;
    if (longest)
        *left = (uint16_t)(uet_splitmix64(&line->prng) % longest);
    return true;
}

static bool is_hit(const struct uet_fabric *fabric, const struct line *line,
                   const struct frame *frame)
{
    const uint8_t hits = line->faults.hits ? line->faults.hits : UET_FABRIC_HITS_DATA;

    if (frame->class == UET_FABRIC_HIGH)
        return hits & UET_FABRIC_HITS_CONTROL;
    if (frame->class != UET_FABRIC_LOW || (hits & UET_FABRIC_HITS_DATA) == UET_FABRIC_HITS_DATA)
        return frame->class == UET_FABRIC_LOW;
    return hits & (frame_is_resend(fabric, frame) ? UET_FABRIC_HITS_AGAIN : UET_FABRIC_HITS_FIRST);
}

/* What a congested switch does, without the congestion. */
static void as_if_full(struct uet_fabric *fabric, struct line *line, struct frame *frame)
{
    const struct uet_fabric_faults *faults = &line->faults;

    if (!line->of_switch || !is_hit(fabric, line, frame))
        return;
    if (in_run(line, faults->trim, faults->trim_run, &line->trim_run) &&
        (frame->class == UET_FABRIC_HIGH || frame_trimmable(fabric, frame)) &&
        frame_trim(fabric, frame, is_to_host(fabric, line)))
        fabric->stats.trimmed++;
    if (in_run(line, faults->mark, faults->mark_run, &line->mark_run) && frame_mark(frame))
        fabric->stats.marked++;
}

static void arrive_twice(struct uet_fabric *fabric, struct line *line, const struct frame *frame,
                         uint64_t at)
{
    struct frame *copy = frame_new(fabric, frame->bytes, frame->len);

    if (!copy)
        return;
    copy->to = frame->to;
    copy->class = frame->class;
    copy->hash = frame->hash;
    copy->note = frame->note;
    fabric->stats.duplicated++;
    if (line->faults.copy_delay_ns)
        at += uet_splitmix64(&line->prng) % (line->faults.copy_delay_ns + 1);
    arrive_at(fabric, line, copy, at);
}

/* The frame leaves where chance or its fate has a say; its last bit reaches the other end at `at`.
 */
static void depart(struct uet_fabric *fabric, struct line *line, struct frame *frame, uint64_t at)
{
    const struct uet_fabric_faults *faults = &line->faults;
    bool touched = !(faults->spared >> frame->class & 1) && !is_lossless(frame->class);

    if (faults->down) {
        fabric->stats.down++;
        pair_lost(line, frame);
        frame_drop(fabric, frame);
        return;
    }
    if (touched && in_run(line, faults->lose, faults->lose_run, &line->run)) {
        fabric->stats.lost++;
        frame_drop(fabric, frame);
        return;
    }
    if (touched)
        as_if_full(fabric, line, frame);
    if (touched && fabric_chance(&line->prng, faults->duplicate))
        arrive_twice(fabric, line, frame, at);
    frame->late = frame->fated && frame->fate.delay_ns;
    if (frame->fated) {
        for (uint32_t copies = frame->fate.copies; copies > 1; copies--)
            arrive_twice(fabric, line, frame, at);
        at += frame->fate.delay_ns;
        frame->fated = false;
    }
    arrive_at(fabric, line, frame, at);
}

/* ---- the wire ---- */

static uint64_t wire_ns(const struct line *line, const struct frame *frame)
{
    /* Preamble, FCS and gap take 24 bytes of the wire. */
    const uint64_t bits = (frame->len + 24ull) * 8;

    return line->is.weightless >> frame->class & 1 ? 0 : bits * 1000000000ull / line->is.bits_per_s;
}

/*
 * The frame is on the wire until `ns` from now. A host is asked for its next one when the line is
 * free; a switch knows what waits.
 */
static void occupy(struct uet_fabric *fabric, struct line *line, uint64_t ns)
{
    line->quiet = !line->waiting && line->of_switch && !line->faulty;
    if (line->quiet)
        line->free.at = fabric->now + ns;
    else
        line->busy = event_put(fabric, &line->free, fabric->now + ns);
}

static void start(struct uet_fabric *fabric, struct line *line, struct frame *frame)
{
    struct uet_fabric_count *count = &line->port.by_class[frame->class];
    uint64_t at = fabric->now + line->is.latency_ns;

    count->frames++;
    count->bytes += frame->len;
    if (line->waiting && line->is.ecn_at_dequeue)
        mark_if_congested(fabric, line, frame);
    if (line->is.bits_per_s) {
        uint64_t ns = wire_ns(line, frame);
        occupy(fabric, line, ns);
        at += ns;
    }
    if (line->faulty || frame->fated)
        depart(fabric, line, frame, at);
    else
        arrive_plainly(fabric, line, frame, at);
}

__attribute__((noinline)) static void go_on(struct uet_fabric *fabric, struct line *line)
{
    struct frame *frame;

    while (!line->busy && (frame = turn_next(fabric, line)))
        start(fabric, line, frame);
}

void line_free(struct uet_fabric *fabric, struct line *line)
{
    struct frame *frame;

    line->busy = false;
    if (line->rule)
        go_on(fabric, line);
    else if ((frame = next_frame(line)))
        start(fabric, line, frame);
}

/* What was not put in as an event, as nothing followed. True: the frame is still on the wire. */
static bool still_busy(struct uet_fabric *fabric, struct line *line)
{
    line->quiet = false;
    if (line->free.at <= fabric->now) {
        line->med_turn = true; /* as line_free leaves it when nothing waits */
        return false;
    }
    line->busy = event_put(fabric, &line->free, line->free.at);
    return line->busy;
}

__attribute__((noinline)) static void refuse(struct uet_fabric *fabric, struct line *line,
                                             struct frame *frame)
{
    fabric->stats.dropped[frame->class]++;
    line->port.by_class[frame->class].dropped++;
    frame_drop(fabric, frame);
}

static void wait_in_line(struct line *line, struct frame *frame)
{
    queue_put(&line->queue[frame->class], frame);
    line->waiting++;
    if (line->queue[UET_FABRIC_LOW].bytes > line->port.highest)
        line->port.highest = line->queue[UET_FABRIC_LOW].bytes;
}

/* The rule says whether it goes at once. */
__attribute__((noinline)) static void enqueue_by_rule(struct uet_fabric *fabric, struct line *line,
                                                      struct frame *frame)
{
    if (line->of_switch && !is_lossless(frame->class) && !admit(fabric, line, frame)) {
        refuse(fabric, line, frame);
        return;
    }
    if (!line->of_switch && frame->answer)
        fabric->hosts[line->from].answers++;
    wait_in_line(line, frame);
    if (is_lossless(frame->class) && !pair_room(line, line->queue[frame->class].head))
        line->port.by_class[frame->class].held++;
    if (!line->busy && !(line->quiet && still_busy(fabric, line)))
        go_on(fabric, line);
}

void line_enqueue(struct uet_fabric *fabric, struct line *line, struct frame *frame)
{
    if (line->rule) {
        enqueue_by_rule(fabric, line, frame);
        return;
    }
    /* A host has no queue here: it was asked because its line is free. */
    if (line->of_switch && !admit(fabric, line, frame)) {
        refuse(fabric, line, frame);
        return;
    }
    if (!line->busy && !(line->quiet && still_busy(fabric, line))) {
        if (frame->class != UET_FABRIC_HIGH)
            line->med_turn = frame->class == UET_FABRIC_LOW;
        start(fabric, line, frame);
        return;
    }
    wait_in_line(line, frame);
}
