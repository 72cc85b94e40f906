/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/cli/target/secure.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "conformance/harness/security.h"

#define TEXT_MAX 8192 /* of the keys of a seed */

int uet_secure_of_seed(struct uet_target *t, uint64_t seed, const char *mode, bool ipv6, char *err,
                       size_t errlen)
{
    char text[TEXT_MAX];
    uint8_t place = 0;

    while (uet_secure_modes[place] && strcmp(uet_secure_modes[place], mode) != 0)
        place++;
    int n = uet_secure_keys_of_seed(text, sizeof(text), seed, place, ipv6);
    t->keys = uet_keyfile_parse(text, (size_t)n, "keys of the seed", err, errlen);
    uet_tss_wipe(text, sizeof(text));
    return t->keys ? 0 : -EINVAL;
}

/* A file stands where fep.yaml does, unless it says otherwise. */
static bool beside(char *out, size_t size, const char *yaml, const char *file)
{
    const char *slash = *file == '/' ? NULL : strrchr(yaml, '/');
    int n = snprintf(out, size, "%.*s%s", slash ? (int)(slash - yaml + 1) : 0, yaml, file);

    return n > 0 && (size_t)n < size;
}

bool uet_secure_path(const struct uet_dut *dut, char *out, size_t size)
{
    return beside(out, size, dut->path, dut->keys);
}

int uet_secure_read(struct uet_keyfile **keys, const struct uet_dut *dut, char *err, size_t errlen)
{
    char path[UET_SECURE_PATH], why[600] = "";

    *keys = NULL;
    err[0] = '\0';
    if (!dut->keys[0])
        return 0;
    if (!uet_secure_path(dut, path, sizeof(path))) {
        snprintf(err, errlen, "%s: the path of its key file is too long", dut->path);
        return -ENAMETOOLONG;
    }
    *keys = uet_keyfile_read(path, why, sizeof(why));
    if (!*keys) {
        snprintf(err, errlen, "%s: security: %s", dut->path, why);
        return -EINVAL;
    }
    snprintf(err, errlen, "%s", why);
    return 0;
}

int uet_secure_open(struct uet_target *t, char *err, size_t errlen)
{
    int rc = uet_secure_read(&t->keys, &t->dut, err, errlen);

    if (rc || !t->keys)
        return rc;
    if (err[0])
        fprintf(stderr, "uetconform: %s\n", err);
    return uet_secure_domains(t, err, errlen);
}

/*
 * Time goes on between two runs at a real FEP, and a counter with it: 65 us for each packet are
 * more than one takes. In virtual time a run repeats.
 */
static uint64_t first_counter(const struct uet_target *t)
{
    struct timespec now;

    if (t->ref)
        return 1;
    clock_gettime(CLOCK_REALTIME, &now);
    return ((uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec) >> 16;
}

/* Where jobs without domain go in clear, no domain serves all of them. */
static bool leaves_jobs(const struct uet_target *t, char *err, size_t errlen)
{
    for (size_t i = 0; t->dut.protect != UET_PROTECT_TSS && i < t->keys->n_domains; i++)
        if (t->keys->domains[i].n_jobs == 0) {
            snprintf(err, errlen,
                     "%s: security: SDI 0x%06x serves all jobs, and nothing goes in clear: set "
                     "protect: tss, or give it jobs= in the key file",
                     t->dut.path, (unsigned)t->keys->domains[i].sdi);
            return false;
        }
    return true;
}

int uet_secure_domains(struct uet_target *t, char *err, size_t errlen)
{
    char why[200];
    const uint32_t sdi = t->dut.sdi == UET_DUT_SDI_ANY ? t->keys->domains[0].sdi : t->dut.sdi;

    if (!leaves_jobs(t, err, errlen))
        return -EINVAL;
    t->dut.security = uet_security_new(t->keys, sdi, first_counter(t), why, sizeof(why));
    if (t->dut.security)
        return 0;
    snprintf(err, errlen, "%s: security: %s", t->dut.path, why);
    return -EINVAL;
}

void uet_secure_close(struct uet_target *t)
{
    uet_security_free(t->dut.security);
    uet_keyfile_free(t->keys);
}

/* For its owner alone, also where there is one already. */
static FILE *open_keys(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    if (fd >= 0 && fchmod(fd, 0600) == 0)
        return fdopen(fd, "w");
    if (fd >= 0)
        close(fd);
    return NULL;
}

/*
 * As a FEP takes them: with the lines of its domains. Whether packets have an SSI follows from
 * those (ssi=any), so that what a test has sealed the other way is opened, too.
 */
static void write_keys(FILE *out, const struct uet_keyfile *keys)
{
    for (size_t i = 0; keys && i < keys->n_keys; i++) {
        struct uet_key key = keys->keys[i];

        key.ssi = UET_KEY_SSI_ANY;
        uet_key_write(out, &key);
        uet_tss_wipe(&key, sizeof(key));
    }
    for (size_t i = 0; keys && i < keys->n_domains; i++)
        uet_key_domain_write(out, &keys->domains[i]);
}

int uet_secure_write_log(const struct uet_target *const *targets, size_t n, const char *dir,
                         char *err, size_t errlen)
{
    char path[600];
    int len = snprintf(path, sizeof(path), "%s/keys.txt", dir);
    FILE *out = len > 0 && (size_t)len < sizeof(path) ? open_keys(path) : NULL;

    if (!out) {
        snprintf(err, errlen, "%s: %s", path, strerror(errno));
        return -EIO;
    }
    for (size_t i = 0; i < n; i++)
        write_keys(out, targets[i]->keys);
    const bool bad = ferror(out); /* closing does not tell again of what failed before */
    if (fclose(out) == 0 && !bad)
        return 0;
    snprintf(err, errlen, "%s: %s", path, strerror(errno));
    return -EIO;
}
