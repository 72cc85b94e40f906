/* SPDX-License-Identifier: BSD-2-Clause */
/* The faults of ROB requirements (robustness, which no text of the standard asks for), in the order
 * of their ids; see ../list.h. */
#ifndef UET_REFIMPL_FAULTS_LIST_ROB_H
#define UET_REFIMPL_FAULTS_LIST_ROB_H

#define UET_VIOLATIONS_ROB(X)                                                                      \
    X(ROB_001, "ROB-001", "a packet for any address is taken")                                     \
    X(ROB_002, "ROB-002", "any UDP port is UET's")                                                 \
    X(ROB_003, "ROB-003", "a multicast source is answered")                                        \
    X(ROB_004, "ROB-004", "its own address as source is answered")                                 \
    X(ROB_005, "ROB-005", "a Request is taken from any address")                                   \
    X(ROB_005_LEADS, "ROB-005", "what is owed goes to who named the PDC last")                     \
    X(ROB_006, "ROB-006", "an ACK is taken from any address")                                      \
    X(ROB_007, "ROB-007", "a NACK is taken from any address")                                      \
    X(ROB_008, "ROB-008", "a NACK is taken with any spdcid")                                       \
    X(ROB_009, "ROB-009", "a RUDI Response is taken from any address")                             \
    X(ROB_010, "ROB-010", "a RUDI NACK is taken from any address")                                 \
    X(ROB_011, "ROB-011", "a Control Packet is taken from any address")                            \
    X(ROB_012, "ROB-012", "read data is taken from any address")                                   \
    X(ROB_013, "ROB-013", "bytes behind payload_length are written")                               \
    X(ROB_014, "ROB-014", "request_length may change in a message")                                \
    X(ROB_014_TAGGED, "ROB-014",                                                                   \
      "request_length and buffer_offset may change in a tagged message")                           \
    X(ROB_015, "ROB-015", "buffer_offset may change in a message")                                 \
    X(ROB_016, "ROB-016", "the Resource Index may change in a message")                            \
    X(ROB_017, "ROB-017", "a part that came twice counts twice")                                   \
    X(ROB_017_TAGGED, "ROB-017", "a part of a tagged message that came twice counts twice")        \
    X(ROB_018, "ROB-018", "a second first packet is a message of its own")                         \
    X(ROB_019, "ROB-019", "the receive of a message that fails is lost")                           \
    X(ROB_019_HELD, "ROB-019", "what was read of a rendezvous send waits for ever")                \
    X(ROB_020, "ROB-020", "a read is told in full though data lacks")                              \
    X(ROB_020_RUDI, "ROB-020", "a RUDI read succeeds by Responses without its data")               \
    X(ROB_021, "ROB-021", "read data replaces what has come")                                      \
    X(ROB_022_INSIDE, "ROB-022", "read data is taken for the next part behind its offset")         \
    X(ROB_022, "ROB-022", "the last part of a read is taken for any place")                        \
    X(ROB_022_NEXT, "ROB-022", "read data that was not asked for yet is taken")                    \
    X(ROB_023, "ROB-023", "the JobID may change in a message")                                     \
    X(ROB_023_SEND, "ROB-023", "the JobID may change in a send to a receive for any job")          \
    X(ROB_023_ANY, "ROB-023", "the JobID may change where any job may write or send")              \
    X(ROB_024, "ROB-024", "the IPv4 checksum is not looked at")                                    \
    X(ROB_024_IHL, "ROB-024", "the length of the IPv4 header is not looked at")                    \
    X(ROB_025, "ROB-025", "a fragment is taken for a packet")                                      \
    X(ROB_026, "ROB-026", "what lacks at a frame's end is made up")                                \
    X(ROB_026_UDP, "ROB-026", "a packet ends where UDP says, and not where IP does")               \
    X(ROB_027, "ROB-027", "the UDP length is not looked at")                                       \
    X(ROB_027_BEYOND, "ROB-027", "bytes up to the UDP length are delivered, come or not")          \
    X(ROB_028, "ROB-028", "a packet too short is answered")                                        \
    X(ROB_028_COUNTS, "ROB-028", "a packet too short is dropped, and counts as received")          \
    X(ROB_029, "ROB-029", "a refused packet is answered twice")                                    \
    X(ROB_029_SYN, "ROB-029", "a SYN far from its Start_PSN is refused twice")                     \
    X(ROB_030, "ROB-030", "a new PDC ends the oldest one")                                         \
    X(ROB_031, "ROB-031", "a reserved return code is a success")                                   \
    X(ROB_032, "ROB-032", "an operation completes again by a late error")                          \
    X(ROB_033, "ROB-033", "one peer is served after the other")                                    \
    X(ROB_033_ALL, "ROB-033", "with one peer the operations of all others fail")                   \
    X(ROB_033_FULL, "ROB-033", "PDCs that peers hold idle are not asked for")                      \
    X(ROB_033_HELD, "ROB-033", "a peer that holds a PDC is asked once, and not later")             \
    X(ROB_033_DISABLED, "ROB-033", "what waits for an index of one peer holds up all others")      \
    X(ROB_034, "ROB-034", "100 unreadable frames make it deaf")                                    \
    X(ROB_035, "ROB-035", "a PDC that is closed is never used again")                              \
    X(ROB_035_RESERVED, "ROB-035", "a PDC of the reserved pool is never given back to it")         \
    X(ROB_036_ZERO, "ROB-036", "a SYN with spdcid 0 takes a PDC")                                  \
    X(ROB_036_ROD, "ROB-036", "a ROD SYN that is ahead of the first takes a PDC")                  \
    X(ROB_036_ASKED, "ROB-036", "a PDC whose close it asked for is never used again")              \
    X(ROB_036_GIVEN_UP, "ROB-036", "a PDC given up after Close_REQ_Time is never used again")      \
    X(ROB_036_REFUSED, "ROB-036", "a SYN that is refused takes a PDC")                             \
    X(ROB_036_TRIMMED, "ROB-036", "a trimmed SYN takes a PDC")                                     \
    X(ROB_036_CUT, "ROB-036", "a SYN too short for its SES header takes a PDC")                    \
    X(ROB_036_LATE, "ROB-036", "a late SYN takes a PDC for ever")                                  \
    X(ROB_036_BITMAP, "ROB-036", "the bitmap of a closed PDC is never used again")                 \
    X(ROB_036_FAILED, "ROB-036", "the bitmap of a PDC closed in error is never used again")        \
    X(ROB_037_CLOSED, "ROB-037", "a kept send whose PDC has ended fills each receive")             \
    X(ROB_037_SINGLE, "ROB-037", "a small request without EOM leaves a message")                   \
    X(ROB_037_KEPT, "ROB-037", "a kept send that fails keeps its place")                           \
    X(ROB_037_UNEXPECTED, "ROB-037", "a kept send that was taken keeps its place")                 \
    X(ROB_037_BLOCKS, "ROB-037", "a kept send that was taken keeps its bytes")                     \
    X(ROB_037, "ROB-037", "a message that ends with its PDC keeps its room")                       \
    X(ROB_037_REFUSED, "ROB-037", "a message that is refused keeps its room")                      \
    X(ROB_037_DONE, "ROB-037", "a message that is complete keeps its room")                        \
    X(ROB_037_TWICE, "ROB-037", "a copy of a packet takes room for a message")                     \
    X(ROB_037_EARLY, "ROB-037", "a packet ahead of others takes room for a message")               \
    X(ROB_037_RECEIVE, "ROB-037", "a SEND that is refused takes its receive")                      \
    X(ROB_037_FULL, "ROB-037", "the last kept send that fits has other bytes")                     \
    X(ROB_038_PROMISED, "ROB-038", "a promised answer that was cleared keeps its room")            \
    X(ROB_037_RESTART, "ROB-037", "a receive waits for a restart that was in error")               \
    X(ROB_037_PROMISE, "ROB-037", "a receive waits for ever for a message that was asked for")     \
    X(ROB_037_HELD, "ROB-037", "a rendezvous send outlives its PDC, and takes a receive")          \
    X(ROB_037_READ, "ROB-037", "a receive that failed is written to by its READ")                  \
    X(ROB_038, "ROB-038", "a response cleared by a Request keeps its room")                        \
    X(ROB_038_COMMAND, "ROB-038", "a response cleared by Clear Command keeps its room")            \
    X(ROB_038_CLOSE, "ROB-038", "a response cleared by the close keeps its room")                  \
    X(ROB_039, "ROB-039", "read data that is acknowledged keeps its room")                         \
    X(ROB_039_CUT, "ROB-039", "read data that ends with its PDC keeps its room")                   \
    X(ROB_039_QUEUE, "ROB-039", "read data that waits as its PDC ends keeps its room")             \
    X(ROB_039_REFUSED, "ROB-039", "a READ that is refused keeps room for its data")                \
    X(ROB_039_GIVEN_UP, "ROB-039", "read data of a peer that is gone keeps its room")              \
    X(ROB_039_GONE, "ROB-039", "read data that ends with a NACK keeps its room")                   \
    X(ROB_040, "ROB-040", "an own PDC that is closed is never used again")                         \
    X(ROB_040_GONE, "ROB-040", "an own PDC that the target has not is never used again")           \
    X(ROB_040_FATAL, "ROB-040", "an own PDC that a NACK ends is never used again")                 \
    X(ROB_040_IDLE, "ROB-040", "own PDCs with nothing to do make no room")                         \
    X(ROB_040_READ, "ROB-040",                                                                     \
      "once an own PDC has failed, READs are served but for their first packet")                   \
    X(ROB_040_SILENT, "ROB-040", "an own PDC to a silent peer is never used again")                \
    X(ROB_040_OPEN, "ROB-040", "an own PDC that is given up when it is open waits for ever")       \
    X(ROB_040_DONE, "ROB-040", "an operation that is done keeps its room")                         \
    X(ROB_040_OWN, "ROB-040", "an RTR, or a READ of a rendezvous send, keeps its room")            \
    X(ROB_040_REFUSED, "ROB-040", "an operation that is refused keeps its room")                   \
    X(ROB_040_FAILED, "ROB-040", "an operation that fails keeps its room")                         \
    X(ROB_040_FAILED_READ, "ROB-040", "a READ whose PDC fails keeps its room")                     \
    X(ROB_040_REGION, "ROB-040", "a region serves one rendezvous send, and no other")              \
    X(ROB_040_RUDI, "ROB-040", "a RUDI packet that is answered keeps its room")                    \
    X(ROB_041_TIMER, "ROB-041", "the time for the close of a PDC ends the next of its number")     \
    X(ROB_041_OPENING, "ROB-041", "a second PDC of a slot is not acknowledged at once")            \
    X(ROB_041, "ROB-041", "a PDC has bits of an older one's bitmap")                               \
    X(ROB_042, "ROB-042", "a send has the low 8 bits of its PIDonFEP")                             \
    X(ROB_042_SHORT, "ROB-042", "a short header has no dc")                                        \
    X(ROB_042_JOB, "ROB-042", "UET_MSG_ERROR has JobID 0")                                         \
    X(ROB_042_AGAIN, "ROB-042", "a send that was refused has no header data any more")             \
    X(ROB_042_FULL, "ROB-042", "the last operation that fits goes to key 0")                       \
    X(ROB_043, "ROB-043", "a packet in an optional format ends its PDC")                           \
    X(ROB_043_COUNTS, "ROB-043",                                                                   \
      "a packet in an optional format is dropped, and counts as received")                         \
    X(ROB_044, "ROB-044", "of a rendezvous send that is read anew both READs count")               \
    X(ROB_044_RUDI, "ROB-044", "what RUDI reads of a rendezvous send does not count")              \
    X(ROB_044_BEFORE, "ROB-044", "what was read of a region before holds up a rendezvous send")    \
    X(ROB_045, "ROB-045", "a response completes the message that it names")                        \
    X(ROB_046, "ROB-046", "an atomic that was done is begun anew")                                 \
    X(ROB_047, "ROB-047", "an RTR is taken from whoever knows the token")                          \
    X(ROB_048, "ROB-048", "read data is taken whatever JobID it has")                              \
    X(ROB_049, "ROB-049", "an ACK of PSNs before Start_PSN tells the TPDCID")                      \
    X(ROB_049_NAMED, "ROB-049", "of an ACK that opens a PDC CACK_PSN alone is looked at")          \
    X(ROB_050, "ROB-050", "read data succeeds whatever its return code")                           \
    X(ROB_051, "ROB-051", "a default response tells the length")                                   \
    X(ROB_052, "ROB-052", "what was begun in a domain is resent though it is disabled")            \
    X(ROB_052_REMOVED, "ROB-052",                                                                  \
      "what was begun in a domain that is removed goes as its job now does")                       \
    X(ROB_053, "ROB-053", "what a peer tells to have come was sent")                               \
    X(ROB_054, "ROB-054", "when a domain is removed the PDCs of all others end")                   \
    X(ROB_055, "ROB-055", "after a reset there is no room for an operation")                       \
    X(ROB_056, "ROB-056", "a receive tells JobID 0")                                               \
    X(ROB_056_INITIATOR, "ROB-056", "completions tell 16 bits of the initiator")                   \
    X(ROB_056_TAG, "ROB-056", "completions tell 32 bits of the match bits")                        \
    X(ROB_056_WRITE, "ROB-056", "a write with header data tells initiator 0")                      \
    X(ROB_056_CODE, "ROB-056", "completions tell one return code for all errors")                  \
    X(ROB_056_PEER, "ROB-056", "completions tell another peer")                                    \
    X(ROB_056_CUT, "ROB-056", "a send that its target has cut is told as a whole")                 \
    X(ROB_056_DATAGRAM, "ROB-056", "a datagram is told as answered with success")                  \
    X(ROB_056_LENGTH, "ROB-056", "completions tell whole units of 1024 bytes")                     \
    X(ROB_057, "ROB-057", "a Close Command is taken from any address")                             \
    X(ROB_057_ERROR, "ROB-057", "the error that an ACK tells is taken from any address")           \
    X(ROB_057_ANSWERS, "ROB-057", "who repeats a Request of another gets its ACK")                 \
    X(ROB_057_GROUP, "ROB-057", "ACKs and NACKs to any address are taken")                         \
    X(ROB_057_SUM, "ROB-057", "the IPv4 checksum of RUDI Responses is not looked at")              \
    X(ROB_058, "ROB-058", "a window that is shut is asked about without end")                      \
    X(ROB_058_NACKED, "ROB-058", "what was refused once is resent without end")                    \
    X(ROB_058_AMID, "ROB-058", "where something was acknowledged the rest is resent without end")  \
    X(ROB_058_SACKED, "ROB-058", "the ACK of what SACK tells is asked for without end")            \
    X(ROB_058_CLOSING, "ROB-058", "on a PDC that is to close packets are resent without end")      \
    X(ROB_058_CREDIT, "ROB-058", "credit is asked for without end")                                \
    X(ROB_058_DATA, "ROB-058", "read data that was promised is waited for without end")            \
    X(ROB_058_DATA_CLOSING, "ROB-058",                                                             \
      "on a PDC that is to close read data is waited for without end")

#endif
