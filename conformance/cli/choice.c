/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/cli/choice.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/cli/args.h"
#include "conformance/cli/explainable.h"
#include "uet_spec.h"
#include "ut/nearest.h"

/* Adds a word to the list; false, and a line written, when there is no room. */
static bool add(const struct uet_choice *c, char *list, size_t size, const char *word)
{
    size_t at = strlen(list);

    if (strchr(word, ' ') || !*word || strlen(word) >= UET_SELECTION_WORD) {
        uet_usage(c->command, "'%s' is no name", word);
        return false;
    }
    if (at + strlen(word) + 2 > size) {
        uet_usage(c->command, "too much is chosen: '%s' finds no room", word);
        return false;
    }
    snprintf(list + at, size - at, "%s%s", at ? " " : "", word);
    return true;
}

static bool selects_a_test(const struct uet_selection *selection)
{
    size_t n;

    free(uet_select(selection, &n));
    return n > 0;
}

/* ---- sections ---- */

static bool section_exists(const char *section)
{
    for (size_t i = 0; i < uet_n_sections; i++)
        if (uet_section_in(uet_sections[i].section, section))
            return true;
    for (size_t i = 0; i < uet_n_requirements; i++)
        if (uet_section_in(uet_requirements[i].section, section))
            return true;
    return false;
}

/* Sections are near each other within a chapter, whatever their digits. */
static void no_such_section(const struct uet_choice *c, const char *text)
{
    size_t chapter = strcspn(text, ".");
    struct uet_nearest near;
    char guess[320] = "";

    uet_nearest_begin(&near, text);
    for (size_t i = 0; i < uet_n_sections; i++)
        if (strncmp(uet_sections[i].section, text, chapter) == 0)
            uet_nearest_offer(&near, uet_sections[i].section);
    uet_nearest_append(&near, guess, sizeof(guess));
    uet_usage(c->command, "--section %s: there is no such section%s", text, guess);
}

static bool take_section(struct uet_choice *c, const char *text)
{
    const struct uet_selection alone = {.section = text};

    if (!section_exists(text)) {
        no_such_section(c, text);
        return false;
    }
    if (c->of_tests && !selects_a_test(&alone)) {
        uet_usage(c->command,
                  "--section %s: no test stands there (`uetconform coverage` shows why)", text);
        return false;
    }
    return add(c, c->sections, sizeof(c->sections), text);
}

/* ---- tests ---- */

static void no_such_test(const struct uet_choice *c, const char *text)
{
    struct uet_nearest near;
    char guess[320] = "";
    size_t n;
    const struct uet_test **tests = uet_tests_sorted(&n);
    char id[UET_SELECTION_WORD];
    const struct uet_selection anywhere = {.glob = id};

    snprintf(id, sizeof(id), "%.*s", (int)strcspn(text, "@"), text);
    if (strchr(text, '@') && selects_a_test(&anywhere)) {
        uet_usage(c->command, "--test %s: no such test goes there (`uetconform list --dimensions`)",
                  text);
        free(tests);
        return;
    }
    uet_nearest_begin(&near, id);
    for (size_t i = 0; i < n; i++)
        uet_nearest_offer(&near, tests[i]->id);
    uet_nearest_append(&near, guess, sizeof(guess));
    free(tests);
    uet_usage(c->command, "--test %s: no test matches%s", text, guess);
}

/* What stands behind the '@' of a GLOB names a point to which such a test goes. */
static bool take_point(const struct uet_choice *c, const char *text)
{
    const char *name = strchr(text, '@'), *wrong;
    struct uet_point point;
    struct uet_nearest near;
    char word[UET_POINT_NAME], guess[320] = "";
    size_t n;

    if (!name || uet_point_find(name + 1, &point, &wrong, &n))
        return true;
    snprintf(word, sizeof(word), "%.*s", (int)n, wrong);
    if (wrong > name + 1 && uet_point_find(word, &point, &wrong, &n)) {
        uet_usage(c->command, "--test %s: '%s' is a second place of one dimension", text, word);
        return false;
    }
    uet_nearest_begin(&near, word);
    for (size_t d = 0; d < UET_N_DIMENSIONS; d++)
        for (size_t p = 1; p < uet_n_places(&uet_dimensions[d]); p++)
            uet_nearest_offer(&near, uet_dimensions[d].places[p].name);
    uet_nearest_append(&near, guess, sizeof(guess));
    uet_usage(c->command,
              "--test %s: '%s' is no place of a dimension (`uetconform list --dimensions`)%s", text,
              word, guess);
    return false;
}

/* Ids are all in small letters. */
static bool take_glob(struct uet_choice *c, const char *text)
{
    char glob[sizeof(c->globs)];
    const struct uet_selection alone = {.glob = glob};
    size_t n = 0;

    for (; text[n] && n + 1 < sizeof(glob); n++)
        glob[n] = (char)tolower((unsigned char)text[n]);
    glob[n] = '\0';
    if (!add(c, c->globs, sizeof(c->globs), glob))
        return false;
    if (!take_point(c, glob))
        return false;
    if (!selects_a_test(&alone)) {
        no_such_test(c, glob);
        return false;
    }
    return true;
}

/* ---- requirements ---- */

static bool take_requirement(struct uet_choice *c, const char *text)
{
    const struct uet_requirement *r = uet_requirement_named(text);
    char guess[320];

    if (!r) {
        uet_usage(c->command, "--requirement %s: there is no such requirement%s", text,
                  uet_nearest_in(guess, sizeof(guess), text, &uet_requirements->id,
                                 sizeof(*uet_requirements), uet_n_requirements));
        return false;
    }
    const struct uet_selection alone = {.requirement = r->id};
    if (c->of_tests && !selects_a_test(&alone)) {
        uet_usage(c->command, "--requirement %s: no test claims it (`uetconform explain %s`)",
                  r->id, r->id);
        return false;
    }
    return add(c, c->requirements, sizeof(c->requirements), r->id);
}

bool uet_choice_take(struct uet_choice *c, int letter, const char *text,
                     struct uet_selection *selection)
{
    bool good = letter == 's'   ? take_section(c, text)
                : letter == 't' ? take_glob(c, text)
                                : take_requirement(c, text);

    selection->section = c->sections[0] ? c->sections : NULL;
    selection->glob = c->globs[0] ? c->globs : NULL;
    selection->requirement = c->requirements[0] ? c->requirements : NULL;
    return good;
}
