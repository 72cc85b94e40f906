/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gen/internal.h"

/* Where the value of a list stands in the frame. */
struct place {
    const struct uet_field *field; /* NULL: other bytes depend on it */
    size_t header;
};

struct gen_repeat {
    bool valid;
    uint64_t i;
    struct gen_work work;
    struct place places[GEN_AXES];
    int len;
    uint8_t frame[UET_FRAME_MAX];
};

/* Does anything in the parse graph depend on a field of that name? */
static bool leads(const char *name)
{
    for (size_t e = 0; e < gen_n_edges; e++)
        for (size_t t = 0; t < gen_edges[e].when.n; t++)
            if (strcmp(gen_edges[e].when.terms[t].field, name) == 0)
                return true;
    for (int id = 0; id < UET_H_COUNT; id++)
        for (size_t t = 0; t < gen_whens[id].n; t++)
            if (strcmp(gen_whens[id].terms[t].field, name) == 0)
                return true;
    return false;
}

/* Numbers that no length, sum or form depends on. What settle.c reads is named. */
static bool stands_alone(const struct gen_arg *a)
{
    static const char *const read[] = {"version", "ihl",      "total_length",   "payload_length",
                                       "length",  "checksum", "message_offset", "header_checksum",
                                       "crc32c",  "mf",       "fragment_offset"};
    const struct uet_field *f = a->field;
    if (!f || a->wrong ||
        (f->kind != UET_KIND_UINT && f->kind != UET_KIND_PSN && f->kind != UET_KIND_INT))
        return false;
    for (size_t i = 0; i < sizeof read / sizeof *read; i++)
        if (strcmp(f->name, read[i]) == 0)
            return false;
    return !leads(f->name);
}

int gen_repeat_new(struct uet_gen *gen)
{
    bool any = false;
    for (size_t i = 0; i < gen->n_axes; i++)
        any |= stands_alone(&gen->args[gen->axes[i].arg]);
    if (!any || gen->seal)
        return 0;
    gen->repeat = calloc(1, sizeof *gen->repeat);
    return gen->repeat ? 0 : -ENOMEM;
}

/* The layer that has the argument. */
static size_t layer_of(const struct uet_gen *gen, size_t arg)
{
    size_t l = 0;
    while (arg >= (size_t)gen->layers[l].first_arg + gen->layers[l].n_args)
        l++;
    return l;
}

static struct place find_place(struct gen_work *w, size_t axis)
{
    struct uet_gen *gen = w->gen;
    const struct gen_arg *a = &gen->args[gen->axes[axis].arg];
    size_t l = layer_of(gen, gen->axes[axis].arg);
    const struct gen_placed *p = &w->placed[l];
    struct place place = {NULL, 0};
    if (!stands_alone(a))
        return place;
    struct gen_slot s = gen_slot_of(w, l, a->field->name);
    size_t into = (size_t)(s.header - w->headers[p->inside ? l - 1 : l]);
    place.header = p->inside ? w->placed[l - 1].offset + into : p->offset + into;
    size_t end = place.header + (s.field->bit_offset + s.field->width + 7u) / 8;
    if (end <= (size_t)p->offset + p->bytes) /* else the header is cut before it */
        place.field = s.field;
    return place;
}

void gen_repeat_keep(struct gen_work *w, const uint8_t *frame, int len)
{
    struct gen_repeat *r = w->gen->repeat;
    if (!r)
        return;
    r->valid = (size_t)len == w->len; /* nothing was cut off */
    if (!r->valid)
        return;
    r->i = w->i;
    r->work = *w;
    r->len = len;
    memcpy(r->frame, frame, (size_t)len);
    for (size_t a = 0; a < w->gen->n_axes; a++)
        r->places[a] = find_place(w, a);
}

/* Does the axis have another value in packets i and j? */
static bool differs(const struct gen_axis *axis, uint64_t i, uint64_t j)
{
    return i / axis->period % axis->n != j / axis->period % axis->n;
}

static bool only_places(const struct uet_gen *gen, const struct gen_repeat *r, uint64_t i)
{
    for (size_t a = 0; a < gen->n_axes; a++)
        if (!r->places[a].field && differs(&gen->axes[a], r->i, i))
            return false;
    return true;
}

int gen_repeat_make(struct uet_gen *gen, uint64_t i, uint8_t *out, size_t cap,
                    struct uet_gen_about *about, struct uet_gen_error *error)
{
    struct gen_repeat *r = gen->repeat;
    if (!r || !r->valid || (size_t)r->len > cap || !only_places(gen, r, i))
        return 0;
    for (size_t a = 0; a < gen->n_axes; a++) {
        if (!differs(&gen->axes[a], r->i, i))
            continue;
        gen_value v = gen_arg_value(gen, &gen->args[gen->axes[a].arg], i);
        if (!gen_value_fits(r->places[a].field, v)) {
            r->valid = false;
            return 0; /* the long way says what is wrong */
        }
        gen_value_set(r->places[a].field, r->frame + r->places[a].header, v);
    }
    r->i = r->work.i = i;
    r->work.error = error;
    int rc = gen_protect(&r->work, r->frame);
    if (rc) {
        r->valid = false;
        return rc;
    }
    memcpy(out, r->frame, (size_t)r->len);
    if (about)
        *about = r->work.about;
    return r->len;
}
