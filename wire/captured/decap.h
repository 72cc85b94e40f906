/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From the first captured byte to the IP packet that may be UET: link types of capture files, tags,
 * and the tunnels in which mirrors and overlays bring packets. Formats: the LINKTYPE_ registry of
 * pcap, IEEE 802.1Q, RFC 3032 and 4448 (MPLS), 2784 and 2890 (GRE), 7348 (VXLAN), 8926 (Geneve),
 * draft-foschiano-erspan (ERSPAN I, II, III).
 */
#ifndef UET_WIRE_CAPTURED_DECAP_H
#define UET_WIRE_CAPTURED_DECAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/packet.h"

/* What the first byte of a captured packet is: numbers of pcap's LINKTYPE_ registry. */
enum {
    UET_LINKTYPE_NULL = 0, /* BSD loopback: the address family, in the byte order of the writer */
    UET_LINKTYPE_ETHERNET = 1,
    UET_LINKTYPE_RAW_DLT = 12, /* what some systems write for 101 */
    UET_LINKTYPE_RAW_IP = 101, /* IPv4 or IPv6 header, by its version */
    UET_LINKTYPE_LOOP = 108,   /* OpenBSD loopback: the address family, big-endian */
    UET_LINKTYPE_LINUX_SLL = 113,
    UET_LINKTYPE_IPV4 = 228,
    UET_LINKTYPE_IPV6 = 229,
    UET_LINKTYPE_LINUX_SLL2 = 276,
};

/* Where the way to a UET packet ended. */
enum uet_decap_end {
    UET_DECAP_UET,       /* at a packet to UET's port or of its IP protocol: parse it */
    UET_DECAP_NOT_UET,   /* at something else */
    UET_DECAP_LINK_TYPE, /* the link type is none of those above */
    UET_DECAP_CUT,       /* where the capture stops, in a header below UET */
    UET_DECAP_FRAGMENT,  /* at an IP fragment that begins inside what it may carry */
    UET_DECAP_EXTENSION, /* at UET behind IPv6 extension headers, which is not read */
};

/* The packet inside, as uet_parse takes it. */
struct uet_inner {
    uint32_t offset; /* of its first byte in what was captured */
    uint32_t caplen; /* bytes of it that were captured */
    uint32_t len;    /* bytes of it that there were: more, when the capture or a mirror cut it. A
                      * mirror's cut shows in an IP length beyond the frame, with a UDP length, if
                      * there is one, that is no smaller */
    uint8_t end;     /* enum uet_decap_end; the rest is meaningful for UET_DECAP_UET */
    uint8_t start;   /* enum uet_start */
    bool tunnelled;
    const char *via; /* the last tunnel, "VXLAN", or the link, "Linux SLL2"; NULL: plain Ethernet */
};

/*
 * Looks for UET in the caplen bytes that were captured of a packet of len bytes. Of the options
 * udp_port and ip_protocol count; NULL: 4793 and 253. Reads no byte that was not captured; any
 * thread.
 */
struct uet_inner uet_decap(uint32_t linktype, const uint8_t *data, size_t caplen, size_t len,
                           const struct uet_parse_options *options);

#endif
