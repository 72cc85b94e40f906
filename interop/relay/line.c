/* SPDX-License-Identifier: BSD-2-Clause */
#include "interop/relay/line.h"

#include <stdlib.h>
#include <string.h>

struct relay_frame *relay_frame_new(const uint8_t *data, uint32_t len)
{
    struct relay_frame *frame = malloc(sizeof *frame + len);

    if (!frame)
        return NULL;
    *frame = (struct relay_frame){.len = len};
    memcpy(frame->data, data, len);
    return frame;
}

/* ---- the heap ---- */

static bool before(const struct relay_frame *a, const struct relay_frame *b)
{
    return a->due_ns != b->due_ns ? a->due_ns < b->due_ns : a->order < b->order;
}

static void push(struct relay_line *line, struct relay_frame *frame)
{
    size_t at = line->n++;

    for (; at && before(frame, line->heap[(at - 1) / 2]); at = (at - 1) / 2)
        line->heap[at] = line->heap[(at - 1) / 2];
    line->heap[at] = frame;
}

static struct relay_frame *pop(struct relay_line *line)
{
    struct relay_frame *first = line->heap[0], *last = line->heap[--line->n];
    size_t at = 0;

    for (size_t child; (child = 2 * at + 1) < line->n; at = child) {
        if (child + 1 < line->n && before(line->heap[child + 1], line->heap[child]))
            child++;
        if (!before(line->heap[child], last))
            break;
        line->heap[at] = line->heap[child];
    }
    line->heap[at] = last;
    return first;
}

/* Room for one more than there are, those held back included: they come here, too. */
static bool room(struct relay_line *line)
{
    size_t all = line->n + 1;

    for (const struct relay_frame *f = line->held; f; f = f->next)
        all++;
    if (all <= line->cap)
        return true;

    size_t cap = line->cap ? 2 * line->cap : 256;
    struct relay_frame **heap = realloc(line->heap, cap * sizeof(struct relay_frame *));
    if (!heap)
        return false;
    line->heap = heap;
    line->cap = cap;
    return true;
}

/* ---- those held back ---- */

static void hold(struct relay_line *line, struct relay_frame *frame)
{
    struct relay_frame **end = &line->held;

    while (*end)
        end = &(*end)->next;
    frame->until_ns = frame->due_ns + RELAY_HOLD_NS;
    *end = frame;
}

/* A frame has passed them that is due then: who has waited enough goes right behind it. */
static void passed(struct relay_line *line, uint64_t due_ns)
{
    struct relay_frame **at = &line->held;

    while (*at) {
        struct relay_frame *frame = *at;

        if (--frame->waits_for) {
            at = &frame->next;
            continue;
        }
        *at = frame->next;
        if (frame->due_ns < due_ns)
            frame->due_ns = due_ns;
        frame->order = line->order++;
        push(line, frame);
    }
}

static void overdue(struct relay_line *line, uint64_t now_ns)
{
    struct relay_frame **at = &line->held;

    while (*at) {
        struct relay_frame *frame = *at;

        if (frame->until_ns > now_ns) {
            at = &frame->next;
            continue;
        }
        *at = frame->next;
        frame->due_ns = frame->until_ns;
        push(line, frame);
    }
}

/* ---- the line ---- */

bool relay_line_put(struct relay_line *line, struct relay_frame *frame)
{
    if (line->bytes + frame->len > RELAY_LINE_BYTES || !room(line)) {
        free(frame);
        return false;
    }
    line->bytes += frame->len;
    frame->order = line->order++;
    if (frame->waits_for) {
        hold(line, frame);
        return true;
    }
    push(line, frame);
    passed(line, frame->due_ns);
    return true;
}

struct relay_frame *relay_line_take(struct relay_line *line, uint64_t now_ns)
{
    overdue(line, now_ns);
    if (line->n == 0 || line->heap[0]->due_ns > now_ns)
        return NULL;

    struct relay_frame *frame = pop(line);
    line->bytes -= frame->len;
    return frame;
}

uint64_t relay_line_next_ns(const struct relay_line *line)
{
    uint64_t next = line->n ? line->heap[0]->due_ns : UINT64_MAX;

    for (const struct relay_frame *f = line->held; f; f = f->next)
        if (f->until_ns < next)
            next = f->until_ns;
    return next;
}

size_t relay_line_end(struct relay_line *line)
{
    size_t left = line->n;

    for (size_t i = 0; i < line->n; i++)
        free(line->heap[i]);
    free(line->heap);
    for (struct relay_frame *f = line->held; f; left++) {
        struct relay_frame *next = f->next;
        free(f);
        f = next;
    }
    *line = (struct relay_line){0};
    return left;
}
