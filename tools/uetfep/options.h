/* SPDX-License-Identifier: BSD-2-Clause */
/* The command line of uetfep. */
#ifndef UET_TOOLS_UETFEP_OPTIONS_H
#define UET_TOOLS_UETFEP_OPTIONS_H

#include <stdbool.h>

#include "refimpl/host/host.h"
#include "tools/uetfep/keys.h"
#include "tools/uetfep/resources.h"

struct options {
    struct uet_host_config config;
    const char *interface; /* NULL with udp: none was given */
    bool udp;              /* over UDP of the kernel */
    const char *control;   /* path of the socket, NULL for none */
    struct resources resources;
    bool bare; /* nothing but what the command line and the control socket open */
    bool stats;
    struct keys keys;
    bool protect;               /* given */
    bool seed;                  /* likewise */
    bool payload_mtu;           /* given, not to be chosen */
    bool crc_order;             /* given: there must be a CRC */
    bool ip_protocol;           /* given: it must be native IP */
    const char *before_variant; /* an option that --variant may undo, given already; NULL: none */
};

/*
 * Reads the command line. Returns -1 to go on, or the exit status: 0 after --help and the like, 2
 * after one line on stderr that says what is wrong and how to mend it.
 */
int options_read(struct options *options, int argc, char **argv);

#endif
