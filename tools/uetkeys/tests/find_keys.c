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

static void look_for(const char *path, const char *bytes, size_t n, const uint8_t *part)
{
    static const char *const names[FORMS] = {"bytes", "digits", "capital digits"};

    for (int form = 0; form < FORMS; form++) {
        char want[2 * PART];
        size_t len = form_of(part, form, want);
        const char *at = memmem(bytes, n, want, len);

        if (at) {
            printf("%s: %s of a key at %zu\n", path, names[form], (size_t)(at - bytes));
            found++;
        }
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
        for (size_t i = 0; i < keys->n_keys; i++)
            for (size_t at = 0; at < UET_TSS_KEY_LEN; at += PART)
                look_for(path, bytes, n, keys->keys[i].params.key + at);
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
    for (int i = 2; i < argc; i++)
        nftw(argv[i], look, 16, FTW_PHYS);
    printf("%u files, %u places\n", files, found);
    return found || !files;
}
