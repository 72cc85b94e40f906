/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * uet-bench: how long the everyday things take, each beside copying the same bytes on the same
 * machine in the same run, because the ratio travels better than the time.
 */
#include "bench/bench.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS = 7 };

static const struct bench benches[] = {
    {"copy_frame", "memcpy of a 162-byte frame", NULL, 4000000, 0, bench_copy_frame},
    {"parse", "parse and check a RUD write, 64 bytes, no CRC", "copy_frame", 1000000, 0,
     bench_parse},
    {"build", "build the same", "copy_frame", 1000000, 0, bench_build},
    {"evp_64", "AES-256-GCM by EVP: IV, 64 bytes, tag", NULL, 200000, 64, bench_evp_64},
    {"seal_64", "TSS seal, 64 bytes after the TSS header", "evp_64", 100000, 64, bench_seal_64},
    {"open_64", "TSS open, the same", "evp_64", 100000, 64, bench_open_64},
    {"evp_1k", "AES-256-GCM by EVP: IV, 1 KiB, tag", NULL, 60000, 1024, bench_evp_1k},
    {"seal_1k", "TSS seal, 1 KiB", "evp_1k", 60000, 1024, bench_seal_1k},
    {"open_1k", "TSS open, 1 KiB", "evp_1k", 60000, 1024, bench_open_1k},
    {"gcm_4k", "AES-256-GCM by EVP: 4 KiB of one message", NULL, 20000, 4096, bench_gcm_4k},
    {"evp_4k", "AES-256-GCM by EVP: IV, 4 KiB, tag", "gcm_4k", 20000, 4096, bench_evp_4k},
    {"seal_4k", "TSS seal, 4 KiB", "evp_4k", 20000, 4096, bench_seal_4k},
    {"open_4k", "TSS open, 4 KiB", "evp_4k", 20000, 4096, bench_open_4k},
#ifdef UET_BENCH_FEPS
    {"copy_payload", "memcpy of 4 KiB", NULL, 40000, BENCH_PAYLOAD, bench_copy_payload},
    {"feps", "a 4 KiB packet from FEP to FEP, memory port", "copy_payload", 16000, BENCH_PAYLOAD,
     bench_feps},
#endif
};
enum { N = sizeof benches / sizeof *benches };

_Noreturn void bench_die(const char *what)
{
    fprintf(stderr, "uet-bench: %s\n", what);
    exit(2);
}

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of RUNS runs each, interleaved: what disturbs the machine disturbs all alike. */
static void measure(double ns[N])
{
    static double all[N][RUNS];
    for (size_t i = 0; i < N; i++)
        benches[i].run(benches[i].rounds / 10); /* warm caches, code paged in */
    for (size_t r = 0; r < RUNS; r++)
        for (size_t i = 0; i < N; i++) {
            double start = now_ns();
            benches[i].run(benches[i].rounds);
            all[i][r] = (now_ns() - start) / benches[i].rounds;
        }
    for (size_t i = 0; i < N; i++) {
        qsort(all[i], RUNS, sizeof all[i][0], by_value);
        ns[i] = all[i][RUNS / 2];
    }
}

static double ratio(const double ns[N], size_t i)
{
    for (size_t j = 0; j < N; j++)
        if (benches[i].baseline && strcmp(benches[j].name, benches[i].baseline) == 0)
            return ns[i] / ns[j];
    return 0;
}

static void report_text(const double ns[N])
{
    printf("median of %d interleaved runs\n", RUNS);
    for (size_t i = 0; i < N; i++) {
        printf("%-13s %9.1f ns", benches[i].name, ns[i]);
        if (benches[i].baseline)
            printf("  %6.2f x %s", ratio(ns, i), benches[i].baseline);
        if (benches[i].bytes)
            printf("  %.0f packets/s, %.2f GB/s", 1e9 / ns[i], benches[i].bytes / ns[i]);
        printf("   %s\n", benches[i].what);
    }
}

static void report_json(const double ns[N])
{
    json_t *all = json_object();
    for (size_t i = 0; i < N; i++) {
        json_t *j = json_pack("{s:f}", "ns", ns[i]);
        if (benches[i].baseline) {
            json_object_set_new(j, "ratio", json_real(ratio(ns, i)));
            json_object_set_new(j, "to", json_string(benches[i].baseline));
        }
        if (benches[i].bytes)
            json_object_set_new(j, "packets_per_second", json_real(1e9 / ns[i]));
        json_object_set_new(all, benches[i].name, j);
    }
    if (json_dumpf(all, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6)) != 0)
        bench_die("standard output cannot be written");
    putchar('\n');
    json_decref(all);
}

/* For callgrind: nothing but the rounds. */
static int count(const char *name, const char *rounds)
{
    char *end;
    unsigned long n = strtoul(rounds, &end, 10);
    for (size_t i = 0; i < N; i++)
        if (strcmp(benches[i].name, name) == 0 && end != rounds && !*end && n <= UINT32_MAX) {
            benches[i].run((uint32_t)n);
            return 0;
        }
    fprintf(stderr, "uet-bench: --count %s %s: give the name of a bench and a number of rounds\n",
            name, rounds);
    return 2;
}

int main(int argc, char **argv)
{
    double ns[N];
    if (argc == 4 && strcmp(argv[1], "--count") == 0)
        return count(argv[2], argv[3]);
    bool json = argc == 2 && strcmp(argv[1], "--json") == 0;
    if (argc != 1 && !json) {
        fputs("usage: uet-bench [--json | --count NAME ROUNDS]\n", stderr);
        return 2;
    }
    measure(ns);
    (json ? report_json : report_text)(ns);
    return 0;
}
