/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Capture files: the writers' bytes against bytes written by hand, the readers on files written
 * by hand in both byte orders, and on files that are cut short or lie.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "port/capture.h"
#include "port/pcap_file.h"
#include "port/pcapng.h"

static char path[] = "/tmp/uet-capture-XXXXXX";

static void write_file(const void *data, size_t len)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, len, file), len);
    assert_int_equal(fclose(file), 0);
}

static size_t read_file(uint8_t *out, size_t max)
{
    FILE *file = fopen(path, "rb");
    size_t n;

    assert_non_null(file);
    n = fread(out, 1, max, file);
    fclose(file);
    return n;
}

static struct uet_capture *open_ok(void)
{
    struct uet_capture *capture = NULL;
    char err[512] = "";

    if (uet_capture_open(&capture, path, err, sizeof(err)))
        fail_msg("%s", err);
    return capture;
}

/* ---- bytes by hand ---- */

/* Little-endian: section header with the program's name, interface uet0 with nanoseconds. */
static const uint8_t ng_start[] = {
    0x0a, 0x0d, 0x0d, 0x0a, 0x2c, 0,    0,    0,    /* section, 44 bytes */
    0x4d, 0x3c, 0x2b, 0x1a, 1,    0,    0,    0,    /* byte order, version 1.0 */
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, /* length not told */
    4,    0,    6,    0,    'u',  'e',  't',  'k',  /* written by "uetkit" */
    'i',  't',  0,    0,    0,    0,    0,    0,    /* end of options */
    0x2c, 0,    0,    0,                            /* 44 */
    1,    0,    0,    0,    0x28, 0,    0,    0,    /* interface, 40 bytes */
    1,    0,    0,    0,    0,    0,    0,    0,    /* Ethernet, no limit */
    2,    0,    4,    0,    'u',  'e',  't',  '0',  /* name */
    9,    0,    1,    0,    9,    0,    0,    0,    /* 10^-9 s */
    0,    0,    0,    0,    0x28, 0,    0,    0,    /* end, 40 */
};

/* A packet of 5 bytes, outbound, with a comment of 6, at 0x0102030405060708 ns. */
static const uint8_t ng_packet[] = {
    6,    0,   0,   0,   64,   0,    0,    0,    /* enhanced packet, 64 bytes */
    0,    0,   0,   0,   4,    3,    2,    1,    /* interface 0, upper half of the time */
    8,    7,   6,   5,   5,    0,    0,    0,    /* lower half, captured */
    5,    0,   0,   0,   0xa1, 0xa2, 0xa3, 0xa4, /* original, data */
    0xa5, 0,   0,   0,   1,    0,    6,    0,    /* padding; comment */
    'l',  'a', 't', 'e', ' ',  '!',  0,    0,    /* text, padding */
    2,    0,   4,   0,   2,    0,    0,    0,    /* flags: outbound */
    0,    0,   0,   0,   64,   0,    0,    0,    /* end, 64 */
};

static const uint8_t five[] = {0xa1, 0xa2, 0xa3, 0xa4, 0xa5};

static void writer_bytes(void **state)
{
    struct uet_pcapng *pcapng;
    uint8_t got[1024];
    char err[512];

    (void)state;
    assert_int_equal(uet_pcapng_open(&pcapng, path, err, sizeof(err)), 0);
    assert_int_equal(
        uet_pcapng_write(pcapng, five, 5, 0x0102030405060708, UET_DIRECTION_OUT, "late !"), 0);
    assert_int_equal(uet_pcapng_write(pcapng, five, 4, 1, UET_DIRECTION_UNKNOWN, NULL), 0);
    assert_int_equal(uet_pcapng_close(pcapng), 0);
    /* no options: 12 + 20 + 4 = 36 bytes */
    assert_int_equal(read_file(got, sizeof(got)), sizeof(ng_start) + sizeof(ng_packet) + 36);
    assert_memory_equal(got, ng_start, sizeof(ng_start));
    assert_memory_equal(got + sizeof(ng_start), ng_packet, sizeof(ng_packet));
    assert_int_equal(got[sizeof(ng_start) + sizeof(ng_packet) + 4], 36);
    assert_int_equal(got[sizeof(ng_start) + sizeof(ng_packet) + 32], 36);
}

static void writer_refuses_and_reports(void **state)
{
    static char comment[65537];
    static uint8_t frame[4096];
    struct uet_pcapng *pcapng;
    struct uet_pcap *pcap;
    char err[512] = "";
    int rc = 0;

    (void)state;
    assert_int_equal(uet_pcapng_open(&pcapng, "/nonexistent/x", err, sizeof(err)), -ENOENT);
    assert_non_null(strstr(err, "/nonexistent/x"));
    assert_int_equal(uet_pcap_open(&pcap, "/nonexistent/x", err, sizeof(err)), -ENOENT);
    memset(comment, 'c', sizeof(comment) - 1);
    assert_int_equal(uet_pcapng_open(&pcapng, path, err, sizeof(err)), 0);
    assert_int_equal(uet_pcapng_write(pcapng, five, 5, 0, 0, comment), -E2BIG);
    assert_int_equal(uet_pcapng_write(pcapng, five, (1 << 20) + 1, 0, 0, NULL), -EMSGSIZE);
    assert_int_equal(uet_pcapng_write(pcapng, five, 5, 0, 0, comment + 1), 0);
    assert_int_equal(uet_pcapng_close(pcapng), 0);
    /* A full disk is told, whether it shows while writing or only at the end. */
    if (access("/dev/full", W_OK))
        skip();
    assert_int_equal(uet_pcapng_open(&pcapng, "/dev/full", err, sizeof(err)), 0);
    assert_int_equal(uet_pcapng_write(pcapng, five, 5, 0, 0, NULL), 0);
    assert_int_equal(uet_pcapng_flush(pcapng), -ENOSPC);
    assert_int_equal(uet_pcapng_write(pcapng, five, 5, 0, 0, NULL), -ENOSPC);
    assert_int_equal(uet_pcapng_close(pcapng), -ENOSPC);
    assert_int_equal(uet_pcapng_open(&pcapng, "/dev/full", err, sizeof(err)), 0);
    for (int i = 0; i < 100 && rc == 0; i++)
        rc = uet_pcapng_write(pcapng, frame, sizeof(frame), 0, 0, NULL);
    assert_int_equal(rc, -ENOSPC);
    assert_int_equal(uet_pcapng_close(pcapng), -ENOSPC);
    assert_int_equal(uet_pcap_open(&pcap, "/dev/full", err, sizeof(err)), 0);
    assert_int_equal(uet_pcap_write(pcap, five, 5, 0), 0);
    assert_int_equal(uet_pcap_close(pcap), -ENOSPC);
}

static void reads_by_hand(void **state)
{
    uint8_t file[sizeof(ng_start) + sizeof(ng_packet)];
    struct uet_capture_packet packet;
    struct uet_capture *capture;

    (void)state;
    memcpy(file, ng_start, sizeof(ng_start));
    memcpy(file + sizeof(ng_start), ng_packet, sizeof(ng_packet));
    write_file(file, sizeof(file));
    capture = open_ok();
    assert_int_equal(uet_capture_next(capture, &packet), 1);
    assert_int_equal(packet.caplen, 5);
    assert_int_equal(packet.len, 5);
    assert_memory_equal(packet.data, five, 5);
    assert_true(packet.time_ns == 0x0102030405060708);
    assert_int_equal(packet.offset, 84);
    assert_int_equal(packet.interface, 0);
    assert_int_equal(packet.linktype, UET_LINKTYPE_ETHERNET);
    assert_int_equal(packet.direction, UET_DIRECTION_OUT);
    assert_string_equal(packet.comment, "late !");
    assert_int_equal(uet_capture_next(capture, &packet), 0);
    assert_int_equal(uet_capture_next(capture, &packet), 0);
    assert_string_equal(uet_capture_error(capture), "");
    uet_capture_close(capture);
}

/*
 * Big-endian: two interfaces (Ethernet in microseconds by default; raw IP in 2^-10 s, 100 s later),
 * a block of an unknown type, an enhanced packet on the second, an obsolete one, a simple one.
 * Then a second section, little-endian, where the first interface is another.
 */
static const uint8_t
    ng_big[] =
        {
            0x0a, 0x0d, 0x0d, 0x0a, 0,    0,    0,    28,   0x1a, 0x2b, 0x3c, 0x4d, 0,   1,
            0,    0,    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0,    0,    0,   28,
            0,    0,    0,    1,    0,    0,    0,    20,   0,    1,    0,    0,    0,   0,
            0,    3,    0,    0,    0,    20, /* Ethernet, 3 bytes at most */
            0,    0,    0,    1,    0,    0,    0,    44,   0,    101,  0,    0,    0,   0,
            0,    0,                                                               /* raw IP */
            0,    9,    0,    1,    0x8a, 0,    0,    0,                           /* 2^-10 s */
            0,    14,   0,    8,    0,    0,    0,    0,    0,    0,    0,    100, /* + 100 s */
            0,    0,    0,    0,    0,    0,    0,    44,   0,    0,    0x0b, 0xad, 0,   0,
            0,    16,   1,    2,    3,    4,    0,    0,    0,    16, /* unknown */
            0,    0,    0,    6,    0,    0,    0,    60,   0,    0,    0,    1,    0,   0,
            0,    0,    0,    0,    6,    0,                                     /* 1536 / 1024 s */
            0,    0,    0,    2,    0,    0,    0,    99,   0x45, 0x46, 0,    0, /* 2 bytes of 99 */
            0,    1,    0,    1,    'a',  0,    0,    0,    0,    1,    0,    1,    'b', 0,
            0,    0,                                     /* two comments */
            0,    2,    0,    4,    0,    0,    0,    1, /* inbound; no end of options */
            0,    0,    0,    60,   0,    0,    0,    2,    0,    0,    0,    36,   0,   0,
            0,    7,    0,    0,    0,    1,    0,    0,    0,    2, /* obsolete, 2^32 + 2 us */
            0,    0,    0,    1,    0,    0,    0,    1,    0xcc, 0,    0,    0,    0,   0,
            0,    36,   0,    0,    0,    3,    0,    0,    0,    20,   0,    0,    0,   9,
            1,    2,    3,    0,    0,    0,    0,    20, /* simple: 3 bytes of 9 */
            0x0a, 0x0d, 0x0d, 0x0a, 28,   0,    0,    0,    0x4d, 0x3c, 0x2b, 0x1a, 1,   0,
            0,    0,    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 28,   0,    0,   0,
            1,    0,    0,    0,    20,   0,    0,    0,    101,  0,    0,    0,    0,   0,
            0,    0,    20,   0,    0,    0,    3,    0,    0,    0,    20,   0,    0,   0,
            4,    0,    0,    0,    5,    6,    7,    8,    20,   0,    0,    0,
};

static void reads_big_endian(void **state)
{
    struct uet_capture_packet p;
    struct uet_capture *capture;

    (void)state;
    write_file(ng_big, sizeof(ng_big));
    capture = open_ok();
    assert_int_equal(uet_capture_next(capture, &p), 1);
    assert_int_equal(p.interface, 1);
    assert_int_equal(p.linktype, UET_LINKTYPE_RAW_IP);
    assert_int_equal(p.caplen, 2);
    assert_int_equal(p.len, 99);
    assert_int_equal(p.data[1], 0x46);
    assert_true(p.time_ns == 101500000000ull);
    assert_int_equal(p.direction, UET_DIRECTION_IN);
    assert_string_equal(p.comment, "a\nb");
    assert_int_equal(p.offset, 28 + 20 + 44 + 16);
    assert_int_equal(uet_capture_next(capture, &p), 1);
    assert_int_equal(p.interface, 0);
    assert_int_equal(p.data[0], 0xcc);
    assert_true(p.time_ns == 4294967298000ull);
    assert_null(p.comment);
    assert_int_equal(p.direction, UET_DIRECTION_UNKNOWN);
    assert_int_equal(uet_capture_next(capture, &p), 1);
    assert_int_equal(p.caplen, 3);
    assert_int_equal(p.len, 9);
    assert_int_equal(p.linktype, UET_LINKTYPE_ETHERNET);
    assert_int_equal(p.data[2], 3);
    assert_int_equal(uet_capture_next(capture, &p), 1);
    assert_int_equal(p.caplen, 4);
    assert_int_equal(p.linktype, UET_LINKTYPE_RAW_IP);
    assert_int_equal(p.data[3], 8);
    assert_int_equal(uet_capture_next(capture, &p), 0);
    uet_capture_close(capture);
}

/* ---- files that lie ---- */

/* One byte of ng_start + ng_packet altered: the reader names this offset and says these words. */
static const struct lie {
    size_t at;
    uint8_t value;
    unsigned offset;
    const char *words;
} lies[] = {
    {4, 0x2d, 4, "block length 45"},  /* no multiple of 4 */
    {4, 8, 4, "block length 8"},      /* shorter than any block */
    {4, 24, 20, "length at its end"}, /* its trailer would be elsewhere */
    {8, 0x4e, 8, "byte order mark"},
    {12, 2, 12, "version 2"},
    {26, 60, 26, "runs over the end"},         /* option length */
    {40, 0x2d, 40, "length at its end is 45"}, /* trailer */
    {44, 6, 44 + 20, "captured length"},       /* the interface block made a packet */
    {48, 0x10, 44 + 12, "length at its end"},
    {51, 0xff, 44 + 4, "above"},              /* 4 GB */
    {62, 0xff, 44 + 18, "runs over the end"}, /* name of 255 bytes */
    {84 + 4, 65, 84 + 4, "block length 65"},
    {84 + 4, 28, 84 + 24, "length at its end"},
    {84 + 8, 1, 84 + 8, "interface 1"},
    {84 + 20, 33, 84 + 20, "captured length 33"}, /* 32 are left */
    {84 + 23, 0xff, 84 + 20, "captured length 4278190085"},
    {84 + 38, 30, 84 + 38, "option 1 of 30"}, /* comment, 16 bytes are left */
    {84 + 50, 13, 84 + 50, "option 2 of 13"}, /* flags, 8 bytes are left */
    {84 + 60, 60, 84 + 60, "length at its end is 60"},
};

static void expect_fault(size_t which, unsigned offset, const char *words)
{
    struct uet_capture_packet packet;
    struct uet_capture *capture;
    char err[512] = "", place[32];
    int rc = uet_capture_open(&capture, path, err, sizeof(err));

    if (rc == 0) {
        while ((rc = uet_capture_next(capture, &packet)) == 1)
            ;
        assert_int_equal(uet_capture_next(capture, &packet), rc); /* sticky */
        snprintf(err, sizeof(err), "%s", uet_capture_error(capture));
        uet_capture_close(capture);
    }
    if (rc != -EBADMSG)
        fail_msg("case %zu, offset %u: %d", which, offset, rc);
    snprintf(place, sizeof(place), ": offset %u: ", offset);
    if (!strstr(err, place) || !strstr(err, words) || strncmp(err, path, strlen(path)) != 0)
        fail_msg("case %zu: \"%s\" does not say \"%s\" and \"%s\"", which, err, place, words);
}

static void reader_names_the_lie(void **state)
{
    uint8_t file[sizeof(ng_start) + sizeof(ng_packet)];

    (void)state;
    for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
        memcpy(file, ng_start, sizeof(ng_start));
        memcpy(file + sizeof(ng_start), ng_packet, sizeof(ng_packet));
        file[lies[i].at] = lies[i].value;
        write_file(file, sizeof(file));
        expect_fault(i, lies[i].offset, lies[i].words);
    }
}

/* Cut at every length: whole only where a block ends; else the offset is where the bytes end. */
static void reader_names_the_cut(void **state)
{
    uint8_t file[sizeof(ng_start) + sizeof(ng_packet)];

    (void)state;
    memcpy(file, ng_start, sizeof(ng_start));
    memcpy(file + sizeof(ng_start), ng_packet, sizeof(ng_packet));
    for (size_t len = 0; len < sizeof(file); len++) {
        if (len == 44 || len == 84)
            continue;
        write_file(file, len);
        expect_fault(len, (unsigned)len, len < 4 ? "no capture" : "the file ends inside");
    }
}

/* ---- blocks that are larger than what is read at once ---- */

enum {
    UNKNOWN = 1 << 20, /* bytes of a block of no known type */
    LARGE = 300000,    /* bytes of a packet */
    LARGE_AT = 84 + UNKNOWN,
    SMALL_AT = LARGE_AT + LARGE + 32,
    ALL = SMALL_AT + sizeof(ng_packet),
};

static void put32(uint8_t *at, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static void put_block(uint8_t *at, uint32_t type, uint32_t len)
{
    put32(at, type);
    put32(at + 4, len);
    put32(at + len - 4, len);
}

static uint8_t *large_file(void)
{
    uint8_t *file = calloc(1, ALL);

    assert_non_null(file);
    memcpy(file, ng_start, sizeof(ng_start));
    put_block(file + 84, 0xbad, UNKNOWN);
    put_block(file + LARGE_AT, 6, LARGE + 32);
    put32(file + LARGE_AT + 20, LARGE); /* captured, and on the wire */
    put32(file + LARGE_AT + 24, LARGE);
    file[LARGE_AT + 28 + LARGE - 1] = 0x77;
    memcpy(file + SMALL_AT, ng_packet, sizeof(ng_packet));
    return file;
}

static void expect_large(const char *from)
{
    struct uet_capture *capture = NULL;
    struct uet_capture_packet p;
    char err[512] = "";

    if (uet_capture_open(&capture, from, err, sizeof(err)))
        fail_msg("%s", err);
    assert_int_equal(uet_capture_next(capture, &p), 1);
    assert_int_equal(p.offset, LARGE_AT);
    assert_int_equal(p.caplen, LARGE);
    assert_int_equal(p.data[LARGE - 1], 0x77);
    assert_int_equal(uet_capture_next(capture, &p), 1);
    assert_int_equal(p.offset, SMALL_AT);
    assert_non_null(p.comment);
    assert_int_equal(uet_capture_next(capture, &p), 0);
    uet_capture_close(capture);
}

static void reads_large_blocks(void **state)
{
    uint8_t *file = large_file();

    (void)state;
    write_file(file, ALL);
    expect_large(path);
    for (size_t cut = LARGE_AT - 2; cut <= LARGE_AT + 2; cut += 4) { /* in either block */
        write_file(file, cut);
        expect_fault(cut, (unsigned)cut, "the file ends inside");
    }
    file[LARGE_AT - 4] ^= 4; /* the unknown block's length at its end */
    write_file(file, ALL);
    expect_fault(0, LARGE_AT - 4, "length at its end");
    free(file);
}

/* A pipe gives a packet when it is there: the reader waits for no more than its block. */
static void reads_a_pipe(void **state)
{
    uint8_t *file = large_file();
    int ends[2];
    char from[32];

    (void)state;
    assert_int_equal(pipe(ends), 0);
    pid_t writer = fork();
    assert_true(writer >= 0);
    if (writer == 0)
        _exit(write(ends[1], file, ALL) == (ssize_t)ALL ? 0 : 1);
    close(ends[1]);
    snprintf(from, sizeof(from), "/dev/fd/%d", ends[0]);
    expect_large(from);
    close(ends[0]);
    int status = 0;
    assert_int_equal(waitpid(writer, &status, 0), writer);
    assert_int_equal(status, 0);

    struct uet_capture *capture = NULL;
    struct uet_capture_packet p;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], ng_start, sizeof(ng_start)), sizeof(ng_start));
    assert_int_equal(write(ends[1], ng_packet, sizeof(ng_packet)), sizeof(ng_packet));
    snprintf(from, sizeof(from), "/dev/fd/%d", ends[0]);
    alarm(20); /* else it would wait for the end, which does not come */
    assert_int_equal(uet_capture_open(&capture, from, (char[512]){0}, 512), 0);
    assert_int_equal(uet_capture_next(capture, &p), 1);
    alarm(0);
    uet_capture_close(capture);
    close(ends[0]);
    close(ends[1]);
    free(file);
}

/* Cut at every length inside the blocks of every kind, and every byte set to 0xff: no more is
 * asked than that the reader ends, and the sanitizers are content. */
static void reader_survives(void **state)
{
    uint8_t file[sizeof(ng_big)];
    struct uet_capture_packet packet;
    struct uet_capture *capture;
    unsigned faults = 0;
    char err[512];

    (void)state;
    for (size_t i = 0; i < 2 * sizeof(ng_big); i++) {
        size_t len = i % sizeof(ng_big);
        int rc;

        memcpy(file, ng_big, sizeof(ng_big));
        file[len] = 0xff;
        write_file(file, i < sizeof(ng_big) ? sizeof(ng_big) : len);
        rc = uet_capture_open(&capture, path, err, sizeof(err));
        if (rc == 0) {
            while ((rc = uet_capture_next(capture, &packet)) == 1)
                assert_in_range(packet.caplen, 0, 64);
            uet_capture_close(capture);
        }
        faults += rc != 0;
    }
    assert_true(faults > sizeof(ng_big)); /* all but a few cuts, and many of the bytes */
}

/* ---- classic pcap ---- */

/* Big-endian, microseconds, raw IP: one packet of 4 bytes of 40 at 5.000007 s. */
static const uint8_t classic[] = {
    0xa1, 0xb2, 0xc3, 0xd4, 0, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  0xff, 0xff, 0, 0,
    0,    101,  0,    0,    0, 5, 0, 0, 0, 7, 0, 0, 0, 4, 0, 0, 0, 40, 0x45, 1,    2, 3,
};

static void reads_classic(void **state)
{
    struct uet_capture_packet p;
    struct uet_capture *capture;

    (void)state;
    write_file(classic, sizeof(classic));
    capture = open_ok();
    assert_int_equal(uet_capture_next(capture, &p), 1);
    assert_int_equal(p.linktype, UET_LINKTYPE_RAW_IP);
    assert_int_equal(p.caplen, 4);
    assert_int_equal(p.len, 40);
    assert_int_equal(p.data[0], 0x45);
    assert_true(p.time_ns == 5000007000ull);
    assert_int_equal(p.offset, 24);
    assert_int_equal(uet_capture_next(capture, &p), 0);
    uet_capture_close(capture);
    write_file(classic, sizeof(classic) - 1);
    expect_fault(sizeof(classic) - 1, 24, "cut short");
    write_file(classic, 20);
    expect_fault(20, 0, "cut short");
}

static void writes_classic(void **state)
{
    static const uint8_t want[] = {0x4d, 0x3c, 0xb2, 0xa1, 2,    0,    4,    0,    0,   0, 0, 0,
                                   0,    0,    0,    0,    0,    0,    4,    0,    1,   0, 0, 0,
                                   3,    0,    0,    0,    9,    0,    0,    0,    5,   0, 0, 0,
                                   5,    0,    0,    0,    0xa1, 0xa2, 0xa3, 0xa4, 0xa5};
    struct uet_capture_packet p;
    struct uet_capture *capture;
    struct uet_pcap *pcap;
    uint8_t got[128];
    char err[512];

    (void)state;
    assert_int_equal(uet_pcap_open(&pcap, path, err, sizeof(err)), 0);
    assert_int_equal(uet_pcap_write(pcap, five, 5, 3000000009ull), 0);
    assert_int_equal(uet_pcap_close(pcap), 0);
    assert_int_equal(read_file(got, sizeof(got)), sizeof(want));
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ /* libpcap writes in the order of the machine */
    assert_memory_equal(got, want, sizeof(want));
#endif
    capture = open_ok();
    assert_int_equal(uet_capture_next(capture, &p), 1);
    assert_true(p.time_ns == 3000000009ull);
    assert_int_equal(p.linktype, UET_LINKTYPE_ETHERNET);
    uet_capture_close(capture);
}

static void refuses_other_files(void **state)
{
    struct uet_capture *capture;
    char err[512] = "";

    (void)state;
    write_file("\x1f\x8b\x08\x00 rest", 9);
    expect_fault(9, 0, "gunzip");
    write_file("hello, world", 12);
    expect_fault(12, 0, "68 65 6c 6c");
    assert_int_equal(uet_capture_open(&capture, "/nonexistent/x", err, sizeof(err)), -ENOENT);
    assert_non_null(strstr(err, "/nonexistent/x"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writer_bytes),         cmocka_unit_test(writer_refuses_and_reports),
        cmocka_unit_test(reads_by_hand),        cmocka_unit_test(reads_big_endian),
        cmocka_unit_test(reader_names_the_lie), cmocka_unit_test(reader_names_the_cut),
        cmocka_unit_test(reads_large_blocks),   cmocka_unit_test(reads_a_pipe),
        cmocka_unit_test(reader_survives),      cmocka_unit_test(reads_classic),
        cmocka_unit_test(writes_classic),       cmocka_unit_test(refuses_other_files),
    };
    int fd = mkstemp(path), rc;

    if (fd < 0) {
        perror(path);
        return 1;
    }
    close(fd);
    rc = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return rc;
}
