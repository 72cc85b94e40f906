/* SPDX-License-Identifier: BSD-2-Clause */
/* How much of an IP packet is not payload. */
#ifndef UET_TOOLS_ROOM_H
#define UET_TOOLS_ROOM_H

/* IP, UDP, the longest PDS and SES headers and the CRC: what a packet needs beside its payload. */
#define UET_PACKET_HEADERS (40u + 8u + 32u + 60u + 4u)

#endif
