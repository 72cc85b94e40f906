/* SPDX-License-Identifier: BSD-2-Clause */
/* The faults of TSS requirements (section 3.7), in the order of their ids; see ../list.h. */
#ifndef UET_REFIMPL_FAULTS_LIST_TSS_H
#define UET_REFIMPL_FAULTS_LIST_TSS_H

#define UET_VIOLATIONS_TSS(X)                                                                      \
    X(TSS_001, "TSS-001", "the type of a TSS header is not 1")                                     \
    X(TSS_002, "TSS-002", "sp of a TSS header is the opposite of its length")                      \
    X(TSS_003, "TSS-003", "the reserved bit of the TSS header is set")                             \
    X(TSS_003_ECHO, "TSS-003", "the reserved bit of a Request comes back in its ACK")              \
    X(TSS_004, "TSS-004", "the ICV stands before what is encrypted")                               \
    X(TSS_005, "TSS-005", "the UDP length of a sealed packet lacks the ICV")                       \
    X(TSS_006, "TSS-006", "a CRC stands before the ICV")                                           \
    X(TSS_006_NACK, "TSS-006", "a CRC stands behind UET_NEW_START_PSN")                            \
    X(TSS_007, "TSS-007", "the ICV has 96 bits, and zeros behind them")                            \
    X(TSS_008, "TSS-008", "the last bit of the destination is not authenticated")                  \
    X(TSS_008_SWAPPED, "TSS-008", "what opens with the addresses swapped is taken")                \
    X(TSS_009, "TSS-009", "a sealed packet with congestion experienced is dropped")                \
    X(TSS_010, "TSS-010", "the reserved bit of the TSS header is not authenticated")               \
    X(TSS_011, "TSS-011", "a bit of the entropy is not authenticated")                             \
    X(TSS_012, "TSS-012", "a bit of the UDP source port is not authenticated")                     \
    X(TSS_013, "TSS-013", "of the ICV 15 bytes are looked at")                                     \
    X(TSS_014, "TSS-014", "all behind the TSS header is encrypted, whatever the domain says")      \
    X(TSS_015, "TSS-015", "the epoch of a TSS header is 0, whatever was set")                      \
    X(TSS_016, "TSS-016", "the SSI is that of another sender")                                     \
    X(TSS_018, "TSS-018", "each counter seals two packets")                                        \
    X(TSS_018_ANEW, "TSS-018", "a FEP without PDC begins to count anew")                           \
    X(TSS_018_RESTART, "TSS-018", "a FEP that begins anew begins to count anew")                   \
    X(TSS_019, "TSS-019", "the counter falls")                                                     \
    X(TSS_019_PEER, "TSS-019", "each peer has a counter of its own under the same key")            \
    X(TSS_020, "TSS-020", "a retransmission has the counter of the packet before it")              \
    X(TSS_020_SECOND, "TSS-020", "the second resend has the counter of the packet before it")      \
    X(TSS_020_NACK, "TSS-020", "after a NACK a resend has the counter of the packet before it")    \
    X(TSS_020_CP, "TSS-020", "a CP that is resent has the counter of the packet before it")        \
    X(TSS_020_KEY, "TSS-020", "after a rotation, resends are sealed with the old key")             \
    X(TSS_021, "TSS-021", "a repeated ACK has the counter of the packet before it")                \
    X(TSS_022, "TSS-022", "the counter goes beyond its limit")                                     \
    X(TSS_025, "TSS-025", "the epoch is derived with in the other byte order")                     \
    X(TSS_027_ADDRESS, "TSS-027", "an address has one key, that of the SSI heard from it first")   \
    X(TSS_029, "TSS-029", "sealed packets carry another SSI")                                      \
    X(TSS_029_OWN, "TSS-029", "what a server begins itself has its own SSI")                       \
    X(TSS_029_LAST, "TSS-029", "a server sends to all with the SSI heard last")                    \
    X(TSS_029_FIRST, "TSS-029", "a server begins all under the SSI heard first")                   \
    X(TSS_029_MANY, "TSS-029", "every 32 packets a server forgets all clients but one")            \
    X(TSS_032, "TSS-032", "of automatic rekey the counter is shifted first, then masked")          \
    X(TSS_032_BACK, "TSS-032", "automatic rekey never goes back to an earlier value")              \
    X(TSS_033, "TSS-033", "all is opened with the key that is sent with")                          \
    X(TSS_034, "TSS-034", "after a rotation the old key opens nothing")                            \
    X(TSS_034_NACK, "TSS-034", "UET_NEW_START_PSN is always sealed with AN 0")                     \
    X(TSS_034_EPOCH, "TSS-034", "a new key is held to the epoch of the old one")                   \
    X(TSS_035, "TSS-035", "a new key begins with the counter of the old one")                      \
    X(TSS_035_EPOCH, "TSS-035", "a new key begins in the epoch of the old one")                    \
    X(TSS_035_OVER, "TSS-035",                                                                     \
      "a key that takes over at the end of another counts on amid its counters")                   \
    X(TSS_035_USED, "TSS-035", "a key in the place of another counts on where that ended")         \
    X(TSS_036, "TSS-036", "a key that was overwritten stays")                                      \
    X(TSS_036_OWN, "TSS-036", "a key stays while the FEP has PDCs of its own")                     \
    X(TSS_036_TAKEN, "TSS-036", "a key that was taken away stays")                                 \
    X(TSS_037, "TSS-037", "no epoch is too old")                                                   \
    X(TSS_037_ONE, "TSS-037", "only the epoch of the moment is taken")                             \
    X(TSS_038, "TSS-038", "an unknown SDI is answered")                                            \
    X(TSS_038_REMOVED, "TSS-038", "a domain that was removed stays")                               \
    X(TSS_039, "TSS-039", "packets of a disabled domain are taken")                                \
    X(TSS_040, "TSS-040", "whether there is an SSI is not looked at")                              \
    X(TSS_040_LIVE, "TSS-040", "on a PDC it is not looked at whether there is an SSI")             \
    X(TSS_040_DIRECT, "TSS-040", "in direct mode it is not looked at whether there is an SSI")     \
    X(TSS_041, "TSS-041", "a packet with an SSI that nobody expects is taken")                     \
    X(TSS_042, "TSS-042", "a packet is taken though its ICV is wrong")                             \
    X(TSS_042_TOLD, "TSS-042", "a packet with a wrong ICV is answered")                            \
    X(TSS_042_MARKED, "TSS-042", "on a PDC a PSN has come though the ICV was wrong")               \
    X(TSS_042_PLACED, "TSS-042", "on a PDC data is placed before its ICV is looked at")            \
    X(TSS_042_HEARD, "TSS-042", "a server learns SSIs from packets with a wrong ICV")              \
    X(TSS_043, "TSS-043", "wrong ICVs never latch a domain")                                       \
    X(TSS_043_ALL, "TSS-043", "wrong ICVs in one domain latch all of them")                        \
    X(TSS_043_EVER, "TSS-043", "a domain that is latched stays so, whatever management says")      \
    X(TSS_043_IDLE, "TSS-043", "wrong ICVs under the key that it does not seal with do not count") \
    X(TSS_043_LIVE, "TSS-043", "a latched domain serves the PDCs that it has")                     \
    X(TSS_043_AT, "TSS-043", "as many wrong ICVs as there may be latch a domain")                  \
    X(TSS_043_SUM, "TSS-043", "wrong ICVs of all domains are counted together")                    \
    X(TSS_043_TOTAL, "TSS-043", "wrong ICVs are counted on over the end of a latch")               \
    X(TSS_044, "TSS-044", "a stump of a packet latches all domains")                               \
    X(TSS_045, "TSS-045", "a PDC takes sealed packets of any SDI")                                 \
    X(TSS_045_ACK, "TSS-045", "an ACK of another SDI is heard")                                    \
    X(TSS_045_NACK, "TSS-045", "a NACK of another SDI is heard")                                   \
    X(TSS_045_CP, "TSS-045", "a PDC takes Control Packets of any SDI")                             \
    X(TSS_045_DATA, "TSS-045", "a PDC takes read data of any SDI")                                 \
    X(TSS_045_OWN, "TSS-045", "what goes to jobs of another SDI has the SPDCID of the first")      \
    X(TSS_045_CLEAR, "TSS-045", "a PDC in clear takes sealed Requests")                            \
    X(TSS_048, "TSS-048", "packets in clear are taken on PDCs and for jobs of a domain")           \
    X(TSS_048_JOB, "TSS-048", "on a PDC in clear the jobs of a domain are reached")                \
    X(TSS_048_PDC, "TSS-048", "beside clear jobs, a secured PDC takes Requests in clear")          \
    X(TSS_048_RUDI, "TSS-048", "RUDI Requests in clear reach the jobs of a domain")                \
    X(TSS_048_UUD, "TSS-048", "datagrams in clear reach the jobs of a domain")                     \
    X(TSS_048_ANSWER, "TSS-048", "a RUDI Response in clear is heard for a job of a domain")        \
    X(TSS_048_ACK, "TSS-048", "an ACK in clear is heard on a secured PDC")                         \
    X(TSS_049, "TSS-049", "a domain reaches the jobs of another")                                  \
    X(TSS_049_RUDI, "TSS-049", "a RUDI Response of any domain is heard")                           \
    X(TSS_049_REQUEST, "TSS-049", "RUDI Requests reach the jobs of another domain")                \
    X(TSS_049_DATAGRAM, "TSS-049", "datagrams reach the jobs of another domain")                   \
    X(TSS_049_CLEAR, "TSS-049", "a domain reaches jobs that go in clear")                          \
    X(TSS_049_ANSWER, "TSS-049", "a sealed RUDI Response is heard for a job that goes in clear")   \
    X(TSS_050, "TSS-050", "where there is a domain no Request in clear is taken")                  \
    X(TSS_050_OWN, "TSS-050", "where there is a domain no Request goes in clear")                  \
    X(TSS_051, "TSS-051", "ACKs of a sealed PDC go in clear")                                      \
    X(TSS_051_SDI, "TSS-051", "a NACK of a PDC has the SDI of the first domain")                   \
    X(TSS_051_WIDE, "TSS-051", "a domain with an SDI beyond 16 bits is not known")                 \
    X(TSS_052, "TSS-052", "sealed RUDI Requests are dropped")                                      \
    X(TSS_052_OWN, "TSS-052", "RUDI Requests go in clear")                                         \
    X(TSS_053, "TSS-053", "sealed datagrams are dropped")                                          \
    X(TSS_053_OWN, "TSS-053", "datagrams go in clear")                                             \
    X(TSS_054, "TSS-054", "UET_NEW_START_PSN goes in clear")                                       \
    X(TSS_054_SECOND, "TSS-054", "the second UET_NEW_START_PSN goes in clear")                     \
    X(TSS_054_HEARD, "TSS-054", "UET_NEW_START_PSN in clear is obeyed")                            \
    X(TSS_056, "TSS-056", "the floor of Start_PSN is not looked at")                               \
    X(TSS_056_OFFSET, "TSS-056", "the floor is compared with psn")                                 \
    X(TSS_056_RESTART, "TSS-056", "a FEP that begins anew takes any Start_PSN from 0 on")          \
    X(TSS_057, "TSS-057", "a PDC that begins at the floor is refused")                             \
    X(TSS_058, "TSS-058", "a refused PDC is told to begin below the floor")                        \
    X(TSS_058_TOLD, "TSS-058", "a refused PDC is told one less than Close ACKs tell")              \
    X(TSS_059, "TSS-059", "a secured PDC begins where its peer likes")                             \
    X(TSS_059_SAME, "TSS-059", "the target tells the same Start_PSN each time")                    \
    X(TSS_060, "TSS-060", "a sealed Control Packet with SYN is dropped")                           \
    X(TSS_061, "TSS-061", "a PENDING PDC takes any Start_PSN")                                     \
    X(TSS_061_AHEAD, "TSS-061", "a PENDING PDC opens for a later Start_PSN, too")                  \
    X(TSS_061_EARLIER, "TSS-061", "a PENDING PDC opens where the PDC before it began, too")        \
    X(TSS_061_OFFSET, "TSS-061", "a PENDING PDC opens for the right psn")                          \
    X(TSS_061_RETURN, "TSS-061", "a PENDING PDC's own direction begins where the refused SYN did") \
    X(TSS_062, "TSS-062", "a PENDING PDC of a domain stays for ever")                              \
    X(TSS_062_RENEWED, "TSS-062", "a SYN that begins wrong renews the time of a PENDING PDC")      \
    X(TSS_062_ROOM, "TSS-062", "a PENDING PDC that times out gives no room back")                  \
    X(TSS_063, "TSS-063", "once there is no room, PENDING PDCs stay for ever")                     \
    X(TSS_064, "TSS-064", "a sealed UET_NEW_START_PSN is dropped")                                 \
    X(TSS_064_AGAIN, "TSS-064", "of UET_NEW_START_PSN with other values the first is heard alone") \
    X(TSS_064_REFUSED, "TSS-064", "what was refused before UET_NEW_START_PSN is not sent again")   \
    X(TSS_065, "TSS-065", "UET_NEW_START_PSN moves an established PDC, too")                       \
    X(TSS_066, "TSS-066", "the floor stays when a PDC closes")                                     \
    X(TSS_066_LAST, "TSS-066", "the floor is that of the PDC that closed last")                    \
    X(TSS_066_ALL, "TSS-066", "a PDC that closes raises the floor of each domain")                 \
    X(TSS_066_LOST, "TSS-066", "the floor stays when a PDC ends without a close")                  \
    X(TSS_067, "TSS-067", "the Close ACK tells no floor")                                          \
    X(TSS_068, "TSS-068", "a floor that a peer tells is not heard")                                \
    X(TSS_068_LOWER, "TSS-068", "a lower floor is adopted as well")                                \
    X(TSS_068_FIRST, "TSS-068", "of the floors that peers tell the first is heard alone")          \
    X(TSS_069_NEAR, "TSS-069", "each UET_NEW_START_PSN has all packets sent once more")            \
    X(TSS_069, "TSS-069", "each UET_NEW_START_PSN moves all PSNs on")                              \
    X(TSS_071, "TSS-071", "a trimmed sealed SYN is answered as a whole one")                       \
    X(TSS_071_PENDING, "TSS-071", "a trimmed sealed SYN is told where to begin")                   \
    X(TSS_072, "TSS-072", "no sealed NACK tells of a trimmed packet")                              \
    X(TSS_072_CREDIT, "TSS-072", "a trimmed sealed packet that wants credit gets some")            \
    X(TSS_072_AN, "TSS-072", "a trimmed packet is read with the key that is sent with")            \
    X(TSS_072_HEARD, "TSS-072", "a server learns SSIs from trimmed packets")                       \
    X(TSS_073, "TSS-073", "trimmed sealed packets count as wrong ICVs")                            \
    X(TSS_073_LASTHOP, "TSS-073", "packets trimmed at the last hop count as wrong ICVs")           \
    X(TSS_075, "TSS-075", "what comes again under a PSN is executed again")                        \
    X(TSS_075_ACK, "TSS-075", "the ACK of a second copy is that of the first, byte for byte")      \
    X(TSS_075_AHEAD, "TSS-075", "what comes again above CACK_PSN is executed again")               \
    X(TSS_075_SYN, "TSS-075", "the SYN of a live PDC opens a second one")                          \
    X(TSS_076, "TSS-076", "any type of a sealed packet is a Request")                              \
    X(TSS_076_JOBS, "TSS-076", "of the jobs of a domain the first is known alone")                 \
    X(TSS_076_TWICE, "TSS-076", "what was opened is opened again where it is a TSS packet")

#endif
