/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a run found: the same structures for the terminal, JSON, JUnit, HTML, coverage and
 * selftest. Verdicts are those of ISO/IEC 9646.
 */
#ifndef UET_CONFORMANCE_RESULT_H
#define UET_CONFORMANCE_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From good to bad: a verdict only worsens during a test (skip stands aside). */
enum uet_verdict {
    UET_PASS,
    UET_INCONC, /* network or time spoilt it */
    UET_FAIL,
    UET_ERROR, /* the tester spoilt it */
    UET_SKIP,  /* not claimed, or the port cannot */
};

/* "pass", "inconc", "fail", "error", "skip". */
const char *uet_verdict_name(enum uet_verdict verdict);

/* Why a test was skipped: a report groups by it, the message tells more. */
enum uet_skip_reason {
    UET_SKIP_OTHER,
    UET_SKIP_NO_UPPER_TESTER,
    UET_SKIP_NOT_CLAIMED, /* PICS */
    UET_SKIP_VERB,        /* the upper tester lacks a verb, a mode or an argument */
    UET_SKIP_PORT,
    UET_SKIP_PARAMETER,  /* a PIXIT value was not told */
    UET_SKIP_VERSION,    /* the requirement is not in the version that judges */
    UET_SKIP_CLAIMED,    /* the upper tester lacks a verb of what fep.yaml claims */
    UET_SKIP_FEP_CHOICE, /* the FEP chose another way, as it may */
    UET_SKIP_LISTED,     /* a verb that `hello` lists, refused in its plainest form */
    UET_SKIP_LENGTHY,    /* left out at depth smoke */
    UET_N_SKIP_REASONS,
};

/* "no upper tester", "not claimed", ...; "other" for a number that is none. */
const char *uet_skip_reason_words(enum uet_skip_reason reason);

/* The reason with those words; UET_SKIP_OTHER when there is none. */
enum uet_skip_reason uet_skip_reason_find(const char *words);

#define UET_MAX_FINDINGS 24
#define UET_MAX_OUTSIDE  8   /* of them: kept for rules that are broken outside the subject */
#define UET_POINT_NAME   112 /* bytes of the name of a point (harness/point.h), its end included */

struct uet_finding {
    char requirement[16];
    uint32_t frame; /* packet number in the test's capture, 0: none */
    char text[200];
    /*
     * How many packets broke this rule, which is not the test's subject: no part of its verdict,
     * the entry "rule.PDS-105" of the run tells it. 0: a finding of the test's own.
     */
    uint32_t outside;
    uint32_t unlisted;          /* it stands for so many that found no place */
    bool note;                  /* a remark: nothing was judged */
    char point[UET_POINT_NAME]; /* where the test ran when this was seen; "": at its ordinary one */
};

/* A packet of a verdict: its number in the test's capture (0: there is none), and in words. */
struct uet_shown {
    uint32_t frame;
    char line[512];
};

/*
 * In the first line of a message about a packet that is missing, before the id of a rule: what came
 * in its place broke it, and is most likely the packet itself. Failures are grouped by it.
 */
#define UET_WHICH_BREAKS ", which breaks "

/* The outcome of one test. */
struct uet_result {
    const char *id;           /* "pds.3.5.8.2.syn-any-packet-opens" */
    const char *requirements; /* "PDS-029 PDS-025" */
    const char *section;      /* "3.5.8.2" */
    const char *role;         /* "target", "initiator" */
    uint8_t verdict;          /* enum uet_verdict */
    uint8_t skip_reason;      /* enum uet_skip_reason, of a skip */
    bool cut;                /* the run was interrupted meanwhile: counts for nothing, runs again */
    bool known;              /* the deviation stands in fep.yaml: known-fail */
    bool unexpected_pass;    /* it stands there, but the test passed */
    bool ground_holds;       /* a sanity test that saw enough: what builds on it can go on */
    bool contested;          /* rests on a reading of confidence C */
    char message[1000];      /* for everything but pass: sent, required, came; several lines */
    char conversation[3000]; /* what was said, heard and checked, a line a step; its end, when it
                                is long; "" of a test that passed or was skipped */
    char broken[16];         /* fail: the requirement that was not met, or "" */
    char as_in[96];          /* the test whose failure has the same cause ("as in ..."), or "";
                                of a rule's entry: the test in which it was broken first */
    struct uet_shown sent;   /* the test's last packet before the verdict */
    struct uet_shown came;   /* the packet that the verdict is about */
    uint32_t frame;          /* the packet that decided, in the test's capture; 0: none */
    char points[7168];       /* where it ran (harness/point.h), separated by spaces; "": nowhere:
                                room for the names of 64 points */
    uint32_t points_out_of_time;       /* where it would have run, had it not taken too long */
    char failed_point[UET_POINT_NAME]; /* where it came to its verdict; "": at the ordinary point */
    char set_up[24]; /* "native", "sealed", ...: it ran at that other set-up of the FEP, which the
                        conditions of the run describe; "": at the run's own */
    double seconds;  /* on the port's clock */
    double wall_seconds;
    char pcap[256]; /* capture file, or "" */
    struct uet_finding findings[UET_MAX_FINDINGS];
    size_t n_findings;
};

/*
 * A place for one more finding of that requirement, all 0 but for its id. NULL: no place is left;
 * then one finding tells how many are not listed, a note when all of these are notes.
 */
struct uet_finding *uet_finding_new(struct uet_result *r, const char *requirement, bool note);
/* So many more find no place. */
void uet_findings_unlisted(struct uet_result *r, const char *requirement, bool note, uint32_t more);

struct uet_summary {
    unsigned pass, fail, inconc, error, skip, known_fail, unexpected_pass;
    unsigned claimed; /* of those skipped: UET_SKIP_CLAIMED, _LISTED; --strict wants none */
};

/*
 * One thing that a run rests on, for whoever must vouch for it. Groups: "FEP", "fep.yaml",
 * "claims", "parameters", "tester". ("claims", "rud", "yes").
 */
struct uet_condition {
    const char *group, *name, *value;
};

/* What was run: the head of a report. */
struct uet_run_info {
    const char *fep;      /* "ref", or the path of fep.yaml */
    const char *fep_name; /* what the FEP calls itself, or "" */
    const char *spec;     /* "1.0.3" */
    const char *profile;  /* "all", "AI-Base", ... */
    const char *secure;   /* --secure: "cluster", ...; NULL and "": none */
    uint64_t seed;
    bool strict;         /* a SHOULD that is not met failed its test */
    double slow;         /* --slow: 0 and 1 say nothing */
    double time_scale;   /* --time-scale, likewise */
    const char *version; /* of uetkit */
    const char *started; /* ISO 8601 */
    const char *ended;   /* likewise; "" when not known, NULL in a run that is still to end */
    const struct uet_condition *conditions;
    size_t n_conditions;
};

/*
 * Is it the entry of a rule that was broken outside a test's subject ("rule.PDS-105"), and no
 * test? It has role "passive", and uet_test_find() knows no such id.
 */
bool uet_result_is_rule(const struct uet_result *result);

/* A result that was cut counts for nothing. */
void uet_summary_add(struct uet_summary *summary, const struct uet_result *result);

/* 0 when nothing failed, erred, was inconclusive or passed unexpectedly; else 1. */
int uet_summary_exit_status(const struct uet_summary *summary);

#endif
