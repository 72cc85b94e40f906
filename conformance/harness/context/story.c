/* SPDX-License-Identifier: BSD-2-Clause */
/* The conversation of a test's body in words: kept as it goes, written out when it is wanted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/harness/context/context.h"

struct uet_step {
    struct uet_step *before;
    uint64_t time_ns;
    const struct uet_pdc *pdc;       /* whose PSNs are counted from n, its Start_PSN; or NULL */
    const struct uet_packet *packet; /* said or heard, or NULL */
    const char *verb, *words;
};

static void add(struct uet_tc *tc, const char *verb, const struct uet_pdc *pdc,
                const struct uet_packet *packet, const char *words)
{
    bool body = tc->in_body && tc->preamble == 0 && !tc->by_itself;
    struct uet_step *step = body ? uet_arena_alloc(&tc->arena, sizeof(*step)) : NULL;

    if (!pdc && tc->story) /* words that name no PDC are of the one spoken of */
        pdc = tc->story->pdc;
    if (!step) /* without memory the story loses a line; the capture has it */
        return;
    *step = (struct uet_step){tc->story, uet_port_now(tc->session->port), pdc, packet, verb, words};
    tc->story = step;
    tc->n_steps++;
}

static const char *kept(struct uet_tc *tc, const char *words)
{
    size_t n = strlen(words) + 1;
    char *copy = uet_arena_alloc(&tc->arena, n);

    return copy ? memcpy(copy, words, n) : "";
}

void uet_story_said(struct uet_tc *tc, const struct uet_pdc *pdc, const struct uet_packet *packet)
{
    add(tc, "say    ", pdc, packet, NULL);
}

void uet_story_heard(struct uet_tc *tc, const struct uet_in *in)
{
    add(tc, "hear   ", in->pdc, &in->packet, NULL);
}

void uet_story_tell(struct uet_tc *tc, const char *verb, const struct uet_pdc *pdc,
                    const char *format, ...)
{
    char words[300];
    va_list args;

    va_start(args, format);
    vsnprintf(words, sizeof(words), format, args);
    va_end(args);
    add(tc, verb, pdc, NULL, kept(tc, words));
}

#define PSN_DIGITS 10 /* 0x12345678 */
#define NEAR       0x10000

/* PSNs near the Start_PSN of the PDC are told as "n+3": 0x12345678 says nothing to a reader. */
static void from_start(char *out, size_t size, const char *line, const struct uet_pdc *pdc)
{
    size_t at = 0;

    while (*line && at + 16 < size) {
        char *end = NULL;
        bool number = pdc && strncmp(line, "0x", 2) == 0;
        unsigned long v = number ? strtoul(line, &end, 16) : 0;
        int32_t d = number ? uet_psn_diff((uint32_t)v, pdc->start_psn) : 0;

        if (end != line + PSN_DIGITS || d <= -NEAR || d >= NEAR) {
            out[at++] = *line++;
            continue;
        }
        at += (size_t)snprintf(out + at, size - at, d ? "n%+d" : "n", d);
        line = end;
    }
    out[at] = '\0';
}

static int print_step(const struct uet_tc *tc, const struct uet_step *s, char *out, size_t size)
{
    char line[UET_LINE_MAX], told[UET_LINE_MAX];

    if (s->packet)
        uet_print_line(line, sizeof(line), s->packet);
    else
        snprintf(line, sizeof(line), "%s", s->words);
    from_start(told, sizeof(told), line, s->pdc);
    return snprintf(out, size, "%10.3f ms  %s %s\n", (double)(s->time_ns - tc->start_ns) / 1e6,
                    s->verb, told);
}

/* The last steps that fit are told; what lies before them is counted. */
void uet_story_write(const struct uet_tc *tc, char *out, size_t size)
{
    char line[UET_LINE_MAX + 64], head[64] = "";
    size_t at = size - 1, n = tc->n_steps;

    out[at] = '\0';
    for (const struct uet_step *s = tc->story; s; s = s->before, n--) {
        size_t len = (size_t)print_step(tc, s, line, sizeof(line));
        if (len >= sizeof(line) || at < len + sizeof(head))
            break;
        at -= len;
        memcpy(out + at, line, len);
    }
    if (n > 0)
        at -= (size_t)snprintf(head, sizeof(head), "... %zu steps before\n", n);
    memcpy(out + at, head, strlen(head));
    memmove(out, out + at, size - at);
}
