/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/uetcat/result.h"

#include <stdio.h>
#include <stdlib.h>

void uetcat_json(const char *command, json_t *object)
{
    if (!object || json_dumpf(object, stdout, JSON_COMPACT | JSON_REAL_PRECISION(9)) != 0)
        fprintf(stderr, "uetcat %s: a line of JSON is missing: out of memory or output failed\n",
                command);
    else
        putchar('\n');
    fflush(stdout); /* who reads a pipe wants to see it now */
    json_decref(object);
}

struct uetcat_series *uetcat_series_new(const struct uetcat_args *a)
{
    struct uetcat_series *s = calloc(1, sizeof *s);
    if (!s) {
        fprintf(stderr, "uetcat %s: out of memory\n", a->link.command);
        return NULL;
    }
    s->count = a->count ? (uint32_t)a->count : 1;
    s->at_once = (uint32_t)a->at_once;
    s->interval_ns = a->interval_ns;
    s->verbose = a->verbose;
    s->json = a->json;
    return s;
}

json_t *uetcat_json_bytes(const uint8_t *bytes, size_t n)
{
    static const char digits[] = "0123456789abcdef";
    char *text = malloc(2 * n + 1);
    for (size_t i = 0; text && i < n; i++) {
        text[2 * i] = digits[bytes[i] >> 4];
        text[2 * i + 1] = digits[bytes[i] & 15];
    }
    json_t *j = text ? json_stringn(text, 2 * n) : NULL;
    free(text);
    return j;
}

static double us_at(const struct uetcat_series *s, unsigned permille)
{
    return uetcat_times_at(&s->times, permille) / 1e3;
}

static double per_second(const struct uetcat_series *s)
{
    return s->took_ns ? (double)s->done / ((double)s->took_ns / 1e9) : 0;
}

json_t *uetcat_result_json(const char *command, const struct uetcat_series *s, uint32_t length)
{
    json_t *latency = json_pack("{s:f, s:f, s:f, s:f, s:f, s:f}", "min", us_at(s, 0), "avg",
                                uetcat_times_mean(&s->times) / 1e3, "median", us_at(s, 500), "p90",
                                us_at(s, 900), "p99", us_at(s, 990), "max", us_at(s, 1000));
    json_t *j = json_pack("{s:s, s:s, s:I, s:I, s:I, s:f, s:f, s:f, s:o}", "event", "result",
                          "operation", command, "count", (json_int_t)s->count, "done",
                          (json_int_t)s->done, "length", (json_int_t)length, "seconds",
                          (double)s->took_ns / 1e9, "per_second", per_second(s), "mb_per_second",
                          per_second(s) * length / 1e6, "latency_us", latency);
    if (s->error[0])
        json_object_set_new(j, "error", json_string(s->error));
    return j;
}

void uetcat_result_text(FILE *out, const struct uetcat_series *s, uint32_t length)
{
    if (s->count == 1 && s->done)
        fprintf(out, "%u bytes in %.1f us\n", length, us_at(s, 1000));
    if (s->count == 1)
        return;
    fprintf(out,
            "%u of %u x %u bytes in %.3f s: %.0f/s, %.2f MB/s\n"
            "latency us: min %.1f, median %.1f, 90%% %.1f, 99%% %.1f, max %.1f\n",
            s->done, s->count, length, (double)s->took_ns / 1e9, per_second(s),
            per_second(s) * length / 1e6, us_at(s, 0), us_at(s, 500), us_at(s, 900), us_at(s, 990),
            us_at(s, 1000));
}
