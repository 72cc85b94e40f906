/* SPDX-License-Identifier: BSD-2-Clause */
/* Folders and paths. */
#ifndef UET_INTEROP_FOLDER_H
#define UET_INTEROP_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

enum { PATH_LENGTH = 2048 };

/* Formats a path; what does not fit is cut, and will not be found. Returns out. */
__attribute__((format(printf, 2, 3))) const char *path_of(char out[PATH_LENGTH], const char *format,
                                                          ...);

/* Makes a folder and those above it. 0 or a negative errno. */
int folder_make(const char *path);

/* Removes a folder with all that is in it. */
void folder_remove(const char *path);

bool file_exists(const char *path);

#endif
