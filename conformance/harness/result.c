/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/result.h"

#include <stdio.h>
#include <string.h>

const char *uet_verdict_name(enum uet_verdict verdict)
{
    static const char *const names[] = {"pass", "inconc", "fail", "error", "skip"};

    return (unsigned)verdict < 5 ? names[verdict] : "unknown";
}

static const char *const skip_reasons[UET_N_SKIP_REASONS] = {
    [UET_SKIP_OTHER] = "other",
    [UET_SKIP_CLAIMED] = "claimed, and refused by the upper tester",
    [UET_SKIP_NO_UPPER_TESTER] = "no upper tester",
    [UET_SKIP_NOT_CLAIMED] = "not claimed",
    [UET_SKIP_VERB] = "beyond the upper tester",
    [UET_SKIP_PORT] = "beyond the port",
    [UET_SKIP_PARAMETER] = "parameter not told",
    [UET_SKIP_VERSION] = "not in this version",
    [UET_SKIP_FEP_CHOICE] = "by the FEP's choice",
    [UET_SKIP_LISTED] = "listed by hello, and refused",
    [UET_SKIP_LENGTHY] = "too long for depth smoke",
};

const char *uet_skip_reason_words(enum uet_skip_reason reason)
{
    return skip_reasons[(unsigned)reason < UET_N_SKIP_REASONS ? reason : UET_SKIP_OTHER];
}

enum uet_skip_reason uet_skip_reason_find(const char *words)
{
    for (int i = 0; i < UET_N_SKIP_REASONS; i++)
        if (strcmp(skip_reasons[i], words) == 0)
            return (enum uet_skip_reason)i;
    return UET_SKIP_OTHER;
}

void uet_findings_unlisted(struct uet_result *r, const char *requirement, bool note, uint32_t more)
{
    struct uet_finding *f = NULL;

    if (!more)
        return;
    for (size_t i = 0; i < r->n_findings && !f; i++)
        if (r->findings[i].unlisted)
            f = &r->findings[i];
    if (!f) {
        f = &r->findings[r->n_findings++]; /* its place is kept free */
        *f = (struct uet_finding){.note = note};
        snprintf(f->requirement, sizeof f->requirement, "%s", requirement);
    }
    f->note = f->note && note;
    f->unlisted += more;
    snprintf(f->text, sizeof f->text,
             "%u more of this test, of this requirement or of others, %s not listed", f->unlisted,
             f->unlisted == 1 ? "is" : "are");
}

struct uet_finding *uet_finding_new(struct uet_result *r, const char *requirement, bool note)
{
    if (r->n_findings >= UET_MAX_FINDINGS - 1) {
        uet_findings_unlisted(r, requirement, note, 1);
        return NULL;
    }
    struct uet_finding *f = &r->findings[r->n_findings++];
    *f = (struct uet_finding){.note = note};
    snprintf(f->requirement, sizeof f->requirement, "%s", requirement);
    return f;
}

bool uet_result_is_rule(const struct uet_result *result)
{
    return result->id && strncmp(result->id, "rule.", 5) == 0;
}

void uet_summary_add(struct uet_summary *summary, const struct uet_result *result)
{
    if (result->cut)
        return;
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
            summary->claimed +=
                result->skip_reason == UET_SKIP_CLAIMED || result->skip_reason == UET_SKIP_LISTED;
            summary->skip++;
            break;
        }
}

int uet_summary_exit_status(const struct uet_summary *summary)
{
    return summary->fail || summary->error || summary->inconc || summary->unexpected_pass ? 1 : 0;
}
