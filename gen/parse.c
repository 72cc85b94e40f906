/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading a line of the language; the grammar stands in lang.h. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "gen/internal.h"
#include "ut/nearest.h"

struct reader {
    struct uet_gen *gen;
    const char *p; /* what comes next */
    uint64_t limit;
    struct uet_gen_error *error;
};

int gen_refuse(struct uet_gen_error *error, size_t at, size_t len, const char *format, ...)
{
    va_list args;
    error->at = at;
    error->len = len;
    va_start(args, format);
    vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    return -EINVAL;
}

static size_t here(const struct reader *r)
{
    return (size_t)(r->p - r->gen->line);
}

/* ---- tokens ---- */

static void blanks(struct reader *r)
{
    r->p += strspn(r->p, " \t\r\n");
}

static bool take(struct reader *r, char c)
{
    blanks(r);
    if (*r->p != c)
        return false;
    r->p++;
    return true;
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("_.[]:", c));
}

/* A run of name characters; *len is 0 when there is none. */
static const char *word(struct reader *r, size_t *len)
{
    blanks(r);
    const char *start = r->p;
    while (is_name(*r->p))
        r->p++;
    *len = (size_t)(r->p - start);
    return start;
}

/* An atom: a word that may begin with a sign, and ends before "..". */
static const char *atom(struct reader *r, size_t *len)
{
    blanks(r);
    const char *start = r->p;
    if (*r->p == '-')
        r->p++;
    while (is_name(*r->p) && !(r->p[0] == '.' && r->p[1] == '.'))
        r->p++;
    *len = (size_t)(r->p - start);
    return start;
}

static int unexpected(struct reader *r, const char *wanted)
{
    blanks(r);
    if (!*r->p)
        return gen_refuse(r->error, here(r), 0, "the line ends where %s should stand", wanted);
    bool printable = isprint((unsigned char)*r->p);
    return gen_refuse(r->error, here(r), 1, "'%c' where %s should stand", printable ? *r->p : '?',
                      wanted);
}

/* ---- literals ---- */

static bool keep(struct uet_gen *gen, unsigned byte)
{
    if (gen->n_literals == sizeof gen->literals)
        return false;
    gen->literals[gen->n_literals++] = (uint8_t)byte;
    return true;
}

static int too_long(struct reader *r, size_t at)
{
    return gen_refuse(r->error, at, here(r) - at, "more than %zu bytes in one line",
                      sizeof r->gen->literals);
}

static int hex_digit(char c)
{
    return isdigit((unsigned char)c)    ? c - '0'
           : isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10
                                        : -1;
}

static int read_hex(struct reader *r)
{
    size_t at;
    blanks(r);
    at = here(r);
    if (r->p[0] == '0' && (r->p[1] == 'x' || r->p[1] == 'X'))
        r->p += 2;
    for (;;) {
        r->p += strspn(r->p, " :\t");
        int high = hex_digit(r->p[0]), low = high < 0 ? -1 : hex_digit(r->p[1]);
        if (high < 0)
            return 0;
        if (low < 0)
            return gen_refuse(r->error, here(r), 1, "half a byte: hex takes two digits for each");
        r->p += 2;
        if (!keep(r->gen, (unsigned)(high << 4 | low)))
            return too_long(r, at);
    }
}

/* \n, \t, \\, \', \x41 */
static int escape(struct reader *r)
{
    static const char names[] = "nrt0\\'", values[] = "\n\r\t\0\\'";
    const char *found = *r->p ? strchr(names, *r->p) : NULL;
    if (found) {
        r->p++;
        return (unsigned char)values[found - names];
    }
    int high = *r->p == 'x' ? hex_digit(r->p[1]) : -1, low = high < 0 ? -1 : hex_digit(r->p[2]);
    if (low >= 0)
        r->p += 3;
    return low < 0 ? -1 : high << 4 | low;
}

static int read_text(struct reader *r)
{
    size_t at;
    blanks(r);
    at = here(r);
    if (!take(r, '\''))
        return unexpected(r, "a text between single quotes, text='..',");
    while (*r->p && *r->p != '\'') {
        int c = (unsigned char)*r->p++;
        if (c == '\\' && (c = escape(r)) < 0)
            return gen_refuse(r->error, here(r) - 1, 1,
                              "no such escape: \\n \\r \\t \\0 \\\\ \\' and \\x41 are known");
        if (!keep(r->gen, (unsigned)c))
            return too_long(r, at);
    }
    if (!take(r, '\''))
        return gen_refuse(r->error, at, here(r) - at, "the text has no end: a ' is missing");
    return 0;
}

/* ---- values ---- */

/* A field to read lengths and fill bytes with. */
static const struct uet_field length_field = {.name = "the length", .width = 16};
static const struct uet_field fill_field = {.name = "fill", .width = 8};

static const struct uet_field *reading_field(const struct gen_arg *a)
{
    if (!a->field && a->what >= GEN_KEY)
        return gen_seal_field((enum gen_what)a->what);
    return a->field ? a->field : a->what == GEN_FILL ? &fill_field : &length_field;
}

static int one_value(struct reader *r, const struct gen_arg *a, gen_value *value)
{
    char why[200];
    size_t len;
    const char *text = atom(r, &len);
    if (len == 0)
        return unexpected(r, "a value");
    if (a->what == GEN_CLIENT && !a->field) {
        if (gen_seal_client(text, len, value))
            return 0;
        return gen_refuse(r->error, (size_t)(text - r->gen->line), len,
                          "client is peer, self, src or dst");
    }
    if (gen_value_parse(reading_field(a), text, len, value, why, sizeof why))
        return 0;
    return gen_refuse(r->error, (size_t)(text - r->gen->line), len, "%s", why);
}

/* ".." high [ "+" step ] */
static int range(struct reader *r, const struct gen_arg *a, struct gen_item *item, size_t at)
{
    static const struct uet_field step_field = {.name = "the step", .width = 64};
    bool negative = reading_field(a)->kind == UET_KIND_INT;
    r->p += 2;
    int rc = one_value(r, a, &item->high);
    if (rc == 0 && take(r, '+'))
        rc = one_value(r, &(struct gen_arg){.field = &step_field}, &item->step);
    if (rc)
        return rc;
    if (item->step == 0)
        return gen_refuse(r->error, at, here(r) - at, "a step of 0 never ends");
    bool down = negative ? (__int128)item->high < (__int128)item->low : item->high < item->low;
    if (down)
        return gen_refuse(r->error, at, here(r) - at,
                          "the range runs downwards: write the smaller value first");
    gen_value n = (item->high - item->low) / item->step;
    item->n = n >= UINT64_MAX ? UINT64_MAX : (uint64_t)n + 1;
    return 0;
}

static int read_item(struct reader *r, struct gen_arg *a)
{
    struct uet_gen *gen = r->gen;
    if (gen->n_items == GEN_ITEMS)
        return gen_refuse(r->error, here(r), 1, "more than %d values in one line", GEN_ITEMS);
    struct gen_item *item = &gen->items[gen->n_items];
    *item = (struct gen_item){.step = 1, .n = 1};
    blanks(r);
    size_t at = here(r);
    int rc = one_value(r, a, &item->low);
    if (rc == 0 && r->p[0] == '.' && r->p[1] == '.')
        rc = range(r, a, item, at);
    if (rc)
        return rc;
    gen->n_items++;
    a->n_items++;
    if (a->n + item->n < a->n)
        a->n = UINT64_MAX;
    else
        a->n += item->n;
    return 0;
}

static int read_items(struct reader *r, struct gen_arg *a)
{
    a->first_item = (uint16_t)r->gen->n_items;
    if (!take(r, '{'))
        return read_item(r, a);
    do {
        int rc = read_item(r, a);
        if (rc)
            return rc;
    } while (take(r, ','));
    return take(r, '}') ? 0 : unexpected(r, "',' or '}'");
}

static int add_axis(struct reader *r, struct gen_arg *a)
{
    struct uet_gen *gen = r->gen;
    a->axis = -1;
    if (a->n <= 1)
        return 0;
    if (gen->n_axes == GEN_AXES)
        return gen_refuse(r->error, a->at, a->len, "more than %d lists in one line", GEN_AXES);
    if (a->n > r->limit || gen->count > r->limit / a->n)
        return gen_refuse(r->error, a->at, a->len,
                          "the line stands for more than %llu packets; take fewer values, or "
                          "raise --limit",
                          (unsigned long long)r->limit);
    gen->count *= a->n;
    a->axis = (int)gen->n_axes;
    gen->axes[gen->n_axes++] = (struct gen_axis){(uint16_t)(a - gen->args), a->n, 0};
    return 0;
}

/* ---- arguments ---- */

/* A field of that name in any variant, or in what may stand inside one. */
static const struct uet_field *any_field(const struct gen_layer *layer, const char *name, size_t n)
{
    for (size_t i = 0; i < layer->n_variants; i++) {
        const struct uet_field *f = gen_field((enum uet_header_id)layer->variants[i], name, n);
        if (f)
            return f;
    }
    for (size_t i = 0; i < layer->n_variants; i++)
        for (size_t e = 0; e < gen_n_edges; e++) {
            enum uet_header_id inner, outer = (enum uet_header_id)layer->variants[i];
            for (size_t k = 0; (inner = gen_inner(&gen_edges[e], outer, k)) != UET_H_NONE; k++) {
                const struct uet_field *f = gen_field(inner, name, n);
                if (f)
                    return f;
            }
        }
    return NULL;
}

static void offer_fields(struct uet_nearest *near, enum uet_header_id id)
{
    for (size_t i = 0; i < uet_headers[id].n_fields; i++) {
        const struct uet_field *f = uet_headers[id].fields[i];
        const char *dot = strrchr(f->name, '.');
        if (f->kind != UET_KIND_RESERVED)
            uet_nearest_offer(near, dot ? dot + 1 : f->name);
    }
}

static int no_field(struct reader *r, const struct gen_layer *layer, const char *name, size_t n)
{
    char copy[64], text[240];
    struct uet_nearest near;
    snprintf(copy, sizeof copy, "%.*s", (int)(n < 63 ? n : 63), name);
    uet_nearest_begin(&near, copy);
    for (size_t i = 0; i < layer->n_variants; i++) {
        enum uet_header_id outer = (enum uet_header_id)layer->variants[i];
        offer_fields(&near, outer);
        for (size_t e = 0; e < gen_n_edges; e++)
            for (size_t k = 0; gen_inner(&gen_edges[e], outer, k) != UET_H_NONE; k++)
                offer_fields(&near, gen_inner(&gen_edges[e], outer, k));
    }
    snprintf(text, sizeof text, "%s: %.*s has no such field", copy, (int)layer->len,
             r->gen->line + layer->at);
    uet_nearest_append(&near, text, sizeof text);
    return gen_refuse(r->error, (size_t)(name - r->gen->line), n, "%s", text);
}

static bool is(const char *name, size_t n, const char *word_)
{
    return strlen(word_) == n && strncasecmp(name, word_, n) == 0;
}

/* Sets a->field or a->what by the name. */
static int name_arg(struct reader *r, const struct gen_layer *layer, struct gen_arg *a,
                    const char *name, size_t n)
{
    if (layer->kind != GEN_HEADER) {
        a->what = is(name, n, "fill")                           ? GEN_FILL
                  : is(name, n, "hex") || is(name, n, "text")   ? GEN_LITERAL
                  : is(name, n, "length") || is(name, n, "len") ? GEN_LENGTH
                                                                : GEN_FIELD;
        if (a->what != GEN_FIELD && (layer->kind != GEN_CUT || a->what == GEN_LENGTH))
            return 0;
        return gen_refuse(r->error, (size_t)(name - r->gen->line), n, "%.*s: %.*s takes %s", (int)n,
                          name, (int)layer->len, r->gen->line + layer->at,
                          layer->kind == GEN_CUT ? "a number of bytes"
                                                 : "a length, fill=, hex= or text=");
    }
    a->field = any_field(layer, name, n);
    if (a->field)
        return 0;
    if (uet_headers[layer->name.id].layer == UET_LAYER_TSS)
        a->what = (uint8_t)gen_seal_what(name, n);
    if (a->what != GEN_FIELD)
        return 0;
    if (!is(name, n, "bytes"))
        return no_field(r, layer, name, n);
    if (!a->wrong)
        return gen_refuse(r->error, a->at, n,
                          "a header has the bytes it has; !bytes=.. cuts it short on purpose");
    a->what = GEN_BYTES;
    return 0;
}

static int read_literal(struct reader *r, const struct gen_layer *layer, struct gen_arg *a,
                        bool text)
{
    for (size_t i = layer->first_arg; i + 1 < r->gen->n_args; i++)
        if (a->what == GEN_LITERAL && r->gen->args[i].what == GEN_LITERAL)
            return gen_refuse(r->error, here(r), 1, "the bytes are given twice");
    a->literal = (uint32_t)r->gen->n_literals;
    int rc = text ? read_text(r) : read_hex(r);
    a->literal_len = (uint32_t)r->gen->n_literals - a->literal;
    return rc;
}

static bool is_literal(const struct gen_arg *a)
{
    return !a->field && (a->what == GEN_LITERAL || a->what == GEN_KEY || a->what == GEN_IV_MASK);
}

static int read_value(struct reader *r, struct gen_layer *layer, struct gen_arg *a, bool text)
{
    blanks(r);
    a->value_at = (uint32_t)here(r);
    int rc = is_literal(a) ? read_literal(r, layer, a, text) : read_items(r, a);
    a->value_len = (uint32_t)here(r) - a->value_at;
    a->len = (uint32_t)here(r) - a->at;
    return rc;
}

/* The same field or property twice in one layer. */
static int twice(struct reader *r, const struct gen_layer *layer, const struct gen_arg *a)
{
    for (size_t i = layer->first_arg; i + 1 < r->gen->n_args; i++) {
        const struct gen_arg *b = &r->gen->args[i];
        if (b->what == a->what &&
            (a->field ? b->field && strcmp(a->field->name, b->field->name) == 0 : !b->field))
            return gen_refuse(r->error, a->at, a->len, "%.*s is given twice",
                              (int)(a->value_at - a->at), r->gen->line + a->at);
    }
    return 0;
}

/* FIELD "=", or nothing when a value stands alone. */
static int arg_name(struct reader *r, const struct gen_layer *layer, struct gen_arg *a, bool *text)
{
    const char *before = r->p;
    size_t n;
    const char *name = word(r, &n);
    if (n && take(r, '=')) {
        *text = is(name, n, "text");
        return name_arg(r, layer, a, name, n);
    }
    if (layer->kind != GEN_HEADER) {
        r->p = before;
        a->what = GEN_LENGTH;
        return 0;
    }
    return n ? unexpected(r, "'='") : unexpected(r, "field=value");
}

static int read_arg(struct reader *r, struct gen_layer *layer)
{
    struct uet_gen *gen = r->gen;
    if (gen->n_args == GEN_ARGS)
        return gen_refuse(r->error, here(r), 1, "more than %d fields in one line", GEN_ARGS);
    struct gen_arg *a = &gen->args[gen->n_args++];
    *a = (struct gen_arg){.axis = -1};
    blanks(r);
    a->at = (uint32_t)here(r);
    a->wrong = take(r, '!');
    bool text = false;
    int rc = arg_name(r, layer, a, &text);
    if (rc == 0)
        rc = read_value(r, layer, a, text);
    if (rc == 0)
        rc = twice(r, layer, a);
    layer->n_args++;
    return rc ? rc : add_axis(r, a);
}

static int read_args(struct reader *r, struct gen_layer *layer)
{
    if (!take(r, '(') || take(r, ')'))
        return 0;
    do {
        int rc = read_arg(r, layer);
        if (rc)
            return rc;
    } while (take(r, ','));
    return take(r, ')') ? 0 : unexpected(r, "',' or ')'");
}

/* ---- layers ---- */

static void offer_name(void *ctx, const char *name, const struct gen_name *what)
{
    (void)what;
    uet_nearest_offer(ctx, name);
}

static int no_layer(struct reader *r, const char *name, size_t n)
{
    char copy[64], text[240];
    struct uet_nearest near;
    snprintf(copy, sizeof copy, "%.*s", (int)(n < 63 ? n : 63), name);
    uet_nearest_begin(&near, copy);
    uet_nearest_offer(&near, "data");
    uet_nearest_offer(&near, "pad");
    uet_nearest_offer(&near, "cut");
    gen_names_each(offer_name, &near);
    snprintf(text, sizeof text, "%s: no such header", copy);
    uet_nearest_append(&near, text, sizeof text);
    return gen_refuse(r->error, (size_t)(name - r->gen->line), n, "%s", text);
}

/* The variants among which the parser chooses, or the one that was named. */
static void list_variants(struct gen_layer *layer)
{
    const struct gen_edge *e = gen_edge_to(layer->name.id);
    layer->n_variants = e ? e->n_to : 1;
    layer->variants[0] = (uint8_t)layer->name.id;
    for (size_t i = 0; e && i < e->n_to; i++)
        layer->variants[i] = e->to[i];
}

static int read_layer(struct reader *r)
{
    struct uet_gen *gen = r->gen;
    struct gen_layer *layer = &gen->layers[gen->n_layers];
    size_t n;
    if (gen->n_layers == GEN_LAYERS)
        return gen_refuse(r->error, here(r), 1, "more than %d layers", GEN_LAYERS);
    *layer = (struct gen_layer){.anyway = take(r, '!'), .first_arg = (uint16_t)gen->n_args};
    const char *name = word(r, &n);
    if (n == 0)
        return unexpected(r, "the name of a header");
    layer->at = (uint32_t)(name - gen->line);
    layer->len = (uint32_t)n;
    if (is(name, n, "data") || is(name, n, "pad") || is(name, n, "cut"))
        layer->kind = is(name, n, "data") ? GEN_DATA : is(name, n, "pad") ? GEN_PAD : GEN_CUT;
    else if (!gen_name_find(&layer->name, name, n))
        return no_layer(r, name, n);
    if (layer->kind == GEN_HEADER)
        list_variants(layer);
    gen->n_layers++;
    int rc = read_args(r, layer);
    return rc ? rc : gen_seal_setup(gen, gen->n_layers - 1, r->error);
}

static int read_line(struct reader *r)
{
    do {
        int rc = read_layer(r);
        if (rc)
            return rc;
    } while (take(r, '/'));
    blanks(r);
    return *r->p ? unexpected(r, "'/' and the next layer, or the end,") : 0;
}

/* How often each list turns: the last one with every packet. */
static void set_periods(struct uet_gen *gen)
{
    uint64_t period = 1;
    for (size_t i = gen->n_axes; i-- > 0;) {
        gen->axes[i].period = period;
        period *= gen->axes[i].n;
    }
}

int uet_gen_new(struct uet_gen **out, const char *line, uint64_t limit, struct uet_gen_error *error)
{
    return uet_gen_new_with_keys(out, line, limit, NULL, error);
}

int uet_gen_new_with_keys(struct uet_gen **out, const char *line, uint64_t limit,
                          const struct uet_keyfile *keys, struct uet_gen_error *error)
{
    *out = NULL;
    *error = (struct uet_gen_error){0};
    size_t len = strlen(line);
    if (len > UET_GEN_LINE_MAX)
        return gen_refuse(error, UET_GEN_LINE_MAX, 0, "the line has more than %d characters",
                          UET_GEN_LINE_MAX);
    struct uet_gen *gen = calloc(1, sizeof *gen);
    char *copy = strdup(line);
    if (!gen || !copy) {
        free(gen);
        free(copy);
        return -ENOMEM;
    }
    gen->line = copy;
    gen->count = 1;
    gen->keys = keys;
    struct reader r = {gen, copy, limit, error};
    int rc = read_line(&r);
    if (rc == 0)
        rc = gen_seal_check(gen, error);
    gen->keys = NULL;
    if (rc) {
        uet_gen_free(gen);
        return rc;
    }
    set_periods(gen);
    rc = gen_repeat_new(gen);
    if (rc)
        uet_gen_free(gen);
    else
        *out = gen;
    return rc;
}

void uet_gen_free(struct uet_gen *gen)
{
    if (!gen)
        return;
    if (gen->seal)
        uet_tss_erase(gen->seal);
    free(gen->seal);
    free(gen->repeat);
    uet_tss_wipe(gen->line, strlen(gen->line)); /* keys stand in it */
    free(gen->line);
    uet_tss_wipe(gen->literals, sizeof gen->literals);
    free(gen);
}

bool uet_gen_sealed_by_file(const struct uet_gen *gen)
{
    return gen->sealed_by_file;
}

uint64_t uet_gen_count(const struct uet_gen *gen)
{
    return gen->count;
}

gen_value gen_arg_value(const struct uet_gen *gen, const struct gen_arg *arg, uint64_t i)
{
    uint64_t k = 0;
    if (arg->axis >= 0)
        k = i / gen->axes[arg->axis].period % arg->n;
    for (size_t n = 0; n < arg->n_items; n++) {
        const struct gen_item *item = &gen->items[arg->first_item + n];
        if (k < item->n)
            return item->low + (gen_value)k * item->step;
        k -= item->n;
    }
    return 0;
}
