/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/uetcat/once.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tools/uetcat/command.h"

enum { TRIES = 5, CLOSE_TRIES = 3 };

struct once {
    struct uetcat_link *link;
    struct uetcat_client client;
    struct uetcat_series *series;
    uint32_t begun;
    uint64_t first_ns;
    uint64_t since_ns[UETCAT_AT_ONCE_MAX]; /* when the one of that token was begun; 0: none is */
    bool ended;                            /* one has, not well, as this says */
    struct uet_completion end;
};

static int tell(const struct once *o)
{
    const char *name = o->link->command;
    if (o->series->done == o->series->count)
        return UETCAT_YES;
    if (o->ended && o->end.status == UET_STATUS_SES_ERROR)
        fprintf(stderr, "uetcat %s: the FEP refuses: %s\n", name,
                uet_enum_name(UET_ENUM_SES_RETURN_CODE, o->end.return_code));
    else if (o->client.nacked)
        fprintf(stderr, "uetcat %s: the FEP gives the PDC up: %s\n", name,
                uet_enum_name(UET_ENUM_PDS_NACK_CODE, o->client.nack_code));
    else
        fprintf(stderr, "uetcat %s: %s\n", name,
                uetcat_interrupted ? "interrupted"
                                   : "the FEP does not answer, or brings no data: it may want "
                                     "another --crc, --crc-order or --encapsulation");
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
        o->since_ns[op->token] = now_ns;
    if (e == 0 && o->begun++ == 0)
        o->first_ns = now_ns;
    return e;
}

/* As many as may be under way. */
static int start_more(struct once *o, struct uet_operation *op)
{
    const struct uetcat_series *s = o->series;
    int e = 0;
    while (e == 0 && o->begun < s->count && o->begun - s->done < s->at_once)
        e = start(o, op);
    return e == -ENOSPC && o->begun > s->done ? 0 : e;
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
        if (s->latency_ns)
            s->latency_ns[s->done] = now_ns - o->since_ns[o->end.token];
        o->since_ns[o->end.token] = 0;
        s->done++;
        s->took_ns = now_ns - o->first_ns;
    }
    return !o->ended && s->done < s->count;
}

/* When there is no answer, if nothing else comes. */
static uint64_t silent_ns(const struct once *o)
{
    return o->client.heard_ns + TRIES * o->link->wait_ns;
}

static int finish(struct once *o, struct uet_operation *op)
{
    int e = 0;
    while (take_ends(o) && !uetcat_interrupted && !o->link->broken &&
           (e = start_more(o, op)) == 0 && uetcat_link_now(o->link) < silent_ns(o))
        uetcat_client_step(&o->client, silent_ns(o));
    uetcat_client_hang_up(&o->client, uetcat_link_now(o->link) + CLOSE_TRIES * o->link->wait_ns);
    return e;
}

int uetcat_series(struct uetcat_link *l, const struct uet_fep_config *config,
                  const struct uet_operation *op, struct uetcat_series *s)
{
    struct once o = {.link = l, .series = s};
    struct uet_operation each = *op;
    int status = UETCAT_USAGE;
    if (!uetcat_link_resolve(l)) {
        fprintf(stderr, "uetcat %s: nobody answers ARP or neighbour discovery for the address\n",
                l->command);
        return UETCAT_NO;
    }
    if (!uetcat_client_open(&o.client, l, config))
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
    struct uetcat_series one = {.count = 1, .at_once = 1};
    return uetcat_series(l, config, op, &one);
}
