/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.1.3, 3.4.2: an error is seen in each form of a request: header, operation, delivery mode. */
#include "conformance/tests/request_errors.h"

#define IN_EACH_FORM(name, test_id, rows, claims, words, due, check)                               \
    UET_TEST(name, .id = (test_id), .requirements = (rows), .role = UET_ROLE_TARGET,               \
             .needs = (claims), .contested = true,                                                 \
             .purpose = "Every form of a request is held against " words ".",                      \
             .preamble = "PDCs open; a region, or a receive, that the request would fit.",         \
             .stimulus = "Requests with " words " in each form that the FEP claims: READ; with "   \
                         "the medium and the small header; on ROD; over RUDI; tagged, "            \
                         "deferrable and rendezvous SENDs; atomics.",                              \
             .expected = due " each time; the code of a known implementation is a finding.")       \
    {                                                                                              \
        seen_in_each(tc, check);                                                                   \
    }

IN_EACH_FORM(job_in_each, "ses.3.4.1.3.1.unknown-job-in-each-form", "SES-052", "any-request",
             "an unknown JobID", "RC_BAD_JOB_ID", UET_CHECK_JOB)

IN_EACH_FORM(pid_in_each, "ses.3.4.1.3.2.unknown-pid-in-each-form", "SES-053", "any-request",
             "an unknown PIDonFEP", "RC_BAD_PID", UET_CHECK_PID)

IN_EACH_FORM(index_in_each, "ses.3.4.1.3.3.unknown-index-in-each-form", "SES-054", "any-request",
             "an unknown RI", "RC_BAD_INDEX", UET_CHECK_INDEX)

IN_EACH_FORM(disabled_in_each, "ses.3.4.6.3.disabled-in-each-form", "SES-100", "send",
             "a disabled RI", "RC_DISABLED", UET_CHECK_DISABLED)

IN_EACH_FORM(generation_in_each, "ses.3.4.3.6.3.generation-in-each-form", "SES-105",
             "send generations", "a wrong ri_generation", "RC_BAD_GENERATION", UET_CHECK_GENERATION)

IN_EACH_FORM(opcode_in_each, "ses.3.4.6.2.reserved-opcode-in-each-form", "SES-024", "any-request",
             "a reserved opcode", "RC_UNSUPPORTED_OP", UET_CHECK_OPCODE)

IN_EACH_FORM(key_in_each, "ses.3.4.1.5.2.unknown-key-in-each-form", "SES-063", "any-request",
             "an unknown memory key", "RC_BAD_MKEY", UET_CHECK_KEY)

IN_EACH_FORM(authorization_in_each, "ses.3.4.1.4.authorization-in-each-form", "SES-059",
             "any-request", "a region of another JobID", "RC_PERM_VIOLATION",
             UET_CHECK_AUTHORIZATION)

IN_EACH_FORM(right_in_each, "ses.3.4.6.3.right-in-each-form", "SES-064 SES-083", "any-request",
             "a region without the right", "RC_OP_VIOLATION", UET_CHECK_RIGHT)

IN_EACH_FORM(range_in_each, "ses.3.4.6.3.range-in-each-form", "SES-065 SES-084", "any-request",
             "a range past the end of its region", "RC_BAD_ADDR", UET_CHECK_RANGE)

static void of_version_1(struct uet_out *o)
{
    uet_ses_req_version_set(o->ses, 1);
}

UET_TEST(version_in_each, .id = "ses.3.4.2.unknown-version-in-each-form", .requirements = "SES-004",
         .role = UET_ROLE_TARGET, .needs = "any-request", .contested = true,
         .purpose = "The SES version is looked at in each form of a request.",
         .preamble = "PDCs open; a region, or a receive, that the request would fit.",
         .stimulus = "Requests with version 1 in each form that the FEP claims: WRITE, SEND, READ; "
                     "with the medium and the small header; on ROD; over RUDI; tagged, "
                     "deferrable and rendezvous SENDs; atomics.",
         .expected = "No success; no byte is written, and no receive ends well.")
{
    executed_in_none(tc, "SES-004", NULL, of_version_1);
}

static bool is_short(const struct carrier *c)
{
    return c->header != UET_UT_HEADER_STD;
}

static void without_eom(struct uet_out *o)
{
    uet_ses_req_eom_set(o->ses, false);
}

static void without_som(struct uet_out *o)
{
    uet_ses_req_som_set(o->ses, false);
}

#define SINGLE(name, slug, flag)                                                                   \
    UET_TEST(name##_in_each, .id = "ses.3.4.2.2.short-request-without-" slug,                      \
             .requirements = "SES-015", .role = UET_ROLE_TARGET, .needs = "any-request",           \
             .contested = true,                                                                    \
             .purpose = "No request with a small or medium header is executed without " flag ".",  \
             .preamble = "PDCs open; a region, or a receive, that the request would fit.",         \
             .stimulus = "Requests with " flag "=0 in each form with a small or medium header "    \
                         "that the FEP claims: WRITE, READ, SEND, tagged SEND; over RUDI.",        \
             .expected = "No success; no byte is written, and no receive ends well.")              \
    {                                                                                              \
        executed_in_none(tc, "SES-015", is_short, name);                                           \
    }

SINGLE(without_eom, "eom", "EOM")
SINGLE(without_som, "som", "SOM")

UET_TEST(absolute_in_each, .id = "ses.3.4.1.3.absolute-lookup-in-each-form",
         .requirements = "SES-051", .role = UET_ROLE_TARGET, .needs = "any-request upper-tester",
         .purpose =
             "With rel=0 the JobID takes no part in finding the buffer, in whatever form the "
             "request comes.",
         .preamble = "PDCs open; for each a region, or a receive, that any job may use.",
         .stimulus = "Requests rel=0 of a JobID that there is not in each form that the FEP "
                     "claims: WRITE, SEND, READ; with the medium and the small header; on ROD; "
                     "over RUDI; tagged, deferrable and rendezvous SENDs; atomics.",
         .expected = "Success each time.")
{
    found_in_each(tc, "SES-051");
}

UET_TEST(counted, .id = "ses.3.4.2.5.modified-length-in-each-form", .requirements = "SES-124",
         .role = UET_ROLE_TARGET, .needs = "any-request",
         .purpose = "modified_length of a success is what its message changes, in whatever form it "
                    "comes.",
         .preamble = "PDCs open; for each a region, or a receive.",
         .stimulus =
             "Right requests in each form that the FEP claims: WRITE, SEND; with the medium "
             "and the small header; on ROD; over RUDI; tagged, deferrable and rendezvous "
             "SENDs; an atomic that fetches nothing.",
         .expected = "What tells RC_OK has request_length as modified_length, or 0 in a default "
                     "response.")
{
    counted_in_each(tc, "SES-124");
}

static void in_error(struct uet_out *o)
{
    uet_ses_req_ie_set(o->ses, true);
}

UET_TEST(ie_in_each, .id = "ses.3.4.5.4.1.initiator-error-in-each-form",
         .requirements = "SES-111 SES-112", .role = UET_ROLE_TARGET, .needs = "any-request",
         .purpose = "ie is looked at in each form of a request.",
         .preamble = "PDCs open; a region, or a receive, that the request would fit.",
         .stimulus = "Requests with ie=1 in each form that the FEP claims: WRITE, SEND, READ; with "
                     "the medium and the small header; on ROD; over RUDI; tagged, deferrable and "
                     "rendezvous SENDs; atomics.",
         .expected = "No success; no byte is written, and no receive ends well.")
{
    executed_in_none(tc, "SES-111", NULL, in_error);
}
