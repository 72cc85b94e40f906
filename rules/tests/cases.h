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

extern const struct rule_case rule_cases[];
extern const size_t n_rule_cases;

#endif
