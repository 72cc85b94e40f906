/* SPDX-License-Identifier: BSD-2-Clause */
/* How much of an IP packet is not payload. */
#ifndef UET_TOOLS_ROOM_H
#define UET_TOOLS_ROOM_H

/* IP, UDP, the longest PDS and SES headers and the CRC: what a packet needs beside its payload. */
#define UET_PACKET_HEADERS (40u + 8u + 32u + 60u + 4u)

/* And a sealed one more (3.7): TSS header, with an SSI or without, and the ICV in the place of the
 * CRC. */
#define UET_SEALED_MORE(with_ssi) (((with_ssi) ? 16u : 12u) + 16u - 4u)

#endif
