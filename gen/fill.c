/* SPDX-License-Identifier: BSD-2-Clause */
/* The bytes of the headers of one packet. */
#include <errno.h>
#include <string.h>

#include "gen/internal.h"
#include "wire/addr.h"

const struct gen_arg *gen_arg_of(const struct gen_work *w, size_t layer, const char *name)
{
    const struct gen_layer *l = &w->gen->layers[layer];
    for (size_t a = 0; a < l->n_args; a++) {
        const struct gen_arg *arg = &w->gen->args[l->first_arg + a];
        if (arg->field && strcmp(arg->field->name, name) == 0)
            return arg;
    }
    return NULL;
}

/* The bytes where a layer's header begins: its own, or a place inside the one before it. */
static uint8_t *header_of(struct gen_work *w, size_t layer)
{
    const struct gen_placed *p = &w->placed[layer];
    return p->inside ? w->headers[layer - 1] + w->placed[layer - 1].inner_offset
                     : w->headers[layer];
}

struct gen_slot gen_slot_of(struct gen_work *w, size_t layer, const char *name)
{
    const struct gen_placed *p = &w->placed[layer];
    uint8_t *h = header_of(w, layer);
    size_t n = strlen(name);
    struct gen_slot slot = {gen_field(p->id, name, n), h};
    if (!slot.field && p->inner != UET_H_NONE && !p->inside)
        slot = (struct gen_slot){gen_field(p->inner, name, n), h + p->inner_offset};
    return slot;
}

/* The defaults of a layer's header, found once. */
static void put_kept_defaults(struct gen_work *w, size_t layer)
{
    struct gen_kept *kept = &w->gen->kept[layer];
    enum uet_header_id id = w->placed[layer].id;
    if (kept->filled != id) {
        memset(kept->defaults, 0, sizeof kept->defaults);
        gen_defaults_put(id, kept->defaults);
        kept->filled = (uint8_t)id;
    }
    memcpy(header_of(w, layer), kept->defaults, uet_headers[id].bytes);
}

static void put_terms(struct gen_work *w, size_t layer, const struct gen_when *when)
{
    for (size_t t = 0; when && t < when->n; t++) {
        struct gen_slot s = gen_slot_of(w, layer, when->terms[t].field);
        if (s.field && !gen_term_holds(&when->terms[t], (uint64_t)gen_value_get(s.field, s.header)))
            gen_value_set(s.field, s.header, when->terms[t].ranges[0].low);
    }
}

/* ---- what leads the parser from one layer to the next ---- */

/* Do the terms agree with what is written in the layer? */
static bool agrees(struct gen_work *w, size_t layer, const struct gen_when *when)
{
    const struct gen_preset *preset = &w->gen->layers[layer].name.preset;
    for (size_t t = 0; when && t < when->n; t++) {
        const struct gen_term *term = &when->terms[t];
        struct gen_slot s = gen_slot_of(w, layer, term->field);
        if (!s.field)
            return false;
        const struct gen_arg *arg = gen_arg_of(w, layer, s.field->name);
        if (arg && !arg->wrong)
            if (!gen_term_holds(term, (uint64_t)gen_arg_value(w->gen, arg, w->i)))
                return false;
        if (preset->field && strcmp(preset->field, s.field->name) == 0 &&
            !gen_term_holds(term, preset->value))
            return false;
    }
    return true;
}

static int cannot_follow(struct gen_work *w, size_t layer, const struct gen_link *link)
{
    const struct gen_layer *from = &w->gen->layers[layer], *to = from + 1;
    const char *line = w->gen->line;
    if (!link)
        return gen_refuse(w->error, to->at, to->len,
                          "%.*s cannot follow %.*s; write !%.*s to put it there all the same",
                          (int)to->len, line + to->at, (int)from->len, line + from->at,
                          (int)to->len, line + to->at);
    bool own = link->from->n != 0;
    const struct gen_term *term = own ? &link->from->terms[0] : &link->to->terms[0];
    struct gen_slot s = gen_slot_of(w, own ? layer : layer + 1, term->field);
    char value[80] = "";
    if (s.field)
        gen_value_text(s.field, term->ranges[0].low, value, sizeof value);
    return gen_refuse(w->error, from->at, from->len,
                      "%.*s leads to %.*s with %s=%s; write !%s=.. where another value is meant",
                      (int)from->len, line + from->at, (int)to->len, line + to->at, term->field,
                      value, term->field);
}

/* Sets what makes the next layer follow this one. */
static int lead_on(struct gen_work *w, size_t layer)
{
    const struct gen_layer *next = &w->gen->layers[layer + 1];
    struct gen_link link;
    size_t k = 0;
    for (; gen_link(w->placed[layer].id, w->placed[layer + 1].id, k, &link); k++)
        if (agrees(w, layer, link.from) && agrees(w, layer + 1, link.to)) {
            put_terms(w, layer, link.from);
            put_terms(w, layer + 1, link.to);
            return 0;
        }
    if (next->anyway)
        return 0;
    if (k == 0)
        return cannot_follow(w, layer, NULL);
    gen_link(w->placed[layer].id, w->placed[layer + 1].id, 0, &link);
    return cannot_follow(w, layer, &link);
}

/* The type that the prologue would have to show, whatever stands before. */
static void put_type(struct gen_work *w, size_t layer)
{
    for (size_t e = 0; e < gen_n_edges; e++) {
        if (gen_edges[e].from != UET_H_PDS_PROLOGUE)
            continue;
        for (size_t t = 0; t < gen_edges[e].n_to; t++)
            if (gen_edges[e].to[t] == w->placed[layer].id && agrees(w, layer, &gen_edges[e].when)) {
                put_terms(w, layer, &gen_edges[e].when);
                return;
            }
    }
}

/* ---- what was written ---- */

static int refuse_value(struct gen_work *w, const struct gen_arg *arg, gen_value v)
{
    const char *what = arg->field->kind == UET_KIND_RESERVED ? "is reserved and sent as 0"
                                                             : "does not define that value";
    char text[80];
    gen_value_text(arg->field, v, text, sizeof text);
    return gen_refuse(w->error, arg->at, arg->len, "%s %s; write !%s=%s to send it all the same",
                      arg->field->name, what, arg->field->name, text);
}

static int put_written(struct gen_work *w, size_t layer)
{
    const struct gen_layer *l = &w->gen->layers[layer];
    for (size_t a = 0; a < l->n_args; a++) {
        const struct gen_arg *arg = &w->gen->args[l->first_arg + a];
        if (!arg->field || arg->wrong)
            continue;
        struct gen_slot s = gen_slot_of(w, layer, arg->field->name);
        gen_value v = gen_arg_value(w->gen, arg, w->i);
        if (!gen_value_fits(s.field, v))
            return gen_refuse(w->error, arg->at, arg->len, "%s has only %u bits here",
                              s.field->name, s.field->width);
        if (!gen_value_allowed(s.field, v))
            return refuse_value(w, arg, v);
        gen_value_set(s.field, s.header, v);
    }
    return 0;
}

/* What stands inside follows from the same kind of edge as what stands after. */
static void put_inner(struct gen_work *w, size_t layer)
{
    const struct gen_placed *p = &w->placed[layer];
    struct gen_link link;
    if (p->inner == UET_H_NONE || p->inside)
        return;
    gen_defaults_put(p->inner, w->headers[layer] + p->inner_offset);
    put_terms(w, layer, &gen_whens[p->inner]);
    for (size_t k = 0; gen_link(p->id, p->inner, k, &link); k++)
        if (agrees(w, layer, link.from)) {
            put_terms(w, layer, link.from);
            return;
        }
}

static void put_preset(struct gen_work *w, size_t layer)
{
    const struct gen_preset *preset = &w->gen->layers[layer].name.preset;
    if (!preset->field)
        return;
    struct gen_slot s = gen_slot_of(w, layer, preset->field);
    if (s.field)
        gen_value_set(s.field, s.header, preset->value);
}

static bool is_header(const struct gen_work *w, size_t layer)
{
    return layer < w->gen->n_layers && w->gen->layers[layer].kind == GEN_HEADER;
}

int gen_fill(struct gen_work *w)
{
    for (size_t l = 0; l < w->gen->n_layers; l++) {
        if (!is_header(w, l))
            continue;
        put_kept_defaults(w, l);
        put_inner(w, l);
        put_terms(w, l, &gen_whens[w->placed[l].id]);
        put_type(w, l);
        put_preset(w, l);
    }
    for (size_t l = 0; l < w->gen->n_layers; l++) {
        int rc = 0;
        if (is_header(w, l) && is_header(w, l + 1) && w->placed[l + 1].id != UET_H_CRC_TRAILER)
            rc = lead_on(w, l);
        if (rc == 0 && is_header(w, l))
            rc = put_written(w, l);
        if (rc)
            return rc;
    }
    return 0;
}
