/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * covered CAPTURE PDML: is every bit of every UETX packet shown? CAPTURE is from "uetgen corpus
 * --valid", PDML what "tshark -T pdml" says of it. Looked at are the bytes between UDP (or IP, when
 * UET stands right above it) and the end of what IP carries:
 *
 *   - every byte stands in a field of uetx or in the data behind the headers, or is 0 inside one of
 *     the headers: reserved bits are shown only when they are not;
 *   - of a byte that fields share, every bit that is 1 belongs to one of them;
 *   - the data behind the headers are as long as the comment of the packet says: data(24).
 *
 * So no field can be forgotten, and no header can pass for data. Every complaint is a line; exit
 * status 1 then, 2 when a file cannot be read.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "port/capture.h"

#define FRAME_MAX  9600
#define DEEP       32
#define LINE_BYTES (1u << 20)

/* One element that is open: a field counts when nothing of uetx inside it does. */
struct element {
    char name[64];
    unsigned at, n;
    char pattern[128]; /* ".... .000  0... ....", or empty: all bits */
    bool inside;       /* has a field with bytes inside */
    bool proto, hidden;
};

struct packet {
    unsigned number;
    uint8_t bits[FRAME_MAX];   /* those that a field shows */
    uint8_t header[FRAME_MAX]; /* in a header's subtree */
    unsigned from, end;        /* of the protocol; end 0: there is none */
    unsigned data;             /* bytes of data behind the headers */
    unsigned encrypted;
};

struct run {
    struct uet_capture *capture;
    struct packet p;
    struct element open[DEEP];
    unsigned depth, expert; /* expert: the depth in which a remark began, 0 outside */
    unsigned packets, complaints;
};

static void stop(const char *path, const char *what)
{
    fprintf(stderr, "%s: %s\n", path, what);
    exit(2);
}

/* The value of an attribute of an element's line, "" without one; out has size bytes. */
static void attribute(const char *line, const char *name, char *out, size_t size)
{
    char key[32];
    snprintf(key, sizeof key, " %s=\"", name);
    const char *at = strstr(line, key);
    size_t n = 0;
    if (at)
        for (at += strlen(key); *at && *at != '"' && n + 1 < size; at++)
            out[n++] = *at;
    out[n] = '\0';
}

static unsigned number(const char *line, const char *name)
{
    char text[24];
    attribute(line, name, text, sizeof text);
    return (unsigned)strtoul(text, NULL, 10);
}

/* "0101 0... = type: NACK": the bits of the field, when the text begins so and has 8 a byte. */
static void find_pattern(struct element *e, const char *showname)
{
    const char *equals = strstr(showname, " = ");
    size_t n = 0;
    for (const char *c = showname; equals && c < equals; c++) {
        if (*c == ' ')
            continue;
        if (!strchr(".01", *c) || n + 1 >= sizeof e->pattern) {
            n = 0;
            break;
        }
        e->pattern[n++] = *c;
    }
    e->pattern[n == 8u * e->n ? n : 0] = '\0';
}

static void show_bits(struct packet *p, const struct element *e)
{
    for (unsigned i = 0; i < 8 * e->n; i++)
        if (e->at + i / 8 < FRAME_MAX && (!e->pattern[0] || e->pattern[i] != '.'))
            p->bits[e->at + i / 8] |= (uint8_t)(0x80 >> i % 8);
}

static bool is(const struct element *e, const char *name)
{
    return strcmp(e->name, name) == 0;
}

/* The subtree of a header: its own bytes show nothing. */
static bool is_header(const struct element *e)
{
    return is(e, "uetx.pds") || is(e, "uetx.ses") || is(e, "uetx.tss") || is(e, "uetx.native") ||
           is(e, "");
}

static void end_element(struct run *r, const struct element *e)
{
    struct packet *p = &r->p;
    bool ours = strncmp(e->name, "uetx.", 5) == 0, data = is(e, "data.data");
    if (r->expert || e->hidden || e->proto || e->n == 0)
        return;
    if (p->end && is_header(e) && e->at >= p->from && e->at + e->n <= p->end && e->at < FRAME_MAX)
        memset(p->header + e->at, 1, e->n);
    if (e->inside || is_header(e) || (!ours && !data))
        return;
    show_bits(p, e);
    if (data)
        p->data += e->n;
    if (is(e, "uetx.tss.encrypted"))
        p->encrypted += e->n;
}

static void begin_element(struct run *r, const char *line, bool proto)
{
    struct element *e = &r->open[r->depth < DEEP ? r->depth : DEEP - 1];
    char text[256];
    memset(e, 0, sizeof *e);
    attribute(line, "name", e->name, sizeof e->name);
    attribute(line, "hide", text, sizeof text);
    e->hidden = strcmp(text, "yes") == 0;
    e->proto = proto;
    e->at = number(line, "pos");
    e->n = number(line, "size");
    attribute(line, "showname", text, sizeof text);
    find_pattern(e, text);
    if (proto && is(e, "uetx")) {
        r->p.from = e->at;
        r->p.end = e->at + e->n;
    }
    if (!proto && !r->expert && r->depth && e->n && !e->hidden && strcmp(e->name, "_ws.expert"))
        r->open[r->depth - 1].inside = true;
    if (!r->expert && is(e, "_ws.expert"))
        r->expert = r->depth + 1;
}

/* data(24) in the comment: what the packet was made with; 0 without. */
static unsigned data_of(const char *comment)
{
    const char *at = comment ? strstr(comment, "/data(") : NULL;
    return at ? (unsigned)strtoul(at + strlen("/data("), NULL, 10) : 0;
}

static void complain(struct run *r, const char *comment, const char *what, unsigned a, unsigned b)
{
    r->complaints++;
    printf("packet %u: ", r->p.number);
    printf(what, a, b);
    printf(" (%s)\n", comment ? comment : "no comment");
}

static void judge_byte(struct run *r, const struct uet_capture_packet *c, unsigned at)
{
    uint8_t shown = r->p.bits[at], byte = c->data[at];
    if ((byte & ~shown) != 0)
        complain(r, c->comment, "byte %u: bits 0x%02x are not shown", at,
                 (unsigned)(byte & ~shown));
    else if (shown == 0 && !r->p.header[at])
        complain(r, c->comment, "byte %u: undecoded, outside of every header%.0u", at, 0);
}

/* The end of what IP carries, from IP itself. */
static unsigned end_of_ip(const struct uet_capture_packet *c)
{
    unsigned at = 12;
    while (at + 6 < c->caplen && ((c->data[at] == 0x81 && c->data[at + 1] == 0x00) ||
                                  (c->data[at] == 0x88 && c->data[at + 1] == 0xa8)))
        at += 4;
    at += 2;
    if (at + 6 > c->caplen)
        return c->caplen;
    bool v4 = c->data[at] >> 4 == 4;
    const uint8_t *length = c->data + at + (v4 ? 2 : 4);
    return at + (unsigned)(length[0] << 8 | length[1]) + (v4 ? 0 : 40);
}

static void judge(struct run *r)
{
    struct uet_capture_packet c;
    struct packet *p = &r->p;
    if (uet_capture_next(r->capture, &c) != 1)
        stop("the capture", "has fewer packets than the PDML");
    r->packets++;
    if (!p->end) {
        complain(r, c.comment, "is not UETX%.0u%.0u", 0, 0);
        return;
    }
    if (p->end != end_of_ip(&c))
        complain(r, c.comment, "UETX ends at byte %u, IP at %u", p->end, end_of_ip(&c));
    for (unsigned at = p->from; at < p->end && at < c.caplen && at < FRAME_MAX; at++)
        judge_byte(r, &c, at);
    if (!p->encrypted && p->data != data_of(c.comment))
        complain(r, c.comment, "%u bytes stand as data, %u were put there", p->data,
                 data_of(c.comment));
}

static void read_line(struct run *r, const char *line)
{
    line += strspn(line, " ");
    bool proto = strncmp(line, "<proto ", 7) == 0;
    bool leaf = strstr(line, "/>") && line[strlen(line) - 3] == '/';
    if (strncmp(line, "<packet>", 8) == 0) {
        unsigned n = r->p.number + 1;
        memset(&r->p, 0, sizeof r->p);
        r->p.number = n;
        r->depth = r->expert = 0;
    } else if (strncmp(line, "</packet>", 9) == 0) {
        judge(r);
    } else if (proto || strncmp(line, "<field ", 7) == 0) {
        begin_element(r, line, proto);
        if (leaf)
            end_element(r, &r->open[r->depth < DEEP ? r->depth : DEEP - 1]);
        else
            r->depth++;
    } else if (strncmp(line, "</field>", 8) == 0 || strncmp(line, "</proto>", 8) == 0) {
        if (r->depth)
            r->depth--;
        end_element(r, &r->open[r->depth < DEEP ? r->depth : DEEP - 1]);
        if (r->expert > r->depth)
            r->expert = 0;
    }
}

int main(int argc, char **argv)
{
    static struct run r;
    static char line[LINE_BYTES];
    char error[256];
    if (argc != 3)
        stop(argv[0], "needs a capture and what tshark -T pdml says of it");
    if (uet_capture_open(&r.capture, argv[1], error, sizeof error) != 0)
        stop(argv[1], error);
    FILE *pdml = fopen(argv[2], "r");
    if (!pdml)
        stop(argv[2], "cannot be read");
    while (fgets(line, sizeof line, pdml))
        read_line(&r, line);
    struct uet_capture_packet c;
    if (uet_capture_next(r.capture, &c) != 0)
        stop(argv[2], "ends before the capture");
    uet_capture_close(r.capture);
    fclose(pdml);
    printf("%u packets, %u complaints\n", r.packets, r.complaints);
    return r.complaints != 0 || r.packets == 0;
}
