/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/outputs.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool same_inode(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* A device takes all that is written to it. */
static bool one_file(const char *a, const char *b)
{
    struct stat in_a, in_b;
    bool is_a = stat(a, &in_a) == 0, is_b = stat(b, &in_b) == 0;

    if (is_a && is_b)
        return S_ISREG(in_a.st_mode) && same_inode(&in_a, &in_b);
    return !is_a && !is_b && strcmp(a, b) == 0;
}

/* 0, or why not, as errno says it. */
static int writable(const char *path)
{
    char folder[PATH_MAX];
    struct stat is;

    if (stat(path, &is) == 0)
        return S_ISDIR(is.st_mode) ? EISDIR : access(path, W_OK) == 0 ? 0 : errno;
    if (errno != ENOENT || !*path || strlen(path) >= sizeof(folder))
        return errno;
    snprintf(folder, sizeof(folder), "%s", path);
    return access(dirname(folder), W_OK | X_OK) == 0 ? 0 : errno;
}

bool sim_outputs(const char *who, const char *const *paths, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!paths[i] || strcmp(paths[i], "-") == 0)
            continue;
        int why = writable(paths[i]);
        if (why) {
            fprintf(stderr, "%s: %s: cannot be written: %s\n", who, paths[i], strerror(why));
            return false;
        }
        for (size_t k = 0; k < i; k++)
            if (paths[k] && one_file(paths[k], paths[i])) {
                fprintf(stderr, "%s: %s and %s are one file: write to two\n", who, paths[k],
                        paths[i]);
                return false;
            }
    }
    return true;
}
