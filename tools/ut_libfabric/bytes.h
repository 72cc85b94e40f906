/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory by handle, and arguments that many verbs have. */
#ifndef UT_LIBFABRIC_BYTES_H
#define UT_LIBFABRIC_BYTES_H

#include "tools/ut_libfabric/verbs.h"
#include "ut/args.h"

#define BYTES_MAX (1u << 28) /* of one handle */

/* What a handle names. */
struct bytes {
    struct bytes *next;
    uint64_t handle;
    const char *kind; /* of its completion */
    uint32_t length;
    bool cancelled;                    /* a receive that was let go of */
    uint8_t *base, *operand, *compare; /* owned */
};

/* NULL: none. */
struct bytes *bytes_find(const struct adapter *a, uint64_t handle);
/* New memory, zeroed; NULL: refused. It is in the list only after bytes_keep. */
struct bytes *bytes_new(struct uet_args *args, const char *kind, uint32_t length);
void bytes_keep(struct adapter *a, struct uet_args *args, struct bytes *b, json_t *reply);
void bytes_drop(struct bytes *b);

/* The resource index; JobID and PIDonFEP are checked. */
uint16_t args_address(struct adapter *a, struct uet_args *args, bool any_job_too);
/* The length of new memory: that of "data", or "length". */
uint32_t args_length(struct uet_args *args);
/* The bytes of the hex string at key, `length` of them, as it has; nothing when it is missing. */
void args_unhex(struct uet_args *args, const char *key, uint32_t length, uint8_t *out);
/* In the provider's words. */
void args_refused_by_provider(struct adapter *a, struct uet_args *args);

#endif
