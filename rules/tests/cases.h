/* SPDX-License-Identifier: BSD-2-Clause */
/* One way at least to break each rule: a packet of the written talk, altered. */
#ifndef UET_RULES_TESTS_CASES_H
#define UET_RULES_TESTS_CASES_H

#include "rules/rules.h"
#include "track/tests/talk.h"

struct rule_case {
    const char *requirement; /* the one that must be among those that fire */
    enum talk_name name;     /* of the packet that is altered */
    void (*alter)(struct talk_packet *packet, uint8_t *pds, uint8_t *ses);
    uint8_t vantage;     /* enum uet_vantage */
    enum talk_name from; /* the first packet given */
    enum talk_name omit; /* not given, 0: none */
    enum talk_name
        until; /* correct packets after the altered one, one of which shows it; 0: none */
};

/* cases.c, and those of reads: cases_read.c. */
struct rule_cases {
    const struct rule_case *cases;
    size_t n;
};
extern const struct rule_cases rule_cases, read_cases;

/* Case i of all, NULL behind the last. */
static inline const struct rule_case *rule_case_at(size_t i)
{
    if (i < rule_cases.n)
        return &rule_cases.cases[i];
    return i - rule_cases.n < read_cases.n ? &read_cases.cases[i - rule_cases.n] : NULL;
}

/* ALTER(name) { ... } is a function that alters packet p with PDS header h and SES header s. */
#define ALTER(name)                                                                                \
    static void name(struct talk_packet *p __attribute__((unused)),                                \
                     uint8_t *h __attribute__((unused)), uint8_t *s __attribute__((unused)))

/* SETS(name, call) is one that makes a single call. */
#define SETS(name, call)                                                                           \
    ALTER(name)                                                                                    \
    {                                                                                              \
        call;                                                                                      \
    }

#endif
