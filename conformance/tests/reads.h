/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests on reads share whose FEP is the target. */
#ifndef UET_CONFORMANCE_TESTS_READS_H
#define UET_CONFORMANCE_TESTS_READS_H

#include "conformance/harness/steps/reads.h"
#include "conformance/tests/pds.h"
#include "conformance/tests/pds_target.h"

static inline struct uet_want data_of(const struct uet_out *o)
{
    return (struct uet_want){DATA_OF(o)};
}

static inline const struct uet_in *expect_data(struct uet_tc *tc, const struct uet_out *o)
{
    const struct uet_want want = data_of(o);

    return uet_expect(tc, &want, 0);
}

static inline const struct uet_in *expect_return_data(struct uet_tc *tc, const char *requirement,
                                                      const struct uet_out *o)
{
    uet_for(tc, requirement);
    return hear_return_data(tc, requirement, o);
}

static inline const struct uet_in *outstanding_data(struct uet_tc *tc, const struct uet_want *data,
                                                    size_t i)
{
    if (i == 0)
        return uet_expect(tc, data, 0);
    return hear_outstanding_data(tc, "", data->pdc, i);
}

#endif
