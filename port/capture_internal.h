/* SPDX-License-Identifier: BSD-2-Clause */
/* What the two readers of capture files share. */
#ifndef UET_PORT_CAPTURE_INTERNAL_H
#define UET_PORT_CAPTURE_INTERNAL_H

#include <stdbool.h>
#include <stdio.h>

#include "port/capture.h"

/* A reader of one format, behind the one interface. */
struct capture_format {
    int (*next)(struct uet_capture *capture, struct uet_capture_packet *packet);
    void (*close)(struct uet_capture *capture);
};

struct uet_capture {
    const struct capture_format *format;
    FILE *file;
    void *state; /* the format's own */
    const char *path;
    int failed; /* the error that ended it, sticky; 0 for none */
    char error[512];
};

/* Notes the error with its place in the file; returns -code. */
__attribute__((format(printf, 4, 5))) int capture_fail(struct uet_capture *capture, int code,
                                                       uint64_t offset, const char *format, ...);

/* Begin reading a file of the format, whose first byte is the next to be read. 0 or -errno. */
int capture_begin_pcapng(struct uet_capture *capture);
int capture_begin_pcap(struct uet_capture *capture);

#endif
