/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading capture files, pcapng and classic pcap alike. "-" reads standard input. */
#ifndef UET_PORT_CAPTURE_H
#define UET_PORT_CAPTURE_H

#include <stddef.h>
#include <stdint.h>

#include "wire/captured/decap.h"

/* As seen from where the capture was taken; the values are those of pcapng's epb_flags. */
enum uet_direction {
    UET_DIRECTION_UNKNOWN = 0,
    UET_DIRECTION_IN = 1,
    UET_DIRECTION_OUT = 2,
};

struct uet_capture;

struct uet_capture_packet {
    const uint8_t *data; /* caplen bytes */
    uint32_t caplen;
    uint32_t len;       /* bytes of the packet itself, never less than caplen */
    uint64_t time_ns;   /* since 1970, or what the writer took for it; 0 when the file has none */
    uint64_t offset;    /* of the packet's record in the file */
    uint32_t interface; /* counted from 0 in the order of the section's interface blocks */
    uint32_t linktype;  /* UET_LINKTYPE_... (wire/captured/decap.h) or another of that registry */
    enum uet_direction direction;
    const char *comment; /* several are joined by line feeds; NULL for none */
};

/*
 * Opens a capture; *capture is closed by uet_capture_close. 0, or a negative errno and in err one
 * line: the file, what is wrong, how to mend it. -EBADMSG: neither pcapng nor pcap.
 */
int uet_capture_open(struct uet_capture **capture, const char *path, char *err, size_t errlen);

/*
 * Reads the next packet. 1; 0 at the end of the file; or a negative errno (-EBADMSG: the file is
 * malformed or cut short) with uet_capture_error telling more, and the same again ever after. What
 * packet points to is good until the next call. Every length in the file is checked; a block of
 * unknown type is passed over.
 */
int uet_capture_next(struct uet_capture *capture, struct uet_capture_packet *packet);

/* One line for people: file, byte offset of the first thing wrong, what it is; "" before any. */
const char *uet_capture_error(const struct uet_capture *capture);

/* NULL is allowed. */
void uet_capture_close(struct uet_capture *capture);

#endif
