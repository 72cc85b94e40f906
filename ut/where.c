/* SPDX-License-Identifier: BSD-2-Clause */
#include "ut/where.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>

int uet_ut_where_fail(char *err, size_t errlen, int code, const char *text, const char *why)
{
    if (errlen)
        snprintf(err, errlen, "control %s: %s", *text ? text : "(empty)", why);
    return -code;
}

/* What stands behind the word, or NULL. */
static const char *behind(const char *text, const char *word)
{
    size_t n = strlen(word);

    return strncmp(text, word, n) == 0 ? text + n : NULL;
}

/* HOST:PORT, an IPv6 address in brackets. */
static int read_tcp(struct uet_ut_where *where, const char *text)
{
    const char *colon = strrchr(text, ':'), *host = text, *end = colon;

    if (colon && *host == '[') {
        host++;
        end--;
        if (end < host || *end != ']')
            return -EINVAL;
    } else if (colon && memchr(host, ':', (size_t)(colon - host))) {
        return -EINVAL;
    }
    if (!colon || end == host || !colon[1] ||
        strspn(colon + 1, "0123456789") != strlen(colon + 1) || strlen(colon + 1) > 5 ||
        strtoul(colon + 1, NULL, 10) > UINT16_MAX)
        return -EINVAL;
    if ((size_t)(end - host) >= sizeof(where->host))
        return -ENAMETOOLONG;
    snprintf(where->host, sizeof(where->host), "%.*s", (int)(end - host), host);
    snprintf(where->port, sizeof(where->port), "%s", colon + 1);
    return 0;
}

int uet_ut_where_read(struct uet_ut_where *where, const char *text, char *err, size_t errlen)
{
    const char *rest;

    *where = (struct uet_ut_where){.path = text};
    if ((rest = behind(text, "tcp:")) != NULL) {
        where->way = UET_UT_TCP;
        int rc = read_tcp(where, rest);
        return rc ? uet_ut_where_fail(err, errlen, -rc, text,
                                      "give tcp:HOST:PORT, as tcp:10.0.0.2:4700 or "
                                      "tcp:[2001:db8::1]:4700")
                  : 0;
    }
    if ((rest = behind(text, "exec:")) != NULL) {
        where->way = UET_UT_EXEC;
        where->path = rest;
        return *rest ? 0
                     : uet_ut_where_fail(err, errlen, EINVAL, text,
                                         "give exec:COMMAND, a program that reads requests on its "
                                         "standard input");
    }
    if ((rest = behind(text, "unix:")) != NULL)
        where->path = rest;
    if (!*where->path)
        return uet_ut_where_fail(err, errlen, EINVAL, text, "give the path of a socket");
    if (strlen(where->path) >= sizeof(((struct sockaddr_un *)0)->sun_path))
        return uet_ut_where_fail(err, errlen, ENAMETOOLONG, text,
                                 "longer than 107 bytes: use a shorter path");
    return 0;
}
