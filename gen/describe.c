/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From a frame to the line that makes it. Nothing here knows what a default is: a line with bare
 * names is tried first, then what came out differently is written, with "!" where the language
 * refuses it without; at the end what is not needed is taken away again.
 */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/internal.h"
#include "gen/walk.h"
#include "wire/crc.h"

enum { FIELDS = 64, TRIES = 64 };

enum { UNWRITTEN, PLAIN, WRONG }; /* how a field stands in the line */

struct scribe {
    const uint8_t *frame;
    size_t len;
    struct gen_walk walk;
    uint8_t how[GEN_WALK_MAX][2][FIELDS]; /* of the fields of a header and of what is inside it */
    bool anyway[GEN_WALK_MAX];
    bool crc_wrong;
    char line[UET_GEN_LINE_MAX + 1];
    size_t used;
    bool full;
    uint8_t made[UET_FRAME_MAX + GEN_HEADER_BYTES]; /* a header is read that need not be there */
    struct gen_placed placed[GEN_LAYERS];
};

/* ---- writing the line ---- */

__attribute__((format(printf, 2, 3))) static void say(struct scribe *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(s->line + s->used, sizeof s->line - s->used, format, args);
    va_end(args);
    if (n < 0 || s->used + (size_t)n >= sizeof s->line)
        s->full = true;
    else
        s->used += (size_t)n;
}

/* The shortest name by which the header has the field. */
static const char *field_name(enum uet_header_id id, const struct uet_field *f)
{
    const char *dot = strrchr(f->name, '.');
    if (dot && gen_field(id, dot + 1, strlen(dot + 1)) == f)
        return dot + 1;
    return f->name;
}

static enum uet_header_id part_id(const struct gen_step *step, int part)
{
    return part ? step->inner : step->id;
}

static const uint8_t *part_bytes(const struct scribe *s, const struct gen_step *step, int part)
{
    return s->frame + step->offset + (part ? step->inner_offset : 0);
}

static void say_fields(struct scribe *s, size_t layer)
{
    const struct gen_step *step = &s->walk.steps[layer];
    bool any = false;
    for (int part = 0; part < 2; part++) {
        const struct uet_header *h = &uet_headers[part_id(step, part)];
        for (size_t i = 0; i < h->n_fields && i < FIELDS; i++) {
            char text[80];
            if (s->how[layer][part][i] == UNWRITTEN)
                continue;
            gen_value v = gen_value_get(h->fields[i], part_bytes(s, step, part));
            gen_value_text(h->fields[i], v, text, sizeof text);
            say(s, "%s%s%s=%s", any ? "," : "(", s->how[layer][part][i] == WRONG ? "!" : "",
                field_name(part_id(step, part), h->fields[i]), text);
            any = true;
        }
    }
    if (any)
        say(s, ")");
}

static bool counts(const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i] != (uint8_t)i)
            return false;
    return true;
}

static bool one_value(const uint8_t *p, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (p[i] != p[0])
            return false;
    return true;
}

static bool readable(const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isprint(p[i]) || p[i] == '\'' || p[i] == '\\')
            return false;
    return n >= 3;
}

static void say_bytes(struct scribe *s, const char *name, const uint8_t *p, size_t n)
{
    say(s, "%s%s", s->used ? "/" : "", name);
    if (counts(p, n))
        say(s, "(%zu)", n);
    else if (n > 4 && one_value(p, n))
        say(s, "(%zu,fill=0x%02x)", n, p[0]);
    else if (readable(p, n))
        say(s, "(text='%.*s')", (int)n, (const char *)p);
    else {
        say(s, "(hex=");
        for (size_t i = 0; i < n && !s->full; i++)
            say(s, "%02x", p[i]);
        say(s, ")");
    }
}

static void say_line(struct scribe *s)
{
    const struct gen_walk *w = &s->walk;
    s->used = 0;
    s->full = false;
    s->line[0] = '\0';
    for (size_t l = 0; l < w->n; l++) {
        struct gen_name name;
        char text[64];
        gen_name_of(w->steps[l].id, s->frame + w->steps[l].offset, text, sizeof text, &name);
        say(s, "%s%s%s", l ? "/" : "", s->anyway[l] ? "!" : "", text);
        say_fields(s, l);
    }
    if (w->data_end > w->data || s->len == 0)
        say_bytes(s, "data", s->frame + w->data, w->data_end - w->data);
    if (w->crc) {
        const struct uet_field *f = uet_headers[UET_H_CRC_TRAILER].fields[0];
        say(s, "/crc");
        if (s->crc_wrong)
            say(s, "(!%s=0x%x)", f->name,
                (unsigned)uet_crc_load(s->frame + w->crc, UET_CRC_BIG_ENDIAN));
    }
    size_t after = w->crc ? w->crc + UET_CRC_TRAILER_BYTES : w->data_end;
    if (w->end > after)
        say_bytes(s, "pad", s->frame + after, w->end - after);
}

/* ---- trying it ---- */

/* What went wrong with the line: where. at is SIZE_MAX when it could be made. */
struct trial {
    size_t at;
    bool same;
};

static struct trial try_line(struct scribe *s)
{
    struct uet_gen *gen;
    struct uet_gen_error error;
    struct trial t = {SIZE_MAX, false};
    say_line(s);
    memset(s->placed, 0, sizeof s->placed);
    if (s->full)
        return t;
    int n = uet_gen_new(&gen, s->line, 1, &error);
    if (n == 0) {
        n = gen_packet_placed(gen, 0, s->made, UET_FRAME_MAX, NULL, s->placed, &error);
        uet_gen_free(gen);
    }
    if (n == -EINVAL)
        t.at = error.at;
    t.same = n >= 0 && (size_t)n == s->len && memcmp(s->made, s->frame, s->len) == 0;
    return t;
}

/* The layer and field that stand at this place of the line, by saying it again and counting. */
static bool refused(struct scribe *s, size_t at)
{
    size_t depth = 0, arg = 0, layer = 0;
    for (size_t i = 0; i < at && s->line[i]; i++) {
        if (s->line[i] == '(') {
            depth = 1;
            arg = 0;
        } else if (s->line[i] == ')')
            depth = 0;
        else if (s->line[i] == '/' && !depth)
            layer++;
        else if (s->line[i] == ',' && depth)
            arg++;
    }
    if (layer >= s->walk.n)
        return false;
    if (!depth) { /* the name: this layer may not follow */
        bool before = s->anyway[layer];
        s->anyway[layer] = true;
        return !before;
    }
    for (int part = 0; part < 2; part++)
        for (size_t i = 0; i < FIELDS; i++) {
            if (s->how[layer][part][i] == UNWRITTEN || arg-- != 0)
                continue;
            bool before = s->how[layer][part][i] == WRONG;
            s->how[layer][part][i] = WRONG;
            return !before;
        }
    return false;
}

/* Writes every field that came out differently. False when there is none. */
static bool compare(struct scribe *s)
{
    bool any = false;
    for (size_t l = 0; l < s->walk.n; l++) {
        const struct gen_step *step = &s->walk.steps[l];
        for (int part = 0; part < 2; part++) {
            const struct uet_header *h = &uet_headers[part_id(step, part)];
            const uint8_t *made = s->made + s->placed[l].offset + (part ? step->inner_offset : 0);
            for (size_t i = 0; i < h->n_fields && i < FIELDS; i++) {
                bool explained = !part && step->inner != UET_H_NONE &&
                                 h->fields[i]->bit_offset / 8 >= step->inner_offset;
                if (s->how[l][part][i] != UNWRITTEN || explained ||
                    gen_value_get(h->fields[i], made) ==
                        gen_value_get(h->fields[i], part_bytes(s, step, part)))
                    continue;
                s->how[l][part][i] = PLAIN;
                any = true;
            }
        }
    }
    return any;
}

/* What is written and bent until the line makes the frame. */
static bool find_line(struct scribe *s)
{
    for (int i = 0; i < TRIES; i++) {
        struct trial t = try_line(s);
        if (t.same)
            return true;
        if (s->full)
            return false;
        if (t.at != SIZE_MAX) {
            if (refused(s, t.at))
                continue;
            return false;
        }
        if (compare(s))
            continue;
        if (s->crc_wrong || !s->walk.crc)
            return false;
        s->crc_wrong = true;
    }
    return false;
}

static void prune_field(struct scribe *s, uint8_t *how)
{
    for (uint8_t less = UNWRITTEN; less < *how; less++) {
        uint8_t before = *how;
        *how = less;
        if (try_line(s).same)
            return;
        *how = before;
    }
}

/*
 * Takes away what the line does not need, and "!" where it is not needed; the last fields first,
 * because it is the flags in front that choose the form of a header.
 */
static void prune(struct scribe *s)
{
    for (size_t l = s->walk.n; l-- > 0;)
        for (int part = 2; part-- > 0;)
            for (size_t i = FIELDS; i-- > 0;)
                prune_field(s, &s->how[l][part][i]);
    try_line(s);
}

static int give(const char *line, char *out, size_t cap)
{
    return snprintf(out, cap, "%s", line);
}

/* Header by header from the inside outwards, until a line is found: the rest is data. */
static bool find_any(struct scribe *s, const struct uet_parse_options *options)
{
    gen_walk(&s->walk, s->frame, s->len, options);
    for (;;) {
        memset(s->how, 0, sizeof s->how);
        memset(s->anyway, 0, sizeof s->anyway);
        s->crc_wrong = false;
        if (find_line(s))
            return true;
        if (s->walk.n == 0)
            return false;
        s->walk.n--;
        s->walk.data = s->walk.steps[s->walk.n].offset;
    }
}

int uet_gen_describe(const uint8_t *frame, size_t len, const struct uet_parse_options *options,
                     char *out, size_t cap)
{
    struct scribe *s = calloc(1, sizeof *s);
    if (!s)
        return -ENOMEM;
    s->frame = frame;
    s->len = len;
    int rc = -EMSGSIZE;
    if (len <= UET_FRAME_MAX && find_any(s, options)) {
        prune(s);
        rc = give(s->line, out, cap);
    }
    free(s);
    return rc;
}
