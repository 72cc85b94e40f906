/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The one-line packet language: any text is refused with a place in it, or makes packets that can
 * be told back as a line that makes the same bytes; any bytes can be told as a line. First byte of
 * an input: bit 0 says bytes, bits 1-2 protect, 3-4 start; then text or frame. Texts are also given
 * to the reader of single headers.
 */
#include <errno.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "gen/header.h"
#include "gen/lang.h"

#define PACKETS 4 /* of a sweep that are made */

static char line[UET_GEN_LINE_MAX + 1];
static uint8_t frame[UET_FRAME_MAX], again[UET_FRAME_MAX];

static void check_error(const char *text, const struct uet_gen_error *error)
{
    FUZZ_CHECK(error->text[0]);
    FUZZ_CHECK(strlen(error->text) < sizeof error->text);
    FUZZ_CHECK(error->at + error->len <= strlen(text));
}

/* The line that makes the bytes does make them. */
static void describe(const uint8_t *bytes, size_t n, const struct uet_parse_options *o)
{
    struct uet_gen *gen;
    struct uet_gen_error error;
    int len = uet_gen_describe(bytes, n, o, line, sizeof line);
    FUZZ_CHECK(len > 0 && (size_t)len == strlen(line));
    FUZZ_CHECK(uet_gen_new(&gen, line, 1, &error) == 0);
    FUZZ_CHECK(uet_gen_packet(gen, 0, again, sizeof again, NULL, &error) == (int)n);
    FUZZ_CHECK(memcmp(again, bytes, n) == 0);
    uet_gen_free(gen);
}

static void make(const char *text, struct uet_gen *gen)
{
    struct uet_gen_error error;
    struct uet_gen_about about;
    uint64_t count = uet_gen_count(gen);
    FUZZ_CHECK(count >= 1 && count <= UET_GEN_COUNT_MAX);
    for (uint64_t k = 0; k < PACKETS; k++) {
        uint64_t i = k < 2 ? k % count : count - 1 - (k - 2) % count;
        int n = uet_gen_packet(gen, i, frame, sizeof frame, &about, &error);
        FUZZ_CHECK(n >= 0 || n == -EINVAL);
        FUZZ_CHECK(n <= UET_FRAME_MAX);
        if (n < 0) {
            check_error(text, &error);
            continue;
        }
        FUZZ_CHECK(uet_gen_line(gen, i, line, sizeof line) > 0);
        if (k == 0 && n < 300) {
            const struct uet_parse_options o = {.protect = about.protect, .start = about.start};
            describe(frame, (size_t)n, &o);
        }
    }
}

static void read_header(const char *text)
{
    static const enum uet_header_id ids[] = {UET_H_NACK, UET_H_SES_REQ_STD_SOM1, UET_H_IPV6};
    struct uet_gen_error error;
    uint8_t bytes[256];
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        if (uet_gen_header_fill(ids[i], text, bytes, &error) != 0)
            check_error(text, &error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct uet_gen *gen;
    struct uet_gen_error error;
    if (size == 0)
        return 0;
    if (data[0] & 1) {
        const struct uet_parse_options o = {.protect = data[0] >> 1 & 3,
                                            .start = (data[0] >> 3 & 3) % 3};
        if (size - 1 <= 300)
            describe(data + 1, size - 1, &o);
        return 0;
    }
    char *text = malloc(size);
    FUZZ_CHECK(text);
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    if (uet_gen_new(&gen, text, UET_GEN_COUNT_MAX, &error) == 0) {
        make(text, gen);
        uet_gen_free(gen);
    } else
        check_error(text, &error);
    read_header(text);
    free(text);
    return 0;
}
