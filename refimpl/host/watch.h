/* SPDX-License-Identifier: BSD-2-Clause */
/* Hears when a file is replaced or written, without looking at it again and again. */
#ifndef UET_REFIMPL_HOST_WATCH_H
#define UET_REFIMPL_HOST_WATCH_H

#include <stdbool.h>

/*
 * A descriptor that is readable when something has happened in the file's folder, which must be
 * there; the file need not. Close it. A negative errno where the system has no more watches.
 */
int uet_watch_open(const char *path);

/* Takes what has happened: was it the file? */
bool uet_watch_take(int fd, const char *path);

#endif
