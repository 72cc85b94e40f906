/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/bad_option.h"

#include <stdio.h>
#include <string.h>

#include "ut/nearest.h"

int uet_bad_option(const char *who, int result, char *const *argv, const struct option *options)
{
    const char *given = argv[optind - 1];
    char word[64], text[400];

    if (strncmp(given, "--", 2) == 0)
        snprintf(word, sizeof word, "%.*s", (int)strcspn(given, "="), given);
    else
        snprintf(word, sizeof word, "-%c", optopt);
    snprintf(text, sizeof text, "%s: %s %s", who, word,
             result == ':' ? "lacks its value" : "is not an option");
    if (result == '?' && strchr(given, '=') && optopt)
        snprintf(text, sizeof text, "%s: %s takes no value", who, word);
    else if (result == '?' && word[1] == '-') {
        struct uet_nearest near;
        uet_nearest_begin(&near, word);
        uet_nearest_offer_options(&near, options);
        uet_nearest_append(&near, text, sizeof text);
    }
    fprintf(stderr, "%s; see %s --help\n", text, who);
    return 2;
}
