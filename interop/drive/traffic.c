/* SPDX-License-Identifier: BSD-2-Clause */
#include "interop/drive/traffic.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interop/drive/files.h"

#define TRIES 4 /* an operation whose PDC was lost is done again, so often in all */
#define EAGER 1024

/*
 * Nobody tells whether a datagram arrived. The first one waits for the peer's link address, and
 * those behind it would fill what little room there is; the last ones must have left before the
 * end.
 */
#define DATAGRAM_FIRST_MS 300
#define DATAGRAM_MS       1
#define DATAGRAM_LAST_MS  200

static int failed(const struct traffic *t, const char *what)
{
    fprintf(stderr, "%s: %s\n", what, t->ut->error);
    return ENDPOINT_FAILED;
}

/* A FEP that refuses says that it cannot; any other trouble is a failure. */
static int refused(const struct traffic *t, const char *what, int rc)
{
    (void)failed(t, what);
    return rc == -EPROTO ? ENDPOINT_UNSUPPORTED : ENDPOINT_FAILED;
}

/* ---- does it fit? ---- */

static int set_params(const struct traffic *t)
{
    char list[400], *save = NULL;

    snprintf(list, sizeof(list), "%s", t->contract->params ? t->contract->params : "");
    for (char *one = strtok_r(list, " ", &save); one; one = strtok_r(NULL, " ", &save)) {
        char *value = strchr(one, '=');

        if (!value) {
            fprintf(stderr, "UET_PARAMS: '%s' is not NAME=VALUE\n", one);
            return ENDPOINT_FAILED;
        }
        *value++ = '\0';
        int rc = uet_ut_set(t->ut, one, strtoull(value, NULL, 0));
        if (rc)
            return refused(t, "set", rc);
    }
    return ENDPOINT_DONE;
}

bool traffic_acts(const struct contract *c)
{
    return (c->operation == OP_READ ? c->receive.n : c->send.n) > 0;
}

int traffic_fits(struct traffic *t)
{
    const struct contract *c = t->contract;
    const char *verb = word_operations[c->operation];
    int rc = uet_ut_reset(t->ut);

    if (rc)
        return failed(t, "reset");
    rc = set_params(t);
    if (rc || !traffic_acts(c))
        return rc;
    if (uet_ut_has_verb(t->ut, verb) != 1 || uet_ut_has_mode(t->ut, c->mode) != 1) {
        fprintf(stderr, "hello does not list the verb %s, or not the mode of this case\n", verb);
        return ENDPOINT_UNSUPPORTED;
    }
    return ENDPOINT_DONE;
}

/* ---- resources ---- */

static uint8_t class_of(uint8_t operation)
{
    return operation == OP_TAGGED_SEND                               ? UET_UT_TAGGED
           : operation == OP_SEND || operation == OP_RENDEZVOUS_SEND ? UET_UT_SEND
                                                                     : UET_UT_RMA;
}

static int open_service(const struct traffic *t, const struct item *item, uint8_t ri_class)
{
    const struct uet_ut_service service = {.job_id = item->job_id,
                                           .pid_on_fep = t->contract->pid_on_fep,
                                           .resource_index = t->contract->resource_index,
                                           .ri_class = ri_class};
    int rc = uet_ut_has_verb(t->ut, "service") == 1 ? uet_ut_service(t->ut, &service) : 0;

    return rc ? refused(t, "service", rc) : ENDPOINT_DONE;
}

static int register_item(const struct traffic *t, struct item *item, const void *data)
{
    const struct uet_ut_memory memory = {.job_id = item->job_id,
                                         .pid_on_fep = t->contract->pid_on_fep,
                                         .resource_index = t->contract->resource_index,
                                         .key = item->key,
                                         .length = (uint32_t)item->length,
                                         .data = data};
    uint64_t key;
    int rc = uet_ut_reg_mem(t->ut, &memory, &item->handle, &key);

    if (rc)
        return refused(t, "reg_mem", rc);
    item->chosen = key != item->key; /* by the FEP itself: the peer is told */
    item->key = key;
    return ENDPOINT_DONE;
}

static int post_item(const struct traffic *t, struct item *item)
{
    const struct uet_ut_receive receive = {
        .job_id = item->job_id,
        .pid_on_fep = t->contract->pid_on_fep,
        .resource_index = t->contract->resource_index,
        .length = (uint32_t)item->length,
        .tagged = t->contract->operation == OP_TAGGED_SEND,
        .match_bits = t->contract->operation == OP_TAGGED_SEND ? item->key : 0};
    int rc = uet_ut_post_recv(t->ut, &receive, &item->handle);

    return rc ? refused(t, "post_recv", rc) : ENDPOINT_DONE;
}

/* What lies in UET_IN becomes memory that the peer reads. */
static int register_file(const struct traffic *t, struct item *item)
{
    uint8_t *data = file_load(t->contract->in, item);
    int rc = data ? open_service(t, item, UET_UT_RMA) : ENDPOINT_FAILED;

    if (rc == 0 && item->length > UET_UT_DATA_MAX) {
        fprintf(stderr, "reg_mem takes no more than 1 MiB of bytes\n");
        rc = ENDPOINT_UNSUPPORTED;
    }
    if (rc == 0)
        rc = register_item(t, item, data);
    item->region = item->handle;
    free(data);
    return rc;
}

static int open_to_receive(const struct traffic *t, struct item *item)
{
    const uint8_t operation = t->contract->operation;
    int rc = open_service(t, item, class_of(operation));

    if (rc)
        return rc;
    return operation == OP_WRITE ? register_item(t, item, NULL) : post_item(t, item);
}

int traffic_open(struct traffic *t)
{
    struct contract *c = t->contract;
    const bool by_peer = c->operation == OP_READ || c->operation == OP_RENDEZVOUS_SEND;
    int rc = 0;

    /* Untagged receives are filled as messages come: each takes the longest. */
    for (size_t i = 0; c->operation != OP_READ && i < c->receive.n && rc == 0; i++)
        rc = open_to_receive(t, &c->receive.all[i]);
    for (size_t i = 0; by_peer && i < c->send.n && rc == 0; i++)
        rc = register_file(t, &c->send.all[i]);
    return rc;
}

/* ---- operations ---- */

static int submit(struct traffic *t, const struct uet_ut_operation *op, uint64_t *handle)
{
    switch (t->contract->operation) {
    case OP_WRITE:
        return uet_ut_write(t->ut, op, handle);
    case OP_TAGGED_SEND:
        return uet_ut_tagged_send(t->ut, op, handle);
    case OP_READ:
        return uet_ut_read(t->ut, op, handle);
    case OP_RENDEZVOUS_SEND:
        return uet_ut_rendezvous_send(t->ut, op, handle);
    default:
        return uet_ut_send(t->ut, op, handle);
    }
}

/* Its bytes: those of the file, as they are, or as the pattern which long files hold. */
static int bytes_of(const struct traffic *t, const struct item *item, struct uet_ut_operation *op,
                    uint8_t **data)
{
    *data = file_load(t->contract->in, item);
    if (!*data)
        return ENDPOINT_FAILED;
    op->data = item->length ? *data : NULL;
    op->seed = (uint8_t)item->key;
    if (item->length <= UET_UT_DATA_MAX)
        return ENDPOINT_DONE;
    op->data = NULL;
    if (file_is_pattern(*data, item->length, op->seed))
        return ENDPOINT_DONE;
    fprintf(stderr, "%s: more than 1 MiB, and not the pattern that a FEP can make\n", item->name);
    return ENDPOINT_UNSUPPORTED;
}

static int start(struct traffic *t, struct item *item)
{
    const struct contract *c = t->contract;
    const bool rendezvous = c->operation == OP_RENDEZVOUS_SEND;
    struct uet_ut_operation op = {
        .to = c->peer,
        .job_id = item->job_id,
        .pid_on_fep = c->pid_on_fep,
        .resource_index = c->resource_index,
        .mode = c->mode,
        .relative = c->relative,
        .key = item->key,
        .length = (uint32_t)item->length,
        .region = item->region,
        .eager = item->length < EAGER ? (uint32_t)item->length : EAGER,
    };
    uint8_t *data = NULL;
    uint64_t handle = 0;
    int rc = 0;

    if (c->operation != OP_READ && !rendezvous)
        rc = bytes_of(t, item, &op, &data);
    if (rc == 0) {
        rc = submit(t, &op, &handle);
        rc = rc ? refused(t, word_operations[c->operation], rc) : ENDPOINT_DONE;
    }
    free(data);
    if (rc)
        return rc;
    item->handle = handle;
    item->tries++;
    t->under_way++;
    return ENDPOINT_DONE;
}

static struct item *item_of(struct items *items, uint64_t handle)
{
    for (size_t i = 0; i < items->n; i++)
        if (items->all[i].handle == handle)
            return &items->all[i];
    return NULL;
}

static int ended(struct traffic *t, struct item *item, const struct uet_ut_completion *c)
{
    t->under_way--;
    item->got = c->length;
    item->done = c->status == UET_UT_OK;
    if (item->done)
        return ENDPOINT_DONE;
    fprintf(stderr, "%s: ended with status %u, return code %u\n", item->name, c->status,
            c->return_code);
    if (c->status != UET_UT_PDS_ERROR || item->tries >= TRIES)
        return ENDPOINT_FAILED;
    return start(t, item); /* its PDC was lost, as with a peer that was started again */
}

/* What has ended since the last look; *any: there was something. */
static int take(struct traffic *t, bool *any)
{
    struct uet_ut_completion completions[64];
    struct items *receive = &t->contract->receive;
    int n = uet_ut_wait(t->ut, completions, 64), rc = 0;

    if (n < 0)
        return failed(t, "wait");
    for (int i = 0; i < n && rc == 0; i++) {
        const struct uet_ut_completion *c = &completions[i];
        const bool received = c->kind == UET_UT_KIND_RECV;
        struct item *item =
            item_of(received || t->contract->operation == OP_READ ? receive : &t->contract->send,
                    c->handle);

        if (item && received) {
            item->done = c->status == UET_UT_OK;
            item->got = c->length;
        } else if (item) {
            rc = ended(t, item, c);
        }
    }
    *any = n > 0;
    return rc;
}

/* The same, and a short sleep when there was nothing; a signal is too early here. */
static int take_or_sleep(struct traffic *t)
{
    bool any;
    int rc = take(t, &any);

    return rc || any || driven_sleep(1) ? rc : ENDPOINT_FAILED;
}

static int take_all(struct traffic *t)
{
    bool any = true;
    int rc = 0;

    while (rc == 0 && any)
        rc = take(t, &any);
    return rc;
}

/* The peer is started again meanwhile. */
static int pause_here(struct traffic *t)
{
    if (file_touch(t->contract->paused))
        return ENDPOINT_FAILED;
    while (access(t->contract->go, F_OK) != 0)
        if (!driven_sleep(2))
            return ENDPOINT_FAILED;
    return ENDPOINT_DONE;
}

static int pace(const struct traffic *t, size_t started)
{
    const int ms = started == 1 ? DATAGRAM_FIRST_MS : DATAGRAM_MS;

    return t->contract->mode != UET_UT_MODE_UUD || driven_sleep(ms) ? ENDPOINT_DONE
                                                                    : ENDPOINT_FAILED;
}

int traffic_act(struct traffic *t)
{
    struct contract *c = t->contract;
    struct items *items = c->operation == OP_READ ? &c->receive : &c->send;
    int rc = 0;

    for (size_t next = 0; rc == 0 && (next < items->n || t->under_way);) {
        const bool pauses = c->pause_after && next == c->pause_after;

        if (pauses && t->under_way == 0) {
            c->pause_after = 0;
            rc = pause_here(t);
        } else if (next < items->n && t->under_way < c->at_once && !pauses) {
            rc = start(t, &items->all[next++]);
            rc = rc ? rc : pace(t, next);
        } else {
            rc = take_or_sleep(t);
        }
    }
    return rc;
}

int traffic_wait_received(struct traffic *t)
{
    const struct items *items = &t->contract->receive;
    size_t n = 0;
    int rc = 0;

    while (rc == 0 && n < items->n) {
        for (n = 0; n < items->n && items->all[n].done;)
            n++;
        if (n < items->n)
            rc = take_or_sleep(t);
    }
    return rc;
}

/* ---- the end ---- */

int traffic_serve(struct traffic *t)
{
    int rc = 0;

    while (rc == 0 && driven_sleep(5)) {
        rc = take_all(t);
        if (rc == 0 && driven_gone(t->driven)) {
            fprintf(stderr, "the FEP has ended\n");
            rc = ENDPOINT_FAILED;
        }
    }
    return rc ? rc : take_all(t);
}

int traffic_close(struct traffic *t)
{
    uint64_t left;

    if (t->contract->mode == UET_UT_MODE_UUD)
        return driven_sleep(DATAGRAM_LAST_MS) ? ENDPOINT_DONE : ENDPOINT_FAILED;
    if (t->contract->keep_open || uet_ut_has_verb(t->ut, "close") != 1)
        return ENDPOINT_DONE;
    if (uet_ut_close_pdcs(t->ut, NULL))
        return failed(t, "close");
    for (int ms = 0; ms < 2000; ms += 2) {
        if (uet_ut_counter(t->ut, "pdcs_initiator", &left) || left == 0)
            break; /* closed, or nobody tells */
        if (!driven_sleep(2))
            break;
    }
    return ENDPOINT_DONE;
}

static int write_item(const struct traffic *t, const struct item *item)
{
    const uint64_t length = t->contract->operation == OP_WRITE ? item->length : item->got;
    uint8_t *data = malloc(length ? length : 1);
    int rc = ENDPOINT_FAILED;

    if (!data)
        fprintf(stderr, "not enough memory\n");
    else if (length && uet_ut_get_mem(t->ut, item->handle, 0, data, length))
        rc = failed(t, "get_mem");
    else
        rc = file_save(t->contract->out, item->name, data, length);
    free(data);
    return rc;
}

int traffic_write_out(struct traffic *t)
{
    const struct contract *c = t->contract;
    int rc = 0;

    for (size_t i = 0; i < c->receive.n && rc == 0; i++)
        if (c->operation == OP_WRITE || c->receive.all[i].done)
            rc = write_item(t, &c->receive.all[i]);
    return rc;
}
