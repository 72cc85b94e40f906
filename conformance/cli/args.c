/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/cli/args.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "conformance/report/outfile.h"
#include "tools/idle_option.h"
#include "ut/nearest.h"

/* ---- complaints ---- */

static void complain(const char *command, const char *format, va_list ap)
{
    fprintf(stderr, "uetconform %s: ", command);
    vfprintf(stderr, format, ap);
}

int uet_usage(const char *command, const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    complain(command, format, ap);
    va_end(ap);
    fprintf(stderr, "; see uetconform %s --help\n", command);
    return 2;
}

int uet_setup_error(const char *command, const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    complain(command, format, ap);
    va_end(ap);
    fputc('\n', stderr);
    return 2;
}

/* ---- options ---- */

static void unknown_option(const char *command, const char *given, const struct option *options)
{
    struct uet_nearest near;
    char word[64], guess[320] = "";

    snprintf(word, sizeof(word), "%.*s", (int)strcspn(given, "="), given);
    uet_nearest_begin(&near, word);
    uet_nearest_offer_options(&near, options);
    uet_nearest_append(&near, guess, sizeof(guess));
    uet_usage(command, "unknown option '%s'%s", word, guess);
}

/* Those of whose values all count, and --sender, which says itself why not. */
static bool given_once(const char *command, int argc, char **argv, const struct option *options)
{
    static const char *const many[] = {"section",      "test",         "requirement",  "sender",
                                       "dscp-trimmed", "dscp-lasthop", "dscp-control", NULL};
    struct uet_option_twice twice;
    bool once = !uet_options_twice(argc, argv, ":h", options, many, &twice);

    if (!once)
        uet_usage(command, "'--%s' stands there twice: '%s' and '%s'", twice.name, twice.values[0],
                  twice.values[1]);
    return once;
}

bool uet_args_used(const char *command, int argc, char **argv, const struct option *options,
                   const struct uet_idle_option *idle)
{
    static const char *const all[] = {"*", NULL}; /* uet_args_next tells */
    char who[64];

    snprintf(who, sizeof(who), "uetconform %s", command);
    int status = uet_idle_options(who, argc, argv, ":h", options, idle, all);
    optind = 0; /* from the beginning again */
    return status < 0;
}

int uet_args_next(const char *command, int argc, char **argv, const struct option *options)
{
    if (optind <= 1 && !given_once(command, argc, argv, options))
        return '?';
    opterr = 0;
    int c = getopt_long(argc, argv, ":h", options, NULL);
    const char *given = optind > 0 && optind <= argc ? argv[optind - 1] : "";

    if (c == ':')
        uet_usage(command, "option '%s' needs a value", given);
    else if (c == '?')
        unknown_option(command, given, options);
    return c == ':' ? '?' : c;
}

bool uet_args_no_more(const char *command, int argc, char **argv)
{
    if (optind < argc)
        uet_usage(command, "'%s' is too much", argv[optind]);
    return optind >= argc;
}

/* ---- values ---- */

bool uet_args_once(const char *command, const char *option, const char *text, const char **value)
{
    if (!*text) {
        uet_usage(command, "'--%s' needs a name, and has an empty one", option);
        return false;
    }
    if (*value) {
        uet_usage(command, "'--%s' stands there twice: '%s' and '%s'", option, *value, text);
        return false;
    }
    *value = text;
    return true;
}

bool uet_args_spares(const char *command, const char *input, const char *output)
{
    if (!output || strcmp(input, "-") == 0 || !uet_outfile_same(input, output))
        return true;
    uet_setup_error(command, "%s would be overwritten, and it is read, too: write to another file",
                    input);
    return false;
}

bool uet_args_apart(const char *command, const char *a, const char *b)
{
    if (!a || !b || !uet_outfile_same(a, b))
        return true;
    uet_setup_error(command, "%s and %s are one file: write to two", a, b);
    return false;
}

bool uet_args_writable(const char *command, const char *output)
{
    struct uet_outfile file = {0};
    char error[600];

    if (!output || uet_outfile_is_stdout(output))
        return true;
    if (uet_outfile_open(&file, output, error, sizeof(error)) == 0) {
        uet_outfile_abort(&file);
        return true;
    }
    uet_setup_error(command, "%s", error);
    return false;
}

bool uet_args_number(const char *command, const char *option, const char *text, uint64_t min,
                     uint64_t max, uint64_t *value)
{
    char *end;

    errno = 0;
    unsigned long long n = strtoull(text, &end, 0);
    if (text[0] >= '0' && text[0] <= '9' && *end == '\0' && !errno && n >= min && n <= max) {
        *value = n;
        return true;
    }
    uet_usage(command, "--%s must be a number from %llu to %llu, not '%s'", option,
              (unsigned long long)min, (unsigned long long)max, text);
    return false;
}

bool uet_args_real(const char *command, const char *option, const char *text, double min,
                   double max, double *value)
{
    char *end;
    double n = strtod(text, &end);

    if (end != text && *end == '\0' && n >= min && n <= max) {
        *value = n;
        return true;
    }
    uet_usage(command, "--%s must be a number from %g to %g, not '%s'", option, min, max, text);
    return false;
}

bool uet_args_word(const char *command, const char *option, const char *text,
                   const char *const *names, uint8_t *place)
{
    char all[160] = "";
    size_t at = 0;

    for (uint8_t i = 0; names[i]; i++) {
        if (strcmp(text, names[i]) == 0) {
            *place = i;
            return true;
        }
        const char *between = i == 0 ? "" : names[i + 1] ? ", " : " or ";
        int n = snprintf(all + at, sizeof(all) - at, "%s%s", between, names[i]);
        at += n > 0 && (size_t)n < sizeof(all) - at ? (size_t)n : 0;
    }
    uet_usage(command, "--%s must be %s, not '%s'", option, all, text);
    return false;
}

bool uet_args_directory(const char *command, const char *path)
{
    char part[512];
    size_t n = strlen(path);

    if (n == 0 || n >= sizeof(part)) {
        uet_setup_error(command, "'%s' is no usable directory name", path);
        return false;
    }
    for (size_t i = 1; i <= n; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        memcpy(part, path, i);
        part[i] = '\0';
        struct stat st;
        bool made = mkdir(part, 0777) == 0;
        int why = errno;
        if (made || (why == EEXIST && stat(part, &st) == 0 && S_ISDIR(st.st_mode)))
            continue;
        uet_setup_error(command, "cannot make the directory %s: %s", part, strerror(why));
        return false;
    }
    return true;
}
