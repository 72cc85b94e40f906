/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/violate/mutate.h"

#include <string.h>

#include "wire/class.h"

static const struct uet_violator violators[] = {
#define VIOLATOR(requirement, packets, spared, action, place, field, operand, what)                \
    {requirement,                                                                                  \
     {UET_CLASS_##packets, UET_IMPAIR_##action, UET_IN_##place, field, operand, spared, 0},        \
     what},
#include "conformance/violate/violators.def"
#undef VIOLATOR
};

size_t uet_n_violators(void)
{
    return sizeof(violators) / sizeof(violators[0]);
}

const struct uet_violator *uet_violator(size_t i)
{
    return i < uet_n_violators() ? &violators[i] : NULL;
}

static const struct {
    const char *header, *what, *why;
} permitted[] = {
#define PERMITTED(header, what, why) {header, what, why},
#include "conformance/violate/permitted.def"
#undef PERMITTED
};

const char *uet_permitted(const char *header, const char *what)
{
    for (size_t i = 0; i < sizeof(permitted) / sizeof(permitted[0]); i++)
        if (strcmp(permitted[i].header, header) == 0 &&
            (strcmp(permitted[i].what, what) == 0 || strcmp(permitted[i].what, "*") == 0))
            return permitted[i].why;
    return NULL;
}
