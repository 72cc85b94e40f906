/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/result.h"

const char *uet_verdict_name(enum uet_verdict verdict)
{
    static const char *const names[] = {"pass", "inconc", "fail", "error", "skip"};

    return (unsigned)verdict < 5 ? names[verdict] : "unknown";
}

void uet_summary_add(struct uet_summary *summary, const struct uet_result *result)
{
    if (result->known)
        summary->known_fail++;
    else if (result->unexpected_pass)
        summary->unexpected_pass++;
    else
        switch ((enum uet_verdict)result->verdict) {
        case UET_PASS:
            summary->pass++;
            break;
        case UET_INCONC:
            summary->inconc++;
            break;
        case UET_FAIL:
            summary->fail++;
            break;
        case UET_ERROR:
            summary->error++;
            break;
        case UET_SKIP:
            summary->skip++;
            break;
        }
}

int uet_summary_exit_status(const struct uet_summary *summary)
{
    return summary->fail || summary->error || summary->inconc || summary->unexpected_pass ? 1 : 0;
}
