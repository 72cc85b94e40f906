/* SPDX-License-Identifier: BSD-2-Clause */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/harness/test.h"
#include "uet_spec.h"

/* Bounds of the linker section; weak, so that a program without tests still links. */
extern const struct uet_test *const __start_uet_tests[] __attribute__((weak));
extern const struct uet_test *const __stop_uet_tests[] __attribute__((weak));

static size_t n_entries(void)
{
    const struct uet_test *const *start = __start_uet_tests, *const *stop = __stop_uet_tests;

    return (size_t)(stop - start);
}

size_t uet_next_word(const char **at, const char **word)
{
    const char *p = *at;

    if (!p)
        return 0;
    while (*p == ' ')
        p++;
    *word = p;
    while (*p && *p != ' ')
        p++;
    *at = p;
    return (size_t)(p - *word);
}

/* The id without its area: "3.5.8.2.syn-any-packet-opens". */
static const char *after_area(const struct uet_test *test)
{
    const char *dot = strchr(test->id, '.');

    return dot ? dot + 1 : test->id;
}

/* Where the section ends: at the last dot that is followed by no digit-only part. */
static size_t section_length(const char *s)
{
    size_t end = 0;

    for (size_t i = 0; s[i];) {
        size_t part = i;

        while (isdigit((unsigned char)s[i]))
            i++;
        if (i == part || (s[i] != '.' && s[i] != '\0'))
            break;
        end = i;
        if (s[i] == '.')
            i++;
    }
    return end;
}

static const char *copy_part(const char *from, size_t n, char *out)
{
    if (n >= UET_SECTION_MAX)
        n = UET_SECTION_MAX - 1;
    memcpy(out, from, n);
    out[n] = '\0';
    return out;
}

const char *uet_test_area(const struct uet_test *test, char *out)
{
    return copy_part(test->id, strcspn(test->id, "."), out);
}

const char *uet_test_section(const struct uet_test *test, char *out)
{
    const char *s = after_area(test);

    return copy_part(s, section_length(s), out);
}

const char *uet_test_slug(const struct uet_test *test)
{
    const char *s = after_area(test);
    size_t n = section_length(s);

    return s[n] == '.' ? s + n + 1 : s + n;
}

const char *uet_role_name(uint8_t role)
{
    static const char *const names[] = {"target", "initiator", "passive"};

    return role < 3 ? names[role] : "unknown";
}

/* Section numbers compare part by part as numbers, so that 3.5.9 comes before 3.5.10. */
static int compare_sections(const char *a, const char *b)
{
    for (;;) {
        char *ea, *eb;
        long na = strtol(a, &ea, 10), nb = strtol(b, &eb, 10);

        if (ea == a || eb == b)
            return (ea != a) - (eb != b);
        if (na != nb)
            return na < nb ? -1 : 1;
        a = *ea == '.' ? ea + 1 : ea;
        b = *eb == '.' ? eb + 1 : eb;
    }
}

static int compare_tests(const void *va, const void *vb)
{
    const struct uet_test *a = *(const struct uet_test *const *)va;
    const struct uet_test *b = *(const struct uet_test *const *)vb;
    int order = compare_sections(after_area(a), after_area(b));

    return order ? order : strcmp(a->id, b->id);
}

/* All of them in order, made at the first use; entry i of the linker section has room at i. */
static const struct uet_test *const *in_order(size_t *n)
{
    static const struct uet_test **tests;
    static size_t count;

    if (!tests && n_entries() > 0 && (tests = malloc(n_entries() * sizeof(tests[0])))) {
        for (size_t i = 0; i < n_entries(); i++)
            if (__start_uet_tests[i])
                tests[count++] = __start_uet_tests[i];
        qsort(tests, count, sizeof(tests[0]), compare_tests);
    }
    *n = tests ? count : 0;
    return tests;
}

const struct uet_test **uet_tests_sorted(size_t *n)
{
    const struct uet_test *const *all = in_order(n);
    const struct uet_test **tests = *n ? malloc(*n * sizeof(tests[0])) : NULL;

    if (!tests)
        *n = 0;
    else
        memcpy(tests, all, *n * sizeof(tests[0]));
    return tests;
}

/* Is id the test's own, or that with an entry's number behind it: "ID.2"? */
static bool has_id(const struct uet_test *test, const char *id)
{
    size_t n = strlen(test->id);

    if (strncmp(test->id, id, n) != 0)
        return false;
    return id[n] == '\0' || (test->by_entry && id[n] == '.' && isdigit((unsigned char)id[n + 1]) &&
                             strspn(id + n + 1, "0123456789") == strlen(id + n + 1));
}

const struct uet_test *uet_test_find(const char *id)
{
    for (size_t i = 0; i < n_entries(); i++)
        if (__start_uet_tests[i] && has_id(__start_uet_tests[i], id))
            return __start_uet_tests[i];
    return NULL;
}

bool uet_test_needs(const struct uet_test *test, const char *need)
{
    const char *at = test->needs, *word;
    size_t n;

    while ((n = uet_next_word(&at, &word)) > 0)
        if (strlen(need) == n && memcmp(word, need, n) == 0)
            return true;
    return false;
}

bool uet_test_claims(const struct uet_test *test, const char *requirement)
{
    const struct uet_requirement *want = uet_requirement_find(requirement);
    const char *at = test->requirements, *word;
    size_t n;

    while ((n = uet_next_word(&at, &word)) > 0) {
        const struct uet_requirement *have;
        char id[16];

        if (n >= sizeof(id))
            continue;
        memcpy(id, word, n);
        id[n] = '\0';
        if (strcmp(id, requirement) == 0)
            return true;
        have = uet_requirement_find(id);
        if (want && have && uet_requirement_canonical(have) == uet_requirement_canonical(want))
            return true;
    }
    return false;
}
