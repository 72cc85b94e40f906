/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Packets into a pcapng file, beside the same bytes, a record at a time, through fwrite. Each run
 * makes a new file and writes it to the page cache, no further; the file's name is gone as soon as
 * it is open, so that nothing stays behind whatever happens.
 */
#include "port/pcapng.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/bench.h"

static const char comment[] = "rud_req: psn one below the start"; /* 32, as a corpus has them */

/* A name for a new file; the file is there. */
static void make_name(char name[64])
{
    const char *dir = getenv("TMPDIR");
    if (snprintf(name, 64, "%s/uet-bench-XXXXXX", dir && strlen(dir) < 40 ? dir : "/tmp") >= 64)
        bench_die("the name of a temporary file is too long");
    int fd = mkstemp(name);
    if (fd < 0 || close(fd) != 0)
        bench_die("no temporary file can be made; set TMPDIR to a folder that can be written");
}

static void by_pcapng(uint32_t rounds, enum uet_direction direction, const char *note)
{
    char name[64], err[256];
    uint8_t frame[BENCH_WRITE_FRAME];
    struct uet_pcapng *file;
    if (bench_build_write(frame, sizeof frame, 1) != BENCH_WRITE_FRAME)
        bench_die("the builder made a frame of another length");
    make_name(name);
    if (uet_pcapng_open(&file, name, err, sizeof err) != 0)
        bench_die(err);
    unlink(name);
    for (uint32_t i = 0; i < rounds; i++)
        uet_pcapng_write(file, frame, sizeof frame, i, direction, note);
    if (uet_pcapng_close(file) != 0)
        bench_die("the capture could not be written");
}

static void by_fwrite(uint32_t rounds, size_t record)
{
    char name[64];
    uint8_t bytes[BENCH_NG_NOTED] = {6};
    make_name(name);
    FILE *file = fopen(name, "wb");
    unlink(name);
    if (!file)
        bench_die("a temporary file cannot be opened");
    record = bench_unknown(record);
    for (uint32_t i = 0; i < rounds; i++)
        fwrite(bytes, 1, record, file);
    if (ferror(file) || fclose(file) != 0)
        bench_die("the temporary file could not be written");
}

void bench_fwrite(uint32_t rounds)
{
    by_fwrite(rounds, BENCH_NG_BLOCK);
}

void bench_pcapng(uint32_t rounds)
{
    by_pcapng(rounds, UET_DIRECTION_UNKNOWN, NULL);
}

void bench_fwrite_noted(uint32_t rounds)
{
    by_fwrite(rounds, BENCH_NG_NOTED);
}

void bench_pcapng_noted(uint32_t rounds)
{
    by_pcapng(rounds, UET_DIRECTION_OUT, comment);
}
