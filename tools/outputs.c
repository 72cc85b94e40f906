/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/outputs.h"

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

/* Of two that are not there yet: one name in one folder. */
static bool to_be_one(const char *a, const char *b)
{
    char folder_a[PATH_MAX], folder_b[PATH_MAX], name_a[PATH_MAX], name_b[PATH_MAX];
    struct stat in_a, in_b;

    if (strlen(a) >= PATH_MAX || strlen(b) >= PATH_MAX)
        return false;
    snprintf(folder_a, sizeof(folder_a), "%s", a);
    snprintf(folder_b, sizeof(folder_b), "%s", b);
    snprintf(name_a, sizeof(name_a), "%s", a);
    snprintf(name_b, sizeof(name_b), "%s", b);
    return strcmp(basename(name_a), basename(name_b)) == 0 && stat(dirname(folder_a), &in_a) == 0 &&
           stat(dirname(folder_b), &in_b) == 0 && same_inode(&in_a, &in_b);
}

/* A device takes all that is written to it. */
static bool one_file(const char *a, const char *b)
{
    struct stat in_a, in_b;
    bool is_a = stat(a, &in_a) == 0, is_b = stat(b, &in_b) == 0;

    if (is_a && is_b)
        return S_ISREG(in_a.st_mode) && same_inode(&in_a, &in_b);
    return !is_a && !is_b && to_be_one(a, b);
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

static bool is_none(const char *path)
{
    return !path || strcmp(path, "-") == 0;
}

/* Which of the names is that of the same file; NULL: none. */
static const char *same_as(const char *path, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!is_none(names[i]) && one_file(names[i], path))
            return names[i];
    return NULL;
}

bool uet_outputs(const char *who, const char *const *outputs, size_t n, const char *const *inputs,
                 size_t n_inputs)
{
    for (size_t i = 0; i < n; i++) {
        if (is_none(outputs[i]))
            continue;
        const int why = writable(outputs[i]);
        const char *read = same_as(outputs[i], inputs, n_inputs);
        const char *other = same_as(outputs[i], outputs, i);
        if (why)
            fprintf(stderr, "%s: %s: cannot be written: %s\n", who, outputs[i], strerror(why));
        else if (read)
            fprintf(stderr,
                    "%s: %s would be overwritten, and it is read, too: write to another file\n",
                    who, read);
        else if (other)
            fprintf(stderr, "%s: %s and %s are one file: write to two\n", who, other, outputs[i]);
        if (why || read || other)
            return false;
    }
    return true;
}
