/* SPDX-License-Identifier: BSD-2-Clause */
/* The keys of a scenario, for who reads its capture (wire/keyfile.h). They are nobody's secret. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#include "sim/scenario/internal.h"
#include "wire/keyfile.h"

int sim_write_keys(const struct sim_plan *plan, const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600); /* as keys should be */
    FILE *out = fd < 0 ? NULL : fdopen(fd, "w");

    if (!out)
        return -errno;
    for (uint8_t i = 0; i <= plan->secure.n_rotations; i++) {
        struct uet_key key = {.params = domain_key(plan, i)};

        key.an = key.params.an;
        key.ssi = key.params.ssi_mode ? UET_KEY_SSI_YES : UET_KEY_SSI_NO;
        uet_key_write(out, &key);
    }
    const bool bad = ferror(out); /* closing does not tell again of what failed before */
    return fclose(out) || bad ? -EIO : 0;
}
