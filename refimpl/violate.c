/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <string.h>

#include "refimpl/state.h"

#ifdef UET_BENT
static const char *const ids[] = {
#define UET_VIOLATION_ID(name, id, text) id,
    UET_VIOLATIONS(UET_VIOLATION_ID)
#undef UET_VIOLATION_ID
};

static const char *const names[] = {
#define UET_VIOLATION_NAME(name, id, text) #name,
    UET_VIOLATIONS(UET_VIOLATION_NAME)
#undef UET_VIOLATION_NAME
};

int uet_fep_violate(struct uet_fep *fep, const char *id)
{
    if (!id) {
        memset(fep->violated, 0, sizeof fep->violated);
        return 0;
    }
    for (size_t i = 0; i < VIOLATION_COUNT; i++) {
        if (!strcmp(ids[i], id) || !strcmp(names[i], id)) {
            fep->violated[i] = true;
            return 0;
        }
    }
    return -ENOENT;
}

const char *uet_fep_violation(size_t i)
{
    return i < VIOLATION_COUNT ? ids[i] : NULL;
}

const char *uet_fep_violation_name(size_t i)
{
    return i < VIOLATION_COUNT ? names[i] : NULL;
}
#else
int uet_fep_violate(struct uet_fep *fep, const char *id)
{
    (void)fep;
    return id ? -ENOENT : 0;
}

const char *uet_fep_violation(size_t i)
{
    (void)i;
    return NULL;
}

const char *uet_fep_violation_name(size_t i)
{
    (void)i;
    return NULL;
}
#endif
