/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/cli/target/alike.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int uet_alike_open(struct uet_alike *alike, const struct uet_target *base, size_t n, char *err,
                   size_t errlen)
{
    int rc = 0;

    *alike = (struct uet_alike){0};
    if (n == 0)
        return 0;
    alike->target = calloc(n, sizeof(*alike->target));
    if (!alike->target) {
        snprintf(err, errlen, "no memory left");
        return -ENOMEM;
    }
    for (; !rc && alike->n < n; alike->n++) /* one that did not open is closed, too */
        rc = uet_target_open_alike(&alike->target[alike->n], base, alike->n + 1, err, errlen);
    return rc;
}

void uet_alike_close(struct uet_alike *alike)
{
    for (size_t i = 0; i < alike->n; i++)
        uet_target_close(&alike->target[i]);
    free(alike->target);
    *alike = (struct uet_alike){0};
}
