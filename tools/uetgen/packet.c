/* SPDX-License-Identifier: BSD-2-Clause */
/* uetgen packet: the packets of a line, as a capture, in hexadecimal or as JSON. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "port/pcapng.h"
#include "tools/bad_option.h"
#include "tools/idle_option.h"
#include "tools/uetgen/command.h"
#include "wire/json.h"

const char uetgen_packet_help[] =
    "uetgen packet [OPTION...] LINE\n"
    "\n"
    "Makes the packets that LINE describes: layers separated by /, each a header with what is\n"
    "special about it in parentheses. Everything else gets what makes the packet right.\n"
    "\n"
    "  -o, --output FILE  write a capture (pcapng); - is standard output\n"
    "      --hex          one line of hexadecimal for each packet (the default without -o)\n"
    "      --json         one JSON object a line for each packet: its line, bytes and fields\n"
    "      --repeat N     all packets N times over (default 1)\n"
    "      --interval T   time between packets in the capture: 1us (default), 250ns, 1ms ..\n"
    "      --comment      the line of each packet as its comment in the capture\n"
    "      --limit N      packets that LINE may stand for (default 1000000)\n"
    "      --help\n"
    "\n"
    "Lists make a packet for each value: psn=1..100, psn=0..1000+10, opcode={write,send}; several\n"
    "lists make all combinations, the last one running fastest. `!` before a field makes the\n"
    "packet wrong on purpose. `uetgen list` shows the names of layers, `uetgen list LAYER` its\n"
    "fields; the whole language is in uetgen(1).\n"
    "\n"
    "Exit status: 0 done, 1 the output could not be written, 2 the line or an option is wrong.\n"
    "\n"
    "Examples:\n"
    "  uetgen packet 'eth/ip/udp/pds.rud_req(psn=5,syn=1)/ses.std(opcode=write)/data(64)'\n"
    "  uetgen packet 'eth/ip(src=192.0.2.11)/udp/pds.ack(cack_psn=1..100)' -o acks.pcapng\n"
    "  uetgen packet 'eth/ip/udp(!length=3)/pds.nack(!nack_code=0..255)/crc' -o bad.pcapng\n"
    "  uetgen packet 'pds.cp.close(psn=7)' --hex\n"
    "  uetgen packet 'eth/ip/udp/pds.rud_req/ses.std/data(64)' -o - | tshark -r - -V\n";

struct options {
    const char *output;
    bool hex, json, comment;
    uint64_t repeat, interval_ns, limit;
};

struct job {
    const struct options *o;
    const char *line;
    struct uet_gen *gen;
    struct uet_pcapng *capture;
    uint64_t time_ns;
    uint8_t frame[UET_FRAME_MAX];
    char text[UET_GEN_LINE_MAX * 2];
};

static void show_hex(const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        printf("%02x", bytes[i]);
    putchar('\n');
}

static int show_json(struct job *j, uint64_t i, size_t len, const struct uet_gen_about *about)
{
    struct uet_packet p;
    const struct uet_parse_options options = {
        .protect = about->protect, .start = about->start, .lenient = true};
    uet_parse(&p, j->frame, len, &options);
    json_t *object = uet_json_packet(&p);
    char *hex = j->text + UET_GEN_LINE_MAX; /* the upper half, two digits for each byte */
    uet_gen_line(j->gen, i, j->text, UET_GEN_LINE_MAX);
    for (size_t k = 0; k < len; k++)
        snprintf(hex + 2 * k, 3, "%02x", j->frame[k]);
    int bad = json_object_set_new(object, "line", json_string(j->text));
    bad |= json_object_set_new(object, "hex", json_string(hex));
    bad |= json_object_set_new(object, "wrong", json_boolean(about->wrong));
    if (bad)
        fputs("uetgen packet: out of memory\n", stderr);
    else if (json_dumpf(object, stdout, JSON_COMPACT) == 0)
        putchar('\n');
    json_decref(object);
    return bad ? UETGEN_FAILED : UETGEN_DONE;
}

static int write_frame(struct job *j, const char *comment, size_t len)
{
    int rc = uet_pcapng_write(j->capture, j->frame, (uint32_t)len, j->time_ns,
                              UET_DIRECTION_UNKNOWN, comment);
    j->time_ns += j->o->interval_ns;
    if (rc == 0)
        return UETGEN_DONE;
    fprintf(stderr, "uetgen packet: %s: %s\n", j->o->output, strerror(-rc));
    return UETGEN_FAILED;
}

static int one_packet(struct job *j, uint64_t i)
{
    struct uet_gen_about about;
    struct uet_gen_error error;
    int n = uet_gen_packet(j->gen, i, j->frame, sizeof j->frame, &about, &error);
    if (n < 0)
        return uetgen_line_error(j->line, &error);
    if (j->o->hex)
        show_hex(j->frame, (size_t)n);
    int status = j->o->json ? show_json(j, i, (size_t)n, &about) : UETGEN_DONE;
    if (!j->capture || status != UETGEN_DONE)
        return status;
    if (about.start != UET_START_ETH) {
        fputs("uetgen packet: a capture holds Ethernet frames: begin the line with eth/, or take "
              "--hex\n",
              stderr);
        return UETGEN_USAGE;
    }
    if (j->o->comment)
        uet_gen_line(j->gen, i, j->text, sizeof j->text);
    return write_frame(j, j->o->comment ? j->text : NULL, (size_t)n);
}

/* One packet many times needs to be made but once. */
static int all_packets(struct job *j)
{
    uint64_t count = uet_gen_count(j->gen);
    bool once = count == 1 && j->capture && !j->o->hex && !j->o->json && !j->o->comment;
    int status = UETGEN_DONE;
    for (uint64_t r = 0; r < j->o->repeat && status == UETGEN_DONE; r++) {
        if (once && r > 0)
            break;
        for (uint64_t i = 0; i < count && status == UETGEN_DONE; i++)
            status = one_packet(j, i);
    }
    if (!once || status != UETGEN_DONE)
        return status;
    struct uet_gen_error error;
    int n = uet_gen_packet(j->gen, 0, j->frame, sizeof j->frame, NULL, &error);
    for (uint64_t r = 1; r < j->o->repeat && status == UETGEN_DONE; r++)
        status = write_frame(j, NULL, (size_t)n);
    return status;
}

static int run(struct job *j)
{
    char err[300];
    struct uet_gen_error error;
    int rc = uet_gen_new(&j->gen, j->line, j->o->limit, &error);
    if (rc == -ENOMEM)
        return fputs("uetgen packet: out of memory\n", stderr), UETGEN_FAILED;
    if (rc)
        return uetgen_line_error(j->line, &error);
    /* A line that cannot be made must not leave an empty file behind. */
    if (uet_gen_packet(j->gen, 0, j->frame, sizeof j->frame, NULL, &error) < 0)
        return uetgen_line_error(j->line, &error);
    if (j->o->output && uet_pcapng_open(&j->capture, j->o->output, err, sizeof err) != 0)
        return fprintf(stderr, "uetgen packet: %s\n", err), UETGEN_USAGE;
    int status = all_packets(j);
    rc = j->capture ? uet_pcapng_close(j->capture) : 0;
    if (rc && status == UETGEN_DONE) {
        fprintf(stderr, "uetgen packet: %s: %s\n", j->o->output, strerror(-rc));
        status = UETGEN_FAILED;
    }
    return status;
}

enum { OPT_HEX = 256, OPT_JSON, OPT_REPEAT, OPT_INTERVAL, OPT_COMMENT, OPT_LIMIT };

static const struct option long_options[] = {
    {"output", required_argument, NULL, 'o'},
    {"hex", no_argument, NULL, OPT_HEX},
    {"json", no_argument, NULL, OPT_JSON},
    {"repeat", required_argument, NULL, OPT_REPEAT},
    {"interval", required_argument, NULL, OPT_INTERVAL},
    {"comment", no_argument, NULL, OPT_COMMENT},
    {"limit", required_argument, NULL, OPT_LIMIT},
    {0},
};

static bool take_option(struct options *o, int option)
{
    switch (option) {
    case 'o':
        o->output = optarg;
        return true;
    case OPT_HEX:
        o->hex = true;
        return true;
    case OPT_JSON:
        o->json = true;
        return true;
    case OPT_COMMENT:
        o->comment = true;
        return true;
    case OPT_REPEAT:
        return uetgen_number("packet", "--repeat", optarg, 1, UINT32_MAX, &o->repeat);
    case OPT_INTERVAL:
        return uetgen_time("packet", "--interval", optarg, &o->interval_ns);
    default:
        return uetgen_number("packet", "--limit", optarg, 1, UINT32_MAX, &o->limit);
    }
}

int uetgen_packet(int argc, char **argv)
{
    static const struct uet_idle_option idle[] = {
        {"interval", NULL, "output"}, {"comment", NULL, "output"}, {NULL, NULL, NULL}};
    struct options o = {.repeat = 1, .interval_ns = 1000, .limit = UET_GEN_COUNT_MAX};
    int c;
    opterr = 0;
    while ((c = getopt_long(argc, argv, ":o:", long_options, NULL)) != -1) {
        if (c == '?' || c == ':')
            return uet_bad_option("uetgen packet", c, argv, long_options);
        if (!take_option(&o, c))
            return UETGEN_USAGE;
    }
    if (uet_idle_options("uetgen packet", argc, argv, ":o:", long_options, idle, NULL) >= 0)
        return UETGEN_USAGE;
    if (o.output && strcmp(o.output, "-") == 0 && (o.hex || o.json)) {
        fputs("uetgen packet: -o - and --hex or --json would both write to standard output: give "
              "one\n",
              stderr);
        return UETGEN_USAGE;
    }
    if (argc - optind != 1) {
        fprintf(stderr,
                "uetgen packet: give one line, in single quotes; %s. See uetgen packet --help\n",
                argc == optind ? "there is none" : "there are several arguments");
        return UETGEN_USAGE;
    }
    o.hex = o.hex || (!o.output && !o.json);
    struct job *j = calloc(1, sizeof *j);
    if (!j)
        return fputs("uetgen packet: out of memory\n", stderr), UETGEN_FAILED;
    j->o = &o;
    j->line = argv[optind];
    int status = run(j);
    uet_gen_free(j->gen);
    free(j);
    return status;
}
