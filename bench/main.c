/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * uet-bench: how long the everyday things take, each beside something measured on the same machine
 * in the same run, because the ratio travels better than the time. See README.md.
 */
#include "bench/bench.h"
#include "port/capture.h"
#include "ut/descriptors.h"

#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: uet-bench [--json] [--figures FILE] [--baseline FILE]\n"
    "       uet-bench --count NAME ROUNDS      nothing but the rounds, for callgrind\n"
    "       uet-bench --capture FILE PACKETS   a conversation of two FEPs, for tshark\n"
    "       uet-bench --read FILE              reads a capture and does nothing with it\n"
    "       uet-bench --messages FILE PACKETS long|short|shuffled   sends of one PDC, for tshark\n"
    "  --figures FILE    lines NAME FIELD NUMBER of what others measured, to be reported too\n"
    "  --baseline FILE   instructions are compared with baseline.json\n"
    "exit status: 0; 1 a count of instructions is more than a tenth above the baseline; 2 usage\n";

static uint32_t number(const char *option, const char *text)
{
    char *end;
    unsigned long n = strtoul(text, &end, 10);
    if (end == text || *end || n == 0 || n > UINT32_MAX) {
        fprintf(stderr, "uet-bench: %s: '%s' is no number from 1 to %u\n", option, text,
                UINT32_MAX);
        exit(2);
    }
    return (uint32_t)n;
}

static int count(const char *name, const char *rounds)
{
    const struct bench *b = bench_find(name);
    if (!b) {
        fprintf(stderr, "uet-bench: --count %s: no bench of that name; there are", name);
        for (size_t i = 0; i < n_benches; i++)
            fprintf(stderr, " %s", benches[i].name);
        fputc('\n', stderr);
        return 2;
    }
    b->run(number("--count", rounds));
    return 0;
}

static int read_capture(const char *path)
{
    struct uet_capture *capture;
    struct uet_capture_packet packet;
    char err[256];
    int rc;
    if (uet_capture_open(&capture, path, err, sizeof err) != 0)
        bench_die(err);
    while ((rc = uet_capture_next(capture, &packet)) > 0)
        ;
    if (rc < 0)
        bench_die(uet_capture_error(capture));
    uet_capture_close(capture);
    return 0;
}

static int capture(const char *path, const char *packets)
{
#ifdef UET_BENCH_FEPS
    bench_capture(path, number("--capture", packets));
    return 0;
#else
    (void)path;
    (void)packets;
    bench_die("--capture: built without the reference FEP, which would make the packets");
#endif
}

static bool measure(struct report *r, bool json)
{
    struct result *results = calloc(n_benches, sizeof *results);
    if (!results)
        bench_die("out of memory");
    bench_measure(results);
    r->results = results;
    bool good = json ? bench_report_json(r) : bench_report_text(r);
    free(results);
    free(r->figures);
    json_decref(r->baseline);
    return good;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {{"json", no_argument, NULL, 'j'},
                                            {"figures", required_argument, NULL, 'f'},
                                            {"baseline", required_argument, NULL, 'b'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    struct report r = {0};
    bool json = false;
    if (!uet_hold_descriptors())
        return 2;
    if (argc == 4 && strcmp(argv[1], "--count") == 0)
        return count(argv[2], argv[3]);
    if (argc == 4 && strcmp(argv[1], "--capture") == 0)
        return capture(argv[2], argv[3]);
    if (argc == 3 && strcmp(argv[1], "--read") == 0)
        return read_capture(argv[2]);
    if (argc == 5 && strcmp(argv[1], "--messages") == 0) {
        const char *wrong = bench_messages(argv[2], number("--messages", argv[3]), argv[4]);
        if (wrong)
            bench_die(wrong);
        return 0;
    }
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;)
        switch (c) {
        case 'j':
            json = true;
            break;
        case 'f':
            free(r.figures);
            r.n_figures = bench_figures_read(optarg, &r.figures);
            break;
        case 'b':
            json_decref(r.baseline);
            r.baseline = bench_baseline_read(optarg);
            break;
        case 'h':
            fputs(usage, stdout);
            return 0;
        default:
            fputs(usage, stderr);
            return 2;
        }
    if (optind < argc) {
        fprintf(stderr, "uet-bench: %s: not an option\n%s", argv[optind], usage);
        return 2;
    }
    return measure(&r, json) ? 0 : 1;
}
