/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/uetcat/ping/report.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <unistd.h>

#include "tools/uetcat/result.h"
#include "wire/print.h"

static void put_json(json_t *j)
{
    uetcat_json("ping", j);
}

void ping_report_start(struct ping_report *r, const struct uetcat_link *l, uint64_t now_ns)
{
    char src[UET_IP_TEXT], dst[UET_IP_TEXT];
    r->target = l->dst;
    r->started_ns = now_ns;
    r->sealed = l->keys != NULL;
    r->terminal = isatty(STDOUT_FILENO);
    uet_ip_text(&l->src, src);
    uet_ip_text(&l->dst, dst);
    if (r->json) {
        json_t *j = json_pack("{s:s, s:s, s:s, s:s, s:s, s:I}", "event", "start", "to", dst, "from",
                              src, "interface", l->ifname, "request", r->size ? "WRITE" : "NO_OP",
                              "size", (json_int_t)r->size);
        if (r->paths.n)
            json_object_set_new(j, "entropy_values", json_integer(r->paths.n));
        put_json(j);
        return;
    }
    printf("UET PING %s from %s on %s: ", dst, src, l->ifname);
    if (r->size)
        printf("WRITE of %" PRIu32 " bytes", r->size);
    else
        printf("NO_OP");
    printf(", standard header, %s", r->sealed                       ? "sealed (TSS)"
                                    : l->protect == UET_PROTECT_CRC ? "CRC on"
                                                                    : "CRC off");
    if (r->paths.n)
        printf(", %" PRIu32 " entropy value%s", r->paths.n, r->paths.n > 1 ? "s" : "");
    putchar('\n');
    fflush(stdout);
}

void ping_report_sent(struct ping_report *r, uint16_t entropy)
{
    ping_paths_sent(&r->paths, entropy);
    if (!r->flood || !r->terminal || r->json || r->quiet)
        return;
    putchar('.');
    fflush(stdout);
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

static void event_json(const struct ping_event *e, const char *from, bool with_entropy)
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
    if (with_entropy)
        json_object_set_new(j, "entropy", json_integer(e->entropy));
    put_json(j);
}

static void event_text(const struct ping_event *e, const char *from, bool with_entropy)
{
    static const char *const what[] = {
        [PING_ACK] = "ACK from",
        [PING_NACK] = "NACK from",
        [PING_LATE] = "late ACK from",
        [PING_NO_ANSWER] = "no answer from",
    };
    printf("%s %s: seq=%" PRIu32 " psn=0x%08" PRIx32, what[e->kind], from, e->seq, e->psn);
    if (with_entropy)
        printf(" ev=0x%04x", e->entropy);
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

/* In time, and of the copy that was sent on the entropy value: or that one is lost. */
static void note_path(struct ping_report *r, const struct ping_event *e)
{
    if (e->told || e->kind == PING_NACK)
        return;
    if (e->kind == PING_ACK)
        ping_paths_answered(&r->paths, e->entropy, e->rtt_ns, e->m);
    else
        ping_paths_lost(&r->paths, e->entropy, e->arrived);
}

/* As ping -f: an answer takes its dot away, and what is left is lost. */
static void event_dots(const struct ping_report *r, const struct ping_event *e)
{
    if (!r->terminal)
        return;
    if (e->kind == PING_ACK)
        fputs("\b \b", stdout);
    else if (e->kind == PING_NACK)
        putchar('N');
    fflush(stdout);
}

void ping_report_event(struct ping_report *r, const struct ping_event *e)
{
    char from[UET_IP_TEXT];
    uet_ip_text(&r->target, from);
    if (e->kind == PING_ACK) {
        r->answered++;
        uetcat_times_note(&r->times, e->rtt_ns);
    }
    r->errors += is_error(e);
    r->nacks += e->kind == PING_NACK;
    r->late += e->kind == PING_LATE || e->arrived;
    note_path(r, e);
    if (r->quiet)
        return;
    if (r->json && !r->flood)
        event_json(e, from, r->paths.n > 0);
    else if (r->flood && !r->json)
        event_dots(r, e);
    else if (!r->flood)
        event_text(e, from, r->paths.n > 0);
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

/* ---- the end ---- */

static double ms_at(const struct ping_report *r, unsigned permille)
{
    return uetcat_times_at(&r->times, permille) / 1e6;
}

static double loss_percent(uint64_t sent, uint64_t answered)
{
    return sent ? 100.0 * (double)(sent - answered) / (double)sent : 0;
}

static const char *verdict_name(const struct ping_path *p)
{
    static const char *const names[] = {"good", "loses", "dead", "slow"};
    return names[p->verdict];
}

static json_t *paths_json(const struct ping_paths *paths)
{
    json_t *all = json_array();
    for (uint32_t i = 0; i < paths->n; i++) {
        const struct ping_path *p = &paths->path[i];
        json_t *j =
            json_pack("{s:i, s:s, s:I, s:I, s:I, s:I, s:I, s:f}", "entropy", (int)p->entropy,
                      "verdict", verdict_name(p), "sent", (json_int_t)p->sent, "answered",
                      (json_int_t)p->answered, "lost", (json_int_t)p->lost, "answers_lost",
                      (json_int_t)p->answers_lost, "congested", (json_int_t)p->marked,
                      "loss_percent", loss_percent(p->lost + p->answered, p->answered));
        if (p->answered)
            json_object_set_new(j, "rtt_ms",
                                json_pack("{s:f, s:f, s:f}", "min", p->min_ms, "median",
                                          p->median_ms, "max", p->max_ms));
        json_array_append_new(all, j);
    }
    return all;
}

static json_t *bad_json(const struct ping_paths *paths)
{
    json_t *all = json_array();
    for (uint32_t i = 0; i < paths->n; i++)
        if (paths->path[i].verdict != PING_PATH_GOOD)
            json_array_append_new(all, json_integer(paths->path[i].entropy));
    return all;
}

static void end_json(const struct ping_report *r, double seconds)
{
    json_t *j = json_pack("{s:s, s:I, s:I, s:I, s:I, s:f, s:f, s:f}", "event", "summary", "sent",
                          (json_int_t)r->sent, "answered", (json_int_t)r->answered, "errors",
                          (json_int_t)r->errors, "nacks", (json_int_t)r->nacks, "loss_percent",
                          loss_percent(r->sent, r->answered), "time_ms", seconds * 1e3,
                          "per_second", seconds > 0 ? (double)r->answered / seconds : 0);
    if (r->answered)
        json_object_set_new(j, "rtt_ms",
                            json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "min", ms_at(r, 0),
                                      "avg", uetcat_times_mean(&r->times) / 1e6, "max",
                                      ms_at(r, 1000), "mdev",
                                      uetcat_times_deviation(&r->times) / 1e6, "median",
                                      ms_at(r, 500), "p90", ms_at(r, 900), "p99", ms_at(r, 990)));
    if (r->paths.n) {
        json_object_set_new(j, "paths", paths_json(&r->paths));
        json_object_set_new(j, "bad", bad_json(&r->paths));
    }
    put_json(j);
}

static void path_text(const struct ping_path *p)
{
    static const char *const what[] = {"", "loses packets", "no answer", "slow"};
    printf("0x%04x  %6" PRIu64 " %8" PRIu64 " %5.1f%%", p->entropy, p->sent, p->answered,
           loss_percent(p->lost + p->answered, p->answered));
    if (p->answered)
        printf(" %9.3f %9.3f %9.3f", p->min_ms, p->median_ms, p->max_ms);
    else
        printf(" %9s %9s %9s", "-", "-", "-");
    if (p->verdict != PING_PATH_GOOD)
        printf("  BAD: %s", what[p->verdict]);
    if (p->answers_lost)
        printf("%s %" PRIu64 " requests arrived whose answers were lost", p->verdict ? "," : " ",
               p->answers_lost);
    if (p->marked)
        printf("  %" PRIu64 " met congestion", p->marked);
    putchar('\n');
}

/* A table that nobody would read is one of the bad ones only. */
enum { PATHS_SHOWN = 64 };

static void paths_text(const struct ping_paths *paths, bool verbose)
{
    if (paths->n == 0)
        return;
    bool all = verbose || paths->n <= PATHS_SHOWN;
    if (all || paths->bad)
        printf("entropy   sent answered   loss    min ms median ms    max ms\n");
    for (uint32_t i = 0; i < paths->n; i++)
        if (all || paths->path[i].verdict != PING_PATH_GOOD)
            path_text(&paths->path[i]);
    if (paths->n == 1)
        return; /* there is nothing to compare it with */
    printf("%" PRIu32 " of %" PRIu32 " entropy values are bad", paths->bad, paths->n);
    for (uint32_t i = 0, n = 0; i < paths->n; i++)
        if (paths->path[i].verdict != PING_PATH_GOOD)
            printf("%s 0x%04x", n++ ? "," : ":", paths->path[i].entropy);
    putchar('\n');
}

static void end_text(const struct ping_report *r, double seconds)
{
    char target[UET_IP_TEXT];
    printf("\n--- %s UET ping statistics ---\n", uet_ip_text(&r->target, target));
    printf("%" PRIu64 " requests sent, %" PRIu64 " answered, %.4g%% loss, time %.0f ms", r->sent,
           r->answered, loss_percent(r->sent, r->answered), seconds * 1e3);
    if (r->errors)
        printf(", %" PRIu64 " with a SES error", r->errors);
    if (r->nacks)
        printf(", %" PRIu64 " NACKs", r->nacks);
    putchar('\n');
    if (r->answered)
        printf("rtt min/avg/max/mdev = %.3f/%.3f/%.3f/%.3f ms\n"
               "rtt median/90%%/99%% = %.3f/%.3f/%.3f ms\n",
               ms_at(r, 0), uetcat_times_mean(&r->times) / 1e6, ms_at(r, 1000),
               uetcat_times_deviation(&r->times) / 1e6, ms_at(r, 500), ms_at(r, 900),
               ms_at(r, 990));
    else if (r->sent && !r->nacks && !r->late && !r->explained)
        printf("no answer at all: the FEP may want another --crc, --crc-order or --encapsulation, "
               "or %s\n",
               r->sealed ? "other --keys" : "sealed packets (--keys)");
    if (r->flood && r->answered && seconds > 0)
        printf("%.0f answers a second", (double)r->answered / seconds);
    if (r->flood && r->answered && seconds > 0 && r->size)
        printf(", %.2f MB/s", (double)r->answered * r->size / seconds / 1e6);
    if (r->flood && r->answered && seconds > 0)
        putchar('\n');
    paths_text(&r->paths, r->verbose);
}

void ping_report_end(struct ping_report *r, uint64_t now_ns)
{
    double seconds = (double)(now_ns - r->started_ns) / 1e9;
    ping_paths_judge(&r->paths);
    if (r->json)
        end_json(r, seconds);
    else
        end_text(r, seconds);
}
