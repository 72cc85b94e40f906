/* SPDX-License-Identifier: BSD-2-Clause */
/* The faults of NET requirements (frames: encapsulation, CRC), in the order of their ids; see
 * ../list.h. */
#ifndef UET_REFIMPL_FAULTS_LIST_NET_H
#define UET_REFIMPL_FAULTS_LIST_NET_H

#define UET_VIOLATIONS_NET(X)                                                                      \
    X(NET_008, "NET-008", "a trimmed packet with a UDP checksum is dropped")                       \
    X(NET_008_LASTHOP, "NET-008", "one trimmed at the last hop with a UDP checksum is dropped")    \
    X(NET_009, "NET-009", "a trimmed packet with padding is dropped")                              \
    X(NET_010, "NET-010", "a packet with less than the RUD header left is NACKed")                 \
    X(NET_011, "NET-011", "native IP is dropped when a switch has cut it")                         \
    X(NET_017, "NET-017", "a trimmed sealed packet of a PDC is answered twice")                    \
    X(NET_017_CLEAR, "NET-017", "the CLEAR_PSN of a trimmed sealed packet counts")                 \
    X(NET_032_NACK, "NET-032", "NACKs of a FEP that is set for native IP come over UDP")           \
    X(NET_033, "NET-033", "native IP is answered by a FEP that is set for UDP")                    \
    X(NET_033_NUMBER, "NET-033", "UDP is known by its port, not by the protocol number of IP")     \
    X(NET_033_SHORT, "NET-033", "native IP of less than 4 bytes stops a FEP that is set for UDP")  \
    X(NET_035, "NET-035", "what answers a packet with IPv4 options says that it has some")

#endif
