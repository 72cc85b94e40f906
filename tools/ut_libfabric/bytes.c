/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ut_libfabric/bytes.h"

#include <stdlib.h>

#include "ut/value.h"

/* ---- memory by handle ---- */

struct bytes *bytes_find(const struct adapter *a, uint64_t handle)
{
    struct bytes *b = a->bytes;

    while (b && b->handle != handle)
        b = b->next;
    return b;
}

void bytes_drop(struct bytes *b)
{
    free(b->base);
    free(b->operand);
    free(b->compare);
    free(b);
}

/* New memory, zeroed; NULL: refused. It is in the list only after keep. */
struct bytes *bytes_new(struct uet_args *args, const char *kind, uint32_t length)
{
    struct bytes *b = args->error[0] ? NULL : calloc(1, sizeof(*b));

    if (b)
        b->base = calloc(1, length ? length : 1);
    if (b && b->base) {
        b->kind = kind;
        b->length = length;
        return b;
    }
    free(b);
    uet_arg_refuse(args, "no memory left");
    return NULL;
}

void bytes_keep(struct adapter *a, struct uet_args *args, struct bytes *b, json_t *reply)
{
    b->next = a->bytes;
    a->bytes = b;
    uet_reply_set(args, reply, "handle", json_integer((json_int_t)b->handle));
}

void args_refused_by_provider(struct adapter *a, struct uet_args *args)
{
    uet_arg_refuse(args, "%s says: %.150s", a->config.provider, fabric_error(a->fabric));
}

/* ---- what all verbs say of an address ---- */

uint16_t args_address(struct adapter *a, struct uet_args *args, bool any_job_too)
{
    uint64_t pid = uet_arg_number(args, "pid_on_fep", 0xfff, true);
    uint64_t ri = uet_arg_number(args, "resource_index", FABRIC_INDICES - 1, true);

    if (uet_arg_bool(args, "any_job"))
        uet_arg_refuse(args, "\"any_job\": these endpoints are for relative addressing");
    uint64_t job = uet_arg_number(args, "job_id", 0xffffff, any_job_too);
    /* Endpoints of the provider's own addresses have neither: any will do. */
    if (a->config.format == FABRIC_UET && job != a->job_id)
        uet_arg_refuse(args, "\"job_id\": the job of this process is 0x%x (--job)", a->job_id);
    if (a->config.format == FABRIC_UET && pid != a->config.pid_on_fep &&
        !uet_arg_present(args, "to"))
        uet_arg_refuse(args, "\"pid_on_fep\": this process is %u (--pid)", a->config.pid_on_fep);
    return (uint16_t)ri;
}

/* The length of new memory: that of "data", or "length". */
uint32_t args_length(struct uet_args *args)
{
    bool data = uet_arg_present(args, "data");
    uint32_t bytes = uet_arg_hex_bytes(args, "data");
    uint32_t length = (uint32_t)uet_arg_number(args, "length", BYTES_MAX, !data);

    if (data && uet_arg_present(args, "length") && length != bytes)
        uet_arg_refuse(args, "\"length\" is %u, but \"data\" has %u bytes: leave one out", length,
                       bytes);
    return data ? bytes : length;
}

void args_unhex(struct uet_args *args, const char *key, uint32_t length, uint8_t *out)
{
    const char *text = uet_arg_text(args, key, false);

    if (text && uet_ut_unhex(text, length, out))
        uet_arg_refuse(args, "\"%s\" has something that is no hex digit", key);
}
