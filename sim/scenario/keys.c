/* SPDX-License-Identifier: BSD-2-Clause */
/* The keys of a scenario, for who reads its capture (wire/keyfile.h). They are nobody's secret. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>

#include "sim/scenario/internal.h"

static void write_hex(const char *name, const uint8_t *bytes, size_t n, FILE *out)
{
    fprintf(out, " %s=", name);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%02x", bytes[i]);
}

static void write_key(const struct uet_tss_params *key, FILE *out)
{
    static const char *const modes[] = {[UET_TSS_MODE_DIRECT] = "direct",
                                        [UET_TSS_MODE_CLUSTER] = "cluster",
                                        [UET_TSS_MODE_SERVER] = "server"};

    fprintf(out, "UET_SD sdi=0x%06" PRIx32 " an=%u mode=%s ssi=%s", key->sdi, key->an,
            modes[key->mode], key->ssi_mode ? "yes" : "no");
    write_hex("key", key->key, sizeof(key->key), out);
    if (key->mode == UET_TSS_MODE_DIRECT)
        write_hex("iv_mask", key->iv_mask, sizeof(key->iv_mask), out);
    fprintf(out, " rekey_mask=0x%" PRIx64 " rekey_shift=%u encrypt_from=%u\n", key->rekey_mask,
            key->rekey_shift, key->encrypt_from);
}

int sim_write_keys(const struct sim_plan *plan, const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600); /* as keys should be */
    FILE *out = fd < 0 ? NULL : fdopen(fd, "w");

    if (!out)
        return -errno;
    for (uint8_t i = 0; i <= plan->secure.n_rotations; i++) {
        const struct uet_tss_params key = domain_key(plan, i);
        write_key(&key, out);
    }
    return fclose(out) ? -EIO : 0;
}
