/* SPDX-License-Identifier: BSD-2-Clause */
/* From a line to a frame: place the layers, fill the headers, put them together. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "gen/internal.h"

/* The argument of a layer that is no field, or NULL. */
static const struct gen_arg *arg_what(const struct gen_work *w, size_t layer, enum gen_what what)
{
    const struct gen_layer *l = &w->gen->layers[layer];
    for (size_t a = 0; a < l->n_args; a++)
        if (!w->gen->args[l->first_arg + a].field && w->gen->args[l->first_arg + a].what == what)
            return &w->gen->args[l->first_arg + a];
    return NULL;
}

/* Bytes of a data or pad layer, or those that a cut takes away. */
static size_t data_len(const struct gen_work *w, size_t layer)
{
    const struct gen_arg *arg = arg_what(w, layer, GEN_LENGTH);
    const struct gen_arg *bytes = arg_what(w, layer, GEN_LITERAL);
    return arg ? (size_t)gen_arg_value(w->gen, arg, w->i) : bytes ? bytes->literal_len : 0;
}

/* ---- placing ---- */

static int refuse_bytes(struct gen_work *w, const struct gen_arg *arg, size_t whole)
{
    return gen_refuse(w->error, arg->at, arg->len, "the header has only %zu bytes", whole);
}

static bool swept(const struct uet_gen *gen, const struct gen_layer *layer)
{
    for (size_t a = 0; a < layer->n_args; a++)
        if (gen->args[layer->first_arg + a].axis >= 0)
            return true;
    return false;
}

static int place_header(struct gen_work *w, size_t layer, size_t *at)
{
    struct gen_placed *p = &w->placed[layer];
    struct gen_kept *kept = &w->gen->kept[layer];
    if (!kept->chosen) {
        int rc = gen_choose(w->gen, &w->gen->layers[layer], w->i, p, w->error);
        if (rc)
            return rc;
        kept->choice = *p;
        kept->chosen = !swept(w->gen, &w->gen->layers[layer]);
    }
    *p = kept->choice;
    size_t whole = uet_headers[p->id].bytes;
    if (p->inner != UET_H_NONE && (size_t)p->inner_offset + uet_headers[p->inner].bytes > whole)
        whole = (size_t)p->inner_offset + uet_headers[p->inner].bytes;
    if (layer && p[-1].id != UET_H_NONE) {
        int inside = gen_inner_offset(p[-1].id, p->id);
        if (inside >= 0) { /* written as a layer of its own: it takes the place of the default */
            p->inside = true;
            p[-1].inner = UET_H_NONE;
            p[-1].inner_offset = inside;
            *at = p[-1].offset + (size_t)inside;
        }
    }
    const struct gen_arg *cut = arg_what(w, layer, GEN_BYTES);
    p->bytes = (uint16_t)whole;
    if (cut) {
        gen_value n = gen_arg_value(w->gen, cut, w->i);
        if (n > whole)
            return refuse_bytes(w, cut, whole);
        w->about.wrong |= n != whole;
        p->bytes = (uint16_t)n;
    }
    p->offset = (uint16_t)*at;
    *at += p->bytes;
    if (p->inside) { /* what stands in the middle leaves the rest of the outer header there */
        size_t end = (size_t)p[-1].offset + p[-1].bytes;
        *at = *at < end && p->bytes == whole ? end : *at;
    }
    return 0;
}

/* A key leaves room for the ICV at the end of the IP packet, unless it stands there as a layer. */
static void place_icv(struct gen_work *w, size_t *at)
{
    bool written = false;
    for (size_t l = 0; l < w->gen->n_layers; l++)
        written |= w->placed[l].id == UET_H_TSS_TRAILER;
    if (!w->gen->seal || written || w->icv)
        return;
    w->icv = true;
    *at += UET_TSS_TRAILER_BYTES;
    w->ip_end = *at;
}

/* Everything in its place, whatever its bytes will be. */
static int place(struct gen_work *w)
{
    size_t at = 0;
    for (size_t l = 0; l < w->gen->n_layers; l++) {
        const struct gen_layer *layer = &w->gen->layers[l];
        int rc = 0;
        if (layer->kind == GEN_PAD || layer->kind == GEN_CUT)
            place_icv(w, &at);
        if (layer->kind == GEN_HEADER)
            rc = place_header(w, l, &at);
        if (rc)
            return rc;
        if (layer->kind == GEN_DATA || layer->kind == GEN_PAD) {
            w->placed[l].offset = (uint16_t)at;
            at += data_len(w, l);
        }
        if (layer->kind == GEN_DATA)
            w->payload_len += data_len(w, l);
        if (layer->kind != GEN_PAD && layer->kind != GEN_CUT)
            w->ip_end = at;
        if (at > UET_FRAME_MAX)
            return gen_refuse(w->error, layer->at, layer->len, "the packet is longer than %d bytes",
                              UET_FRAME_MAX);
    }
    place_icv(w, &at);
    if (at > UET_FRAME_MAX)
        return gen_refuse(w->error, 0, 0, "the packet is longer than %d bytes", UET_FRAME_MAX);
    w->len = at;
    return 0;
}

/* ---- putting together ---- */

static void put_data(struct gen_work *w, size_t layer, uint8_t *out)
{
    const struct gen_arg *fill = arg_what(w, layer, GEN_FILL);
    const struct gen_arg *bytes = arg_what(w, layer, GEN_LITERAL);
    size_t n = data_len(w, layer), given = bytes ? bytes->literal_len : 0;
    int byte = fill ? (int)gen_arg_value(w->gen, fill, w->i) : -1;
    given = given < n ? given : n;
    if (bytes)
        memcpy(out, w->gen->literals + bytes->literal, given);
    for (size_t i = given; i < n; i++)
        out[i] = (uint8_t)(byte >= 0 ? (size_t)byte : i);
}

static void put_together(struct gen_work *w, uint8_t *frame)
{
    for (size_t l = 0; l < w->gen->n_layers; l++) {
        const struct gen_layer *layer = &w->gen->layers[l];
        struct gen_placed *p = &w->placed[l];
        const uint8_t *h = w->headers[l];
        if (p->inside)
            h = w->headers[l - 1] + p[-1].inner_offset;
        if (layer->kind == GEN_HEADER)
            memcpy(frame + p->offset, h, p->bytes);
        else if (layer->kind != GEN_CUT)
            put_data(w, l, frame + p->offset);
    }
}

static int cut_end(struct gen_work *w)
{
    size_t cut = 0;
    for (size_t l = 0; l < w->gen->n_layers; l++)
        if (w->gen->layers[l].kind == GEN_CUT)
            cut += data_len(w, l);
    w->about.wrong |= cut != 0;
    if (cut > w->len)
        return gen_refuse(w->error, 0, 0, "cut(%zu) takes more than the %zu bytes of the packet",
                          cut, w->len);
    return (int)(w->len - cut);
}

static uint8_t start_of(const struct gen_work *w)
{
    const struct uet_header *h = &uet_headers[w->placed[0].id];
    return w->gen->layers[0].kind != GEN_HEADER || h->layer == UET_LAYER_LINK ? UET_START_ETH
           : h->layer == UET_LAYER_NET                                        ? UET_START_IP
                                                                              : UET_START_PDS;
}

int gen_packet_placed(struct uet_gen *gen, uint64_t i, uint8_t *out, size_t cap,
                      struct uet_gen_about *about, struct gen_placed placed[GEN_LAYERS],
                      struct uet_gen_error *error)
{
    int rc = placed ? 0 : gen_repeat_make(gen, i, out, cap, about, error);
    if (rc)
        return rc;
    struct gen_work w = {.gen = gen, .i = i, .error = error};
    rc = place(&w);
    if (rc == 0 && w.len > cap)
        return -ENOBUFS;
    if (rc == 0)
        rc = gen_fill(&w);
    if (rc == 0)
        rc = gen_settle(&w);
    if (rc)
        return rc;
    put_together(&w, out);
    rc = gen_protect(&w, out);
    if (rc == 0)
        rc = cut_end(&w);
    w.about.start = start_of(&w);
    if (rc > 0)
        gen_repeat_keep(&w, out, rc);
    if (about)
        *about = w.about;
    if (placed)
        memcpy(placed, w.placed, sizeof w.placed);
    return rc;
}

int uet_gen_packet(struct uet_gen *gen, uint64_t i, uint8_t *out, size_t cap,
                   struct uet_gen_about *about, struct uet_gen_error *error)
{
    return gen_packet_placed(gen, i, out, cap, about, NULL, error);
}

/* ---- the line of one packet ---- */

/* The value that a list has in packet i, or NULL text for what is no list. */
static int value_text(const struct uet_gen *gen, const struct gen_arg *arg, uint64_t i, char *out,
                      size_t cap)
{
    static const struct uet_field plain = {.name = "", .width = 64};
    gen_value v = gen_arg_value(gen, arg, i);
    return gen_value_text(arg->field ? arg->field : &plain, v, out, cap);
}

int uet_gen_line(const struct uet_gen *gen, uint64_t i, char *out, size_t cap)
{
    size_t from = 0, len = 0;
    for (size_t a = 0; a <= gen->n_args; a++) {
        const struct gen_arg *arg = a < gen->n_args ? &gen->args[a] : NULL;
        size_t to = arg ? arg->value_at : strlen(gen->line);
        char text[80] = "";
        bool secret = arg && !arg->field && (arg->what == GEN_KEY || arg->what == GEN_IV_MASK);
        if (arg && arg->axis < 0 && !secret)
            continue;
        if (secret)
            strcpy(text, "..");
        else if (arg)
            value_text(gen, arg, i, text, sizeof text);
        int n = snprintf(len < cap ? out + len : NULL, len < cap ? cap - len : 0, "%.*s%s",
                         (int)(to - from), gen->line + from, text);
        len += n > 0 ? (size_t)n : 0;
        from = arg ? arg->value_at + arg->value_len : to;
    }
    return (int)len;
}
