/* SPDX-License-Identifier: BSD-2-Clause */
/* What a word of `explain` and `--requirement` names. */
#include "conformance/cli/explainable.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct uet_requirement *uet_requirement_named(const char *word)
{
    char id[16];
    size_t letters = 0;

    while (isalpha((unsigned char)word[letters]))
        letters++;
    const char *digits = word + letters + (word[letters] == '-');
    if (letters < 2 || letters > 3 || !*digits || strlen(digits) > 4 ||
        digits[strspn(digits, "0123456789")] != '\0')
        return NULL;
    snprintf(id, sizeof(id), "%.*s-%03d", (int)letters, word, atoi(digits));
    for (char *p = id; *p; p++)
        *p = (char)toupper((unsigned char)*p);
    return uet_requirement_find(id);
}

bool uet_explainable_find(struct uet_explainable *e, const char *word)
{
    memset(e, 0, sizeof(*e));
    e->requirement = uet_requirement_named(word);
    if (!e->requirement)
        e->test = uet_test_find(word);
    if (!e->requirement && !e->test && uet_section_find(word))
        e->section = word;
    return e->requirement || e->test || e->section;
}

size_t uet_requirement_tables(const struct uet_requirement *r,
                              const struct uet_table_number **tables, size_t max)
{
    size_t n = 0;

    for (const char *p = r->spec; (p = strstr(p, "Tab")) && n < max; p += 3) {
        const char *q = p + strcspn(p, " ");
        char number[16];
        size_t length;

        q += *q == ' ';
        length = strspn(q, "0123456789-");
        if (length == 0 || length >= sizeof(number))
            continue;
        snprintf(number, sizeof(number), "%.*s", (int)length, q);
        tables[n] = uet_table_number_find(number);
        n += tables[n] != NULL;
    }
    return n;
}

const char *uet_confidence_words(char confidence)
{
    switch (confidence) {
    case UET_CONFIDENCE_A:
        return "two or more independent sources, or the specification's authors";
    case UET_CONFIDENCE_B:
        return "one credible source";
    case UET_CONFIDENCE_OWN:
        return "not the standard's text: robustness, as any user would expect it of any FEP";
    default:
        return "inferred, or the sources disagree";
    }
}
