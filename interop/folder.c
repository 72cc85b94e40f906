/* SPDX-License-Identifier: BSD-2-Clause */
#include "interop/folder.h"

#include <errno.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *path_of(char out[PATH_LENGTH], const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(out, PATH_LENGTH, format, args);
    va_end(args);
    return out;
}

int folder_make(const char *path)
{
    char part[PATH_LENGTH];

    path_of(part, "%s", path);
    for (char *at = part + 1; *at; at++) {
        if (*at != '/')
            continue;
        *at = '\0';
        if (mkdir(part, 0755) && errno != EEXIST)
            return -errno;
        *at = '/';
    }
    return mkdir(part, 0755) && errno != EEXIST ? -errno : 0;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *where)
{
    (void)st;
    (void)type;
    (void)where;
    return remove(path);
}

void folder_remove(const char *path)
{
    (void)nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

bool file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}
