/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_passes [-o PREFERENCE]... CAPTURE.pcap...: Wireshark reads a capture once from the front and
 * then shows any packet at any time. Whatever the order of that, and whether the first pass had a
 * tree, a packet reads the same; and one packet taken alone reads without what the others would
 * tell.
 */
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "dissector/tests/epan_run.h"

#define FRAMES_MAX 4096

static struct epan_run_frame frames[FRAMES_MAX];
static uint32_t n_frames;
static unsigned differences;

static void first_pass(bool tree)
{
    epan_run_open();
    for (uint32_t n = 1; n <= n_frames; n++)
        epan_run_dissect(n, &frames[n - 1], tree, NULL);
}

static char *read_again(uint32_t n)
{
    char *text;
    epan_run_dissect(n, &frames[n - 1], true, &text);
    return text;
}

static void compare(const char *path, const char *how, uint32_t n, const char *want, char *have)
{
    if (strcmp(want, have) != 0) {
        printf("%s, frame %u, %s:\n--- in order\n%s--- then\n%s\n", path, n, how, want, have);
        differences++;
    }
    g_free(have);
}

/* Every step of a walk that meets all frames, in an order that is not theirs. */
static uint32_t scattered(uint32_t i)
{
    uint32_t step = 7919 % n_frames;
    while (step == 0 || (n_frames % step == 0 && step > 1))
        step++;
    return (uint32_t)((uint64_t)i * step % n_frames) + 1;
}

static void check_orders(const char *path)
{
    char **want = g_new0(char *, n_frames + 1);
    first_pass(false);
    for (uint32_t n = 1; n <= n_frames; n++)
        want[n] = read_again(n);
    for (uint32_t n = n_frames; n >= 1; n--)
        compare(path, "backwards", n, want[n], read_again(n));
    for (uint32_t i = 0; i < n_frames; i++) {
        uint32_t n = scattered(i);
        compare(path, "scattered", n, want[n], read_again(n));
    }
    first_pass(true);
    for (uint32_t n = n_frames; n >= 1; n--)
        compare(path, "first pass with a tree", n, want[n], read_again(n));
    for (uint32_t n = 1; n <= n_frames; n++)
        g_free(want[n]);
    g_free(want);
}

/* Alone, a packet has no neighbours to be linked to. */
static void check_alone(const char *path)
{
    static const char *const links[] = {"[request in", "[retransmission of", "[acknowledged in",
                                        "[captured before in"};
    for (uint32_t n = 1; n <= n_frames; n++) {
        char *text;
        epan_run_open();
        epan_run_dissect(1, &frames[n - 1], true, &text);
        for (size_t i = 0; i < sizeof links / sizeof *links; i++)
            if (strstr(text, links[i])) {
                printf("%s, frame %u alone has %s\n", path, n, links[i]);
                differences++;
            }
        g_free(text);
    }
}

int main(int argc, char **argv)
{
    epan_run_start();
    int i = 1;
    for (; i + 1 < argc && strcmp(argv[i], "-o") == 0; i += 2)
        if (!epan_run_set(argv[i + 1])) {
            fprintf(stderr, "test_passes: epan refuses -o %s\n", argv[i + 1]);
            return 2;
        }
    for (; i < argc; i++) {
        n_frames = epan_run_load(argv[i], frames, FRAMES_MAX);
        check_orders(argv[i]);
        check_alone(argv[i]);
        epan_run_unload(frames, n_frames);
    }
    if (argc < 2 || !n_frames) {
        fprintf(stderr, "usage: test_passes [-o PREFERENCE]... CAPTURE.pcap...\n");
        return 2;
    }
    return differences ? 1 : 0;
}
