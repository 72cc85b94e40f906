/* SPDX-License-Identifier: BSD-2-Clause */
/* What the commands share. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/uetkeys/command.h"
#include "wire/secret.h"

volatile sig_atomic_t uetkeys_stop;

int uetkeys_wrong(const char *command, const char *format, ...)
{
    va_list list;

    fprintf(stderr, "uetkeys %s: ", command);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    return UETKEYS_USAGE;
}

bool uetkeys_time(const char *command, const char *option, const char *text, uint64_t *ns)
{
    static const struct {
        const char *unit;
        uint64_t ns;
    } units[] = {{"ms", 1000000}, {"s", 1000000000}, {"min", UINT64_C(60000000000)}};
    char *end;

    errno = 0;
    unsigned long long n = strtoull(text, &end, 10);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (isdigit((unsigned char)*text) && !errno && strcmp(end, units[i].unit) == 0 &&
            n <= UINT64_C(86400000000000) / units[i].ns) {
            *ns = n * units[i].ns;
            return true;
        }
    uetkeys_wrong(command, "--%s '%s': give a time up to a day such as 500ms, 10s or 5min", option,
                  text);
    return false;
}

void uetkeys_guard(const char *command)
{
    char err[300];

    if (uet_secrets_guard(err, sizeof err))
        fprintf(stderr, "uetkeys %s: %s\n", command, err);
}

static int write_file(const char *path, const char *text, size_t n)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600), rc = 0;

    if (fd < 0)
        return -errno;
    while (n && !rc) {
        ssize_t done = write(fd, text, n);

        if (done < 0 && errno != EINTR)
            rc = -errno;
        text += done > 0 ? done : 0;
        n -= done > 0 ? (size_t)done : 0;
    }
    if (fsync(fd) && errno != EINVAL && !rc)
        rc = -errno;
    return close(fd) && !rc ? -errno : rc;
}

int uetkeys_replace(const char *path, const char *text, size_t n)
{
    char beside[PATH_MAX];

    if (snprintf(beside, sizeof beside, "%s.new", path) >= (int)sizeof beside)
        return -ENAMETOOLONG;
    unlink(beside); /* of one that was killed here */
    int rc = write_file(beside, text, n);
    if (!rc && rename(beside, path))
        rc = -errno;
    if (rc)
        unlink(beside);
    return rc;
}
