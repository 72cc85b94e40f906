/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where an upper tester is: "unix:PATH" or just a path, "tcp:HOST:PORT" ("tcp:[2001:db8::1]:4700"),
 * or "exec:COMMAND", a program of its own that speaks on standard input and output.
 */
#ifndef UET_UT_WHERE_H
#define UET_UT_WHERE_H

#include <stddef.h>

enum { UET_UT_HOST = 200, UET_UT_PORT = 16 };

struct uet_ut_where {
    enum uet_ut_way { UET_UT_UNIX, UET_UT_TCP, UET_UT_EXEC } way;
    const char *path; /* of UNIX, or the command of EXEC: inside the text that was read */
    char host[UET_UT_HOST], port[UET_UT_PORT]; /* of TCP */
};

/* 0, or -EINVAL or -ENAMETOOLONG and in err one sentence that says how to write it. */
int uet_ut_where_read(struct uet_ut_where *where, const char *text, char *err, size_t errlen);

/* Writes "control TEXT: why" to err and returns -code. */
int uet_ut_where_fail(char *err, size_t errlen, int code, const char *text, const char *why);

#endif
