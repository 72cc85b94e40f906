/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers of the pcapng format (IETF draft-ietf-opsawg-pcapng). */
#ifndef UET_PORT_PCAPNG_FORMAT_H
#define UET_PORT_PCAPNG_FORMAT_H

enum {
    NG_SECTION = 0x0a0d0d0a,
    NG_INTERFACE = 1,
    NG_PACKET_OLD = 2, /* obsolete, still found */
    NG_PACKET_SIMPLE = 3,
    NG_PACKET = 6,
    NG_BYTE_ORDER = 0x1a2b3c4d,
    NG_BLOCK_MIN = 12, /* type, length, length again */

    NG_OPT_END = 0,
    NG_OPT_COMMENT = 1,
    NG_OPT_USERAPPL = 4, /* of a section */
    NG_OPT_NAME = 2,     /* of an interface */
    NG_OPT_TSRESOL = 9,
    NG_OPT_TSOFFSET = 14,
    NG_OPT_FLAGS = 2, /* of a packet */
};

#endif
