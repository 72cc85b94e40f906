/* SPDX-License-Identifier: BSD-2-Clause */
/* uetcat decode: bytes and captures in words. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gen/lang.h"
#include "port/capture.h"
#include "tools/uetcat/args.h"
#include "tools/uetcat/command.h"
#include "tools/uetcat/decode_header.h"
#include "tools/uetcat/hex.h"
#include "wire/captured/reader.h"
#include "wire/json.h"
#include "wire/print.h"
#include "wire/secret.h"

enum { MAX_HEX = UET_FRAME_MAX, TEXT_MAX = 1 << 17 };

struct decoder {
    struct uet_parse_options options;
    struct uet_trailer_guess trailer; /* of HEX */
    bool any_order;
    bool json, verbose, brief, as_spec;
    struct uet_keyring *keys;  /* NULL: none given */
    const char *header;        /* HEX is this one alone */
    int status;                /* of reading that */
    unsigned long number;      /* packets seen */
    unsigned long uet;         /* of them UET */
    unsigned long other;       /* not UET, though their link type is read */
    unsigned long damaged;     /* of the UET packets not well formed */
    unsigned long sealed;      /* of the UET packets with a TSS header */
    uint8_t clear[UINT16_MAX]; /* a packet that was opened */
    char text[TEXT_MAX];
};

/* One packet's place in its capture; NULL for HEX. */
struct place {
    uint64_t time_ns;
    const char *comment;
    enum uet_direction direction;
    uint32_t missing; /* bytes that the capture left away */
    const char *via;  /* the tunnel that it was in, or NULL */
    bool other;       /* it is not UET, or not enough of it to tell */
    bool cut;         /* the capture stops in a header below UET */
    uint32_t unread;  /* the link type, when it is not read; else 0 */
};

static void show_json(struct decoder *d, const struct uet_packet *p, const struct place *place)
{
    json_t *j = uet_json_packet(p);
    int bad = json_object_set_new(j, "number", json_integer((json_int_t)d->number));
    if (place) {
        json_t *time =
            json_sprintf("%llu.%09llu", (unsigned long long)(place->time_ns / 1000000000),
                         (unsigned long long)(place->time_ns % 1000000000));
        bad |= json_object_set_new(j, "time", time);
        if (place->direction != UET_DIRECTION_UNKNOWN)
            bad |= json_object_set_new(
                j, "direction", json_string(place->direction == UET_DIRECTION_IN ? "in" : "out"));
        if (place->missing)
            bad |= json_object_set_new(j, "missing", json_integer(place->missing));
        if (place->via)
            bad |= json_object_set_new(j, "via", json_string(place->via));
        if (place->unread)
            bad |= json_object_set_new(j, "link_type", json_integer(place->unread));
        if (place->comment) /* a file's comment need not be UTF-8 */
            bad |= json_object_set_new(j, "comment", json_string(place->comment) ?: json_null());
    }
    if (bad)
        fputs("uetcat decode: out of memory\n", stderr);
    else if (json_dumpf(j, stdout, JSON_COMPACT) == 0)
        putchar('\n');
    json_decref(j);
}

static void show_text(struct decoder *d, const struct uet_packet *p, const struct place *place)
{
    uet_print_addressed(d->text, sizeof d->text, p);
    if (place)
        printf("%5lu %llu.%06llu %s%s", d->number,
               (unsigned long long)(place->time_ns / 1000000000),
               (unsigned long long)(place->time_ns % 1000000000 / 1000),
               place->direction == UET_DIRECTION_IN    ? "< "
               : place->direction == UET_DIRECTION_OUT ? "> "
                                                       : "",
               d->text);
    else
        printf("%s", d->text);
    if (place && place->via)
        printf(" [in %s]", place->via);
    if (place && place->unread)
        printf(" (link type %u is not read)", place->unread);
    if (place && place->missing)
        printf(" (cut short by the capture, %u bytes not captured)", place->missing);
    else if (place && place->cut)
        printf(" (cut short by the capture)");
    putchar('\n');
    if (place ? d->verbose : !d->brief) {
        uet_print_packet(d->text, sizeof d->text, p);
        puts(d->text);
    }
}

static void show_spec(struct decoder *d, const uint8_t *bytes, size_t len, uint8_t start)
{
    struct uet_parse_options o = d->options;
    o.start = start;
    if (uet_gen_describe(bytes, len, &o, d->text, sizeof d->text) < 0)
        snprintf(d->text, sizeof d->text, "# packet %lu: more than %d bytes", d->number,
                 UET_FRAME_MAX);
    puts(d->text);
}

/* bytes, len: what was captured of p's frame, or all of it. */
static void show(struct decoder *d, const struct uet_packet *p, const uint8_t *bytes, size_t len,
                 const struct place *place)
{
    d->number++;
    const bool other = p->error == UET_PARSE_NOT_UET || (place && place->other);
    d->uet += !other;
    d->other += other && !(place && place->unread);
    /* What a short snapshot length or a mirror cut is not the sender's fault. */
    bool cut = place && (place->missing || place->cut);
    d->damaged += uet_parse_malformed(p) && !cut;
    d->sealed += p->tss != 0;
    if (d->as_spec)
        show_spec(d, bytes, len, p->start);
    else if (d->json)
        show_json(d, p, place);
    else
        show_text(d, p, place);
}

static void show_hex(struct decoder *d, const uint8_t *bytes, size_t len)
{
    struct uet_packet p;
    if (d->options.protect == UET_PROTECT_AUTO && d->any_order)
        uet_parse(&p, bytes, len, &d->options); /* one packet tells nothing of its sender */
    else
        uet_trailer_parse(&d->trailer, &p, bytes, len, d->options);
    if (d->keys && p.tss)
        uet_keyring_open(d->keys, &p, p.len, &d->options, d->clear);
    show(d, &p, bytes, len, NULL);
}

/* Nothing is UET: at which port and protocol it was sought. */
static void note_nothing(const struct uet_parse_options *o)
{
    fprintf(stderr,
            "uetcat decode: no packet goes to UDP port %u or is of IP protocol %u; give --udp-port "
            "or --ip-protocol where UET has another\n",
            (unsigned)(o->udp_port ? o->udp_port : UET_UDP_PORT),
            (unsigned)(o->ip_protocol ? o->ip_protocol : UET_IPPROTO_UET_EXPERIMENTAL));
}

/* Of what was read to its end. */
static int verdict(const struct decoder *d)
{
    if (d->other && !d->uet && d->options.start != UET_START_PDS)
        note_nothing(&d->options);
    if (d->keys && d->uet && !d->sealed)
        fputs("uetcat decode: --keys: no effect, as nothing there is sealed\n", stderr);
    return d->uet && !d->damaged ? UETCAT_YES : UETCAT_NO;
}

/* What is not UET is shown as far as its link type is one that the parser begins with. */
static void show_other(struct decoder *d, const struct uet_capture_packet *c, struct place *place,
                       enum uet_decap_end end)
{
    struct uet_parse_options o = d->options;
    struct uet_packet p = {
        .frame = c->data, .len = c->caplen, .start = UET_START_IP, .error = UET_PARSE_NOT_UET};
    o.start = c->linktype == UET_LINKTYPE_ETHERNET ? UET_START_ETH : UET_START_IP;
    if (end == UET_DECAP_LINK_TYPE)
        place->unread = c->linktype;
    else if (c->linktype == UET_LINKTYPE_ETHERNET || c->linktype == UET_LINKTYPE_RAW_IP)
        uet_parse(&p, c->data, c->caplen, &o);
    place->cut = end == UET_DECAP_CUT;
    if ((end == UET_DECAP_NOT_UET || place->cut) && p.error != UET_PARSE_NOT_UET) {
        p.error = UET_PARSE_NOT_UET; /* whatever is wrong with it is not of interest */
        p.error_offset = 0;
    }
    place->other = true;
    show(d, &p, c->data, c->caplen, place);
}

static void show_captured(struct decoder *d, struct uet_reader *reader,
                          const struct uet_capture_packet *c)
{
    struct place place = {.time_ns = c->time_ns,
                          .comment = c->comment,
                          .direction = c->direction,
                          .missing = c->len - c->caplen};
    struct uet_packet p;
    struct uet_inner inner;
    enum uet_decap_end end =
        uet_reader_take(reader, c->linktype, c->data, c->caplen, c->len, &p, &inner);
    if (end != UET_DECAP_UET) {
        show_other(d, c, &place, end);
        return;
    }
    place.missing = inner.len - inner.caplen;
    place.via = inner.tunnelled ? inner.via : NULL;
    show(d, &p, c->data + inner.offset, inner.caplen, &place);
}

/* Nothing else tells that a FEP writes its CRC in the other byte order. */
static void note_trailers(const struct uet_trailers *t)
{
    if (t->good[UET_CRC_LITTLE_ENDIAN])
        fprintf(stderr, "uetcat decode: little-endian CRC trailers: %u; 3.5.25 has big-endian\n",
                t->good[UET_CRC_LITTLE_ENDIAN]);
    if (t->unwanted)
        fprintf(stderr, "uetcat decode: packets look as if they ended in CRC trailers: use --crc "
                        "crc\n");
    if (t->other)
        fprintf(stderr,
                "uetcat decode: %u of the wrong CRC trailers are right in the other byte order: "
                "see --crc-order\n",
                t->other);
}

static int decode_capture(struct decoder *d, const char *path)
{
    char err[300];
    struct uet_capture *capture;
    struct uet_capture_packet packet;
    if (d->options.start != UET_START_ETH) {
        fprintf(stderr,
                "uetcat decode: --%s has no effect on a capture, which says itself where packets "
                "begin: leave it out\n",
                d->options.start == UET_START_IP ? "ip" : "pds");
        return UETCAT_USAGE;
    }
    int r = uet_capture_open(&capture, path, err, sizeof err);
    if (r < 0) {
        fprintf(stderr, "uetcat decode: %s\n", err);
        return UETCAT_USAGE;
    }
    struct uet_reader *reader = uet_reader_new(&d->options, d->any_order, d->keys);
    if (!reader) {
        fputs("uetcat decode: out of memory\n", stderr);
        uet_capture_close(capture);
        return UETCAT_USAGE;
    }
    while ((r = uet_capture_next(capture, &packet)) > 0)
        show_captured(d, reader, &packet);
    note_trailers(uet_reader_trailers(reader));
    uet_reader_free(reader);
    if (r < 0)
        fprintf(stderr, "uetcat decode: %s\n", uet_capture_error(capture));
    uet_capture_close(capture);
    return r < 0 ? UETCAT_USAGE : verdict(d);
}

/* where: "line 3 of standard input", for the message. Shows the packet, or says what is wrong. */
static bool decode_hex(struct decoder *d, const char *text, const char *where)
{
    uint8_t *bytes = malloc(MAX_HEX);
    size_t at = 0;
    long n = bytes ? uetcat_hex(text, bytes, MAX_HEX, &at) : -1;
    /* The copy has no byte more than was given: a reader of more shows under ASan. */
    uint8_t *exact = n > 0 ? realloc(bytes, (size_t)n) : NULL;
    if (exact && d->header)
        d->status = uetcat_decode_header(d->header, exact, (size_t)n, d->json);
    else if (exact)
        show_hex(d, exact, (size_t)n);
    else if (n == 0)
        fprintf(stderr, "uetcat decode: %s: no bytes; give a packet in hexadecimal\n", where);
    else if (!text[at])
        fprintf(stderr, "uetcat decode: %s: ends in half a byte; add or take away a digit\n",
                where);
    else
        fprintf(stderr,
                "uetcat decode: %s: character %zu, '%.1s', is no hexadecimal digit that fits "
                "there (at most %d bytes, two digits each)\n",
                where, at + 1, isprint((unsigned char)text[at]) ? text + at : "?", MAX_HEX);
    free(exact ? exact : bytes);
    return exact != NULL;
}

static int decode_lines(struct decoder *d)
{
    char *line = NULL, where[64];
    size_t cap = 0;
    bool good = true;
    for (unsigned long number = 1; good && getline(&line, &cap, stdin) >= 0; number++) {
        line[strcspn(line, "#\r\n")] = '\0';
        if (!line[strspn(line, " \t")])
            continue;
        snprintf(where, sizeof where, "line %lu of standard input", number);
        good = decode_hex(d, line, where);
    }
    free(line);
    return good ? verdict(d) : UETCAT_USAGE;
}

/* Captures begin with 0x0a (pcapng), 0xa1, 0xd4 or 0x4d (pcap): none begins a line of hex. */
static int decode_stdin(struct decoder *d)
{
    int first = getchar();
    if (first == EOF) {
        fputs("uetcat decode: standard input is empty; give a capture or lines of hexadecimal\n",
              stderr);
        return UETCAT_USAGE;
    }
    ungetc(first, stdin);
    bool text = isxdigit(first) || first == '#' || first == ' ' || first == '\t';
    return text ? decode_lines(d) : decode_capture(d, "-");
}

/* The arguments joined by blanks, so that a header may be written word by word. */
static int decode_words(struct decoder *d, int n, char **words)
{
    size_t size = 1, at = 0;
    for (int i = 0; i < n; i++)
        size += strlen(words[i]) + 1;
    char *text = calloc(1, size);
    if (!text) {
        fputs("uetcat decode: out of memory\n", stderr);
        return UETCAT_USAGE;
    }
    for (int i = 0; i < n; i++)
        at += (size_t)snprintf(text + at, size - at, i ? " %s" : "%s", words[i]);
    bool good = decode_hex(d, text, "HEX");
    free(text);
    return !good ? UETCAT_USAGE : d->header ? d->status : verdict(d);
}

static int decode_input(struct decoder *d, int n, char **words)
{
    struct stat st;
    if (n == 0) {
        fputs("uetcat decode: nothing to decode; give HEX, a capture FILE, or - for standard "
              "input\n",
              stderr);
        return UETCAT_USAGE;
    }
    if (d->header)
        return decode_words(d, n, words);
    if (n == 1 && strcmp(words[0], "-") == 0)
        return decode_stdin(d);
    if (n == 1 && stat(words[0], &st) == 0)
        return decode_capture(d, words[0]);
    if (n == 1 && words[0][strspn(words[0], "0123456789abcdefABCDEFxX:-, ")]) {
        fprintf(stderr, "uetcat decode: '%s' is neither a file that is there nor hexadecimal\n",
                words[0]);
        return UETCAT_USAGE;
    }
    return decode_words(d, n, words);
}

static bool read_keys(struct decoder *d, const char *path)
{
    char err[512];
    uet_keyring_free(d->keys);
    d->keys = uet_keyring_read(path, err, sizeof err);
    if (*err)
        fprintf(stderr, "uetcat decode: %s%s\n", d->keys ? "" : "--keys: ", err);
    /* What the system does not lock is told by programs that stay. */
    (void)uet_secrets_guard(err, sizeof err);
    return d->keys != NULL;
}

static bool take_order(struct decoder *d, const char *text)
{
    d->any_order = !text || strcmp(text, "auto") == 0;
    if (d->any_order)
        return true;
    d->options.crc_order = strcmp(text, "little") == 0 ? UET_CRC_LITTLE_ENDIAN : UET_CRC_BIG_ENDIAN;
    if (strcmp(text, "big") == 0 || strcmp(text, "little") == 0)
        return true;
    fprintf(stderr, "uetcat decode: --crc-order '%s': give auto, big or little\n", text);
    return false;
}

static bool prepare(struct decoder *d, const struct uetcat_args *a)
{
    enum uet_protect protect = UET_PROTECT_AUTO;
    uint64_t n = 0;
    if ((a->crc && !uetcat_protect("decode", a->crc, true, &protect)) ||
        !take_order(d, a->crc_order) ||
        (a->ip_protocol && !uetcat_number("decode", "--ip-protocol", a->ip_protocol, 1, 255, &n)) ||
        (a->keys && !read_keys(d, a->keys)))
        return false;
    d->options.lenient = true;
    d->options.protect = (uint8_t)protect;
    if (a->crc_order && protect == UET_PROTECT_NONE) {
        fputs("uetcat decode: --crc-order has no effect with --crc none: leave it out\n", stderr);
        return false;
    }
    d->options.ip_protocol = (uint8_t)n;
    d->options.udp_port = (uint16_t)a->udp_port;
    d->options.variants = a->variants;
    d->options.start = a->pds ? UET_START_PDS : a->ip ? UET_START_IP : UET_START_ETH;
    d->json = a->json;
    d->verbose = a->verbose;
    d->brief = a->quiet;
    d->as_spec = a->as_spec;
    d->header = a->header;
    d->trailer = (struct uet_trailer_guess){.protect = d->options.protect,
                                            .any_order = d->any_order,
                                            .crc_order = d->options.crc_order};
    return true;
}

static int run(int argc, char **argv)
{
    struct uetcat_args *a = uetcat_args_new(&uetcat_decode);
    struct decoder *d = calloc(1, sizeof *d);
    int status = UETCAT_USAGE;
    if (a && !d)
        fputs("uetcat decode: out of memory\n", stderr);
    if (a && d && uetcat_options(&uetcat_decode, a, argc, argv, NULL, NULL) && prepare(d, a))
        status = decode_input(d, a->n_words, a->words);
    if (d)
        uet_keyring_free(d->keys);
    free(d);
    free(a);
    return status;
}

static const struct uetcat_use uses[] = {
    {UETCAT_IP, NULL},
    {UETCAT_PDS, NULL},
    {UETCAT_CRC, "whether packets end in a CRC trailer, or auto; nothing on the wire says so.\n"
                 "auto (the default) finds it out from the packets"},
    {UETCAT_CRC_ORDER, "its byte order, or auto; auto (the default) takes either"},
    {UETCAT_UDP_PORT, NULL},
    {UETCAT_IP_PROTOCOL, "the IP protocol of UET without UDP (default 253)"},
    {UETCAT_KEYS, NULL},
    {UETCAT_VARIANTS, NULL},
    {UETCAT_JSON, "one JSON object a line for each packet"},
    {UETCAT_VERBOSE, "every field of packets from captures, not one line for each"},
    {UETCAT_QUIET, "one line for HEX, too"},
    {UETCAT_AS_SPEC, NULL},
    {UETCAT_HEADER, NULL},
    {0}};

static const struct uet_idle_option idle[] = {
    {"ip", "pds", NULL},          {"keys", "pds", NULL},       {"udp-port", "pds", NULL},
    {"ip-protocol", "pds", NULL}, {"json", "as-spec", NULL},   {"verbose", "as-spec", NULL},
    {"quiet", "as-spec", NULL},   {"keys", "as-spec", NULL},   {"verbose", "json", NULL},
    {"quiet", "json", NULL},      {"verbose", "quiet", NULL},  {"ip", "header", NULL},
    {"pds", "header", NULL},      {"crc", "header", NULL},     {"crc-order", "header", NULL},
    {"udp-port", "header", NULL}, {"keys", "header", NULL},    {"ip-protocol", "header", NULL},
    {"variants", "header", NULL}, {"verbose", "header", NULL}, {"quiet", "header", NULL},
    {"as-spec", "header", NULL},  {NULL, NULL, NULL}};

const struct uetcat_command uetcat_decode = {
    .name = "decode",
    .purpose = "what do these bytes, or this capture, say",
    .synopsis = "[OPTION...] HEX... | FILE | -\n--header NAME [--json] HEX...",
    .text =
        "Shows the Ultra Ethernet Transport packets in HEX (an Ethernet frame), in FILE (pcap or\n"
        "pcapng) or on standard input (a capture, or lines of HEX, one packet each; # begins a\n"
        "comment). In captures it is found behind Ethernet, Linux cooked (-i any), loopback and\n"
        "raw IP, in VLANs, MPLS, VXLAN, Geneve, GRE and ERSPAN.\n",
    .uses = uses,
    .idle = idle,
    .status =
        "Exit status: 0 every UET packet was well formed, 1 one was not or there was none, 2\n"
        "the arguments or the file are wrong.\n",
    .examples = "--pds 5a08 0000 1234567b 1001 2001 00000000\n"
                "capture.pcapng\n"
                "--header nack --json 5000 0e00 12345678 0000 1001 00000000\n"
                "--as-spec capture.pcapng\n"
                "--json capture.pcapng | jq -r .summary\n",
    .run = run,
};
