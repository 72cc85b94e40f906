/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/cli/args.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "conformance/harness/dut.h"

static void complain_unknown(const char *name, const char *given, const struct option *options)
{
    size_t n = 0, length = strcspn(given, "=");
    char word[64];

    while (options[n].name)
        n++;
    snprintf(word, sizeof(word), "%.*s", (int)length, given);
    const char *bare = word + strspn(word, "-");
    const char *guess = uet_did_you_mean(bare, &options[0].name, sizeof(options[0]), n);
    fprintf(stderr, "uetconform %s: unknown option '%s'", name, word);
    if (guess)
        fprintf(stderr, " (did you mean '--%s'?)", guess);
    fprintf(stderr, "; `uetconform %s --help` lists them\n", name);
}

int uet_args_next(const char *name, int argc, char **argv, const struct option *options)
{
    opterr = 0;
    int c = getopt_long(argc, argv, ":h", options, NULL);
    if (c == ':')
        fprintf(stderr, "uetconform %s: option '%s' needs a value\n", name, argv[optind - 1]);
    else if (c == '?')
        complain_unknown(name, argv[optind - 1], options);
    return c == ':' ? '?' : c;
}

bool uet_args_number(const char *name, const char *option, const char *text, uint64_t min,
                     uint64_t max, uint64_t *value)
{
    char *end;

    errno = 0;
    unsigned long long n = strtoull(text, &end, 0);
    if (text[0] >= '0' && text[0] <= '9' && *end == '\0' && !errno && n >= min && n <= max) {
        *value = n;
        return true;
    }
    fprintf(stderr, "uetconform %s: --%s must be a number from %llu to %llu, not '%s'\n", name,
            option, (unsigned long long)min, (unsigned long long)max, text);
    return false;
}

bool uet_args_real(const char *name, const char *option, const char *text, double min, double max,
                   double *value)
{
    char *end;
    double n = strtod(text, &end);

    if (end != text && *end == '\0' && n >= min && n <= max) {
        *value = n;
        return true;
    }
    fprintf(stderr, "uetconform %s: --%s must be a number from %g to %g, not '%s'\n", name, option,
            min, max, text);
    return false;
}

bool uet_args_directory(const char *name, const char *path)
{
    char part[512];
    size_t n = strlen(path);

    if (n == 0 || n >= sizeof(part)) {
        fprintf(stderr, "uetconform %s: '%s' is no usable directory name\n", name, path);
        return false;
    }
    for (size_t i = 1; i <= n; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST) {
            fprintf(stderr, "uetconform %s: cannot make the directory %s: %s\n", name, part,
                    strerror(errno));
            return false;
        }
    }
    return true;
}
