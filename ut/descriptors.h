/* SPDX-License-Identifier: BSD-2-Clause */
/* What every program does first. Needs nothing but libc. */
#ifndef UET_UT_DESCRIPTORS_H
#define UET_UT_DESCRIPTORS_H

#include <fcntl.h>
#include <stdbool.h>

/*
 * Takes the places of standard descriptors that are closed (`>&-`), so that no file opened later
 * gets what is printed. Opened the wrong way round: reading or writing there fails, and is told as
 * ever. False when even that cannot be done.
 */
static inline bool uet_hold_descriptors(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd)
            return false;
    return true;
}

#endif
