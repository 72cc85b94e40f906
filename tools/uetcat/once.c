/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/uetcat/once.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/uetcat/command.h"
#include "tools/uetcat/result.h"

/*
 * After TRIES waits without a packet of the FEP there is no answer. The RTO doubles (3.5.15): were
 * the first one a wait, a request would be sent three times until then, and on a path that loses
 * one in ten each thousandth would be lost. After an eighth, all five resends fit in (3.5.5).
 */
enum { TRIES = 5, RTO_SHARES = 8, CLOSE_TRIES = 3 };

struct once {
    struct uetcat_link *link;
    struct uetcat_client client;
    struct uetcat_series *series;
    uint32_t begun;
    uint64_t first_ns, newest_ns;          /* when the first and the newest were begun */
    uint64_t since_ns[UETCAT_AT_ONCE_MAX]; /* when the one of that token was begun; 0: none is */
    bool ended;                            /* one has, not well, as this says */
    struct uet_completion end;
};

/* Into the series and to standard error: why it ended early. */
static int tell(const struct once *o)
{
    struct uetcat_series *s = o->series;
    const char *what = "", *code, *silence = uetcat_link_silence(o->link);
    if (s->done == s->count)
        return UETCAT_YES;
    if (o->ended && o->end.status == UET_STATUS_SES_ERROR) {
        what = "the FEP refuses: ";
        code = uet_enum_name(UET_ENUM_SES_RETURN_CODE, o->end.return_code);
    } else if (o->client.nacked && !uetcat_interrupted) {
        what = "the FEP gives the PDC up: ";
        code = uet_enum_name(UET_ENUM_PDS_NACK_CODE, o->client.nack_code);
    } else if (uetcat_interrupted)
        code = "interrupted";
    else if (silence)
        code = silence;
    else if (o->link->keys)
        code = "the FEP does not answer, or brings no data: it may have other keys, or serve the "
               "job by another domain";
    else
        code = "the FEP does not answer, or brings no data: it may want another --crc, "
               "--crc-order or --encapsulation";
    snprintf(s->error, sizeof s->error, "%s%s", what, code);
    fprintf(stderr, "uetcat %s: %s\n", o->link->command, s->error);
    return UETCAT_NO;
}

static int start(struct once *o, struct uet_operation *op)
{
    const struct uetcat_link *l = o->link;
    uint64_t now_ns = uetcat_link_now(l);
    op->to = l->dst;
    op->relative = l->relative;
    op->job_id = l->job_id;
    op->pid_on_fep = l->pid_on_fep;
    op->resource_index = l->resource_index;
    op->token = 0;
    while (o->since_ns[op->token])
        op->token++;
    int e = uet_fep_submit(o->client.fep, op, now_ns);
    if (e == 0)
        o->since_ns[op->token] = o->newest_ns = now_ns;
    if (e == 0 && o->begun++ == 0)
        o->first_ns = now_ns;
    return e;
}

/* When the next one may begin. */
static uint64_t next_ns(const struct once *o)
{
    const struct uetcat_series *s = o->series;
    if (o->begun == s->count || o->begun - s->done >= s->at_once)
        return UINT64_MAX;
    return o->begun ? o->first_ns + o->begun * s->interval_ns : 0;
}

/* As many as may be under way. */
static int start_more(struct once *o, struct uet_operation *op)
{
    const struct uetcat_series *s = o->series;
    int e = 0;
    while (e == 0 && uetcat_link_now(o->link) >= next_ns(o))
        e = start(o, op);
    return e == -ENOSPC && o->begun > s->done ? 0 : e;
}

/* Of the newest that has ended well. */
static void show_end(const struct once *o, double us)
{
    const struct uetcat_series *s = o->series;
    if (s->json)
        uetcat_json(o->link->command, json_pack("{s:s, s:I, s:I, s:f}", "event", "done", "number",
                                                (json_int_t)s->done, "length",
                                                (json_int_t)o->end.length, "latency_us", us));
    else
        printf("%u: %u bytes in %.1f us\n", s->done, o->end.length, us);
}

/* Takes the completions there are; false when the series is over. */
static bool take_ends(struct once *o)
{
    struct uetcat_series *s = o->series;
    while (!o->ended && uet_fep_completion(o->client.fep, &o->end)) {
        uint64_t now_ns = uetcat_link_now(o->link);
        o->ended = o->end.status != UET_STATUS_OK;
        if (o->ended)
            break;
        uint64_t ns = now_ns - o->since_ns[o->end.token];
        uetcat_times_note(&s->times, ns);
        o->since_ns[o->end.token] = 0;
        s->done++;
        if (s->verbose)
            show_end(o, (double)ns / 1e3);
        s->took_ns = now_ns - o->first_ns;
    }
    return !o->ended && s->done < s->count;
}

/* When there is no answer, if nothing else comes. */
static uint64_t silent_ns(const struct once *o)
{
    uint64_t since_ns = o->client.heard_ns > o->newest_ns ? o->client.heard_ns : o->newest_ns;
    return o->begun == o->series->done ? UINT64_MAX : since_ns + TRIES * o->link->wait_ns;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static int finish(struct once *o, struct uet_operation *op)
{
    int e = 0;
    while (take_ends(o) && !uetcat_interrupted && !o->link->broken &&
           (e = start_more(o, op)) == 0 && uetcat_link_now(o->link) < silent_ns(o))
        uetcat_client_step(&o->client, earlier(silent_ns(o), next_ns(o)));
    uetcat_client_hang_up(&o->client, uetcat_link_now(o->link) + CLOSE_TRIES * o->link->wait_ns);
    return e;
}

int uetcat_series(struct uetcat_link *l, const struct uet_fep_config *config,
                  const struct uet_operation *op, struct uetcat_series *s)
{
    struct once o = {.link = l, .series = s};
    struct uet_operation each = *op;
    struct uet_fep_config ours = *config;
    int status = UETCAT_USAGE;
    if (!uetcat_link_resolve(l)) {
        fprintf(stderr, "uetcat %s: nobody answers ARP or neighbour discovery for the address\n",
                l->command);
        return UETCAT_NO;
    }
    ours.params.RTO_Init_Time = l->wait_ns / RTO_SHARES;
    if (!uetcat_client_open(&o.client, l, &ours))
        return UETCAT_USAGE;
    int e = finish(&o, &each);
    if (e == 0)
        status = tell(&o);
    else
        fprintf(stderr, "uetcat %s: %s\n", l->command, strerror(-e));
    uetcat_client_close(&o.client);
    return status;
}

int uetcat_once(struct uetcat_link *l, const struct uet_fep_config *config,
                const struct uet_operation *op)
{
    struct uetcat_series *one = calloc(1, sizeof *one);
    int status = UETCAT_USAGE;
    if (!one) {
        fprintf(stderr, "uetcat %s: out of memory\n", l->command);
        return status;
    }
    one->count = one->at_once = 1;
    status = uetcat_series(l, config, op, one);
    free(one);
    return status;
}
