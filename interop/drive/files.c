/* SPDX-License-Identifier: BSD-2-Clause */
#include "interop/drive/files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint8_t *file_load(const char *folder, const struct item *item)
{
    char path[4200];
    uint8_t *data = malloc(item->length + 1);
    FILE *in;
    size_t n;

    snprintf(path, sizeof(path), "%s/%s", folder, item->name);
    in = data ? fopen(path, "rb") : NULL;
    n = in ? fread(data, 1, item->length + 1, in) : 0;
    if (in)
        fclose(in);
    if (in && n == item->length)
        return data;
    fprintf(stderr, "%s: cannot be read, or has not the %llu bytes of the list\n", path,
            (unsigned long long)item->length);
    free(data);
    return NULL;
}

bool file_is_pattern(const uint8_t *data, uint64_t length, uint8_t seed)
{
    uint8_t piece[4096];

    for (uint64_t at = 0; at < length; at += sizeof(piece)) {
        const size_t n = length - at < sizeof(piece) ? (size_t)(length - at) : sizeof(piece);

        uet_ut_pattern(piece, n, at, seed);
        if (memcmp(piece, data + at, n) != 0)
            return false;
    }
    return true;
}

int file_save(const char *folder, const char *name, const uint8_t *data, uint64_t length)
{
    char path[4200];
    FILE *out;
    bool good;

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    out = fopen(path, "wb");
    good = out && fwrite(data, 1, length, out) == length;
    if (out)
        good = fclose(out) == 0 && good;
    if (!good)
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return good ? 0 : 1;
}

int file_touch(const char *path)
{
    FILE *file = fopen(path, "w");

    if (file && fclose(file) == 0)
        return 0;
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return 1;
}
