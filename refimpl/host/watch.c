/* SPDX-License-Identifier: BSD-2-Clause */
#include "refimpl/host/watch.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* The folder, as a file that is replaced is another one each time. */
int uet_watch_open(const char *path)
{
    char folder[PATH_MAX];
    size_t n = (size_t)(name_of(path) - path);
    int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);

    snprintf(folder, sizeof folder, "%.*s", n ? (int)n : 1, n ? path : ".");
    if (fd >= 0 && inotify_add_watch(
                       fd, folder, IN_MOVED_TO | IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM) < 0) {
        int code = errno;

        close(fd);
        return -code;
    }
    return fd < 0 ? -errno : fd;
}

bool uet_watch_take(int fd, const char *path)
{
    _Alignas(struct inotify_event) char events[4096];
    bool ours = false;
    ssize_t n;

    while ((n = read(fd, events, sizeof events)) > 0)
        for (const char *at = events; at < events + n;) {
            const struct inotify_event *event = (const void *)at;

            /* Too much at once: something of it may have been ours. */
            ours = ours || event->mask & IN_Q_OVERFLOW ||
                   (event->len && strcmp(event->name, name_of(path)) == 0);
            at += sizeof *event + event->len;
        }
    return ours;
}
