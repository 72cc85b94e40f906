/* SPDX-License-Identifier: BSD-2-Clause */
/* The faults of SES requirements (section 3.4), in the order of their ids; see ../list.h. */
#ifndef UET_REFIMPL_FAULTS_LIST_SES_H
#define UET_REFIMPL_FAULTS_LIST_SES_H

#define UET_VIOLATIONS_SES(X)                                                                      \
    X(SES_003_LATER, "SES-003", "reserved bits of a later packet are bits of its length")          \
    X(SES_002_COUNT, "SES-002", "reserved bits of short headers tell the count of messages")       \
    X(SES_002_DATA, "SES-002", "reserved bits of read data tell the generation asked for")         \
    X(SES_004, "SES-004", "any SES version is executed")                                           \
    X(SES_004_BIT, "SES-004", "SES version 2 is taken for 0")                                      \
    X(SES_004_LATER, "SES-004", "the version of a later packet is not looked at")                  \
    X(SES_004_SHORT, "SES-004", "the version of a small or medium header is not looked at")        \
    X(SES_004_ATOMIC, "SES-004", "the version of an atomic is not looked at")                      \
    X(SES_004_DEFERRABLE, "SES-004", "the version of a deferrable send is not looked at")          \
    X(SES_004_NO_OP, "SES-004", "the version of a NO_OP is not looked at")                         \
    X(SES_004_READ, "SES-004", "the version of a later packet of a READ is not looked at")         \
    X(SES_004_LATER_TAGGED, "SES-004",                                                             \
      "the version of a later packet of a tagged send is not looked at")                           \
    X(SES_004_LATER_ROD, "SES-004", "the version of a later packet on ROD is not looked at")       \
    X(SES_004_LATER_RUDI, "SES-004", "the version of a later packet over RUDI is not looked at")   \
    X(SES_005_SEND, "SES-005", "an optimized header of a SEND is announced as a standard one")     \
    X(SES_005_ATOMIC, "SES-005",                                                                   \
      "an optimized header of an atomic is announced as a standard one")                           \
    X(SES_006_UUD, "SES-006", "a response in a datagram counts for the message that waits")        \
    X(SES_011_UNKNOWN, "SES-011", "with a request_length of 0 all that the packet has is written") \
    X(SES_011_READ, "SES-011", "a READ of no bytes is refused")                                    \
    X(SES_011_ARRIVAL, "SES-011", "a READ of no bytes gets UET_NO_RESPONSE and no more")           \
    X(SES_011_END, "SES-011", "a request of no bytes at the end of its region is refused")         \
    X(SES_012_RUDI, "SES-012", "buffer_offset moves on with the packets on RUDI")                  \
    X(SES_013, "SES-013", "message_offset is not added")                                           \
    X(SES_013_READ, "SES-013", "a later packet of a READ has no buffer_offset")                    \
    X(SES_013_KEPT, "SES-013", "a kept send stands at the start of its receive")                   \
    X(SES_013_REST, "SES-013", "what is read of a rendezvous send stands before its offset")       \
    X(SES_013_LONG, "SES-013", "message_offset has 16 bits")                                       \
    X(SES_013_LONGER, "SES-013", "message_offset has 20 bits")                                     \
    X(SES_013_FAR, "SES-013", "buffer_offset in a long region has 18 bits")                        \
    X(SES_013_ATOMIC, "SES-013", "buffer_offset of an atomic in a long region has 18 bits")        \
    X(SES_013_TAGGED, "SES-013", "a tagged send stands at the start of its receive")               \
    X(SES_013_MEDIUM, "SES-013", "a SEND with an optimized header stands at the start")            \
    X(SES_013_RUDI, "SES-013", "a later packet over RUDI has no buffer_offset")                    \
    X(SES_015_SOM, "SES-015", "the SOM of a small or medium request is not looked at")             \
    X(SES_015_READ, "SES-015", "a small or medium READ without EOM is executed")                   \
    X(SES_015_RUDI, "SES-015", "a small or medium request without SOM is executed over RUDI")      \
    X(SES_015_UUD, "SES-015", "a small or medium datagram without SOM or EOM is delivered")        \
    X(SES_015_ATOMIC, "SES-015", "a medium atomic without SOM or EOM is done")                     \
    X(SES_016_CUT, "SES-016", "a short header cuts the message to what its 14 bits say")           \
    X(SES_016_READ, "SES-016", "a READ of any length goes under a short header")                   \
    X(SES_016_SEND, "SES-016", "a SEND of any length goes under a short header")                   \
    X(SES_017, "SES-017", "a small header goes to a FEP that does not know it")                    \
    X(SES_017_SEND, "SES-017", "what the peer knows is asked for WRITEs alone")                    \
    X(SES_018, "SES-018", "a small WRITE names another resource index than its key")               \
    X(SES_018_KEY, "SES-018", "a small WRITE whose key is of another resource index goes out")     \
    X(SES_019_ANYWHERE, "SES-019", "a key holds at any resource index")                            \
    X(SES_019_KEY, "SES-019", "an optimized key is no key of a standard header")                   \
    X(SES_019_ALONE, "SES-019", "a region is found by its key alone")                              \
    X(SES_019_FULL, "SES-019", "the last region that fits is the memory of the first")             \
    X(SES_020, "SES-020", "the extension of an atomic is all zero")                                \
    X(SES_021, "SES-021",                                                                          \
      "the operands of a CSWAP stand behind the short extension, as long as it "                   \
      "takes")                                                                                     \
    X(SES_022, "SES-022", "the operands of a CSWAP stand in the high bytes of their places")       \
    X(SES_023_TAGGED, "SES-023", "a tagged rendezvous send has no extension")                      \
    X(SES_023_EAGER, "SES-023", "a rendezvous send that is all eager has no extension")            \
    X(SES_024, "SES-024", "a reserved opcode is answered with RC_OK")                              \
    X(SES_024_LOW, "SES-024", "reserved opcodes are looked up by their low bits")                  \
    X(SES_024_LATER, "SES-024", "the opcode of a later packet on a PDC is not looked at")          \
    X(SES_024_RUDI, "SES-024", "the opcode of a later packet over RUDI is not looked at")          \
    X(SES_025, "SES-025", "an opcode that its profile goes without is executed")                   \
    X(SES_025_RENDEZVOUS, "SES-025", "a rendezvous send is taken as a send")                       \
    X(SES_025_CODE, "SES-025", "an opcode that it does not implement gets RC_OP_VIOLATION")        \
    X(SES_025_DROPPED, "SES-025", "a request with such an opcode is dropped")                      \
    X(SES_025_WRITTEN, "SES-025", "a request with such an opcode is refused, but written")         \
    X(SES_028, "SES-028", "NO_OP is refused")                                                      \
    X(SES_028_RECEIVE, "SES-028", "NO_OP uses up a receive")                                       \
    X(SES_029, "SES-029", "NO_OP with payload is taken")                                           \
    X(SES_029_TOLD, "SES-029", "of a NO_OP the told length is looked at, not its bytes")           \
    X(SES_029_SOM, "SES-029", "NO_OP without som is taken")                                        \
    X(SES_029_SHORT, "SES-029", "a small or medium NO_OP is taken, whatever it has")               \
    X(SES_033, "SES-033", "message_id is constant")                                                \
    X(SES_033_PROMISED, "SES-033", "a send that is promised an answer lends its message_id")       \
    X(SES_035, "SES-035", "a datagram has a message_id")                                           \
    X(SES_036_WHOLE, "SES-036", "eom of a datagram of one Payload MTU is 0")                       \
    X(SES_038, "SES-038", "UET_SEND is taken over UUD")                                            \
    X(SES_038_SENT, "SES-038", "a WRITE is sent over UUD")                                         \
    X(SES_038_SHORT, "SES-038", "UUD takes any opcode under an optimized header")                  \
    X(SES_038_RUD, "SES-038", "a small or medium datagram is taken on RUD")                        \
    X(SES_038_RUDI, "SES-038", "a datagram is told done over RUDI")                                \
    X(SES_040_GENERATION, "SES-040", "a datagram without receive disables its resource index")     \
    X(SES_040, "SES-040", "after a datagram no SEND finds a receive")                              \
    X(SES_043, "SES-043", "eom is never set")                                                      \
    X(SES_044, "SES-044", "packets out of order are not placed")                                   \
    X(SES_044_EOM, "SES-044", "the packet with EOM ends a WRITE")                                  \
    X(SES_045, "SES-045", "the length of a first packet is not checked")                           \
    X(SES_045_FULL, "SES-045", "a message of just one Payload MTU is refused")                     \
    X(SES_045_SINGLE, "SES-045", "a single packet with too little is taken")                       \
    X(SES_045_SEND, "SES-045", "the length of the first packet of a SEND is not checked")          \
    X(SES_045_TAGGED, "SES-045", "the length of the first packet of a tagged send is not checked") \
    X(SES_045_ROD, "SES-045", "the length of a first packet is not checked on ROD")                \
    X(SES_045_RUDI, "SES-045", "the length of a first packet is not checked on RUDI")              \
    X(SES_046, "SES-046", "payload_length is not checked")                                         \
    X(SES_046_SEND, "SES-046", "payload_length of a send is not checked")                          \
    X(SES_047, "SES-047", "request_length does not bound the message")                             \
    X(SES_047_WRAP, "SES-047", "offsets are added in 32 bits")                                     \
    X(SES_047_READ, "SES-047", "request_length does not bound a READ")                             \
    X(SES_047_EAGER, "SES-047", "an eager part may be longer than its message")                    \
    X(SES_047_MISSING, "SES-047", "bounds are not checked while parts are missing")                \
    X(SES_047_SEND, "SES-047", "request_length does not bound a SEND")                             \
    X(SES_047_TAGGED, "SES-047", "request_length does not bound a tagged send")                    \
    X(SES_047_ROD, "SES-047", "request_length does not bound the message on ROD")                  \
    X(SES_047_RUDI, "SES-047", "request_length does not bound the message on RUDI")                \
    X(SES_048, "SES-048", "a change of key inside a message is taken")                             \
    X(SES_048_OPCODE, "SES-048", "a change of opcode inside a message is taken")                   \
    X(SES_048_TAG, "SES-048", "a packet with a tag is taken as part of a send without")            \
    X(SES_048_BACK, "SES-048", "the first packet may have another key than those before it")       \
    X(SES_049, "SES-049", "a message that does not begin with som is refused")                     \
    X(SES_050, "SES-050", "the JobID is not part of a relative lookup")                            \
    X(SES_050_KEY, "SES-050", "with rel=1 the key of another job finds its region")                \
    X(SES_050_RECEIVE, "SES-050", "with rel=1 a send finds the receive of another job")            \
    X(SES_050_LOW, "SES-050", "16 bits of the JobID are compared")                                 \
    X(SES_050_FULL, "SES-050", "the last resource index that fits is disabled")                    \
    X(SES_051, "SES-051", "the JobID is part of an absolute lookup")                               \
    X(SES_051_READ, "SES-051", "the JobID is part of the absolute lookup of a READ")               \
    X(SES_051_SEND, "SES-051", "the JobID is part of the absolute lookup of a SEND")               \
    X(SES_052, "SES-052", "an unknown JobID gives RC_BAD_PID")                                     \
    X(SES_052_ZERO, "SES-052", "JobID 0 stands for the job of the key's region")                   \
    X(SES_053_ABSOLUTE, "SES-053", "with rel=0 the low 11 bits of the PIDonFEP count")             \
    X(SES_053, "SES-053", "an unknown PIDonFEP gives RC_BAD_INDEX")                                \
    X(SES_053_LATE, "SES-053", "the RI is looked up before the PIDonFEP")                          \
    X(SES_053_LOW, "SES-053", "8 bits of the PIDonFEP are compared")                               \
    X(SES_053_LATER, "SES-053", "later packets are looked up by JobID and RI alone")               \
    X(SES_053_TAGGED, "SES-053", "tagged sends are looked up by JobID and RI alone")               \
    X(SES_054_ABSOLUTE, "SES-054", "with rel=0 the low 11 bits of the RI count")                   \
    X(SES_054, "SES-054", "an unknown RI gives RC_BAD_PID")                                        \
    X(SES_054_LOW, "SES-054", "8 bits of the RI are compared")                                     \
    X(SES_055, "SES-055", "PIDonFEP is looked up before the JobID")                                \
    X(SES_056, "SES-056", "one RI space for all opcodes")                                          \
    X(SES_056_KEPT, "SES-056", "a kept send matches whatever its resource index")                  \
    X(SES_056_MEMORY, "SES-056", "a SEND finds a resource index that is open for RMA")             \
    X(SES_059, "SES-059", "the JobID of a buffer is not checked")                                  \
    X(SES_059_LOW, "SES-059", "the JobID of a buffer is checked in 16 bits")                       \
    X(SES_059_LATER, "SES-059", "the job of a READ is checked in first packets alone")             \
    X(SES_059_LATE, "SES-059", "the right is asked before the JobID")                              \
    X(SES_061, "SES-061", "a receive of one job takes messages of all")                            \
    X(SES_061_LOW, "SES-061", "the JobID of a receive is checked in 16 bits")                      \
    X(SES_061_PDC, "SES-061", "after a message of the right job any job may use the receives")     \
    X(SES_061_ENDPOINT, "SES-061", "who has an endpoint may use any receive behind it")            \
    X(SES_061_TAGGED, "SES-061", "a tagged receive of one job takes messages of all")              \
    X(SES_061_KEPT, "SES-061", "a kept send matches whatever its JobID")                           \
    X(SES_063, "SES-063", "an unknown key gives RC_OK")                                            \
    X(SES_063_LOW, "SES-063", "a key is compared in 40 bits")                                      \
    X(SES_063_EMPTY, "SES-063", "a WRITE of no bytes needs no key")                                \
    X(SES_063_READ, "SES-063", "a key that is withdrawn under a READ is good still")               \
    X(SES_063_WITHDRAWN, "SES-063", "a key that was withdrawn is good still")                      \
    X(SES_064, "SES-064", "the write right is not checked")                                        \
    X(SES_064_LATER, "SES-064", "the write right is checked in first packets alone")               \
    X(SES_065, "SES-065", "the end of the region is checked one byte late")                        \
    X(SES_066, "SES-066", "the range of a packet is checked, not of its message")                  \
    X(SES_066_WRAP, "SES-066", "buffer_offset and request_length are added in 64 bits")            \
    X(SES_066_LOW, "SES-066", "buffer_offset is cut to 32 bits")                                   \
    X(SES_066_FIRST, "SES-066", "the range of a message is checked on its first packet alone")     \
    X(SES_067_MEDIUM, "SES-067", "a medium header with header_data loses the buffer_offset")       \
    X(SES_067_OTHER, "SES-067", "a standard header in the place of a small one has no key")        \
    X(SES_068, "SES-068", "write with immediate makes no completion")                              \
    X(SES_068_ZERO, "SES-068", "header_data 0 of a WRITE is told to nobody")                       \
    X(SES_068_MEDIUM, "SES-068", "header_data in the medium header of a WRITE is lost")            \
    X(SES_068_EOM, "SES-068", "header_data is read from the packet that ends the message")         \
    X(SES_068_EARLY, "SES-068", "header_data of a WRITE is told before all data is there")         \
    X(SES_068_EMPTY, "SES-068", "header_data of a WRITE of no bytes is lost")                      \
    X(SES_069_AGAIN, "SES-069", "a packet that is sent again has no header data")                  \
    X(SES_069_MEDIUM, "SES-069", "a medium header has 32 bits of the header data")                 \
    X(SES_070_BEFORE, "SES-070", "hd of one message of several packets holds for the next")        \
    X(SES_070_SEND, "SES-070", "header_data of a SEND counts without hd")                          \
    X(SES_070_TAGGED, "SES-070", "header_data of a tagged send counts without hd")                 \
    X(SES_070_DEFERRABLE, "SES-070", "header_data of a deferrable send counts without hd")         \
    X(SES_070_UUD, "SES-070", "header_data of a datagram counts without hd")                       \
    X(SES_072_RUDI, "SES-072", "each Request of a READ over RUDI has EOM")                         \
    X(SES_073, "SES-073", "a packet of a read that is ahead is refused")                           \
    X(SES_078_LONG, "SES-078", "message_offset of read data has 16 bits")                          \
    X(SES_078_LONGER, "SES-078", "message_offset of read data has 18 bits")                        \
    X(SES_079_LONG, "SES-079", "modified_length of read data has 16 bits")                         \
    X(SES_080_AGAIN, "SES-080",                                                                    \
      "data with a response_message_id that came before is that of the same READ")                 \
    X(SES_081_ANEW, "SES-081", "data finds no small READ that was numbered anew")                  \
    X(SES_081_LATEST, "SES-081", "original_request_psn is the PSN of the request that came last")  \
    X(SES_081_OLDEST, "SES-081", "data of a small READ goes to the oldest, whatever PSN it names") \
    X(SES_082_PDC, "SES-082", "read data is found by its message_id on any PDC")                   \
    X(SES_082_ARRIVAL, "SES-082", "read data is answered with UET_NO_RESPONSE")                    \
    X(SES_083, "SES-083", "the read right is not checked")                                         \
    X(SES_083_LATER, "SES-083", "the read right is checked in first packets alone")                \
    X(SES_084_LATER, "SES-084", "the errors of later packets of a READ are not kept")              \
    X(SES_084_MENDED, "SES-084", "a READ that failed succeeds when it comes again and may")        \
    X(SES_084_TWICE, "SES-084", "the error of a read is told again once")                          \
    X(SES_084, "SES-084", "the error of a read is not kept")                                       \
    X(SES_086_READ, "SES-086", "RUDI reads any region")                                            \
    X(SES_086, "SES-086", "RUDI writes to any region")                                             \
    X(SES_086_LATER, "SES-086", "a later packet over RUDI needs no safe region")                   \
    X(SES_086_EMPTY, "SES-086", "RUDI of no bytes needs no safe region")                           \
    X(SES_087, "SES-087", "of a message over RUDI only the last packet has a response")            \
    X(SES_087_FIRST, "SES-087", "of a message over RUDI only the first packet has a response")     \
    X(SES_088_KEPT, "SES-088", "a RUDI READ that comes again brings what stood there")             \
    X(SES_089, "SES-089", "RUDI does any operation")                                               \
    X(SES_089_ATOMIC, "SES-089", "RUDI does atomics")                                              \
    X(SES_090_EMPTY, "SES-090", "a send of no bytes takes no receive")                             \
    X(SES_090, "SES-090", "the last posted receive is taken first")                                \
    X(SES_090_SHORT, "SES-090", "a receive that is too short is passed over")                      \
    X(SES_090_KEPT, "SES-090", "the newest kept send is taken first")                              \
    X(SES_090_HELD, "SES-090", "a kept send is taken before a held one that came first")           \
    X(SES_090_FREED, "SES-090", "a receive that is free again is the last of its line")            \
    X(SES_090_TWO, "SES-090", "a message whose first packet comes late takes two receives")        \
    X(SES_090_OLDEST, "SES-090", "of several receives the oldest is cancelled")                    \
    X(SES_090_CANCELLED, "SES-090", "a receive that was cancelled takes a send")                   \
    X(SES_090_FULL, "SES-090", "the last receive that fits has the buffer of the first")           \
    X(SES_091, "SES-091", "the low 32 match bits count alone")                                     \
    X(SES_091_SOURCE, "SES-091", "a receive from one initiator takes messages of all")             \
    X(SES_091_SHORT, "SES-091", "the low 16 bits of the initiator count alone")                    \
    X(SES_091_ANYBODY, "SES-091", "a receive from anybody takes messages of initiator 0 alone")    \
    X(SES_091_OLDEST, "SES-091", "of several receives for a tag the oldest is cancelled")          \
    X(SES_091_ATOMIC, "SES-091", "an atomic by tag takes the oldest tagged receive")               \
    X(SES_091_KEPT, "SES-091", "a kept send matches whatever its tag")                             \
    X(SES_091_KEPT_LOW, "SES-091", "the low 32 match bits of a kept send count alone")             \
    X(SES_091_KEPT_FROM, "SES-091", "a kept send matches whatever its initiator")                  \
    X(SES_091_KEPT_NOBODY, "SES-091", "the initiator of a kept send is not kept")                  \
    X(SES_091_ZERO, "SES-091", "a receive from initiator 0 takes messages of all")                 \
    X(SES_092, "SES-092", "a receive for tag 0 takes every tag")                                   \
    X(SES_093, "SES-093", "an exact receive goes before a wildcard that was posted first")         \
    X(SES_093_NAMED, "SES-093", "a receive that names its initiator goes before one from anybody") \
    X(SES_093_IGNORE, "SES-093", "the bits to ignore are not ignored")                             \
    X(SES_093_ONE, "SES-093", "a receive that ignores bits and names its initiator takes nothing") \
    X(SES_093_LOWEST, "SES-093", "a receive that ignores a bit ignores the lowest, too")           \
    X(SES_093_KEPT, "SES-093", "the bits to ignore are not ignored of a kept send")                \
    X(SES_094, "SES-094", "a tagged message takes an untagged receive that is older")              \
    X(SES_094_KEPT, "SES-094", "an untagged receive takes a tagged send that is kept")             \
    X(SES_094_DISABLED, "SES-094", "where untagged receives run out tagged sends are refused")     \
    X(SES_095, "SES-095", "the initiator stands in the first packet of a tagged send alone")       \
    X(SES_095_TAG, "SES-095", "the match bits stand in the first packet of a tagged send alone")   \
    X(SES_095_ATOMIC, "SES-095", "an atomic by tag carries no match bits")                         \
    X(SES_095_MEDIUM, "SES-095", "a tagged send with the medium header has no initiator")          \
    X(SES_095_AGAIN, "SES-095", "a tagged send that is tried again has no initiator")              \
    X(SES_095_RENDEZVOUS, "SES-095", "a tagged rendezvous send has no initiator")                  \
    X(SES_096, "SES-096", "a send without a receive gives RC_OK")                                  \
    X(SES_096_LATE, "SES-096", "a send that found no receive looks again with its next packet")    \
    X(SES_096_SHORT, "SES-096", "a small or medium send without a receive gives RC_OK")            \
    X(SES_098, "SES-098", "the answer to a kept send has list UET_EXPECTED")                       \
    X(SES_098_DEFAULT, "SES-098", "a kept send is answered by a default response")                 \
    X(SES_098_NEVER, "SES-098", "a kept send is never answered")                                   \
    X(SES_098_NULL, "SES-098", "the answer to a kept send has RC_NULL")                            \
    X(SES_098_LOOSE, "SES-098", "the answer to a kept send asks for no clear")                     \
    X(SES_098_ARRIVAL, "SES-098", "a kept send is answered with success when it arrives")          \
    X(SES_098_SILENT, "SES-098", "the answer to a kept send is forgotten")                         \
    X(SES_098_ALWAYS, "SES-098", "a send that has its receive is told as kept")                    \
    X(SES_098_TWICE, "SES-098", "a kept send fills the next receive, too")                         \
    X(SES_098_PLACE, "SES-098", "each packet that is kept stands at the start of its message")     \
    X(SES_098_BYTES, "SES-098", "what came before the receive is lost when more comes after it")   \
    X(SES_098_PARTS, "SES-098", "who is full refuses the rest of a send that it keeps")            \
    X(SES_098_MIDWAY, "SES-098", "a send that was kept in part is answered as if it was not")      \
    X(SES_099, "SES-099", "a send for which there is no room is told to be kept")                  \
    X(SES_099_CODE, "SES-099", "no room for a send is RC_OP_VIOLATION")                            \
    X(SES_099_LENGTH, "SES-099", "no room for a send has a modified_length")                       \
    X(SES_100_TAGGED, "SES-100", "a disabled resource takes tagged sends")                         \
    X(SES_100, "SES-100", "RC_NO_MATCH wins over RC_DISABLED")                                     \
    X(SES_100_LATE, "SES-100", "the generation is compared before disabled is looked at")          \
    X(SES_100_LATER, "SES-100", "a later packet to a disabled resource index is taken")            \
    X(SES_101_ATOMIC, "SES-101", "an atomic by tag behind the end of its receive is told done")    \
    X(SES_101_KEPT, "SES-101", "a kept send is cut where no receive asks for that")                \
    X(SES_101_HELD, "SES-101", "a held rendezvous send is cut where none asks for that")           \
    X(SES_101, "SES-101", "an overlong send is cut although it should be refused")                 \
    X(SES_101_SIGNED, "SES-101", "31 bits of the length of a send are compared")                   \
    X(SES_102_ATOMIC, "SES-102", "an atomic by tag that its receive would cut is told done")       \
    X(SES_102_KEPT, "SES-102", "a kept send is not cut where a receive asks for that")             \
    X(SES_102_NOTHING, "SES-102", "of a rendezvous send without room a byte is read")              \
    X(SES_102_WHOLE, "SES-102", "the truncation of a send of several packets is not told")         \
    X(SES_103_LITTLE, "SES-103", "a send is a part of a packet longer than the peer takes")        \
    X(SES_103, "SES-103", "a send is longer than the peer takes")                                  \
    X(SES_104_RAISED, "SES-104", "each new try of a message raises its ri_generation")             \
    X(SES_104_ATOMIC, "SES-104", "atomics have a generation")                                      \
    X(SES_104_TAGGED, "SES-104", "a tagged send goes out with a generation that nobody gave")      \
    X(SES_105, "SES-105", "the generation is not checked")                                         \
    X(SES_105_BITS, "SES-105", "the low 4 bits of the generation are compared")                    \
    X(SES_105_LATER, "SES-105", "the generation is compared in the packet with SOM alone")         \
    X(SES_105_TELLS, "SES-105", "RC_BAD_GENERATION tells 0")                                       \
    X(SES_105_LATE, "SES-105", "the receive is looked for before the generation is compared")      \
    X(SES_105_BEFORE, "SES-105", "the generation before the present one is taken")                 \
    X(SES_105_TAGGED, "SES-105", "the generation of tagged sends is not checked")                  \
    X(SES_106, "SES-106", "on ROD a send without receive disables nothing")                        \
    X(SES_106_NEXT, "SES-106", "the send that disables a resource index gets RC_NO_MATCH")         \
    X(SES_106_RUD, "SES-106", "a send without receive disables on RUD, too")                       \
    X(SES_107, "SES-107", "a disabled resource index opens with its old generation")               \
    X(SES_107_EACH, "SES-107", "each receive raises the generation of an index")                   \
    X(SES_107_TWO, "SES-107", "a disabled resource index opens two generations later")             \
    X(SES_107_WRAP, "SES-107", "behind generation 255 comes 1")                                    \
    X(SES_107_JOB, "SES-107", "a receive of whatever job opens a resource index")                  \
    X(SES_107_SOON, "SES-107", "a resource index that has run out has a new generation at once")   \
    X(SES_108_PEER, "SES-108", "the generation that was told is taken for each index of the peer") \
    X(SES_108_TWICE, "SES-108", "the generation that is told is taken the first time alone")       \
    X(SES_108_FIRST, "SES-108", "the generation that was told stands in the first packet alone")   \
    X(SES_108_TAGGED, "SES-108", "a tagged send does not take the generation that was told")       \
    X(SES_108_SHORT, "SES-108",                                                                    \
      "a SEND with a short header does not take the generation that was told")                     \
    X(SES_109, "SES-109", "the bytes of a WRITE with dc are not there when it is answered")        \
    X(SES_109_LATER, "SES-109", "the bytes of later packets with dc are not there")                \
    X(SES_110_PARTS, "SES-110", "the response to any packet ends an operation")                    \
    X(SES_110_NULL, "SES-110", "a default response with RC_NULL is an error")                      \
    X(SES_110_OLDEST, "SES-110", "a late answer ends the oldest message that waits for one")       \
    X(SES_110_LATE, "SES-110", "an answer behind CACK_PSN is that of the first promised")          \
    X(SES_110_COVERED, "SES-110", "a promised answer behind CACK_PSN is not heard")                \
    X(SES_110, "SES-110", "UET_NO_RESPONSE completes an operation, a read too")                    \
    X(SES_111, "SES-111", "a packet with ie=1 is executed")                                        \
    X(SES_111_SOM, "SES-111", "ie=1 is looked at in first packets only")                           \
    X(SES_111_SEND, "SES-111", "ie=1 of a SEND is not looked at")                                  \
    X(SES_111_ATOMIC, "SES-111", "an atomic with ie=1 is done")                                    \
    X(SES_111_READ, "SES-111", "a READ with ie=1 brings data")                                     \
    X(SES_111_SHORT, "SES-111", "ie=1 under a short header is not looked at")                      \
    X(SES_111_RUDI, "SES-111", "ie=1 over RUDI is not looked at")                                  \
    X(SES_111_TAGGED, "SES-111", "ie=1 of a tagged send is not looked at")                         \
    X(SES_112_KEPT, "SES-112", "a send that fails while it is kept is delivered")                  \
    X(SES_112_RESTART, "SES-112", "a restart with ie=1 is taken")                                  \
    X(SES_112_EAGER, "SES-112", "an eager part with ie=1 is taken")                                \
    X(SES_113_SEND, "SES-113", "the error of a send is that of its last packet with ie=1")         \
    X(SES_113_TOLD, "SES-113", "an error told again is the latest of its message")                 \
    X(SES_115, "SES-115", "an error ends the PDC's other messages")                                \
    X(SES_115_ID, "SES-115", "an error stays with the message_id")                                 \
    X(SES_116_AHEAD, "SES-116", "an error ahead of the first packet is forgotten")                 \
    X(SES_116_CANCELLED, "SES-116", "a message goes on into the receive that was taken from it")   \
    X(SES_116_PDC, "SES-116", "a receive that a message has is cancelled on the first PDC alone")  \
    X(SES_116, "SES-116", "the error of a message is forgotten")                                   \
    X(SES_117_KEPT, "SES-117", "the answer to a kept send is not stored")                          \
    X(SES_117_WHOLE, "SES-117", "the truncation of a send of several packets is not stored")       \
    X(SES_117_STOP, "SES-117", "the answer to UET_MSG_ERROR asks for no clear")                    \
    X(SES_117, "SES-117", "error responses are not stored")                                        \
    X(SES_121, "SES-121", "UET_NO_RESPONSE with RC_OK completes an operation")                     \
    X(SES_121_RUDI, "SES-121", "UET_NO_RESPONSE completes what went over RUDI")                    \
    X(SES_121_PART, "SES-121", "UET_NO_RESPONSE of a part stops its sender")                       \
    X(SES_122_KEPT, "SES-122", "the answer to a kept send has message_id 0")                       \
    X(SES_122_KEPT_JOB, "SES-122", "the answer to a kept send has JobID 0")                        \
    X(SES_122_PROMISE, "SES-122", "what tells that a kept send has arrived has message_id 0")      \
    X(SES_122_PROMISE_JOB, "SES-122", "what tells that a kept send has arrived has JobID 0")       \
    X(SES_124_NOTHING, "SES-124", "the answer to a kept send tells modified_length 0")             \
    X(SES_124_MORE, "SES-124", "the answer to a kept send tells a byte too many")                  \
    X(SES_124_ONCE, "SES-124", "a truncation is told by a default response, once")                 \
    X(SES_124_OFFSET, "SES-124",                                                                   \
      "modified_length of a truncated send counts its buffer_offset, too")                         \
    X(SES_124, "SES-124", "modified_length is one byte more than was changed")                     \
    X(SES_124_SHORT, "SES-124", "the truncation of a small or medium SEND is not told")            \
    X(SES_124_TAGGED, "SES-124", "the truncation of a tagged send is not told")                    \
    X(SES_124_ATOMIC, "SES-124", "modified_length of an atomic is one byte less")                  \
    X(SES_124_WRITE, "SES-124", "modified_length of a small or medium WRITE is one byte less")     \
    X(SES_125, "SES-125", "UET_MSG_ERROR has a message_offset of 0")                               \
    X(SES_125_ACKED, "SES-125", "UET_MSG_ERROR counts only what is acknowledged")                  \
    X(SES_125_SOM, "SES-125", "UET_MSG_ERROR has som")                                             \
    X(SES_125_OPCODE, "SES-125", "a message is ended early by an empty WRITE with eom")            \
    X(SES_125_ROD, "SES-125", "no UET_MSG_ERROR is sent on ROD")                                   \
    X(SES_125_SEND, "SES-125", "a SEND is not stopped by UET_MSG_ERROR")                           \
    X(SES_125_TAGGED, "SES-125", "a tagged send is not stopped by UET_MSG_ERROR")                  \
    X(SES_125_DEFERRABLE, "SES-125", "a deferrable send is not stopped by UET_MSG_ERROR")          \
    X(SES_126, "SES-126", "UET_MSG_ERROR follows a message of which all was sent")                 \
    X(SES_127_ID, "SES-127", "the message_id of a message that UET_MSG_ERROR ended stays in use")  \
    X(SES_127, "SES-127", "UET_MSG_ERROR is answered with RC_OK")                                  \
    X(SES_128_ANY_PDC, "SES-128", "UET_MSG_ERROR ends messages of other PDCs, too")                \
    X(SES_128, "SES-128", "UET_MSG_ERROR of an unknown message is answered with RC_OK")            \
    X(SES_129, "SES-129", "each new try of a message waits as long as the first")                  \
    X(SES_129_SHARED, "SES-129", "what one message was tried in vain counts for the next")         \
    X(SES_131, "SES-131", "an atomic on a reserved datatype is done as on UINT64")                 \
    X(SES_132, "SES-132", "a reserved atomic_opcode adds")                                         \
    X(SES_132_DONE, "SES-132",                                                                     \
      "an atomic on a datatype that it does not work on is refused, and done")                     \
    X(SES_133, "SES-133", "an atomic of an element and a half is done")                            \
    X(SES_134, "SES-134", "an atomic at an address that is not aligned is done")                   \
    X(SES_134_WORD, "SES-134", "an atomic has to be aligned to 8 bytes and no more")               \
    X(SES_134_SHORT, "SES-134", "an atomic of 2 bytes may have any address")                       \
    X(SES_135, "SES-135", "an atomic needs no right to write")                                     \
    X(SES_135_READ, "SES-135", "an atomic needs no right to read")                                 \
    X(SES_136, "SES-136", "a copy of an atomic is done again")                                     \
    X(SES_137, "SES-137", "the operand of an atomic is taken as little-endian")                    \
    X(SES_137_FEW, "SES-137", "an atomic on more than 1 KiB of elements is refused")               \
    X(SES_137_OWN, "SES-137", "the operand of an atomic is sent little-endian")                    \
    X(SES_137_TAKE, "SES-137", "the old value comes to the application as it was on the wire")     \
    X(SES_137_TWO, "SES-137", "of the elements of an atomic the first one is changed")             \
    X(SES_137_UNSIGNED, "SES-137", "signed elements are compared as unsigned ones")                \
    X(SES_137_LEFT, "SES-137", "CSWAP_LE and its kin have the target on the left side")            \
    X(SES_137_LONG, "SES-137", "atomics on long doubles are refused, though they are claimed")     \
    X(SES_137_IMAGINARY, "SES-137", "the imaginary part of a long double is taken as 0")           \
    X(SES_137_SINGLE, "SES-137", "an element of a complex datatype is turned as one number")       \
    X(SES_138, "SES-138", "an atomic has no eom")                                                  \
    X(SES_138_CUT, "SES-138", "an atomic of more than one packet is cut like a WRITE")             \
    X(SES_138_FIRST, "SES-138", "the last elements of a long atomic are not sent")                 \
    X(SES_139, "SES-139", "a fetching atomic brings the new value")                                \
    X(SES_139_ACK, "SES-139", "an old value comes in the ACK, however long it is")                 \
    X(SES_139_FULL, "SES-139", "the old value that takes the last room never comes")               \
    X(SES_139_INFINITY, "SES-139", "an infinity of 16 bits is taken for a NaN")                    \
    X(SES_141, "SES-141", "a CSWAP that does not swap brings what it compared")                    \
    X(SES_143, "SES-143", "the first try of a deferrable send has a target_restart_token")         \
    X(SES_143_ANEW, "SES-143", "one that begins anew by itself has a target_restart_token")        \
    X(SES_143_LEFT, "SES-143", "target_restart_token is what stood there in the request before")   \
    X(SES_144, "SES-144", "UET_DEFERRABLE_SEND is not known")                                      \
    X(SES_145_TAGGED, "SES-145", "the token of a deferrable tagged send is taken as an offset")    \
    X(SES_145, "SES-145", "the token of a deferrable send is taken as an offset")                  \
    X(SES_146, "SES-146", "a deferral says that all bytes will be changed")                        \
    X(SES_146_EMPTY, "SES-146", "a deferrable send of no bytes is deferred")                       \
    X(SES_146_DEFAULT, "SES-146", "a deferral is told by a default response")                      \
    X(SES_146_SOME, "SES-146", "who hears of some bytes takes a deferral for the end")             \
    X(SES_146_LIST, "SES-146", "who hears UET_EXPECTED takes a deferral for the end")              \
    X(SES_146_LOOSE, "SES-146", "a deferral is not guaranteed")                                    \
    X(SES_147, "SES-147", "a deferred message is ended early by UET_MSG_ERROR")                    \
    X(SES_147_OFFSET, "SES-147", "the early end of a deferred message has message_offset 0")       \
    X(SES_147_ACKED, "SES-147", "the early end of a deferred message counts what is acknowledged") \
    X(SES_147_DEAF, "SES-147", "a deferral is taken for a success")                                \
    X(SES_147_TAGGED, "SES-147", "a deferred tagged send is ended early by UET_DEFERRABLE_SEND")   \
    X(SES_148, "SES-148", "no RTR is sent")                                                        \
    X(SES_148_SWAPPED, "SES-148", "the tokens of an RTR change places")                            \
    X(SES_148_SHORT, "SES-148", "an RTR has the low 16 bits of the token")                         \
    X(SES_148_PEER, "SES-148", "a deferred message is known by its token, whoever sends it")       \
    X(SES_148_JOB, "SES-148", "an RTR has another JobID")                                          \
    X(SES_148_EOM, "SES-148", "an RTR has no eom")                                                 \
    X(SES_149, "SES-149", "an RTR goes on the PDC of the deferred message")                        \
    X(SES_150, "SES-150", "a restart has no target_restart_token")                                 \
    X(SES_150_EARLY, "SES-150", "an RTR that comes before its message is deferred is forgotten")   \
    X(SES_150_SWAPPED, "SES-150", "the tokens of a restart change places")                         \
    X(SES_150_PID, "SES-150", "a restart goes to PIDonFEP 0")                                      \
    X(SES_150_TAG, "SES-150", "a restart has no match bits")                                       \
    X(SES_150_DATA, "SES-150", "a restart has no header data")                                     \
    X(SES_151, "SES-151", "the low 16 bits of an RTR's token find the message")                    \
    X(SES_152, "SES-152", "an RTR of any job is taken")                                            \
    X(SES_152_HIGH, "SES-152", "of the initiator ID of an RTR 16 bits count")                      \
    X(SES_152_USED, "SES-152", "a refused RTR uses up its token")                                  \
    X(SES_153_PRETENDS, "SES-153", "a deferrable send without room is told to be deferred")        \
    X(SES_153_ONCE, "SES-153", "a deferrable send is tried again once after RC_NO_MATCH")          \
    X(SES_153, "SES-153", "a deferrable send without room gets RC_OP_VIOLATION")                   \
    X(SES_154, "SES-154", "a deferrable send goes on over a ROD PDC that is free")                 \
    X(SES_155, "SES-155", "eager_length of a rendezvous send is all of it")                        \
    X(SES_155_LONG, "SES-155", "eager_length has 16 bits")                                         \
    X(SES_155_PID, "SES-155", "read_pid_on_fep is that to which the send goes")                    \
    X(SES_155_KEY, "SES-155", "the read_memory_key of a rendezvous send has 32 bits")              \
    X(SES_155_EARLY, "SES-155", "a rendezvous send ends before it has been read")                  \
    X(SES_156, "SES-156", "the rest of a rendezvous send is not read")                             \
    X(SES_156_ALL, "SES-156", "the eager part of a rendezvous send is read, too")                  \
    X(SES_156_LONG, "SES-156", "the READ of the rest has a length of 16 bits")                     \
    X(SES_156_JOB, "SES-156", "the rest is read under another JobID")                              \
    X(SES_156_PID, "SES-156", "the rest is read with the low 8 bits of read_pid_on_fep")           \
    X(SES_156_OFFSET, "SES-156", "the rest is read at the low 32 bits of its offset")              \
    X(SES_157, "SES-157", "a rendezvous send without receive is said to be expected")              \
    X(SES_157_BARE, "SES-157", "one that brings no byte is said to be expected")                   \
    X(SES_158, "SES-158", "what went out on ROD cannot be read on RUD")                            \
    X(SES_159, "SES-159", "what lacks of a standard header of 20 bytes is taken for 0")            \
    X(SES_159_MEDIUM, "SES-159", "a medium header need be no longer than a small one")             \
    X(SES_160_ATOMIC, "SES-160", "an atomic whose extension is cut is told done")                  \
    X(SES_160_OPERANDS, "SES-160", "a CSWAP without its operands writes what is there")            \
    X(SES_161, "SES-161", "a key of a user may have vendor_specific bits")                         \
    X(SES_161_OPTIMIZED, "SES-161", "an optimized key of a user may have such bits")               \
    X(SES_163, "SES-163", "of receives with one tag the last posted one is taken")                 \
    X(SES_163_ATOMIC, "SES-163", "an atomic by tag leaves its receive posted")                     \
    X(SES_163_PARTS, "SES-163",                                                                    \
      "a tagged send that is still arriving is passed over by a receive")                          \
    X(SES_166, "SES-166", "request_length of a CSWAP is that of its element")                      \
    X(SES_167, "SES-167", "MSWAP takes the bits that are 0 in the mask")                           \
    X(SES_168, "SES-168", "a restart has no som")                                                  \
    X(SES_169, "SES-169", "a target_restart_token is good for many restarts")                      \
    X(SES_169_DEFERRED, "SES-169", "a restart that is deferred begins anew with its token")        \
    X(SES_169_AGAIN, "SES-169", "a restart that is refused is tried again with its token")         \
    X(SES_169_NEWEST, "SES-169", "the token of the newest restart alone is known to be used")      \
    X(SES_169_MOVED, "SES-169", "a restart that moves to another PDC keeps its token")             \
    X(SES_169_PDC, "SES-169", "a used token is known on the PDC of its RTR alone")                 \
    X(SES_170, "SES-170", "an RTR has request_length 0")                                           \
    X(SES_170_LAST, "SES-170", "an RTR has the length of what was deferred last")                  \
    X(SES_170_REST, "SES-170", "a restart has the length of the rest, and begins at byte 0")       \
    X(SES_171, "SES-171", "the extension is in the first packet of a rendezvous send alone")       \
    X(SES_173_SHORT, "SES-173", "a short WRITE is answered with a byte less")                      \
    X(SES_173_LONG, "SES-173", "modified_length of a default response has 16 bits")                \
    X(SES_173_READ, "SES-173", "modified_length of read data speaks of its packet")                \
    X(SES_174, "SES-174", "header_data of a SEND is lost")                                         \
    X(SES_174_ZERO, "SES-174", "header_data 0 of a SEND is told to nobody")                        \
    X(SES_174_LAST, "SES-174", "header data of a kept send is that of its last packet")            \
    X(SES_174_MEDIUM, "SES-174", "header_data in the medium header of a SEND is lost")             \
    X(SES_174_TWICE, "SES-174", "a SEND with header_data completes twice")                         \
    X(SES_174_EOM, "SES-174", "header_data of a SEND is read from the packet that ends it")        \
    X(SES_174_KEPT, "SES-174", "header data of a kept send is not kept")                           \
    X(SES_174_LATE, "SES-174", "header data is lost when its packet comes late")                   \
    X(SES_174_MIDWAY, "SES-174", "header data is lost when more comes after the receive")          \
    X(SES_174_TOLD, "SES-174", "a SEND with header_data is told as an error, and fills a receive") \
    X(SES_174_HIGH, "SES-174", "header_data of more than 32 bits in a SEND is an error")           \
    X(SES_174_DEFERRED, "SES-174", "header data of a deferrable send is lost")                     \
    X(SES_174_RENDEZVOUS, "SES-174", "header data of a rendezvous send is lost")                   \
    X(SES_174_HELD, "SES-174", "a rendezvous that was held ends before its first packet comes")    \
    X(SES_174_DEFERRABLE, "SES-174", "a deferrable send loses its header_data")                    \
    X(SES_175, "SES-175", "an RTR has no initiator")                                               \
    X(SES_175_ANY, "SES-175", "an RTR of any initiator is taken")                                  \
    X(SES_176, "SES-176", "an RTR is refused when its PIDonFEP is not known")                      \
    X(SES_176_GENERATION, "SES-176", "an RTR is refused when its ri_generation is another")        \
    X(SES_179_ATOMIC, "SES-179", "a CSWAP by tag needs room for both of its operands")             \
    X(SES_179, "SES-179", "the answer to a CSWAP has the length of its element as modified_length")

#endif
