/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which variant of a header a line means, and what stands inside it: the one that the parser would
 * see. Written fields and presets decide; where they leave it open, the variant that contradicts
 * the fewest defaults, and of those the first.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "gen/internal.h"

#define IMPOSSIBLE UINT32_MAX

const struct uet_field *gen_placed_field(const struct gen_placed *p, const char *name,
                                         size_t *offset)
{
    size_t n = strlen(name);
    const struct uet_field *f = gen_field(p->id, name, n);
    *offset = p->offset;
    if (f || p->inner == UET_H_NONE)
        return f;
    *offset = p->offset + (size_t)p->inner_offset;
    return gen_field(p->inner, name, n);
}

/* What the line writes into a field of that name, without "!"; false when nothing. */
static bool written(const struct uet_gen *gen, const struct gen_layer *layer, uint64_t i,
                    const char *name, gen_value *value)
{
    for (size_t a = 0; a < layer->n_args; a++) {
        const struct gen_arg *arg = &gen->args[layer->first_arg + a];
        if (!arg->field || arg->wrong || strcmp(arg->field->name, name) != 0)
            continue;
        *value = gen_arg_value(gen, arg, i);
        return true;
    }
    const struct gen_preset *preset = &layer->name.preset;
    if (!preset->field || strcmp(preset->field, name) != 0)
        return false;
    *value = preset->value;
    return true;
}

/*
 * How many defaults the conditions of a header contradict; IMPOSSIBLE when something written
 * contradicts them. of: the header whose fields the terms are.
 */
static uint32_t contradictions(const struct uet_gen *gen, const struct gen_layer *layer, uint64_t i,
                               const struct gen_when *when, enum uet_header_id of)
{
    uint32_t n = 0;
    for (size_t t = 0; t < when->n; t++) {
        const struct gen_term *term = &when->terms[t];
        const struct uet_field *f = gen_field(of, term->field, strlen(term->field));
        gen_value v;
        if (!f)
            return IMPOSSIBLE;
        if (written(gen, layer, i, f->name, &v)) {
            if (!gen_term_holds(term, (uint64_t)v))
                return IMPOSSIBLE;
        } else if (!gen_term_holds(term, (uint64_t)gen_default(of, f)))
            n++;
    }
    return n;
}

/* How many of the written fields are in neither header. */
static uint32_t missing(const struct uet_gen *gen, const struct gen_layer *layer,
                        const struct gen_placed *p)
{
    uint32_t n = 0;
    size_t offset;
    for (size_t a = 0; a < layer->n_args; a++) {
        const struct gen_arg *arg = &gen->args[layer->first_arg + a];
        n += arg->field && !gen_placed_field(p, arg->field->name, &offset);
    }
    return n;
}

struct choice {
    struct gen_placed best;
    uint32_t missing, contradictions;
    bool any;
};

static void consider(struct choice *c, const struct uet_gen *gen, const struct gen_layer *layer,
                     const struct gen_placed *p, uint32_t contradicted)
{
    if (contradicted == IMPOSSIBLE)
        return;
    uint32_t m = missing(gen, layer, p);
    if (c->any && (m > c->missing || (m == c->missing && contradicted >= c->contradictions)))
        return;
    *c = (struct choice){*p, m, contradicted, true};
}

/* What a single implementation sends is taken only by its own name. */
static uint32_t oddity(enum uet_header_id id)
{
    return uet_headers[id].implementation[0] ? 1000 : 0;
}

/* A name that was written prefers its own variant. */
static uint32_t preference(const struct gen_layer *layer, enum uet_header_id id)
{
    if (layer->name.exact && id == layer->name.id)
        return 0;
    return (layer->name.exact ? 100u : 0) + oddity(id);
}

/* The variant with each header that may stand inside it, and with none. */
static void consider_variant(struct choice *c, const struct uet_gen *gen,
                             const struct gen_layer *layer, uint64_t i, enum uet_header_id id)
{
    struct gen_placed p = {.id = id, .inner = UET_H_NONE};
    uint32_t own = contradictions(gen, layer, i, &gen_whens[id], id);
    if (own == IMPOSSIBLE)
        return;
    if (layer->name.exact && id == layer->name.id)
        own = 0;
    own += preference(layer, id);
    for (size_t e = 0; e < gen_n_edges; e++) {
        enum uet_header_id inner;
        for (size_t k = 0; (inner = gen_inner(&gen_edges[e], id, k)) != UET_H_NONE; k++) {
            uint32_t more = contradictions(gen, layer, i, &gen_edges[e].when, id);
            p.inner = inner;
            p.inner_offset = gen_inner_offset(id, inner);
            more = more == IMPOSSIBLE ? more : own + more + oddity(inner);
            consider(c, gen, layer, &p, more);
        }
    }
    p.inner = UET_H_NONE;
    p.inner_offset = 0;
    /* Without: only where nothing known fits better. */
    consider(c, gen, layer, &p, own + GEN_TERMS_MAX);
}

/* What is wrong: a field that no variant left has, or values that contradict each other. */
static int no_variant(const struct uet_gen *gen, const struct gen_layer *layer,
                      const struct choice *c, struct uet_gen_error *error)
{
    if (!c->any)
        return gen_refuse(error, layer->at, layer->len,
                          "%.*s: its fields contradict the form of the header; write ! before the "
                          "one that is to be wrong",
                          (int)layer->len, gen->line + layer->at);
    for (size_t a = 0; a < layer->n_args; a++) {
        const struct gen_arg *arg = &gen->args[layer->first_arg + a];
        size_t offset;
        if (!arg->field || gen_placed_field(&c->best, arg->field->name, &offset))
            continue;
        const struct gen_when *w = &gen_whens[c->best.id];
        char form[100] = "";
        if (w->n)
            snprintf(form, sizeof form, " (%s=%u)", w->terms[0].field,
                     (unsigned)w->terms[0].ranges[0].low);
        return gen_refuse(error, arg->at, arg->len, "%s%s has no field %s",
                          uet_headers[c->best.id].name, form, arg->field->name);
    }
    return 0;
}

int gen_choose(const struct uet_gen *gen, const struct gen_layer *layer, uint64_t i,
               struct gen_placed *p, struct uet_gen_error *error)
{
    struct choice c = {.any = false};
    for (size_t v = 0; v < layer->n_variants; v++)
        consider_variant(&c, gen, layer, i, (enum uet_header_id)layer->variants[v]);
    *p = c.best;
    return c.any && c.missing == 0 ? 0 : no_variant(gen, layer, &c, error);
}
