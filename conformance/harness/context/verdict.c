/* SPDX-License-Identifier: BSD-2-Clause */
/* Verdicts, findings, and the message that tells a designer what happened. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/harness/context/context.h"
#include "conformance/harness/security.h"

/* A verdict only worsens; skip yields to anything but pass. */
static int badness(unsigned verdict)
{
    static const int order[] = {
        [UET_PASS] = 0, [UET_SKIP] = 1, [UET_INCONC] = 2, [UET_FAIL] = 3, [UET_ERROR] = 4};

    return order[verdict];
}

/* Text that grows at the end of a fixed buffer and is cut when it is full. */
struct text {
    char *at;
    size_t room;
};

static void __attribute__((format(printf, 2, 3))) add(struct text *t, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    int n = vsnprintf(t->at, t->room, format, args);
    va_end(args);
    if (n < 0)
        return;
    size_t used = (size_t)n < t->room ? (size_t)n : t->room ? t->room - 1 : 0;
    t->at += used;
    t->room -= used;
}

const char *uet_tc_line(const struct uet_in *in, char *out)
{
    uet_print_line(out, UET_LINE_MAX, &in->packet);
    return out;
}

_Static_assert(sizeof(((struct uet_shown *)0)->line) >= UET_LINE_MAX, "a line must fit");

/* What was sent, required and came: for machines, each by itself. */
static void note_why(struct uet_tc *tc, enum uet_verdict verdict, const struct uet_requirement *r,
                     const struct uet_in *in)
{
    struct uet_result *result = tc->result;

    result->sent = result->came = (struct uet_shown){0};
    result->broken[0] = '\0';
    if (tc->sent_frame) {
        result->sent.frame = tc->sent_frame;
        uet_print_line(result->sent.line, UET_LINE_MAX, tc->sent);
    }
    if (r && verdict == UET_FAIL)
        snprintf(result->broken, sizeof(result->broken), "%s", r->id);
    if (in) {
        result->came.frame = in->frame;
        uet_tc_line(in, result->came.line);
    }
}

/* And in words, below the first line of the message. */
static void describe(struct text *t, const struct uet_result *result,
                     const struct uet_requirement *r, const char *asked)
{
    if (result->sent.frame)
        add(t, "\nsent:     %s (packet %u)", result->sent.line, result->sent.frame);
    if (*asked)
        add(t, "\nasked:    %s", asked);
    if (result->broken[0] && r)
        add(t, "\nrequired: %s (%s%s, %s%s): %s", r->id,
            uet_requirement_is_own(r) ? uet_requirement_standing(r) : "", r->section,
            uet_level_name((enum uet_level)r->level), r->level == UET_MAY ? ", claimed" : "",
            r->text);
    if (result->came.frame)
        add(t, "\ncame:     %s (packet %u)", result->came.line, result->came.frame);
}

/* "RC_UNDELIVERABLE" when the packet answers with a code that tells of a failure, else NULL. */
static const char *error_code(const struct uet_in *in)
{
    if (in->packet.error != UET_PARSE_OK || !uet_is_ses_response(&in->packet))
        return NULL;
    uint8_t code = uet_ses_rsp_return_code(uet_ses(&in->packet));
    if (code == UET_RC_OK || code == UET_RC_NULL)
        return NULL;
    return uet_enum_name(UET_ENUM_SES_RETURN_CODE, code);
}

/* What the FEP itself says of a failure is often its cause: its first code that no check wanted. */
static void name_answer(const struct uet_tc *tc, struct text *t, const struct uet_in *about)
{
    for (const struct uet_in *in = tc->in_first; in; in = in->next) {
        const char *code = in->code_wanted ? NULL : error_code(in);

        if (!code)
            continue;
        if (in != about)
            add(t, "\nanswered: %s (packet %u)", code, in->frame);
        return;
    }
}

static bool rests_on_a_reading(const char *requirement)
{
    const struct uet_requirement *r = requirement ? uet_requirement_find(requirement) : NULL;

    return r && (r->confidence == UET_CONFIDENCE_C || *r->reading);
}

/* Is it the requirement that the test is about, the first one that it names? */
static bool is_claim(const struct uet_tc *tc, const char *requirement)
{
    size_t n = strlen(requirement);
    const char *claim = tc->test->requirements;

    return strncmp(claim, requirement, n) == 0 && (claim[n] == '\0' || claim[n] == ' ');
}

/*
 * A target may ask for the close of a PDC at any time (3.5.8.3), and the tester, in the midst of a
 * test, does not grant it; an initiator may close one (PDS-214). What the FEP says of that PDC
 * afterwards is no answer to the test.
 */
bool uet_asks_to_close(const struct uet_in *in)
{
    const struct uet_packet *p = &in->packet;

    if (p->error != UET_PARSE_OK)
        return false;
    if (p->pds != UET_H_CP)
        return uet_is_ack(p) && uet_ack_req(uet_pds(p)) == UET_ACK_REQ_CLOSE;
    const uint8_t type = uet_cp_ctl_type(uet_pds(p));
    return type == UET_CTL_CLOSE_REQUEST ||
           (type == UET_CTL_CLOSE_COMMAND && in->pdc && !in->pdc->initiator);
}

static bool says_closed(const struct uet_in *in)
{
    if (in->packet.error != UET_PARSE_OK || !uet_is_nack(&in->packet))
        return false;
    uint8_t code = uet_nack_nack_code(uet_pds(&in->packet));
    return code == UET_NACK_INV_DPDCID || code == UET_NACK_CLOSING ||
           code == UET_NACK_CLOSING_IN_ERR || code == UET_NACK_NEW_START_PSN;
}

/* Of that PDC; or of one in its secure domain, whose floor has moved with the close (TSS-066). */
static bool follows(const struct uet_in *later, const struct uet_in *asked)
{
    const struct uet_domain *d = asked->pdc->domain;

    if (!later->pdc || !says_closed(later))
        return false;
    if (uet_nack_nack_code(uet_pds(&later->packet)) == UET_NACK_NEW_START_PSN)
        return d && d == later->pdc->domain && !d->says_start;
    return later->pdc == asked->pdc;
}

/* Each packet is looked at once: a FEP that breaks a rule may do so in each of thousands. */
static bool close_was_asked_and_said(struct uet_tc *tc)
{
    struct uet_in *next;

    while ((next = tc->in_looked_at ? tc->in_looked_at->next : tc->in_first)) {
        tc->close_asked = tc->close_asked || uet_asks_to_close(next);
        tc->closed_said = tc->closed_said || says_closed(next);
        tc->in_looked_at = next;
    }
    return tc->close_asked && tc->closed_said;
}

static bool asked_in_vain(struct uet_tc *tc)
{
    if (!close_was_asked_and_said(tc))
        return false;
    for (const struct uet_in *asked = tc->in_first; asked; asked = asked->next) {
        /* A test that takes a CP is about that; an ACK it takes for what else it says. */
        const bool heard = asked->consumed && uet_is_cp(&asked->packet);
        if (!asked->pdc || heard || !uet_asks_to_close(asked))
            continue;
        for (const struct uet_in *later = asked->next; later; later = later->next)
            if (follows(later, asked))
                return true;
    }
    return false;
}

/*
 * A verdict only worsens; but what the test itself finds says more of its subject than the rule
 * that spoke first, which stays as a finding.
 */
static bool takes_over(struct uet_tc *tc, enum uet_verdict verdict)
{
    const struct uet_finding rule = tc->rule_said;

    if (badness(verdict) != badness(tc->result->verdict))
        return badness(verdict) > badness(tc->result->verdict);
    if (!rule.requirement[0] || !tc->in_body || tc->rule_speaks)
        return false;
    tc->rule_said = (struct uet_finding){0};
    uet_tc_find(tc, rule.requirement, rule.frame, rule.text);
    return true;
}

/*
 * Where nobody can make New_PDC_Time longer, a busy host may come too late for a PDC that is
 * PENDING, which is no fault of the FEP's.
 */
static bool pending_was_over(const struct uet_tc *tc, const struct uet_in *in)
{
    if (tc->session->port->caps & UET_PORT_VIRTUAL_TIME)
        return false; /* there no host is slow */
    if (in && !(in->pdc && in->pdc->told_anew && uet_is_nack(&in->packet)))
        return false; /* it is about another packet */
    for (const struct uet_pdc *pdc = tc->pdcs; pdc; pdc = pdc->next)
        if (pdc->told_anew)
            return true;
    return false;
}

/* A test needs more PDCs at once than the FEP has (max-pdcs); what a rule says stands. */
static bool pdcs_were_short(struct uet_tc *tc, enum uet_verdict verdict, const struct uet_in *in)
{
    if ((verdict != UET_FAIL && verdict != UET_INCONC) || tc->rule_speaks || tc->result->cut ||
        tc->result->verdict == UET_FAIL)
        return false;
    if (tc->pdc_asked_back && asked_in_vain(tc))
        return true;
    return tc->pdc_refused && !(in && uet_is_ack(&in->packet)); /* what an ACK says is judged */
}

void uet_tc_vworsen(struct uet_tc *tc, enum uet_verdict verdict, const char *requirement,
                    const struct uet_in *in, const char *format, va_list args)
{
    struct uet_result *result = tc->result;
    char why[300], note[400];

    vsnprintf(why, sizeof(why), format, args);
    if (pdcs_were_short(tc, verdict, in)) {
        verdict = UET_SKIP;
        result->skip_reason = UET_SKIP_FEP_CHOICE;
        snprintf(why, sizeof(why), UET_NEEDS_MORE_PDCS);
    }
    if (verdict == UET_FAIL && asked_in_vain(tc)) {
        verdict = UET_INCONC;
        snprintf(why, sizeof(why),
                 "the FEP closed a PDC in the midst of the test, or asked for that");
    }
    if (verdict == UET_FAIL && pending_was_over(tc, in)) {
        verdict = UET_INCONC;
        snprintf(why, sizeof(why),
                 "the FEP told anew where the PDC is to begin: what was PENDING was over before "
                 "the first packet came (New_PDC_Time, 3.5.8.2), as this host was too slow, or "
                 "the FEP forgets what it tells");
    }
    if (verdict == UET_FAIL && requirement && tc->session->broken)
        tc->session->broken(tc->session->broken_ctx, requirement);
    /* Where to look: at what came, or at what was sent when the answer is missing. */
    uint32_t frame = in ? in->frame : tc->sent_frame;
    if (frame && verdict == UET_FAIL) {
        snprintf(note, sizeof(note), "<<< %s violated: %s", requirement ? requirement : "?", why);
        uet_record_note(&tc->record, frame, note);
    }
    if (verdict == UET_FAIL)
        uet_story_tell(tc, "-> FAIL", in ? in->pdc : NULL, "%s: %s",
                       requirement ? requirement : "?", why);
    if (!takes_over(tc, verdict))
        return;
    result->verdict = (uint8_t)verdict;
    if (verdict != UET_FAIL) /* nothing was judged, so it rests on no reading */
        result->contested = false;
    else if (requirement)
        result->contested =
            rests_on_a_reading(requirement) || (tc->test->contested && is_claim(tc, requirement));
    result->frame = verdict == UET_FAIL || in ? frame : 0;
    struct text t = {result->message, sizeof(result->message)};
    if (verdict == UET_FAIL && requirement)
        add(&t, "%s: ", requirement);
    add(&t, "%s", why);
    if (verdict == UET_SKIP)
        return;
    const struct uet_requirement *r = requirement ? uet_requirement_find(requirement) : NULL;
    note_why(tc, verdict, r, in);
    describe(&t, result, r, tc->asked);
    if (verdict == UET_FAIL || verdict == UET_INCONC)
        name_answer(tc, &t, in);
}

void uet_tc_worsen(struct uet_tc *tc, enum uet_verdict verdict, const char *requirement,
                   const struct uet_in *in, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    uet_tc_vworsen(tc, verdict, requirement, in, format, args);
    va_end(args);
}

/* Said with every finding of robustness, in every report. */
static const char *own_words(const char *requirement)
{
    const struct uet_requirement *r = uet_requirement_find(requirement);

    return r && uet_requirement_is_own(r) ? "(not the standard's text) " : "";
}

/* NULL when it stands there already, or finds no room. */
struct uet_finding *uet_tc_find(struct uet_tc *tc, const char *requirement, uint32_t frame,
                                const char *why)
{
    struct uet_result *r = tc->result;
    char note[300], text[sizeof(r->findings[0].text)];
    size_t own = 0;

    snprintf(text, sizeof(text), "%s%s", own_words(requirement), why);
    snprintf(note, sizeof(note), "finding %s: %s", requirement, text);
    uet_record_note(&tc->record, frame, note);
    for (size_t i = 0; i < r->n_findings; i++) {
        if (strcmp(r->findings[i].requirement, requirement) == 0 &&
            strcmp(r->findings[i].text, text) == 0)
            return NULL; /* once is enough */
        own += r->findings[i].outside == 0;
    }
    if (own >= UET_MAX_FINDINGS - UET_MAX_OUTSIDE) {
        uet_findings_unlisted(r, requirement, false, 1);
        return NULL;
    }
    struct uet_finding *f = uet_finding_new(r, requirement, false);
    if (!f)
        return NULL;
    memcpy(f->text, text, sizeof(f->text));
    f->frame = frame;
    return f;
}

static bool is_should(const char *requirement)
{
    const struct uet_requirement *r = uet_requirement_find(requirement);

    return r && (r->level == UET_SHOULD || r->level == UET_SHOULD_NOT);
}

/* A MAY binds nobody but a FEP that claims to do it, or does. */
static bool is_free(const struct uet_tc *tc, const char *requirement)
{
    const struct uet_requirement *r = uet_requirement_find(requirement);

    if (!r || r->level != UET_MAY)
        return false;
    return !tc->test->claim_binds ||
           strncmp(tc->test->requirements, requirement, strlen(requirement)) != 0;
}

/* Does the requirement hold in the version that the run judges by? */
bool uet_tc_in_force(const struct uet_tc *tc, const char *requirement)
{
    const struct uet_requirement *r = uet_requirement_find(requirement);

    return !r || uet_requirement_in(r, uet_spec_version_name(tc->session->spec));
}

bool uet_tc_vviolated(struct uet_tc *tc, const char *requirement, const struct uet_in *in,
                      const char *format, va_list args)
{
    va_list again;

    if (!uet_tc_in_force(tc, requirement))
        return false;
    if (tc->preamble > 0) {
        uet_tc_vworsen(tc, UET_INCONC, requirement, in, format, args);
        return true;
    }
    if (is_free(tc, requirement) || (is_should(requirement) && !tc->session->strict)) {
        char why[200];

        va_copy(again, args);
        vsnprintf(why, sizeof(why), format, again);
        va_end(again);
        uet_tc_find(tc, requirement, in ? in->frame : 0, why);
        return false;
    }
    uet_tc_vworsen(tc, UET_FAIL, requirement, in, format, args);
    return true;
}

bool uet_tc_violated(struct uet_tc *tc, const char *requirement, const struct uet_in *in,
                     const char *format, ...)
{
    va_list args;

    va_start(args, format);
    bool failed = uet_tc_vviolated(tc, requirement, in, format, args);
    va_end(args);
    return failed;
}

/*
 * A rule that is not what the test is about: its verdict stays its own. The packets are counted
 * under the first of them.
 */
static void broken_outside(struct uet_tc *tc, const struct uet_in *in, const char *requirement,
                           const char *message)
{
    struct uet_result *r = tc->result;
    const char *code = in ? error_code(in) : NULL;
    const uint32_t frame = in ? in->frame : tc->record.n;
    char note[300];

    snprintf(note, sizeof(note), "<<< %s violated: %s", requirement, message);
    uet_record_note(&tc->record, frame, note);
    if (tc->session->broken && (!is_should(requirement) || tc->session->strict))
        tc->session->broken(tc->session->broken_ctx, requirement);
    for (size_t i = 0; i < r->n_findings; i++)
        if (r->findings[i].outside && strcmp(r->findings[i].requirement, requirement) == 0) {
            r->findings[i].outside++;
            return;
        }
    struct uet_finding *f = uet_finding_new(r, requirement, false);
    if (!f)
        return;
    f->frame = frame;
    f->outside = 1;
    snprintf(f->text, sizeof(f->text), "%s%s%s%s", message, code ? " (the FEP answers " : "",
             code ? code : "", code ? ")" : "");
}

/* Is it left to the FEP, in this version, whatever the test? */
static bool binds_nobody(const struct uet_tc *tc, const char *requirement)
{
    const struct uet_requirement *r = uet_requirement_find(requirement);

    return (r && r->level == UET_MAY) || !uet_tc_in_force(tc, requirement);
}

static void note_broken(struct uet_tc *tc, const struct uet_in *in, const char *requirement)
{
    if (binds_nobody(tc, requirement) || (is_should(requirement) && !tc->session->strict))
        return;
    struct uet_in *own = in == tc->in_last ? tc->in_last : tc->in_first; /* mostly the last */
    while (in && own && own != in)
        own = own->next;
    if (in && own && !own->broke)
        own->broke = requirement;
}

void uet_tc_rule_broken(struct uet_tc *tc, const struct uet_in *in, const char *requirement,
                        const char *message)
{
    bool subject = uet_test_claims(tc->test, requirement), good = tc->result->verdict != UET_FAIL;
    int preamble = tc->preamble;

    note_broken(tc, in, requirement);
    if (!subject && !binds_nobody(tc, requirement) && !asked_in_vain(tc)) {
        broken_outside(tc, in, requirement, message);
        return;
    }
    tc->preamble = 0;
    tc->rule_speaks = true;
    uet_tc_violated(tc, requirement, in, "%s", message);
    tc->rule_speaks = false;
    tc->preamble = preamble;
    if (good && tc->result->verdict == UET_FAIL) {
        tc->rule_said = (struct uet_finding){.frame = in ? in->frame : 0};
        snprintf(tc->rule_said.requirement, sizeof(tc->rule_said.requirement), "%s", requirement);
        snprintf(tc->rule_said.text, sizeof(tc->rule_said.text), "%s", message);
    }
}

void uet_tc_reported(struct uet_tc *tc, const char *requirement, const struct uet_in *in,
                     const char *why)
{
    if (tc->session->strict)
        uet_tc_rule_broken(tc, in, requirement, why);
    else if (uet_tc_in_force(tc, requirement))
        uet_tc_find(tc, requirement, in->frame, why);
}

_Noreturn void uet_tc_leave(struct uet_tc *tc)
{
    if (!tc->in_body)
        abort(); /* a mistake of the harness: only bodies are left */
    longjmp(tc->leave, 1);
}

const char *uet_for(struct uet_tc *tc, const char *requirement)
{
    const char *before = tc->claim;

    tc->claim = requirement;
    return before;
}

void uet_fail(struct uet_tc *tc, const char *requirement, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    uet_tc_vviolated(tc, requirement, tc->current, format, args);
    va_end(args);
    uet_tc_leave(tc);
}

/* The three ways to end a test that say nothing against the FEP. */
#define UET_END_WITH(verdict)                                                                      \
    va_list args;                                                                                  \
    va_start(args, format);                                                                        \
    uet_tc_vworsen(tc, verdict, NULL, NULL, format, args);                                         \
    va_end(args);                                                                                  \
    uet_tc_leave(tc)

void uet_inconc(struct uet_tc *tc, const char *format, ...)
{
    UET_END_WITH(UET_INCONC);
}

void uet_error(struct uet_tc *tc, const char *format, ...)
{
    UET_END_WITH(UET_ERROR);
}

void uet_skip(struct uet_tc *tc, const char *format, ...)
{
    tc->result->skip_reason = UET_SKIP_FEP_CHOICE;
    UET_END_WITH(UET_SKIP);
}

void uet_skip_for(struct uet_tc *tc, enum uet_skip_reason reason, const char *format, ...)
{
    tc->result->skip_reason = (uint8_t)reason;
    UET_END_WITH(UET_SKIP);
}

void uet_ground_holds(struct uet_tc *tc)
{
    tc->result->ground_holds = true;
}

void uet_note(struct uet_tc *tc, const char *requirement, const char *format, ...)
{
    char why[200];
    va_list args;

    va_start(args, format);
    vsnprintf(why, sizeof(why), format, args);
    va_end(args);
    struct uet_finding *f = uet_tc_find(tc, requirement, tc->current ? tc->current->frame : 0, why);
    if (f)
        f->note = true;
}
