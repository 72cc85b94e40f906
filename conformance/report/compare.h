/* SPDX-License-Identifier: BSD-2-Clause */
/* What changed between two runs. */
#ifndef UET_REPORT_COMPARE_H
#define UET_REPORT_COMPARE_H

#include "conformance/report/run.h"

enum uet_change {
    UET_SAME,
    UET_REGRESSION, /* did not fail before (or was skipped), and now does */
    UET_FIXED,      /* failed or was a known deviation, and now passes */
    UET_STILL_BAD,  /* does not pass, before or now, whatever the label */
    UET_OTHER,      /* skipped now, or a known deviation now */
    UET_ADDED,      /* only in the new run */
    UET_REMOVED,    /* only in the old run */
};

/* One of the two may be NULL: the test stands in one run only. */
enum uet_change uet_compare(const struct uet_result *old, const struct uet_result *now);

#endif
