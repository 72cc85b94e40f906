/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * say WHERE: makes the requests that stand on standard input, one a line, of the upper tester
 * there. Exit status 0, or 1 and one line that says what was refused, and why.
 */
#include <stdio.h>

#include "ut/ut.h"

int main(int argc, char **argv)
{
    enum { TIMEOUT_MS = 10000 };
    struct uet_ut *ut = NULL;
    char err[300] = "say WHERE <REQUESTS";
    json_t *request, *reply;

    if (argc != 2 || uet_ut_connect(&ut, argv[1], TIMEOUT_MS, err, sizeof(err))) {
        fprintf(stderr, "say: %s\n", err);
        return 1;
    }
    int rc = 0;
    while (!rc && (request = json_loadf(stdin, JSON_DISABLE_EOF_CHECK, NULL))) {
        rc = uet_ut_call(ut, request, &reply);
        if (rc)
            fprintf(stderr, "say: %s\n", ut->error);
        json_decref(reply);
    }
    uet_ut_close(ut);
    return rc ? 1 : 0;
}
