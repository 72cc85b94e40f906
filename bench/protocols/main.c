/* SPDX-License-Identifier: BSD-2-Clause */
/* uet-protocols: the paper's table of three protocols, measured beside its formulas. */
#include "bench/protocols/protocols.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/bad_option.h"

static const char usage[] =
    "usage: uet-protocols [--small] [--window PERCENT] [--plot FILE]\n"
    "When a message is there that one reference FEP sends to another by rendezvous, by deferrable\n"
    "send, or when its receiver asks for it: measured in virtual time beside the formula of the\n"
    "paper. docs/ses.md tells what is measured.\n"
    "  --small           three sizes and one latency\n"
    "  --window PERCENT  of the window that the model asks for (100)\n"
    "  --plot FILE       the same as SVG\n"
    "exit status: 0; 1 a message is a packet time off its formula, or more; 2 usage\n";

static const uint64_t latencies[] = {20000, 100000};
static const uint32_t sizes[] = {4096, 32768, 262144, 1048576, 4194304};
static const uint32_t few_sizes[] = {4096, 262144, 1048576};

enum { MAX_ROWS = 2 * 5 * 2 * PROTOCOLS };

/* What is expected, or large, is not buffered. */
static bool happens(const struct cell *c)
{
    return c->protocol != BUFFERED || (!c->expected && !model_is_large(c));
}

struct options {
    bool small;
    uint32_t window;
    const char *plot;
};

/* ---- the table ---- */

static double packets_off(uint64_t took_ns, uint64_t model_ns)
{
    return ((double)took_ns - (double)model_ns) / (double)model_packet_ns();
}

static bool within_a_packet(uint64_t took_ns, uint64_t model_ns)
{
    double off = packets_off(took_ns, model_ns);
    return off >= -1 && off <= 1;
}

static void print_title(const struct cell *c)
{
    printf("\nlatency one way a = %llu ns; window and eager part %u and %u bytes\n"
           "%-8s %-10s %-18s %-14s %11s %11s %8s  %s\n",
           (unsigned long long)c->latency_ns, c->window,
           model_eager(&(struct cell){.bytes = UINT32_MAX, .window = c->window}), "bytes",
           "receive", "protocol", "formula", "is, ns", "run, ns", "packets",
           "t_r + a + bs literally");
}

/* Prints it; is it what the formula says? */
static bool print_row(const struct row *r)
{
    const struct cell *c = &r->cell;
    const uint64_t ns = row_took(r);
    bool good = within_a_packet(ns, r->model.asked);
    char literal[64] = "";
    if (r->model.literal != r->model.asked)
        snprintf(literal, sizeof literal, "%llu: %+.2f packets",
                 (unsigned long long)r->model.literal, packets_off(ns, r->model.literal));
    printf("%-8u %-10s %-18s %-14s %11llu %11llu %+8.2f  %s%s\n", c->bytes,
           c->expected ? "expected" : "unexpected", protocol_names[c->protocol], r->model.formula,
           (unsigned long long)r->model.asked, (unsigned long long)ns,
           packets_off(ns, r->model.asked), literal, good ? "" : "  OFF");
    return good;
}

static bool run_row(struct row *r)
{
    r->model = model_of(&r->cell);
    return exchange(&r->cell, &r->measured) && print_row(r);
}

/* All messages at one latency: rows from `rows` on; how many are off. */
static size_t run_latency(const struct options *o, uint64_t latency, struct row *rows, size_t *n)
{
    const uint32_t *size = o->small ? few_sizes : sizes;
    size_t n_sizes = o->small ? sizeof few_sizes / sizeof *few_sizes : sizeof sizes / sizeof *sizes;
    size_t off = 0;
    struct cell c = {.latency_ns = latency, .window = model_window(latency, o->window)};
    print_title(&c);
    for (size_t i = 0; i < n_sizes; i++)
        for (int unexpected = 0; unexpected < 2; unexpected++)
            for (int p = 0; p < PROTOCOLS; p++) {
                c.protocol = (enum protocol)p;
                c.expected = !unexpected;
                c.bytes = size[i];
                if (!happens(&c))
                    continue;
                rows[*n].cell = c;
                off += !run_row(&rows[(*n)++]);
            }
    return off;
}

static size_t run_all(const struct options *o, struct row *rows, size_t *n_rows)
{
    size_t n = 0, off = 0, n_latencies = o->small ? 1 : sizeof latencies / sizeof *latencies;
    printf(
        "Completion at the receiver, since t_s (expected) or t_r (unexpected). bs: the frames of\n"
        "the message on the line, %llu ns a packet of %u bytes; ACKs take no time.\n",
        (unsigned long long)model_packet_ns(), PAYLOAD_MTU);
    for (size_t i = 0; i < n_latencies; i++)
        off += run_latency(o, latencies[i], rows, &n);
    *n_rows = n;
    printf("\n%zu of %zu within one packet time of their formula%s\n", n - off, n,
           off ? ""
               : "; unexpected messages\n"
                 "that are not buffered equal t_r + 2a + bs, with the way of the request to go on");
    return off;
}

/* ---- options ---- */

static int bad(const char *what)
{
    fprintf(stderr, "uet-protocols: %s; see uet-protocols --help\n", what);
    return 2;
}

static bool percent(const char *text, uint32_t *out)
{
    char *end;
    unsigned long n = strtoul(text, &end, 10);
    *out = (uint32_t)n;
    return end != text && !*end && n >= 1 && n <= 1000;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {{"small", no_argument, NULL, 's'},
                                            {"window", required_argument, NULL, 'w'},
                                            {"plot", required_argument, NULL, 'p'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    static struct row rows[MAX_ROWS];
    struct options o = {.window = 100};
    size_t n = 0;
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":", options, NULL)) != -1;)
        switch (c) {
        case 's':
            o.small = true;
            break;
        case 'w':
            if (!percent(optarg, &o.window))
                return bad("--window takes a number from 1 to 1000");
            break;
        case 'p':
            o.plot = optarg;
            break;
        case 'h':
            fputs(usage, stdout);
            return 0;
        default:
            return uet_bad_option("uet-protocols", c, argv, options);
        }
    if (optind < argc)
        return bad("it takes options only");
    size_t off = run_all(&o, rows, &n);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fputs("uet-protocols: standard output cannot be written\n", stderr);
        return 2;
    }
    if (o.plot && !plot(o.plot, rows, n)) {
        fprintf(stderr, "uet-protocols: %s cannot be written\n", o.plot);
        return 2;
    }
    return off ? 1 : 0;
}
