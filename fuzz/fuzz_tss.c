/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * TSS seal and open. First byte of an input: which association, one for each golden packet. Second:
 * bits 0-1 what to do, 2 lenient, 3 start at IP, 4 in place, 5-7 how much room is missing. Then the
 * frame. A fuzzer cannot guess an ICV: what it invents is sealed for it, then opened.
 */
#include <string.h>

#include "fuzz/fuzz.h"
#include "wire/tests/golden_tss.h"

enum { ASSOCIATIONS = 10 };
static struct uet_tss_sa associations[ASSOCIATIONS];

struct input {
    struct uet_tss_sa *sa;
    struct uet_parse_options options;
    bool in_place;
    size_t missing;
    const uint8_t *frame;
    size_t len;
};

static void setup(void)
{
    static bool done;
    FUZZ_CHECK(n_golden_tss == ASSOCIATIONS);
    for (size_t i = 0; i < ASSOCIATIONS && !done; i++) {
        struct uet_tss_params p = golden_tss_params(&golden_tss[i]);
        p.cached_keys = (uint8_t)(1 + i % 3);
        FUZZ_CHECK(uet_tss_setup(&associations[i], &p) == 0);
    }
    done = true;
}

/* A copy at the end of its memory, so that ASan sees what goes beyond. */
static uint8_t *copy_of(const uint8_t *p, size_t n, size_t cap)
{
    uint8_t *copy = calloc(1, cap ? cap : 1);
    FUZZ_CHECK(copy);
    if (n)
        memcpy(copy, p, n);
    return copy;
}

static bool all_zero(const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i])
            return false;
    return true;
}

/* Opens the frame; what fails leaves no trace. */
static enum uet_tss_status open_frame(const struct input *in, const uint8_t *frame, size_t len,
                                      uint8_t *clear, size_t cap, size_t *n)
{
    struct uet_tss_header h;
    enum uet_tss_status s = uet_tss_open(in->sa, frame, len, &in->options, clear, cap, n, &h);
    FUZZ_CHECK(s < UET_TSS_STATUS_COUNT && s != UET_TSS_CRYPTO && s != UET_TSS_COUNTER_END);
    FUZZ_CHECK(*n <= cap && (s == UET_TSS_OK || *n == 0));
    if (s == UET_TSS_OK)
        FUZZ_CHECK(h.sdi == in->sa->sdi && h.an == in->sa->an);
    return s;
}

static void open_as_is(const struct input *in)
{
    size_t cap = in->in_place ? in->len : in->len - (in->missing < in->len ? in->missing : in->len);
    uint8_t *out = copy_of(in->frame, in->in_place ? in->len : 0, cap);
    size_t n;
    enum uet_tss_status s = open_frame(in, in->in_place ? out : in->frame, in->len, out, cap, &n);
    if (s != UET_TSS_OK && in->in_place)
        FUZZ_CHECK(memcmp(out, in->frame, in->len) == 0);
    else if (s != UET_TSS_OK)
        FUZZ_CHECK(all_zero(out, cap));
    free(out);
}

/* What the parser makes of a packet that was opened: anything but a crash. */
static void parse(const struct input *in, const uint8_t *clear, size_t len)
{
    struct uet_packet p;
    uet_parse(&p, clear, len, &in->options);
    FUZZ_CHECK((size_t)p.payload_offset + p.payload_len <= len);
}

/* Whatever stands in the frame, with an ICV that fits: opens when the header fits, else says why.
 */
static void seal_as_is(const struct input *in)
{
    struct uet_tss_place at;
    struct uet_tss_header h;
    uint8_t *frame = copy_of(in->frame, in->len, in->len), *clear = copy_of(NULL, 0, in->len);
    if (uet_tss_locate(&at, frame, in->len, &in->options) == UET_TSS_OK &&
        uet_tss_header_at(&h, frame, &at, true) == UET_TSS_OK) {
        /* Server mode derives for the receiver when sealing and for the sender when opening. */
        bool both_ways = in->sa->mode != UET_TSS_MODE_SERVER || h.sp;
        size_t n;
        FUZZ_CHECK(uet_tss_seal_at(in->sa, frame, &at, NULL) == UET_TSS_OK);
        enum uet_tss_status fits = uet_tss_fits(in->sa, &h, at.ip_version);
        enum uet_tss_status s = open_frame(in, frame, in->len, clear, in->len, &n);
        FUZZ_CHECK(s == fits || (!both_ways && s == UET_TSS_BAD_ICV));
        if (s == UET_TSS_OK)
            parse(in, clear, n);
        frame[at.end - 1 - in->missing] ^= 1; /* in the ICV */
        s = open_frame(in, frame, in->len, clear, in->len, &n);
        FUZZ_CHECK(s == (fits == UET_TSS_OK ? UET_TSS_BAD_ICV : fits));
    }
    free(frame);
    free(clear);
}

/* Bytes that a round trip keeps: all but lengths and IPv4 checksum, which it may put right. */
static void check_same(const struct uet_tss_place *at, uint8_t *clear, const uint8_t *frame)
{
    size_t ip = at->ip_offset;
    size_t made_right[] = {at->ip_version == 4 ? ip + 2 : ip + 4,
                           at->ip_version == 4 ? ip + 10 : ip + 4,
                           at->udp_offset ? at->udp_offset + 4u : ip + 4};
    if (at->ip_version == 4 && !at->udp_offset)
        made_right[2] = ip + 2;
    for (size_t i = 0; i < sizeof made_right / sizeof *made_right; i++)
        memcpy(clear + made_right[i], frame + made_right[i], 2);
    FUZZ_CHECK(memcmp(clear, frame, at->end) == 0);
}

/* The frame as a packet in clear: sealed, opened, and the same again. */
static void round_trip(const struct input *in)
{
    struct uet_tss_place at;
    const struct uet_tss_stamp stamp = {.ssi = (uint32_t)in->len * 0x01010101u,
                                        .epoch = (uint16_t)(in->len * 3),
                                        .counter = in->len * UINT64_C(0x100000007)};
    size_t cap = in->len + UET_TSS_HDR_16_BYTES + UET_TSS_TRAILER_BYTES, n, m;
    uint8_t *sealed = copy_of(in->frame, in->in_place ? in->len : 0, cap);
    uint8_t *clear = copy_of(NULL, 0, cap);
    bool uet = uet_tss_locate(&at, in->frame, in->len, &in->options) == UET_TSS_OK;
    enum uet_tss_status s = uet_tss_seal(in->sa, &stamp, in->in_place ? sealed : in->frame, in->len,
                                         &in->options, sealed, cap, &n);
    if (!uet)
        FUZZ_CHECK(s == UET_TSS_NOT_UET);
    else
        FUZZ_CHECK(s == UET_TSS_OK || s == UET_TSS_SSI || at.end > UINT16_MAX - 32);
    if (s == UET_TSS_OK) {
        enum uet_tss_status back = open_frame(in, sealed, n, clear, cap, &m);
        bool both_ways = in->sa->mode != UET_TSS_MODE_SERVER || in->sa->ssi_mode;
        FUZZ_CHECK(back == UET_TSS_OK || !both_ways);
        if (back == UET_TSS_OK) {
            FUZZ_CHECK(m == at.end);
            check_same(&at, clear, in->frame);
        }
    }
    free(sealed);
    free(clear);
}

/* A packet that may have lost its end. */
static void peek(const struct input *in)
{
    struct uet_tss_place at;
    uint8_t out[64] = {0};
    size_t n, want = sizeof out >> in->missing;
    if (uet_tss_locate(&at, in->frame, in->len, &in->options) != UET_TSS_OK)
        return;
    enum uet_tss_status s = uet_tss_peek(in->sa, in->frame, &at, out, want, &n);
    FUZZ_CHECK(s == UET_TSS_OK || s == UET_TSS_CLEAR || s == UET_TSS_SHORT);
    FUZZ_CHECK(n <= want && all_zero(out + n, sizeof out - n));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const what[])(const struct input *) = {open_as_is, seal_as_is, round_trip, peek};
    if (size < 2)
        return 0;
    setup();
    const struct input in = {
        .sa = &associations[data[0] % ASSOCIATIONS],
        .options = {.lenient = data[1] & 4, .start = data[1] & 8 ? UET_START_IP : UET_START_ETH},
        .in_place = data[1] & 16,
        .missing = data[1] >> 5,
        .frame = data + 2,
        .len = size - 2,
    };
    what[data[1] & 3](&in);
    return 0;
}
