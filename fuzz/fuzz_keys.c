/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Key files. Whatever stands in one: what is read holds together, each key can be set up, and no
 * message repeats 8 bytes in a row of the text, as they may be of a key.
 */
#include <string.h>

#include "fuzz/fuzz.h"
#include "wire/keyfile.h"

/* A run of hexadecimal digits as long as a quarter of a key. */
enum { RUN = 16 };

static void no_key_in(const char *message)
{
    size_t run = 0;
    for (const char *at = message; *at; at++) {
        run = strchr("0123456789abcdefABCDEF", *at) ? run + 1 : 0;
        FUZZ_CHECK(run < RUN);
    }
}

static void check_domain(const struct uet_keyfile *file, const struct uet_key_domain *d)
{
    FUZZ_CHECK(d->sdi <= 0xffffff && d->tx <= 1 && d->n_jobs <= UET_KEY_JOBS_MAX);
    FUZZ_CHECK(d->counter_limit <= UET_TSS_COUNTER_MAX && d->max_epoch_age < 0x8000);
    FUZZ_CHECK(uet_keyfile_slot(file, d->sdi, d->tx));
    for (const struct uet_key_domain *other = file->domains; other < d; other++)
        FUZZ_CHECK(other->sdi != d->sdi);
}

static void check_key(const struct uet_keyfile *file, const struct uet_key *key)
{
    struct uet_tss_sa sa;
    bool domain = false;
    FUZZ_CHECK(!uet_tss_params_error(&key->params));
    FUZZ_CHECK(uet_key_equal(key, key));
    for (size_t i = 0; i < file->n_domains; i++)
        domain = domain || file->domains[i].sdi == key->params.sdi;
    FUZZ_CHECK(domain);
    struct uet_tss_params params = key->params;
    params.cached_keys = 1; /* each takes time, and no file says how many */
    FUZZ_CHECK(uet_tss_setup(&sa, &params) == 0);
    uet_tss_erase(&sa);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char err[300] = "";
    struct uet_keyfile *file = uet_keyfile_parse((const char *)data, size, "keys", err, sizeof err);
    FUZZ_CHECK((file != NULL) == (*err == '\0'));
    no_key_in(err);
    if (!file)
        return 0;
    FUZZ_CHECK(file->n_keys && file->n_domains);
    for (size_t i = 0; i < file->n_domains; i++)
        check_domain(file, &file->domains[i]);
    for (size_t i = 0; i < file->n_keys && i < 4; i++)
        check_key(file, &file->keys[i]);
    uet_keyfile_free(file);
    return 0;
}
