/* SPDX-License-Identifier: BSD-2-Clause */
/* Congestion in words, and in JSON. */
#include "conformance/cli/check/congestion.h"

#define LINES 20u

/* So many spans from this one as one. */
static struct check_span some(const struct check_flow *f, uint32_t first, uint32_t n)
{
    struct check_span all = {0};

    for (uint32_t i = first; i < first + n && i < CHECK_SPANS; i++) {
        const struct check_span *s = &f->span[i];
        all.in_flight = s->in_flight > all.in_flight ? s->in_flight : all.in_flight;
        all.window = s->window > all.window ? s->window : all.window;
        all.rtt_ns += s->rtt_ns;
        all.rtts += s->rtts;
        all.marks += s->marks;
        all.trims += s->trims;
        all.again += s->again;
        all.bytes += s->bytes;
    }
    return all;
}

static void tell_line(const struct check_congestion *c, const struct check_span *s, uint32_t first,
                      uint32_t n)
{
    printf("%12.3f %10u %10u ", (double)first * (double)c->span_ns / 1e6, s->in_flight, s->window);
    if (s->rtts)
        printf("%9.2f", (double)s->rtt_ns / s->rtts / 1e3);
    else
        printf("%9s", "-");
    printf(" %6u %6u %6u %10.3f\n", s->marks, s->trims, s->again,
           check_congestion_gbits(c, s->bytes, n));
}

static void tell_flow(const struct check_congestion *c, const struct check_flow *f)
{
    char from[UET_IP_TEXT], to[UET_IP_TEXT];
    uint32_t spans = check_congestion_spans(c), n = (spans + LINES - 1) / LINES;

    printf("\nPDC %u, 0x%04x>0x%04x, %s > %s: %u Requests, %llu bytes arrived\n", f->stream,
           f->pdcid, f->peer_pdcid, uet_ip_text(&f->from, from), uet_ip_text(&f->to, to),
           f->requests, (unsigned long long)f->sum.bytes);
    printf("%12s %10s %10s %9s %6s %6s %6s %10s\n", "from ms", "in flight", "window >=", "RTT us",
           "marks", "trims", "again", "Gbit/s");
    for (uint32_t i = 0; i < spans; i += n) {
        struct check_span s = some(f, i, n);
        if (s.window || s.rtts || s.marks || s.trims || s.again)
            tell_line(c, &s, i, n);
    }
}

void check_congestion_tell(const struct check_congestion *c)
{
    for (uint32_t i = 0; i < c->n; i++)
        tell_flow(c, c->flow[i]);
    if (c->left_out)
        printf("  %u packets of other PDCs are left out: %u directions are shown\n", c->left_out,
               c->n);
}

static json_t *numbers(const struct check_span *s)
{
    return json_pack("{sIsIsfsIsIsIsI}", "in_flight", (json_int_t)s->in_flight, "window",
                     (json_int_t)s->window, "rtt_us",
                     s->rtts ? (double)s->rtt_ns / s->rtts / 1e3 : 0.0, "marks",
                     (json_int_t)s->marks, "trims", (json_int_t)s->trims, "again",
                     (json_int_t)s->again, "bytes", (json_int_t)s->bytes);
}

static json_t *flow_json(const struct check_congestion *c, const struct check_flow *f)
{
    char from[UET_IP_TEXT], to[UET_IP_TEXT];
    json_t *spans = json_array();

    for (uint32_t i = 0; i < check_congestion_spans(c); i++)
        json_array_append_new(spans, numbers(&f->span[i]));
    return json_pack("{sIsIsIsssssIsoso}", "stream", (json_int_t)f->stream, "pdcid",
                     (json_int_t)f->pdcid, "peer_pdcid", (json_int_t)f->peer_pdcid, "from",
                     uet_ip_text(&f->from, from), "to", uet_ip_text(&f->to, to), "requests",
                     (json_int_t)f->requests, "total", numbers(&f->sum), "spans", spans);
}

json_t *check_congestion_json(const struct check_congestion *c)
{
    json_t *flows = json_array();

    for (uint32_t i = 0; i < c->n; i++)
        json_array_append_new(flows, flow_json(c, c->flow[i]));
    return json_pack("{sIsIsoso}", "begin_ns", (json_int_t)c->begin_ns, "span_ns",
                     (json_int_t)c->span_ns, "flows", flows, "left_out", json_integer(c->left_out));
}
