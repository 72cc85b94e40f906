/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * find_keys KEYFILE PATH...: looks for the keys of KEYFILE in files and folders, as bytes and as
 * hexadecimal digits of both cases, whole or 8 bytes of them. Exit status 1 when one is found; each
 * place is told, the key is not.
 *
 * find_keys --leak KEYFILE: aborts with a copy of a key in usual memory, so that whoever looks at
 * the core sees that it would be found.
 */
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wire/keyfile.h"

enum { PART = 8, FORMS = 3 };

static struct uet_keyfile *keys;
static unsigned files, found;

/* The part of a key in one form; its length. */
static size_t form_of(const uint8_t *part, int form, char out[2 * PART])
{
    static const char *const digits[] = {"0123456789abcdef", "0123456789ABCDEF"};

    if (form == 0) {
        memcpy(out, part, PART);
        return PART;
    }
    for (size_t i = 0; i < PART; i++) {
        out[2 * i] = digits[form - 1][part[i] >> 4];
        out[2 * i + 1] = digits[form - 1][part[i] & 15];
    }
    return 2 * (size_t)PART;
}

/* What is looked for, found by a hash of its first bytes: one way through a file for all of them.
 */
struct wanted {
    char bytes[2 * PART];
    size_t len;
    int form;
    struct wanted *next; /* of the same hash */
};

static struct wanted *wanted[1 << 16];

static uint16_t hash_of(const char *bytes)
{
    uint32_t first;

    memcpy(&first, bytes, sizeof(first));
    return (uint16_t)(first * 2654435761u >> 16);
}

static bool want(const uint8_t *part)
{
    for (int form = 0; form < FORMS; form++) {
        struct wanted *w = calloc(1, sizeof(*w));

        if (!w)
            return false;
        w->len = form_of(part, form, w->bytes);
        w->form = form;
        w->next = wanted[hash_of(w->bytes)];
        wanted[hash_of(w->bytes)] = w;
    }
    return true;
}

static bool want_all(void)
{
    for (size_t i = 0; i < keys->n_keys; i++)
        for (size_t at = 0; at < UET_TSS_KEY_LEN; at += PART)
            if (!want(keys->keys[i].params.key + at))
                return false;
    return true;
}

static void look_through(const char *path, const char *bytes, size_t n)
{
    static const char *const names[FORMS] = {"bytes", "digits", "capital digits"};

    for (size_t at = 0; at + PART <= n; at++)
        for (const struct wanted *w = wanted[hash_of(bytes + at)]; w; w = w->next)
            if (w->len <= n - at && memcmp(bytes + at, w->bytes, w->len) == 0) {
                printf("%s: %s of a key at %zu\n", path, names[w->form], at);
                found++;
            }
}

static int look(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    FILE *f = type == FTW_F && S_ISREG(st->st_mode) ? fopen(path, "rb") : NULL;
    size_t size = (size_t)st->st_size;
    char *bytes = f ? malloc(size + 1) : NULL;

    (void)ftw;
    if (bytes) {
        size_t n = fread(bytes, 1, size, f);

        files++;
        look_through(path, bytes, n);
    }
    free(bytes);
    if (f)
        fclose(f);
    return 0;
}

int main(int argc, char **argv)
{
    bool end = argc == 3 && argv[1][0] == '-';
    char err[300];

    if (argc < 3)
        return 2;
    keys = uet_keyfile_read(argv[end ? 2 : 1], err, sizeof err);
    if (!keys) {
        fprintf(stderr, "find_keys: %s\n", err);
        return 2;
    }
    if (end) {
        char *leak = malloc(UET_TSS_KEY_LEN);

        if (leak)
            memcpy(leak, keys->keys[0].params.key, UET_TSS_KEY_LEN);
        printf("%p\n", (void *)leak); /* so that it is not left out */
        abort();
    }
    if (!want_all())
        return 2;
    for (int i = 2; i < argc; i++)
        nftw(argv[i], look, 16, FTW_PHYS);
    printf("%u files, %u places\n", files, found);
    return found || !files;
}
