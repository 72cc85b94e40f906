/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/uetcat/ping_report.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>

#include "wire/print.h"

/* Prints an object on a line of its own; takes it. */
static void put_json(json_t *j)
{
    if (!j || json_dumpf(j, stdout, JSON_COMPACT) != 0)
        fputs("uetcat ping: a line of JSON is missing: out of memory or output failed\n", stderr);
    else
        putchar('\n');
    fflush(stdout); /* who pipes a ping wants to see it now */
    json_decref(j);
}

void ping_report_start(struct ping_report *r, const struct uetcat_link *l, uint64_t now_ns)
{
    char src[UET_IP_TEXT], dst[UET_IP_TEXT];
    r->target = l->dst;
    r->started_ns = now_ns;
    uet_ip_text(&l->src, src);
    uet_ip_text(&l->dst, dst);
    if (r->json)
        put_json(json_pack("{s:s, s:s, s:s, s:s}", "event", "start", "to", dst, "from", src,
                           "interface", l->ifname));
    else
        printf("UET PING %s from %s on %s: NO_OP, standard header, CRC %s\n", dst, src, l->ifname,
               l->protect == UET_PROTECT_CRC ? "on" : "off");
    fflush(stdout);
}

static void note_time(struct ping_report *r, double ms)
{
    if (r->answered == 1 || ms < r->min_ms)
        r->min_ms = ms;
    if (ms > r->max_ms)
        r->max_ms = ms;
    r->sum_ms += ms;
    r->sum_sq_ms += ms * ms;
}

static bool is_error(const struct ping_event *e)
{
    return e->has_response && e->return_code != UET_RC_OK && e->return_code != UET_RC_NULL;
}

static const char *kind_name(enum ping_event_kind kind)
{
    static const char *const names[] = {"ack", "nack", "late", "no_answer"};
    return names[kind];
}

static void event_json(const struct ping_event *e, const char *from)
{
    json_t *j = json_pack("{s:s, s:s, s:I, s:I}", "event", kind_name(e->kind), "from", from, "seq",
                          (json_int_t)e->seq, "psn", (json_int_t)e->psn);
    if (e->kind == PING_ACK)
        json_object_set_new(j, "rtt_ms", json_real((double)e->rtt_ns / 1e6));
    if (e->kind == PING_NACK)
        json_object_set_new(j, "nack_code",
                            json_string(uet_enum_name(UET_ENUM_PDS_NACK_CODE, e->nack_code)));
    if (e->has_response) {
        json_object_set_new(j, "opcode",
                            json_string(uet_enum_name(UET_ENUM_SES_RSP_OPCODE, e->rsp_opcode)));
        json_object_set_new(j, "return_code",
                            json_string(uet_enum_name(UET_ENUM_SES_RETURN_CODE, e->return_code)));
    }
    if (e->m)
        json_object_set_new(j, "congestion", json_true());
    put_json(j);
}

static void event_text(const struct ping_event *e, const char *from)
{
    static const char *const what[] = {
        [PING_ACK] = "ACK from",
        [PING_NACK] = "NACK from",
        [PING_LATE] = "late ACK from",
        [PING_NO_ANSWER] = "no answer from",
    };
    printf("%s %s: seq=%" PRIu32 " psn=0x%08" PRIx32, what[e->kind], from, e->seq, e->psn);
    if (e->kind == PING_NACK)
        printf(" %s", uet_enum_name(UET_ENUM_PDS_NACK_CODE, e->nack_code));
    if (e->has_response)
        printf(" %s %s", uet_print_name(UET_ENUM_SES_RSP_OPCODE, e->rsp_opcode),
               uet_enum_name(UET_ENUM_SES_RETURN_CODE, e->return_code));
    if (e->m)
        printf(" congestion");
    if (e->kind == PING_ACK)
        printf(" time=%.3f ms", (double)e->rtt_ns / 1e6);
    putchar('\n');
    fflush(stdout);
}

void ping_report_event(struct ping_report *r, const struct ping_event *e)
{
    char from[UET_IP_TEXT];
    uet_ip_text(&r->target, from);
    if (e->kind == PING_ACK) {
        r->answered++;
        note_time(r, (double)e->rtt_ns / 1e6);
    }
    r->errors += is_error(e);
    r->nacks += e->kind == PING_NACK;
    if (r->json)
        event_json(e, from);
    else if (!r->quiet)
        event_text(e, from);
}

void ping_report_note(struct ping_report *r, const char *note)
{
    if (r->json) {
        put_json(json_pack("{s:s, s:s}", "event", "note", "text", note));
        return;
    }
    puts(note);
    fflush(stdout);
}

/* The mean deviation as ping has it: the square root of the variance. */
static double mdev_ms(const struct ping_report *r, double avg)
{
    double variance = r->sum_sq_ms / (double)r->answered - avg * avg;
    return variance > 0 ? sqrt(variance) : 0;
}

static void end_json(const struct ping_report *r, double loss, double avg, double total_ms)
{
    json_t *j = json_pack("{s:s, s:I, s:I, s:I, s:I, s:f, s:f}", "event", "summary", "sent",
                          (json_int_t)r->sent, "answered", (json_int_t)r->answered, "errors",
                          (json_int_t)r->errors, "nacks", (json_int_t)r->nacks, "loss_percent",
                          loss, "time_ms", total_ms);
    if (r->answered)
        json_object_set_new(j, "rtt_ms",
                            json_pack("{s:f, s:f, s:f, s:f}", "min", r->min_ms, "avg", avg, "max",
                                      r->max_ms, "mdev", mdev_ms(r, avg)));
    put_json(j);
}

void ping_report_end(struct ping_report *r, uint64_t now_ns)
{
    char target[UET_IP_TEXT];
    double total_ms = (double)(now_ns - r->started_ns) / 1e6;
    double avg = r->answered ? r->sum_ms / (double)r->answered : 0;
    double loss = r->sent ? 100.0 * (double)(r->sent - r->answered) / (double)r->sent : 0;
    if (r->json) {
        end_json(r, loss, avg, total_ms);
        return;
    }
    printf("\n--- %s UET ping statistics ---\n", uet_ip_text(&r->target, target));
    printf("%" PRIu64 " requests sent, %" PRIu64 " answered, %.4g%% loss, time %.0f ms", r->sent,
           r->answered, loss, total_ms);
    if (r->errors)
        printf(", %" PRIu64 " with a SES error", r->errors);
    if (r->nacks)
        printf(", %" PRIu64 " NACKs", r->nacks);
    putchar('\n');
    if (r->answered)
        printf("rtt min/avg/max/mdev = %.3f/%.3f/%.3f/%.3f ms\n", r->min_ms, avg, r->max_ms,
               mdev_ms(r, avg));
    else if (r->sent && !r->nacks)
        printf(
            "no answer at all: the FEP may want another --crc, --crc-order or --encapsulation\n");
}
