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
    bool ended; /* as this says */
    struct uet_completion end;
};

static int tell(const struct once *o)
{
    const char *name = o->link->command;
    if (o->ended && o->end.status == UET_STATUS_OK)
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

static int start(struct once *o, const struct uet_operation *what)
{
    const struct uetcat_link *l = o->link;
    struct uet_operation op = *what;
    op.to = l->dst;
    op.mode = UET_MODE_RUD;
    op.relative = l->relative;
    op.job_id = l->job_id;
    op.pid_on_fep = l->pid_on_fep;
    op.resource_index = l->resource_index;
    return uet_fep_submit(o->client.fep, &op, uetcat_link_now(l));
}

/* When there is no answer, if nothing else comes. */
static uint64_t silent_ns(const struct once *o)
{
    return o->client.heard_ns + TRIES * o->link->wait_ns;
}

static void finish(struct once *o)
{
    while (!(o->ended = uet_fep_completion(o->client.fep, &o->end)) && !uetcat_interrupted &&
           !o->link->broken && uetcat_link_now(o->link) < silent_ns(o))
        uetcat_client_step(&o->client, silent_ns(o));
    uetcat_client_hang_up(&o->client, uetcat_link_now(o->link) + CLOSE_TRIES * o->link->wait_ns);
}

int uetcat_once(struct uetcat_link *l, const struct uet_fep_config *config,
                const struct uet_operation *op)
{
    struct once o = {.link = l};
    int status = UETCAT_USAGE;
    if (!uetcat_link_resolve(l)) {
        fprintf(stderr, "uetcat %s: nobody answers ARP or neighbour discovery for the address\n",
                l->command);
        return UETCAT_NO;
    }
    if (!uetcat_client_open(&o.client, l, config))
        return UETCAT_USAGE;
    int e = start(&o, op);
    if (e == 0) {
        finish(&o);
        status = tell(&o);
    } else {
        fprintf(stderr, "uetcat %s: %s\n", l->command, strerror(-e));
    }
    uetcat_client_close(&o.client);
    return status;
}
