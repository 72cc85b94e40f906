/* SPDX-License-Identifier: BSD-2-Clause */
#include "gen/corpus.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/corpus_list.h"
#include "gen/internal.h"
#include "wire/layers.h"

#define WAY  512
#define DATA "/data(24)" /* as long as the longest extension that an opcode asks for */
#define ICV  "/data(16)" /* what stands in the place of it in a packet that nobody can open */
#define LINE 2048

struct maker {
    int (*take)(void *ctx, const struct uet_gen_case *c);
    void *ctx;
    char *error;
    size_t errlen;
    uint8_t parents[UET_H_COUNT]; /* on the way from Ethernet; UET_H_NONE: there is no way */
    struct uet_gen_case now;
    char way[WAY]; /* to now.header, without it */
    char line[LINE];
    uint8_t frame[UET_FRAME_MAX];
};

const char *uet_gen_result_name(enum uet_parse_error error)
{
    static const char *const names[UET_PARSE_ERROR_COUNT] = {
        [UET_PARSE_OK] = "OK",
        [UET_PARSE_NOT_UET] = "NOT_UET",
        [UET_PARSE_ETH_SHORT] = "ETH_SHORT",
        [UET_PARSE_IP_SHORT] = "IP_SHORT",
        [UET_PARSE_IP_VERSION] = "IP_VERSION",
        [UET_PARSE_IP_LENGTH] = "IP_LENGTH",
        [UET_PARSE_IP_CHECKSUM] = "IP_CHECKSUM",
        [UET_PARSE_IP_FRAGMENT] = "IP_FRAGMENT",
        [UET_PARSE_UDP_SHORT] = "UDP_SHORT",
        [UET_PARSE_UDP_LENGTH] = "UDP_LENGTH",
        [UET_PARSE_PDS_SHORT] = "PDS_SHORT",
        [UET_PARSE_PDS_TYPE] = "PDS_TYPE",
        [UET_PARSE_PDS_NEXT_HDR] = "PDS_NEXT_HDR",
        [UET_PARSE_SES_SHORT] = "SES_SHORT",
        [UET_PARSE_CRC_SHORT] = "CRC_SHORT",
        [UET_PARSE_CRC_BAD] = "CRC_BAD",
        [UET_PARSE_ENTROPY_SHORT] = "ENTROPY_SHORT",
        [UET_PARSE_SES_EXT_SHORT] = "SES_EXT_SHORT",
        [UET_PARSE_TSS_SHORT] = "TSS_SHORT",
        [UET_PARSE_SEALED] = "SEALED",
        [UET_PARSE_TRIMMED] = "TRIMMED",
    };
    return (unsigned)error < UET_PARSE_ERROR_COUNT && names[error] ? names[error] : "UNKNOWN";
}

/* ---- the way to a header ---- */

static bool of_single_implementation(enum uet_header_id id)
{
    return uet_headers[id].implementation[0] != '\0';
}

static bool follows(enum uet_header_id from, enum uet_header_id to)
{
    struct gen_link link;
    return gen_link(from, to, 0, &link);
}

static bool stands_inside(enum uet_header_id id)
{
    for (int outer = 1; outer < UET_H_COUNT; outer++)
        if (gen_inner_offset((enum uet_header_id)outer, id) >= 0)
            return true;
    return false;
}

/* Breadth first, so that the way is short. What stands inside a header has that as its parent. */
static void find_ways(uint8_t parents[UET_H_COUNT])
{
    uint8_t queue[UET_H_COUNT];
    size_t n = 0;
    memset(parents, UET_H_NONE, UET_H_COUNT);
    parents[UET_H_ETH] = UET_H_ETH;
    queue[n++] = UET_H_ETH;
    for (size_t i = 0; i < n; i++)
        for (int to = 1; to < UET_H_COUNT; to++) {
            if (parents[to] != UET_H_NONE || to == UET_H_PDS_PROLOGUE ||
                of_single_implementation((enum uet_header_id)to) ||
                !follows((enum uet_header_id)queue[i], (enum uet_header_id)to))
                continue;
            parents[to] = queue[i];
            if (!stands_inside((enum uet_header_id)to)) /* nothing follows from there */
                queue[n++] = (uint8_t)to;
        }
}

bool uet_gen_reachable(enum uet_header_id id)
{
    uint8_t parents[UET_H_COUNT];
    find_ways(parents);
    return parents[id] != UET_H_NONE || id == UET_H_CRC_TRAILER;
}

static void way_to(struct maker *m, enum uet_header_id id, char *out, size_t cap)
{
    out[0] = '\0';
    if (id == UET_H_ETH)
        return;
    enum uet_header_id parent = (enum uet_header_id)m->parents[id];
    way_to(m, parent, out, cap);
    size_t n = strlen(out);
    snprintf(out + n, cap - n, "%s/", uet_headers[parent].name);
}

/* ---- one case ---- */

static int refuse(struct maker *m, const char *line, const char *text)
{
    snprintf(m->error, m->errlen, "%s: %s", line, text);
    return -EINVAL;
}

/* Behind a TSS header a parser without the key reads nothing. */
static enum uet_parse_error as_sealed(const char *line, enum uet_parse_error expect)
{
    return expect == UET_PARSE_OK && strstr(line, "/tss_hdr_") ? UET_PARSE_SEALED : expect;
}

static bool has_reserved(const struct uet_packet *p, struct uet_layer_at at)
{
    const struct uet_header *h = &uet_headers[at.id];
    bool ours = h->layer != UET_LAYER_LINK && h->layer != UET_LAYER_NET;
    for (unsigned i = 0; ours && i < h->n_fields; i++)
        if (h->fields[i]->kind == UET_KIND_RESERVED &&
            uet_field_get(h->fields[i], p->frame + at.offset) != 0)
            return true;
    return false;
}

/*
 * A value that is right by itself may put bits where nothing may stand: the payload of a NOOP, the
 * memory key of a WRITE, data in the place of an extension header.
 */
static bool sets_reserved(const struct maker *m)
{
    struct uet_packet p;
    struct uet_layer_at layers[UET_LAYERS_MAX];
    uet_parse(&p, m->now.frame, m->now.len, NULL);
    size_t n = uet_layers(&p, layers);
    for (size_t i = 0; i < n; i++)
        if (has_reserved(&p, layers[i]))
            return true;
    return false;
}

/* Makes the packet of m->line. 1: the language refuses it. */
static int build(struct maker *m, char *why, size_t whylen)
{
    struct uet_gen *gen;
    struct uet_gen_error error;
    struct uet_gen_about about = {0};
    int rc = uet_gen_new(&gen, m->line, 1, &error);
    if (rc == -ENOMEM)
        return rc;
    if (rc == 0) {
        rc = uet_gen_packet(gen, 0, m->frame, sizeof m->frame, &about, &error);
        uet_gen_free(gen);
    }
    if (rc < 0) {
        snprintf(why, whylen, "%s", error.text);
        return 1;
    }
    m->now.line = m->line;
    m->now.frame = m->frame;
    m->now.len = (size_t)rc;
    m->now.protect = about.protect;
    m->now.valid = !about.wrong && !sets_reserved(m) && !of_single_implementation(m->now.header);
    return 0;
}

__attribute__((format(printf, 5, 6))) static int add(struct maker *m, const char *kind,
                                                     const char *field, enum uet_parse_error expect,
                                                     const char *format, ...)
{
    char why[300];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(m->line, sizeof m->line, format, args);
    va_end(args);
    if (n < 0 || (size_t)n >= sizeof m->line)
        return refuse(m, m->line, "too long");
    int rc = build(m, why, sizeof why);
    if (rc)
        return rc < 0 ? rc : refuse(m, m->line, why);
    m->now.kind = kind;
    m->now.field = field;
    m->now.expect = as_sealed(m->line, expect);
    return m->take(m->ctx, &m->now);
}

/* The same for a value that may be impossible here: then nothing is made. */
static int try_value(struct maker *m, const char *kind, const struct uet_field *f, gen_value v,
                     bool wrong, enum uet_parse_error expect, const char *tail)
{
    char text[80], why[300];
    gen_value_text(f, v, text, sizeof text);
    snprintf(m->line, sizeof m->line, "%s%s(%s%s=%s)%s", m->way, uet_headers[m->now.header].name,
             wrong ? "!" : "", f->name, text, tail);
    int rc = build(m, why, sizeof why);
    if (rc)
        return rc < 0 ? rc : 0;
    m->now.kind = kind;
    m->now.field = f->name;
    m->now.expect = as_sealed(m->line, expect);
    return m->take(m->ctx, &m->now);
}

/* ---- what is right ---- */

/* The data that a header asks for. */
static const char *tail_of(enum uet_header_id id)
{
    const struct uet_header *h = &uet_headers[id];
    bool empty =
        id == UET_H_SES_REQ_NO_OP || id == UET_H_SES_REQ_RTR || id == UET_H_SES_REQ_MSG_ERROR;
    bool carries = gen_field(id, "request_length", 14) || gen_field(id, "payload_length", 14) ||
                   strcmp(h->family, "ses_ext_atomic") == 0 ||
                   strcmp(h->family, "ses_ext_rendezvous") == 0;
    return h->layer == UET_LAYER_SES && carries && !empty ? DATA : "";
}

static bool has_term(const struct gen_when *when, enum uet_header_id id, const struct uet_field *f)
{
    for (size_t t = 0; t < when->n; t++)
        if (gen_field(id, when->terms[t].field, strlen(when->terms[t].field)) == f)
            return true;
    return false;
}

/* Does a field say what follows? Then its values come with what follows (after_each). */
static bool leads(enum uet_header_id id, const struct uet_field *f)
{
    for (size_t e = 0; e < gen_n_edges; e++)
        if (!gen_edges[e].inside && gen_edge_leaves(&gen_edges[e], id) &&
            has_term(&gen_edges[e].when, id, f))
            return true;
    return strcmp(f->name, "type") == 0 || strcmp(f->name, "next_hdr") == 0;
}

/* Does a number choose the form of its header, or what stands inside? */
static bool selects(enum uet_header_id id, const struct uet_field *f)
{
    bool any = has_term(&gen_whens[id], id, f);
    for (size_t e = 0; e < gen_n_edges; e++)
        any |= gen_edge_leaves(&gen_edges[e], id) && has_term(&gen_edges[e].when, id, f);
    return any;
}

/* Lengths, sums and the like: another value is wrong. They have cases of their own. */
static bool settled(enum uet_header_id id, const struct uet_field *f)
{
    static const char *const names[] = {
        "version",  "ihl", "total_length",    "payload_length", "length",   "header_checksum",
        "checksum", "mf",  "fragment_offset", "crc32c",         "protocol", "next_header"};
    if (uet_headers[id].layer != UET_LAYER_NET && uet_headers[id].layer != UET_LAYER_LINK &&
        id != UET_H_CRC_TRAILER)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(f->name, names[i]) == 0)
            return true;
    return false;
}

/*
 * An opcode turns a form that carries nothing into one that does: then there must be data. And it
 * may ask for an extension header (3.4.2.3, 3.4.2.4).
 */
static const char *tail_with(const struct uet_field *f, uint32_t v, const char *tail)
{
    if (f->kind != UET_KIND_ENUM || f->enumeration != UET_ENUM_SES_REQ_OPCODE)
        return tail;
    switch (v) {
    case UET_OP_NO_OP:
    case UET_OP_DEFERRABLE_RTR:
    case UET_OP_MSG_ERROR:
        return tail;
    case UET_OP_ATOMIC:
    case UET_OP_FETCHING_ATOMIC:
    case UET_OP_TSEND_ATOMIC:
    case UET_OP_TSEND_FETCH_ATOMIC:
        return "/ses_ext_atomic" DATA;
    case UET_OP_RENDEZVOUS_SEND:
    case UET_OP_RENDEZVOUS_TSEND:
        return "/ses_ext_rendezvous" DATA;
    default:
        return *tail ? tail : DATA;
    }
}

/* Every enumerator; of a range its ends. Values that choose are tried as they are: where another
 * form has them, that form is made. */
static int enum_values(struct maker *m, const struct uet_field *f, const char *tail)
{
    const struct uet_enumeration *e = &uet_enumerations[f->enumeration];
    int rc = 0;
    for (size_t i = 0; i < e->n && rc == 0; i++)
        for (uint32_t v = e->values[i].low;; v = e->values[i].high) {
            if (gen_value_fits(f, v) && gen_value_allowed(f, v))
                rc = try_value(m, "value", f, v, false, UET_PARSE_OK, tail_with(f, v, tail));
            if (rc || v == e->values[i].high)
                break;
        }
    return rc;
}

/* The ends of the range and what is near them. */
static int number_values(struct maker *m, const struct uet_field *f, const char *tail)
{
    gen_value top = f->width >= 128 ? ~(gen_value)0 : ((gen_value)1 << f->width) - 1;
    gen_value values[] = {0, 1, top / 2, top / 2 + 1, top - 1, top};
    int rc = 0;
    for (size_t i = 0; i < sizeof values / sizeof *values && rc == 0; i++) {
        gen_value v = values[i];
        bool seen = false;
        if (f->kind == UET_KIND_INT && v > top / 2)
            v |= ~top;
        for (size_t j = 0; j < i; j++)
            seen |= values[j] == values[i];
        if (!seen && gen_value_fits(f, v))
            rc = try_value(m, "value", f, v, false, UET_PARSE_OK, tail);
    }
    return rc;
}

static int field_values(struct maker *m, enum uet_header_id part, const char *tail)
{
    int rc = 0;
    for (size_t i = 0; i < uet_headers[part].n_fields && rc == 0; i++) {
        const struct uet_field *f = uet_headers[part].fields[i];
        bool opcode = strcmp(f->name, "opcode") == 0;
        if (f->kind == UET_KIND_RESERVED || settled(part, f) || (leads(part, f) && !opcode))
            continue;
        if (f->kind == UET_KIND_ENUM)
            rc = enum_values(m, f, tail);
        else if (!selects(part, f) || f->width == 1)
            rc = number_values(m, f, tail);
    }
    return rc;
}

/* ---- what is wrong and parses all the same ---- */

static int reserved_bits(struct maker *m, enum uet_header_id part, const char *tail)
{
    int rc = 0;
    for (size_t i = 0; i < uet_headers[part].n_fields && rc == 0; i++) {
        const struct uet_field *f = uet_headers[part].fields[i];
        if (f->kind != UET_KIND_RESERVED)
            continue;
        for (unsigned bit = 0; bit < f->width && rc == 0; bit++)
            rc = try_value(m, "reserved bits", f, (gen_value)1 << bit, true, UET_PARSE_OK, tail);
        if (f->width > 1 && rc == 0)
            rc = try_value(m, "reserved bits", f, ((gen_value)1 << f->width) - 1, true,
                           UET_PARSE_OK, tail);
    }
    return rc;
}

/* What a parser says to a reserved value of a field that leads it on. */
static enum uet_parse_error of_reserved(const struct uet_field *f)
{
    if (strcmp(f->name, "type") == 0)
        return UET_PARSE_PDS_TYPE;
    if (strcmp(f->name, "next_hdr") == 0)
        return UET_PARSE_PDS_NEXT_HDR;
    return UET_PARSE_OK;
}

static int reserved_values(struct maker *m, enum uet_header_id part, const char *tail)
{
    int rc = 0;
    for (size_t i = 0; i < uet_headers[part].n_fields && rc == 0; i++) {
        const struct uet_field *f = uet_headers[part].fields[i];
        if (f->kind != UET_KIND_ENUM || f->width > 8)
            continue;
        for (uint32_t v = 0; v < 1u << f->width && rc == 0; v++)
            if (!gen_value_allowed(f, v))
                rc = try_value(m, "reserved value", f, v, true, of_reserved(f),
                               leads(part, f) ? "/data(44)" : tail);
    }
    return rc;
}

/* ---- what is cut ---- */

static enum uet_parse_error when_short(enum uet_header_id id)
{
    switch (uet_headers[id].layer) {
    case UET_LAYER_LINK:
        return UET_PARSE_ETH_SHORT;
    case UET_LAYER_NET:
        return id == UET_H_UDP       ? UET_PARSE_UDP_SHORT
               : id == UET_H_ENTROPY ? UET_PARSE_ENTROPY_SHORT
                                     : UET_PARSE_IP_SHORT;
    case UET_LAYER_SES:
        return uet_in_ses_ext_atomic(id) || uet_in_ses_ext_rendezvous(id) ? UET_PARSE_SES_EXT_SHORT
                                                                          : UET_PARSE_SES_SHORT;
    case UET_LAYER_TSS:
        return UET_PARSE_TSS_SHORT;
    default:
        return UET_PARSE_PDS_SHORT;
    }
}

/* The header ends after each of its bytes, and IP and UDP lengths agree. */
static int short_headers(struct maker *m, const char *inner)
{
    unsigned bytes = uet_headers[m->now.header].bytes;
    int rc = 0;
    for (unsigned n = 0; n < bytes && rc == 0; n++) {
        bool untyped = n < UET_PDS_PROLOGUE_BYTES && uet_in_tss_hdr(m->now.header);
        rc = add(m, "short", "", untyped ? UET_PARSE_PDS_SHORT : when_short(m->now.header),
                 "%s%s(!bytes=%u%s%s)", m->way, uet_headers[m->now.header].name, n,
                 *inner ? "," : "", inner);
    }
    return rc;
}

/* How much of a frame must be there so that its IP length can be judged. */
static void below_udp(const char *line, size_t *link, size_t *ip)
{
    *link = UET_ETH_BYTES;
    for (const char *p = line; (p = strstr(p, "vlan")); p++)
        *link += UET_VLAN_BYTES;
    *ip = *link + (strstr(line, "ipv6") ? UET_IPV6_BYTES : UET_IPV4_BYTES);
}

/* The frame ends before the IP packet does. */
static int cut_frames(struct maker *m, const char *tail)
{
    char name[WAY + 100];
    size_t link, ip;
    int rc = add(m, "default", "", UET_PARSE_OK, "%s%s%s", m->way, uet_headers[m->now.header].name,
                 tail);
    size_t whole = m->now.len;
    snprintf(name, sizeof name, "%s%s%s", m->way, uet_headers[m->now.header].name, tail);
    below_udp(name, &link, &ip);
    for (size_t n = 1; n <= whole && rc == 0; n++) {
        size_t left = whole - n;
        enum uet_parse_error e = left < link ? UET_PARSE_ETH_SHORT
                                 : left < ip ? UET_PARSE_IP_SHORT
                                             : UET_PARSE_IP_LENGTH;
        rc = add(m, "cut", "", e, "%s/cut(%zu)", name, n);
    }
    return rc;
}

/* ---- headers ---- */

/* Each header that it may follow, over IPv4 and IPv6. */
static int after_each(struct maker *m, const char *tail)
{
    enum uet_header_id id = m->now.header;
    int rc = 0;
    for (int from = 1; from < UET_H_COUNT && rc == 0; from++) {
        char way[WAY];
        if (from == UET_H_PDS_PROLOGUE || m->parents[from] == UET_H_NONE ||
            !follows((enum uet_header_id)from, id))
            continue;
        way_to(m, (enum uet_header_id)from, way, sizeof way);
        rc = add(m, "follows", "", UET_PARSE_OK, "%s%s/%s%s%s", way, uet_headers[from].name,
                 uet_headers[id].name, tail, uet_in_tss_hdr((unsigned)from) && !*tail ? ICV : "");
    }
    if (rc == 0 && uet_headers[id].layer == UET_LAYER_PDS)
        rc = add(m, "follows", "", UET_PARSE_OK, "eth/vlan/ipv6/udp/%s%s/crc", uet_headers[id].name,
                 tail);
    return rc;
}

/* Something like a UET packet must follow what is below PDS, else there is nothing to parse. */
static const char *rest_of(enum uet_header_id id)
{
    return uet_headers[id].layer == UET_LAYER_LINK  ? "/ipv4/udp/nack"
           : id == UET_H_UDP                        ? "/nack"
           : id == UET_H_IPV4 || id == UET_H_IPV6   ? "/udp/nack"
           : uet_headers[id].layer == UET_LAYER_NET ? "/nack"
           : uet_in_tss_hdr(id)                     ? "/nack" ICV
                                                    : tail_of(id);
}

static int about_header(struct maker *m, enum uet_header_id id)
{
    m->now = (struct uet_gen_case){.header = id};
    way_to(m, id, m->way, sizeof m->way);
    const char *tail = rest_of(id);
    int rc = cut_frames(m, tail);
    if (rc == 0)
        rc = field_values(m, id, tail);
    if (rc == 0)
        rc = reserved_bits(m, id, tail);
    if (rc == 0)
        rc = reserved_values(m, id, tail);
    if (rc == 0)
        rc = short_headers(m, "");
    if (rc == 0 && id != UET_H_ETH)
        rc = after_each(m, tail);
    return rc;
}

/* What stands inside another: written as a layer after it, which then says that it is there. */
static int about_inner(struct maker *m, enum uet_header_id id)
{
    m->now = (struct uet_gen_case){.header = id};
    way_to(m, id, m->way, sizeof m->way);
    int rc = add(m, "default", "", UET_PARSE_OK, "%s%s", m->way, uet_headers[id].name);
    if (rc == 0)
        rc = field_values(m, id, "");
    if (rc == 0)
        rc = reserved_bits(m, id, "");
    return rc == 0 ? reserved_values(m, id, "") : rc;
}

/* ---- what is listed ---- */

static int add_listed(void *ctx, const struct gen_listed *l)
{
    struct maker *m = ctx;
    m->now = (struct uet_gen_case){.header = l->header};
    return add(m, l->kind, l->field, l->expect, "%s", l->line);
}

int uet_gen_corpus(int (*take)(void *ctx, const struct uet_gen_case *c), void *ctx, char *error,
                   size_t errlen)
{
    struct maker *m = calloc(1, sizeof *m);
    int rc = 0;
    if (!m)
        return -ENOMEM;
    *m = (struct maker){.take = take, .ctx = ctx, .error = error, .errlen = errlen};
    find_ways(m->parents);
    for (int id = 1; id < UET_H_COUNT && rc == 0; id++) {
        if (m->parents[id] == UET_H_NONE)
            continue;
        rc = stands_inside((enum uet_header_id)id) ? about_inner(m, (enum uet_header_id)id)
                                                   : about_header(m, (enum uet_header_id)id);
    }
    if (rc == 0)
        rc = gen_each_listed(add_listed, m);
    free(m);
    return rc;
}
