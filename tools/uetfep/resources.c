/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/uetfep/resources.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tools/place.h"
#include "tools/uetfep/number.h"

enum { USUAL_KEY = 1, USUAL_MEMORY = 1 << 20, USUAL_RECEIVE = 1 << 16, BUFFERS = 16 };

/* ---- the options ---- */

/* What may follow the class: a generation, "keeps", or both in this order. */
static bool parse_more(const char *text, struct uet_ut_service *service)
{
    uint64_t generation = 0;

    if (*text == ':' && text[1] >= '0' && text[1] <= '9') {
        if (!uet_place_number(text + 1, &generation, &text) || generation > UINT8_MAX)
            return false;
        service->has_generation = true;
        service->generation = (uint8_t)generation;
    }
    service->keeps_unexpected = strcmp(text, ":keeps") == 0;
    return !*text || service->keeps_unexpected;
}

static bool take_service(struct resources *r, const struct uet_place *place, const char *rest)
{
    static const char *const classes[] = {"rma", "send", "tagged"};
    struct uet_ut_service service = {.job_id = place->job_id,
                                     .pid_on_fep = place->pid_on_fep,
                                     .resource_index = place->resource_index};
    size_t len = strcspn(rest, ":");
    char name[8];
    int ri_class;

    if (len >= sizeof(name))
        return false;
    memcpy(name, rest, len);
    name[len] = 0;
    ri_class = choice(name, classes, 3);
    service.ri_class = (uint8_t)ri_class;
    /* Memory has no sends to keep. */
    if (ri_class < 0 || !parse_more(rest + len, &service) ||
        (service.keeps_unexpected && ri_class == UET_UT_RMA))
        return false;
    r->services[r->n_services++] = service;
    return true;
}

static bool take_memory(struct resources *r, const struct uet_place *place, const char *rest)
{
    struct uet_ut_memory memory = {.job_id = place->job_id,
                                   .pid_on_fep = place->pid_on_fep,
                                   .resource_index = place->resource_index};
    const char *end;

    if (!uet_place_number(rest, &memory.key, &end) || *end != ':' ||
        !uet_place_length(end + 1, &memory.length))
        return false;
    r->memory[r->n_memory++] = memory;
    return true;
}

static bool take_receive(struct resources *r, const struct uet_place *place, const char *rest)
{
    struct uet_ut_receive receive = {.job_id = place->job_id,
                                     .pid_on_fep = place->pid_on_fep,
                                     .resource_index = place->resource_index};

    if (!uet_place_length(rest, &receive.length))
        return false;
    r->receives[r->n_receives++] = receive;
    return true;
}

int resources_take(struct resources *r, const char *option, const char *text, char *why,
                   size_t size)
{
    const struct {
        const char *option;
        size_t n;
        bool (*take)(struct resources *r, const struct uet_place *place, const char *rest);
        const char *form;
    } kinds[] = {
        {"service", r->n_services, take_service,
         "JOB:PID:RI:CLASS[:GENERATION][:keeps] with CLASS rma, send or tagged, and keeps for the "
         "last two, for example 1:0:1:rma"},
        {"memory", r->n_memory, take_memory,
         "JOB:PID:RI:KEY:LEN with LEN in bytes, KiB or MiB, for example 1:0:5:0x1:64KiB"},
        {"receive", r->n_receives, take_receive,
         "JOB:PID:RI:LEN with LEN in bytes, KiB or MiB, for example 1:0:6:64KiB"},
    };
    const char *rest;
    struct uet_place place;
    size_t i = 0;

    while (i + 1 < sizeof(kinds) / sizeof(kinds[0]) && strcmp(kinds[i].option, option) != 0)
        i++;
    if (kinds[i].n == RESOURCES_MAX) {
        snprintf(why, size, "at most %d; open more through --control", RESOURCES_MAX);
        return -ENOSPC;
    }
    rest = uet_place_parse(text, &place);
    if (rest && kinds[i].take(r, &place, rest))
        return 0;
    snprintf(why, size, "give %s", kinds[i].form);
    return -EINVAL;
}

/* ---- opening ---- */

static int open_index(struct uet_ut *ut, uint32_t job_id, uint16_t pid_on_fep,
                      uint16_t resource_index, uint8_t ri_class)
{
    const struct uet_ut_service service = {.job_id = job_id,
                                           .pid_on_fep = pid_on_fep,
                                           .resource_index = resource_index,
                                           .ri_class = ri_class};

    return uet_ut_service(ut, &service);
}

static int open_memory(struct uet_ut *ut, const struct uet_ut_memory *m)
{
    int rc = open_index(ut, m->job_id, m->pid_on_fep, m->resource_index, UET_UT_RMA);

    return rc ? rc : uet_ut_reg_mem(ut, m, NULL, NULL);
}

static int post(struct uet_ut *ut, const struct uet_ut_receive *r)
{
    json_t *reply,
        *request = json_pack("{s:s, s:i, s:b, s:i, s:i, s:I, s:b, s:b}", "verb", "post_recv",
                             "job_id", (int)r->job_id, "any_job", r->any_job, "pid_on_fep",
                             r->pid_on_fep, "resource_index", r->resource_index, "length",
                             (json_int_t)r->length, "truncate", r->truncate, "repost", 1);
    int rc = uet_ut_call(ut, request, &reply);

    json_decref(reply);
    return rc;
}

static int open_receive(struct uet_ut *ut, const struct uet_ut_receive *r)
{
    int rc = open_index(ut, r->job_id, r->pid_on_fep, r->resource_index, UET_UT_SEND);

    for (int i = 0; i < BUFFERS && rc == 0; i++)
        rc = post(ut, r);
    return rc;
}

static int open_usual(struct uet_ut *ut)
{
    static uint8_t bytes[USUAL_MEMORY];
    const struct uet_ut_memory memory = {
        .any_job = true, .key = USUAL_KEY, .length = USUAL_MEMORY, .data = bytes};
    const struct uet_ut_receive receive = {
        .any_job = true, .length = USUAL_RECEIVE, .truncate = true};
    int rc = open_index(ut, 0, 0, 0, UET_UT_TAGGED);

    uet_ut_pattern(bytes, sizeof(bytes), 0, 0);
    if (rc == 0)
        rc = open_memory(ut, &memory);
    return rc ? rc : open_receive(ut, &receive);
}

int resources_open(const struct resources *r, struct uet_ut *ut)
{
    int rc = 0;

    if (r->n_services + r->n_memory + r->n_receives == 0)
        return open_usual(ut);
    for (size_t i = 0; i < r->n_memory && rc == 0; i++)
        rc = open_memory(ut, &r->memory[i]);
    for (size_t i = 0; i < r->n_receives && rc == 0; i++)
        rc = open_receive(ut, &r->receives[i]);
    /* Last: what is said of a resource index itself stands. */
    for (size_t i = 0; i < r->n_services && rc == 0; i++)
        rc = uet_ut_service(ut, &r->services[i]);
    return rc;
}
