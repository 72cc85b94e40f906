/* SPDX-License-Identifier: BSD-2-Clause */
#include "interop/relay/report.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

static const char *const side_names[RELAY_SIDES] = {"left", "right"};

/* How a kind is called when it was done. */
static const char *const done_names[RELAY_KINDS] = {
    [RELAY_CUT] = "cut",
    [RELAY_LOSS] = "lost",
    [RELAY_QUEUE] = "dropped",
    [RELAY_TRIM] = "trimmed",
    [RELAY_CE] = "marked",
    [RELAY_CORRUPT] = "corrupted",
    [RELAY_DUPLICATE] = "duplicated",
    [RELAY_DELAY] = "delayed",
    [RELAY_REHASH] = "rehashed",
    [RELAY_REORDER] = "reordered",
};

static uint64_t of_kernel(const struct relay_drops *d)
{
    return d->missed + d->truncated + d->interface_rx + d->interface_tx;
}

static uint64_t of_relay(const struct relay_counters *c)
{
    return c->no_room + c->too_long + c->refused;
}

uint64_t relay_own_losses(const struct relay *relay, const struct relay_drops drops[RELAY_SIDES])
{
    uint64_t lost = 0;

    for (int side = 0; side < RELAY_SIDES; side++)
        lost += of_relay(&relay->counters[side]) + of_kernel(&drops[side]);
    return lost;
}

void relay_report_print(const struct relay *relay, const struct relay_drops drops[RELAY_SIDES])
{
    for (int side = 0; side < RELAY_SIDES; side++) {
        const struct relay_counters *c = &relay->counters[side];

        printf("from %s: %" PRIu64 " frames, %" PRIu64 " of UET; %" PRIu64 " sent on",
               side_names[side], c->frames, c->uet, c->sent);
        for (int kind = 0; kind < RELAY_KINDS; kind++)
            if (c->done[kind])
                printf(", %" PRIu64 " %s", c->done[kind], done_names[kind]);
        for (int kind = 0; kind < RELAY_KINDS; kind++)
            if (c->spared[kind])
                printf(", %" PRIu64 " could not be %s", c->spared[kind], done_names[kind]);
        if (c->left)
            printf(", %" PRIu64 " still on their way", c->left);
        putchar('\n');
    }
    for (int side = 0; side < RELAY_SIDES; side++) {
        const struct relay_counters *c = &relay->counters[side];
        const struct relay_drops *d = &drops[side];

        if (of_relay(c) + of_kernel(d))
            fprintf(stderr,
                    "uetrelay: %s: frames lost that no rule meant: %" PRIu64
                    " read too slowly, %" PRIu64 " and %" PRIu64
                    " dropped by the interface in and out, %" PRIu64
                    " longer than its MTU (offloads on?), %" PRIu64
                    " longer than that of the other side, %" PRIu64
                    " that the other side took not, %" PRIu64 " too many under way\n",
                    side_names[side], d->missed, d->interface_rx, d->interface_tx, d->truncated,
                    c->too_long, c->refused, c->no_room);
    }
}

/* ---- JSON ---- */

static void put(json_t *object, const char *name, uint64_t value)
{
    json_object_set_new(object, name, json_integer((json_int_t)value));
}

static json_t *side_json(const struct relay_counters *c)
{
    json_t *object = json_object(), *spared = json_object();

    put(object, "frames", c->frames);
    put(object, "bytes", c->bytes);
    put(object, "uet", c->uet);
    put(object, "sent", c->sent);
    put(object, "sent_bytes", c->sent_bytes);
    for (int kind = 0; kind < RELAY_KINDS; kind++) {
        put(object, done_names[kind], c->done[kind]);
        if (c->spared[kind])
            put(spared, done_names[kind], c->spared[kind]);
    }
    put(object, "under_way", c->left);
    json_object_set_new(object, "spared", spared);
    return object;
}

static json_t *losses_json(const struct relay_counters *c, const struct relay_drops *d)
{
    json_t *object = json_object();

    put(object, "missed", d->missed);
    put(object, "interface_rx", d->interface_rx);
    put(object, "interface_tx", d->interface_tx);
    put(object, "truncated", d->truncated);
    put(object, "too_long", c->too_long);
    put(object, "refused", c->refused);
    put(object, "no_room", c->no_room);
    return object;
}

int relay_report_write(const struct relay *relay, const struct relay_drops drops[RELAY_SIDES],
                       double seconds, const char *path)
{
    json_t *root = json_object(), *plan = json_array(), *own = json_object();
    int rc = 0;

    put(root, "seed", relay->seed);
    for (size_t i = 0; i < relay->plan.n_rules; i++)
        json_array_append_new(plan, json_string(relay->plan.rules[i].text));
    json_object_set_new(root, "plan", plan);
    json_object_set_new(root, "seconds", json_real(seconds));
    for (int side = 0; side < RELAY_SIDES; side++) {
        json_object_set_new(root, side_names[side], side_json(&relay->counters[side]));
        json_object_set_new(own, side_names[side],
                            losses_json(&relay->counters[side], &drops[side]));
    }
    json_object_set_new(root, "own_losses", own);
    json_object_set_new(root, "clean", json_boolean(relay_own_losses(relay, drops) == 0));

    FILE *file = fopen(path, "w");
    if (!file)
        rc = -errno;
    if (file && (json_dumpf(root, file, JSON_INDENT(2)) || fputc('\n', file) == EOF))
        rc = -EIO;
    if (file && fclose(file) && rc == 0)
        rc = -errno;
    json_decref(root);
    return rc;
}
