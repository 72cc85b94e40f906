/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The Wireshark dissector with epan around it. An input (dissector_input.h) is a capture: read once
 * from the front, as tshark does, then again with a tree from the back, as a person who clicks
 * does. With DIN_COMPARE every order of reading must give the same text. A bug that epan would
 * catch and print ("Dissector bug") aborts.
 */
#include <glib.h>
#include <string.h>

#include "dissector/prefs.h"
#include "dissector/tests/epan_run.h"
#include "fuzz/dissector_input.h"
#include "fuzz/fuzz.h"
#include "rules/rules.h"
#include "wire/build.h"
#include "wire/tests/golden_tss.h"

enum { IP_AT = UET_ETH_BYTES, FRAME_MAX_ = 4096 };

static struct {
    const uint8_t *at, *end; /* the rest of the input */
    struct epan_run_frame frames[DIN_PACKETS];
    uint32_t n;
    uint64_t now_us;
} w;

static struct uet_tss_sa associations[16];
static size_t n_associations;

/* What epan keeps for good is not ours, and looking through it at every exit takes minutes. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

static uint8_t u8(void)
{
    return w.at < w.end ? *w.at++ : 0;
}

static size_t u16(void)
{
    size_t low = u8();
    return low | (size_t)u8() << 8;
}

/* The rows of the key table, one for each golden packet. */
static void set_key(const struct golden_tss *g)
{
    static const char *const modes[] = {[UET_TSS_MODE_DIRECT] = "direct",
                                        [UET_TSS_MODE_CLUSTER] = "cluster",
                                        [UET_TSS_MODE_SERVER] = "server"};
    const struct uet_tss_params *p = &g->params;
    const char *key = p->mode == UET_TSS_MODE_DIRECT ? g->sdk : g->sdki;
    char row[400];
    snprintf(row, sizeof row,
             "uat:uetx_sd:\"%06x\",\"%u\",\"%s\",%s,,\"%s\",\"%llx\",\"%u\",\"%u\",\"%s\"", p->sdi,
             p->an, modes[p->mode], key, p->ssi_mode ? "yes" : "no",
             (unsigned long long)(p->rekey ? p->rekey_mask : 0), p->rekey ? p->rekey_shift : 0u,
             p->encrypt_from, g->id);
    FUZZ_CHECK(epan_run_set(row));
}

static void set_keys(void)
{
    FUZZ_CHECK(n_golden_tss <= sizeof associations / sizeof *associations);
    for (size_t i = 0; i < n_golden_tss; i++) {
        struct uet_tss_params p = golden_tss_params(&golden_tss[i]);
        FUZZ_CHECK(uet_tss_setup(&associations[n_associations++], &p) == 0);
        set_key(&golden_tss[i]);
    }
}

static void start(void)
{
    static const char *const ours[] = {"frame", "user_dlt", "eth",  "ip",   "ipv6",
                                       "udp",   "uetx",     "data", "icmp", NULL};
    static const char *const preferences[] = {
        "uat:user_dlts:\"User 0 (DLT=147)\",\"ip\",\"0\",\"\",\"0\",\"\"", "uetx.ip.proto:253",
        "uetx.dscp_trimmed:5", "uetx.dscp_trimmable:6", "udp.try_heuristic_first:TRUE"};
    /* Each block from malloc, so that ASan sees what goes beyond it. */
    g_setenv("WIRESHARK_DEBUG_WMEM_OVERRIDE", "simple", TRUE);
    g_setenv("WIRESHARK_ABORT_ON_DISSECTOR_BUG", "1", TRUE);
    g_setenv("HOME", "/nonexistent", TRUE);
    g_setenv("XDG_CONFIG_HOME", "/nonexistent", TRUE);
    epan_run_start();
    epan_run_only(ours);
    for (size_t i = 0; i < sizeof preferences / sizeof *preferences; i++)
        FUZZ_CHECK(epan_run_set(preferences[i]));
    FUZZ_CHECK(epan_run_heuristic("uetx_udp"));
    set_keys();
}

static void set_preferences(uint8_t a, uint8_t b)
{
    uetx_prefs.rules = (a & DIN_RULES) % 5;
    uetx_prefs.crc = (a & DIN_CRC) / 8 % 3;
    uetx_prefs.track = !(b & DIN_UNTRACKED);
    uetx_prefs.relative_psn = !!(b & DIN_RELATIVE);
    uetx_prefs.twice_us = b & DIN_NEVER_TWICE ? 0 : 20;
    uetx_prefs.reassemble_kib = b & DIN_APART ? 0 : 64;
    uetx_prefs.spec = (b & DIN_SPEC) / 32 % 3;
}

static struct uet_route route_of(uint8_t what, bool heuristic)
{
    struct uet_route r = {.entropy = 0xfe00,
                          .udp_port = heuristic ? 4794 : 0,
                          .dscp = what & DIN_TRIMMED ? DIN_TRIMMED_DSCP : 0,
                          .ecn = 2,
                          .native = (what & DIN_KIND) == DIN_NATIVE};
    bool back = what & DIN_BACK;
    r.src.version = r.dst.version = what & DIN_IPV6 ? 6 : 4;
    r.src.bytes[0] = r.dst.bytes[0] = what & DIN_IPV6 ? 0x20 : 192;
    r.src.bytes[3] = back ? 1 : 11;
    r.dst.bytes[3] = back ? 11 : 1;
    return r;
}

/* A frame with what stands before UET; its length. */
static size_t build(uint8_t *frame, uint8_t what, uint8_t key, bool heuristic, const uint8_t *uet,
                    size_t n)
{
    struct uet_build b;
    const struct uet_route route = route_of(what, heuristic);
    uet_build_start(&b, frame, FRAME_MAX_, &route);
    uet_build_payload(&b, uet, n);
    const struct uet_wrong wrong = {.udp_length = !!(what & DIN_WRONG_LENGTH),
                                    .udp_length_value = (uint16_t)(UET_UDP_BYTES + n + 9)};
    bool sealed = (what & DIN_KIND) == DIN_SEALED;
    int len = uet_build_finish(
        &b, what & DIN_PROTECT && !sealed ? UET_PROTECT_CRC : UET_PROTECT_NONE, &wrong);
    FUZZ_CHECK(len > IP_AT);
    if (!sealed)
        return (size_t)len;
    size_t out;
    struct uet_tss_sa *sa = &associations[key % n_associations];
    const struct uet_tss_stamp stamp = {.ssi = 7, .counter = w.n + 1};
    const struct uet_parse_options options = {.lenient = true};
    uint8_t *in = g_memdup2(frame, (size_t)len);
    bool good =
        uet_tss_seal(sa, &stamp, in, (size_t)len, &options, frame, FRAME_MAX_, &out) == UET_TSS_OK;
    g_free(in);
    return good ? out : (size_t)len;
}

/* The next packet of the input, as a frame that begins with its IP header. */
static void take(bool heuristic)
{
    uint8_t frame[FRAME_MAX_];
    uint8_t what = u8(), later = u8(), key = u8();
    size_t cut = u16(), n = u16();
    size_t left = (size_t)(w.end - w.at), ip = 0, room = FRAME_MAX_ - 200;
    n = n < left ? n : left;
    const uint8_t *uet = w.at;
    w.at += n;
    n = n < room ? n : room;
    if ((what & DIN_KIND) == DIN_IP) {
        if (n)
            memcpy(frame, uet, n);
    } else {
        n = build(frame, what, key, heuristic, uet, n);
        ip = IP_AT;
    }
    n -= ip;
    w.now_us += 2u * later;
    /* Of exactly its length, so that a reader of more shows. */
    w.frames[w.n++] = (struct epan_run_frame){.bytes = g_memdup2(frame + ip, n),
                                              .len = n,
                                              .cut = cut,
                                              .time_us = w.now_us,
                                              .link = EPAN_RUN_USER0};
}

static void first_pass(bool tree)
{
    epan_run_open();
    for (uint32_t i = 0; i < w.n; i++)
        epan_run_dissect(i + 1, &w.frames[i], tree, NULL);
}

static void read_back(void)
{
    for (uint32_t i = w.n; i > 0; i--)
        epan_run_dissect(i, &w.frames[i - 1], true, NULL);
}

static void must_be(char *text, uint32_t i, const char *how, const char *want)
{
    if (strcmp(text, want) != 0) {
        fprintf(stderr, "frame %u, %s:\n--- in order\n%s--- then\n%s\n", i + 1, how, want, text);
        abort();
    }
    g_free(text);
}

/* Any order of reading, and a first pass with a tree or without: the same text. */
static void compare(bool tree)
{
    char *want[DIN_PACKETS], *text;
    for (uint32_t i = 0; i < w.n; i++)
        epan_run_dissect(i + 1, &w.frames[i], true, &want[i]);
    for (uint32_t i = w.n; i-- > 0;) {
        epan_run_dissect(i + 1, &w.frames[i], true, &text);
        must_be(text, i, "backwards", want[i]);
    }
    first_pass(!tree);
    for (uint32_t i = w.n; i-- > 0;) {
        epan_run_dissect(i + 1, &w.frames[i], true, &text);
        must_be(text, i, tree ? "first pass without a tree" : "first pass with a tree", want[i]);
        g_free(want[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool started;
    if (!started)
        start();
    started = true;
    memset(&w, 0, sizeof w);
    w.at = data;
    w.end = data + size;
    uint8_t a = u8(), b = u8();
    set_preferences(a, b);
    while (w.at < w.end && w.n < DIN_PACKETS)
        take(b & DIN_HEURISTIC);
    first_pass(a & DIN_TREE);
    if (a & DIN_COMPARE)
        compare(a & DIN_TREE);
    else
        read_back();
    for (uint32_t i = 0; i < w.n; i++)
        g_free((void *)w.frames[i].bytes);
    return 0;
}
