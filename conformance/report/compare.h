/* SPDX-License-Identifier: BSD-2-Clause */
/* What changed between two runs. */
#ifndef UET_REPORT_COMPARE_H
#define UET_REPORT_COMPARE_H

#include "conformance/report/run.h"

enum uet_change {
    UET_SAME,
    UET_REGRESSION,     /* did not fail before (or was skipped), and now does */
    UET_FIXED,          /* failed or was a known deviation, and now passes */
    UET_STILL_BAD,      /* does not pass, before or now, whatever the label */
    UET_OTHER,          /* skipped now, or a known deviation now */
    UET_ADDED,          /* only in the new run */
    UET_REMOVED,        /* only in the old run */
    UET_NOT_RUN,        /* the new run was cut before it came to this one */
    UET_NOT_RUN_BEFORE, /* the old run was */
};

/* One of the two may be NULL: the test stands in one run only, and both runs are complete. */
enum uet_change uet_compare(const struct uet_result *old, const struct uet_result *now);

/*
 * What became of the test or rule entry that stands in one of the runs or in both. What a run that
 * is not complete lacks says nothing of the FEP.
 */
enum uet_change uet_compare_in(const struct uet_run *old, const struct uet_run *now,
                               const char *id);

#endif
