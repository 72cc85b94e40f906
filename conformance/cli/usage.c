/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/cli/usage.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "conformance/harness/dut.h"

static void unknown_option(const char *command, const char *given, const struct option *options)
{
    size_t n = 0;
    char word[64];

    while (options[n].name)
        n++;
    snprintf(word, sizeof(word), "%.*s", (int)strcspn(given, "="), given);
    const char *guess =
        uet_did_you_mean(word + strspn(word, "-"), &options[0].name, sizeof(options[0]), n);
    if (guess)
        uet_usage(command, "unknown option %s (did you mean --%s?)", word, guess);
    else
        uet_usage(command, "unknown option %s", word);
}

int uet_usage_next(const char *command, int argc, char **argv, const struct option *options)
{
    opterr = 0;
    int c = getopt_long(argc, argv, ":h", options, NULL);
    const char *given = optind > 0 && optind <= argc ? argv[optind - 1] : "";

    if (c == ':')
        uet_usage(command, "%s needs a value", given);
    else if (c == '?')
        unknown_option(command, given, options);
    return c == ':' ? '?' : c;
}

int uet_usage(const char *command, const char *format, ...)
{
    va_list ap;

    fprintf(stderr, "uetconform %s: ", command);
    va_start(ap, format);
    vfprintf(stderr, format, ap);
    va_end(ap);
    fprintf(stderr, "; see uetconform %s --help\n", command);
    return 2;
}

int uet_setup_error(const char *command, const char *message)
{
    fprintf(stderr, "uetconform %s: %s\n", command, message);
    return 2;
}
