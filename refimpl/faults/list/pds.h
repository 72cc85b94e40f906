/* SPDX-License-Identifier: BSD-2-Clause */
/* The faults of PDS requirements (section 3.5), in the order of their ids; see ../list.h. */
#ifndef UET_REFIMPL_FAULTS_LIST_PDS_H
#define UET_REFIMPL_FAULTS_LIST_PDS_H

#define UET_VIOLATIONS_PDS(X)                                                                      \
    X(PDS_001, "PDS-001", "a duplicate is handed to SES again")                                    \
    X(PDS_001_AGED, "PDS-001", "a PSN 128 past Start_PSN counts as received")                      \
    X(PDS_001_ELSEWHERE, "PDS-001", "what came on a PDC counts as received on another")            \
    X(PDS_002, "PDS-002", "a packet ahead of a gap is dropped")                                    \
    X(PDS_003_JOBS, "PDS-003", "a ROD message finds no PDC of its tuple but the newest of all")    \
    X(PDS_003_CLOSE, "PDS-003", "a ROD message does not wait for those on a PDC that closes")      \
    X(PDS_005, "PDS-005", "a RUDI target drops what it has seen")                                  \
    X(PDS_005_FRESH, "PDS-005", "a RUDI target drops a copy with retx=0 of what it has seen")      \
    X(PDS_006, "PDS-006", "a UUD Request is answered with a NACK")                                 \
    X(PDS_006_ADDRESS, "PDS-006", "a UUD Request to an unknown JobID or PIDonFEP is answered")     \
    X(PDS_007, "PDS-007", "a packet of the other mode is taken")                                   \
    X(PDS_007_SYN, "PDS-007", "a SYN of the other mode is taken")                                  \
    X(PDS_009, "PDS-009", "messages are interleaved on a PDC")                                     \
    X(PDS_009_KINDS, "PDS-009", "a write and a send take turns on a PDC")                          \
    X(PDS_009_REFUSED, "PDS-009", "while a packet waits to be sent again another message begins")  \
    X(PDS_011_JOB, "PDS-011", "a message of job 0 goes on a PDC that its target opened")           \
    X(PDS_011_PENDING, "PDS-011", "a PDC that is being created takes what is of the other mode")   \
    X(PDS_011_TO, "PDS-011", "what goes to another address follows the PDC that is being created") \
    X(PDS_013_NEWEST, "PDS-013", "read data goes on the newest PDC of the reader")                 \
    X(PDS_017, "PDS-017", "a SYN with spdcid 0 opens a PDC")                                       \
    X(PDS_017_NACK, "PDS-017", "a SYN with spdcid 0 is refused, and leaves a PDC")                 \
    X(PDS_018_ROLES, "PDS-018", "a PDC has the number of one that the FEP opened")                 \
    X(PDS_019, "PDS-019", "a PDCID that another peer uses already is refused")                     \
    X(PDS_019_END, "PDS-019",                                                                      \
      "the end of a PDC takes those of other peers with the same PDCID along")                     \
    X(PDS_020_GAP, "PDS-020", "the NACK of a ROD gap names no PDC")                                \
    X(PDS_021_STICKS, "PDS-021", "a PDC number that was reserved once is reserved for ever")       \
    X(PDS_021_ROD, "PDS-021", "pdc_info of a ROD PDC says use_rsv_pdc")                            \
    X(PDS_024, "PDS-024", "only the first packet carries syn")                                     \
    X(PDS_026, "PDS-026", "Start_PSN is constant")                                                 \
    X(PDS_026_RESTART, "PDS-026", "the Start_PSNs are the same in each life of the FEP")           \
    X(PDS_027, "PDS-027", "Start_PSN follows the last PSN used")                                   \
    X(PDS_027_NEAR, "PDS-027", "Start_PSN is 2^15 past the last PSN used")                         \
    X(PDS_028_NOOP, "PDS-028", "the return direction of what a NOOP opens begins later")           \
    X(PDS_029, "PDS-029", "only the packet with psn_offset 0 opens a PDC")                         \
    X(PDS_029_OFFSET, "PDS-029", "of psn_offset of the SYN that opens a PDC eight bits count")     \
    X(PDS_030_NOOP, "PDS-030", "a NOOP behind Start_PSN opens a ROD PDC")                          \
    X(PDS_030_KEPT, "PDS-030", "a ROD SYN behind Start_PSN is refused, and leaves a PDC")          \
    X(PDS_030_AR, "PDS-030",                                                                       \
      "a ROD SYN behind Start_PSN that asks for no ACK is dropped in silence")                     \
    X(PDS_031, "PDS-031", "each SYN opens a PDC of its own")                                       \
    X(PDS_032, "PDS-032", "the source address is not part of the SYN lookup")                      \
    X(PDS_032_HOST, "PDS-032", "of the source address the last byte is part of the SYN lookup")    \
    X(PDS_033, "PDS-033", "the packet that opens a PDC is not acknowledged at once")               \
    X(PDS_034, "PDS-034", "syn goes on after the TPDCID is known")                                 \
    X(PDS_034_DOUBT, "PDS-034", "after a resend new Requests have syn=1 until an ACK comes")       \
    X(PDS_035_TRIMMED, "PDS-035", "a NACK of a trimmed packet teaches no TPDCID")                  \
    X(PDS_035_ROD, "PDS-035", "a NACK on ROD teaches no TPDCID")                                   \
    X(PDS_036_COPY, "PDS-036", "a copy of a SYN that has opened a PDC is refused")                 \
    X(PDS_036_CLEAR, "PDS-036", "CLEAR_PSN of a SYN of a live PDC is overlooked")                  \
    X(PDS_037, "PDS-037", "a SYN outside the window is dropped in silence")                        \
    X(PDS_037_ENDS, "PDS-037", "a SYN outside the window ends the PDC")                            \
    X(PDS_037_EDGE, "PDS-037", "a SYN one PSN ahead of the window counts as the last in it")       \
    X(PDS_037_ROD, "PDS-037", "a SYN outside the window of a ROD PDC is dropped in silence")       \
    X(PDS_038, "PDS-038", "an unknown dpdcid is dropped in silence")                               \
    X(PDS_038_ROD, "PDS-038", "a ROD Request with an unknown dpdcid is dropped in silence")        \
    X(PDS_038_AR, "PDS-038",                                                                       \
      "a Request that asks for no ACK is not told that its dpdcid is unknown")                     \
    X(PDS_039, "PDS-039", "a Request with dpdcid 0 is taken by the PDC of its spdcid")             \
    X(PDS_039_CP, "PDS-039", "a Control Packet with dpdcid 0 is dropped in silence")               \
    X(PDS_039_CPS, "PDS-039", "a CP with dpdcid 0 is taken by the PDC of its spdcid")              \
    X(PDS_040, "PDS-040", "spdcid and source address are not compared")                            \
    X(PDS_040_ROD, "PDS-040", "spdcid and source address are not compared on ROD")                 \
    X(PDS_041, "PDS-041", "a SYN without a free PDC is dropped in silence")                        \
    X(PDS_041_AHEAD, "PDS-041",                                                                    \
      "a SYN with psn_offset without a free PDC is told that its PDC is unknown")                  \
    X(PDS_042, "PDS-042", "a SYN without a free context is dropped in silence")                    \
    X(PDS_042_KEPT, "PDS-042", "a context is never given back")                                    \
    X(PDS_042_LEAK, "PDS-042", "a SYN refused for want of a context leaves its PDC taken")         \
    X(PDS_043, "PDS-043", "UET_NO_BITMAP names a PDC")                                             \
    X(PDS_043_LEAK, "PDS-043", "a SYN refused for want of a bitmap leaves its PDC taken")          \
    X(PDS_044_ROD, "PDS-044", "a trimmed ROD SYN opens a PDC")                                     \
    X(PDS_044_LIFE, "PDS-044", "a trimmed SYN counts to the PDC that has its spdcid")              \
    X(PDS_045, "PDS-045", "a NOOP does not open a PDC")                                            \
    X(PDS_045_PSN, "PDS-045", "the PSN of a NOOP that opens a PDC does not count")                 \
    X(PDS_046_SECOND, "PDS-046", "a Probe leaves on a second PDC before its first ACK")            \
    X(PDS_046_ZERO, "PDS-046", "a Probe with dpdcid 0 leaves before the first ACK of its PDC")     \
    X(PDS_047_LOST, "PDS-047", "what a timeout takes for lost makes room for new PSNs")            \
    X(PDS_048, "PDS-048", "messages queued while the PDC is created fail when it is there")        \
    X(PDS_054, "PDS-054", "nobody waits for Syn_Retx_Safety_Time")                                 \
    X(PDS_054_TARGET, "PDS-054", "a target forgets a PDC that has closed at once")                 \
    X(PDS_055, "PDS-055", "a Negotiation is dropped")                                              \
    X(PDS_055_AGAIN, "PDS-055", "a Negotiation that comes again is not acknowledged")              \
    X(PDS_056, "PDS-056", "every fourth PSN is skipped")                                           \
    X(PDS_058, "PDS-058", "a retransmission takes a new PSN")                                      \
    X(PDS_058_BYTES, "PDS-058", "a retransmission carries zeros")                                  \
    X(PDS_060, "PDS-060", "the peer's MP_Range is not kept")                                       \
    X(PDS_060_CLOSE, "PDS-060", "a Close Command does not wait for the window")                    \
    X(PDS_061, "PDS-061", "a smaller MPR does not hold resends back")                              \
    X(PDS_061_RTO, "PDS-061", "once an RTO has expired no window is kept")                         \
    X(PDS_061_TRIMMED, "PDS-061", "a smaller MPR does not hold back what was trimmed")             \
    X(PDS_062, "PDS-062", "Default_MPR is not kept")                                               \
    X(PDS_064, "PDS-064", "mpr = 0 stops the source")                                              \
    X(PDS_063_FULL, "PDS-063", "what a window lacks that is full else is lost")                    \
    X(PDS_063_STORED, "PDS-063", "the last of a window is lost while a response waits")            \
    X(PDS_065, "PDS-065", "Override_MPR_Zero_Value is ignored")                                    \
    X(PDS_065_STAYS, "PDS-065", "once mpr = 0 has come no other mpr counts")                       \
    X(PDS_063_HALF, "PDS-063", "a source takes mpr for units of 64 PSNs")                          \
    X(PDS_066, "PDS-066", "a stale MPR is taken")                                                  \
    X(PDS_066_SAME, "PDS-066", "an MPR of the same CACK_PSN is taken")                             \
    X(PDS_066_NAMED, "PDS-066", "the age of an MPR is that of its ACK_PSN")                        \
    X(PDS_059_MPR, "PDS-059", "an MPR of a CACK_PSN behind the wrap is stale")                     \
    X(PDS_066_RETURN, "PDS-066", "a stale MPR is taken for the return direction")                  \
    X(PDS_067, "PDS-067", "a PSN ahead of the window is dropped in silence")                       \
    X(PDS_067_STORED, "PDS-067", "what is ahead is dropped while a response waits for its clear")  \
    X(PDS_067_KEPT, "PDS-067", "a PSN refused ahead of the window counts as received later")       \
    X(PDS_067_COPY, "PDS-067", "a PSN ahead of the window that comes again is dropped in silence") \
    X(PDS_067_ROD, "PDS-067", "on ROD a PSN ahead of the window is dropped in silence")            \
    X(PDS_067_AR, "PDS-067",                                                                       \
      "a PSN ahead of the window that asks for no ACK is dropped in silence")                      \
    X(PDS_068_FIRST, "PDS-068", "an old PSN with retx = 0 is taken for a new one")                 \
    X(PDS_070_PROMISED, "PDS-070", "CLEAR_PSN passes a packet whose answer is only promised")      \
    X(PDS_073, "PDS-073", "CLEAR_PSN goes back")                                                   \
    X(PDS_074, "PDS-074", "CLEAR_PSN frees nothing")                                               \
    X(PDS_074_COPY, "PDS-074", "CLEAR_PSN of a retransmission frees nothing")                      \
    X(PDS_075, "PDS-075", "REQ_CLEAR is never set")                                                \
    X(PDS_075_AGAIN, "PDS-075", "a stored response that is told again asks for no clear")          \
    X(PDS_077, "PDS-077", "CACK_PSN passes an uncleared response")                                 \
    X(PDS_077_ORDER, "PDS-077", "CACK_PSN waits for the response that was stored first")           \
    X(PDS_077_KEPT, "PDS-077", "CACK_PSN passes the answer to a kept send")                        \
    X(PDS_077_CP, "PDS-077", "the ACK of a Control Packet passes an uncleared response")           \
    X(PDS_078_LATE, "PDS-078", "an answer that was promised first is never cleared")               \
    X(PDS_080, "PDS-080", "no Clear Command is sent")                                              \
    X(PDS_080_DRAINING, "PDS-080", "REQ_CLEAR is overlooked while a PDC drains")                   \
    X(PDS_080_ONCE, "PDS-080", "REQ_CLEAR brings a Clear Command once")                            \
    X(PDS_080_GAP, "PDS-080", "REQ_CLEAR is forgotten where nothing can be cleared yet")           \
    X(PDS_080_CC, "PDS-080", "REQ_CLEAR of an ACK_CC is ignored")                                  \
    X(PDS_080_LATER, "PDS-080", "a packet on its way counts as one that will carry the clear")     \
    X(PDS_080_ROD, "PDS-080", "no Clear Command is sent on ROD")                                   \
    X(PDS_081, "PDS-081", "Clear Command is sent while requests wait")                             \
    X(PDS_081_QUEUED, "PDS-081", "Clear Command is sent while the next message waits")             \
    X(PDS_081_HELD, "PDS-081",                                                                     \
      "Clear Command is sent while requests wait for the congestion window")                       \
    X(PDS_081_ASKED, "PDS-081", "a Clear Request brings a Clear Command while requests wait")      \
    X(PDS_083, "PDS-083", "Clear Command is acknowledged")                                         \
    X(PDS_084_PSN, "PDS-084", "a Clear Request names the PSN after the last received")             \
    X(PDS_084_CLEARED, "PDS-084", "a Clear Request names the PSN before the first that waits")     \
    X(PDS_085, "PDS-085", "a Clear Request is ignored")                                            \
    X(PDS_085_DRAINING, "PDS-085", "a Clear Request is overlooked while a PDC drains")             \
    X(PDS_082_ASKED, "PDS-082", "a Clear Command repeats the PSN of the Clear Request")            \
    X(PDS_086_PART, "PDS-086", "a Clear Command for a part ends the asking")                       \
    X(PDS_086_COUNT, "PDS-086", "each PSN cleared counts as a response cleared")                   \
    X(PDS_086_CP, "PDS-086", "the ACK of a Control Packet asks for no clear")                      \
    X(PDS_086_COPY, "PDS-086", "a default response to a copy asks for no clear")                   \
    X(PDS_074_ALL, "PDS-086", "any CLEAR_PSN frees all that is stored")                            \
    X(PDS_086_GONE, "PDS-086", "who holds responses is not asked whether it lives")                \
    X(PDS_087, "PDS-087", "a stored response is not repeated")                                     \
    X(PDS_087_TRIMMED, "PDS-087", "a trimmed copy of a READ brings its answer without the data")   \
    X(PDS_087_SLOT, "PDS-087", "responses 64 PSNs apart share one place")                          \
    X(PDS_087_ROD, "PDS-087", "a stored response is not told again on ROD")                        \
    X(PDS_088, "PDS-088", "a duplicate is answered without a default response")                    \
    X(PDS_089, "PDS-089", "a default response has ri_generation of the error before")              \
    X(PDS_091, "PDS-091", "an error response without a slot is dropped in silence")                \
    X(PDS_091_AR, "PDS-091", "a packet without a slot that asks for no ACK is not told of it")     \
    X(PDS_092_DATA, "PDS-092", "an initiator asks for a clear of what it acknowledges")            \
    X(PDS_094_UNASKED, "PDS-094", "an error response waits until an ACK is asked for")             \
    X(PDS_097, "PDS-097", "ar is ignored")                                                         \
    X(PDS_098, "PDS-098", "retx asks for no ACK")                                                  \
    X(PDS_098_GAP, "PDS-098", "retx asks for an ACK only in order")                                \
    X(PDS_098_ROD, "PDS-098", "retx asks for no ACK on ROD")                                       \
    X(PDS_099_ROD, "PDS-099", "Enb_ACK_Per_Pkt sets no ar on ROD")                                 \
    X(PDS_100_GAP, "PDS-100", "what comes behind a gap is acknowledged by no trigger")             \
    X(PDS_100, "PDS-100", "nothing is acknowledged by the coalescing trigger")                     \
    X(PDS_100_SHARED, "PDS-100", "ACK_GEN_COUNT is one for all PDCs")                              \
    X(PDS_100_ROD, "PDS-100", "ROD packets are acknowledged by no trigger")                        \
    X(PDS_100_CLEAR, "PDS-100", "a Clear Command sets ACK_GEN_COUNT to 0")                         \
    X(PDS_101, "PDS-101", "ACK_Gen_Min_Pkt_Add is not counted")                                    \
    X(PDS_102, "PDS-102", "an ACK does not reset ACK_GEN_COUNT")                                   \
    X(PDS_102_REST, "PDS-102", "what is beyond the trigger counts for the next ACK")               \
    X(PDS_103, "PDS-103", "CE brings no ACK")                                                      \
    X(PDS_104_CLOSE, "PDS-104", "the ACK of a Close Command does not tell CE")                     \
    X(PDS_104_COPY, "PDS-104", "the ACK of a duplicate does not tell CE")                          \
    X(PDS_104_CP, "PDS-104", "the NACK of a Control Packet does not tell CE")                      \
    X(PDS_104_PROBE, "PDS-104", "the answer to a Probe does not tell CE")                          \
    X(PDS_104_STORED, "PDS-104", "the ACK of a duplicate tells CE of the first copy")              \
    X(PDS_105_CP, "PDS-105", "the NACK of a Control Packet does not tell retx")                    \
    X(PDS_105_STORED, "PDS-105", "retx of a stored response is that of the first time")            \
    X(PDS_105_TRIMMED, "PDS-105", "the NACK of a trimmed packet does not tell retx")               \
    X(PDS_106, "PDS-106", "ack_psn_offset is always 0")                                            \
    X(PDS_107, "PDS-107", "ack_psn_offset is subtracted")                                          \
    X(PDS_108, "PDS-108", "CACK_PSN is the highest PSN received")                                  \
    X(PDS_112_CLOSE, "PDS-112", "the ACK of a Close Command takes another path")                   \
    X(PDS_112_PROBE, "PDS-112", "the answer to a Probe takes another path")                        \
    X(PDS_112_STORED, "PDS-112",                                                                   \
      "a response that is told again has the entropy of the first copy")                           \
    X(PDS_113_COPY, "PDS-113", "the ACK of a copy has no CC state")                                \
    X(PDS_114_BELOW, "PDS-114",                                                                    \
      "a bitmap that a Probe wants from CACK_PSN on or below is all ones")                         \
    X(PDS_114_EARLY, "PDS-114", "the answer to a Probe tells PSNs before Start_PSN")               \
    X(PDS_114_FAR, "PDS-114", "a bitmap from far ahead tells what came a ring of 1024 before")     \
    X(PDS_115, "PDS-115", "a cleared SACK bit brings a retransmission")                            \
    X(PDS_116, "PDS-116", "a PSN known from SACK is resent as data")                               \
    X(PDS_116_RETURN, "PDS-116", "a target never sends an ACK Request")                            \
    X(PDS_116_ROD, "PDS-116", "on ROD a PSN known from SACK is resent as data")                    \
    X(PDS_117, "PDS-117", "SACK completes a PSN")                                                  \
    X(PDS_117_CLEAR, "PDS-117", "CLEAR_PSN passes what SACK alone has told")                       \
    X(PDS_119, "PDS-119", "read data of any length comes in the ACK")                              \
    X(PDS_120, "PDS-120", "a small last part of a read comes in its ACK")                          \
    X(PDS_121, "PDS-121", "read data is not acknowledged")                                         \
    X(PDS_121_COPY, "PDS-121", "read data that comes again is not acknowledged")                   \
    X(PDS_121_AR, "PDS-121", "ar of read data is ignored")                                         \
    X(PDS_121_COUNT, "PDS-121", "read data is acknowledged by no trigger")                         \
    X(PDS_121_PATH, "PDS-121", "the ACK of read data returns no entropy value")                    \
    X(PDS_121_EARLY, "PDS-121", "read data before the first ACK counts as taken, and is lost")     \
    X(PDS_121_REFUSED, "PDS-121", "read data before the first ACK is refused for good")            \
    X(PDS_122, "PDS-122", "an ACK ahead of the last PSN is used")                                  \
    X(PDS_122_NEXT, "PDS-122", "an ACK whose CACK_PSN is the next PSN is used")                    \
    X(PDS_122_OPENS, "PDS-122", "an ACK ahead of the last PSN tells the TPDCID")                   \
    X(PDS_123, "PDS-123", "an ACK with another spdcid is used")                                    \
    X(PDS_124, "PDS-124", "an ACK for no PDC is answered with a NACK")                             \
    X(PDS_124_ZERO, "PDS-124", "an ACK with dpdcid 0 counts to the PDC of its spdcid")             \
    X(PDS_125, "PDS-125", "no ACK when a gap closes")                                              \
    X(PDS_125_NOOP, "PDS-125", "no ACK when a gap below a NOOP closes")                            \
    X(PDS_125_FIRST, "PDS-125", "behind an open gap only the first that asks is remembered")       \
    X(PDS_125_LATER, "PDS-125", "only the first gap of all brings an ACK when it closes")          \
    X(PDS_127_ABOVE, "PDS-127", "an ACK may be trimmed from 16 bytes above Trimmable_ACK_Size on") \
    X(PDS_121_GAP, "PDS-125", "no ACK when a gap of read data closes")                             \
    X(PDS_128, "PDS-128", "a duplicate with retx=0 is delivered")                                  \
    X(PDS_128_ROD, "PDS-128", "retx = 0 of a copy on ROD is overlooked")                           \
    X(PDS_129, "PDS-129", "a duplicate with retx=1 is not answered")                               \
    X(PDS_129_ROD, "PDS-129", "a copy on ROD is not answered")                                     \
    X(PDS_130, "PDS-130", "a duplicate below CACK is not answered")                                \
    X(PDS_130_HALF, "PDS-130", "copies are known half an MP_Range below CACK_PSN")                 \
    X(PDS_130_FAR, "PDS-130", "a copy of a PSN more than 64 below CACK_PSN is dropped")            \
    X(PDS_130_UNIT, "PDS-130", "copies are known 128 PSNs below CACK_PSN, whatever MP_Range is")   \
    X(PDS_131, "PDS-131", "a duplicate is refused with UET_UNEXP_EVENT")                           \
    X(PDS_132, "PDS-132", "a duplicate is handed to SES again")                                    \
    X(PDS_134, "PDS-134", "a NACK outside the outstanding range is used")                          \
    X(PDS_134_TPDCID, "PDS-134", "a NACK of a PSN not outstanding teaches the TPDCID")             \
    X(PDS_134_EXPERIMENTAL, "PDS-134",                                                             \
      "an experimental NACK outside the outstanding range is used")                                \
    X(PDS_134_OLD, "PDS-134", "a NACK of an acknowledged PSN is used")                             \
    X(PDS_134_RETURN, "PDS-134", "of read data a NACK outside the outstanding range is used")      \
    X(PDS_134_NEXT, "PDS-134", "a NACK of the PSN that comes next is used")                        \
    X(PDS_134_CLOSING, "PDS-134", "a NACK of another PSN ends a close")                            \
    X(PDS_135, "PDS-135", "RETX codes bring no resend")                                            \
    X(PDS_135_CP, "PDS-135", "a NACK brings no Control Packet again")                              \
    X(PDS_135_GTD, "PDS-135", "UET_NO_GTD_DEL_AVAIL brings no resend")                             \
    X(PDS_135_MSG, "PDS-135", "UET_NO_SES_MSG_AVAIL brings no resend")                             \
    X(PDS_135_RESOURCE, "PDS-135", "UET_NO_RESOURCE brings no resend")                             \
    X(PDS_135_EARLY, "PDS-135", "NACK_Retx_Time is not waited for")                                \
    X(PDS_135_ROD, "PDS-135", "UET_NO_PKT_BUFFER brings no resend on ROD")                         \
    X(PDS_135_ONCE, "PDS-135", "NACK_Retx_Time is waited for the first time alone")                \
    X(PDS_135_SYN, "PDS-135", "UET_NO_RESOURCE without a PDC brings no resend")                    \
    X(PDS_135_ACKS, "PDS-135", "an ACK ends the wait for NACK_Retx_Time of earlier packets")       \
    X(PDS_135_COPY, "PDS-135", "a NACK of what was sent again is lost, but one of two codes")      \
    X(PDS_135_RETURN_LACK, "PDS-135",                                                              \
      "return data comes again for UET_NO_PKT_BUFFER and UET_TRIMMED alone")                       \
    X(PDS_135_DRAINING, "PDS-135", "NACKs that come while a PDC drains are lost, but fatal ones")  \
    X(PDS_136, "PDS-136", "NACK resends do not end")                                               \
    X(PDS_136_ACK, "PDS-136", "an ACK gives all packets their NACK resends anew")                  \
    X(PDS_136_NONE, "PDS-136", "with Max_NACK_Retx_Cnt 0 there is one resend")                     \
    X(PDS_136_TRIMMED, "PDS-136", "resends of what was trimmed are not counted")                   \
    X(PDS_136_ROD, "PDS-136", "resends that NACKs bring are not counted on ROD")                   \
    X(PDS_136_RETURN, "PDS-136", "resends of read data that NACKs bring are not counted")          \
    X(PDS_136_COPIES, "PDS-136", "each copy of a NACK counts as a resend")                         \
    X(PDS_136_RUDI, "PDS-136", "each copy of the NACK of a RUDI Request counts as a resend")       \
    X(PDS_136_RENEWED, "PDS-136", "a timeout renews the resends that NACKs bring")                 \
    X(PDS_136_RETURN_LESS, "PDS-136", "return data comes again once less often for NACKs")         \
    X(PDS_136_RETURN_31, "PDS-136", "31 NACKs end return data, though 31 means no end")            \
    X(PDS_136_CP, "PDS-136", "a Control Packet comes again for any number of NACKs")               \
    X(PDS_136_RUDI_NONE, "PDS-136", "over RUDI a NACK changes nothing where none brings a resend") \
    X(PDS_136_RUDI_31, "PDS-136", "31 NACKs are all that a RUDI packet is sent again for")         \
    X(PDS_137, "PDS-137", "NO_PDC_AVAIL is resent on the same PDC")                                \
    X(PDS_137_QUEUED, "PDS-137", "of messages on a refused PDC the first is tried again")          \
    X(PDS_137_REST, "PDS-137", "of several refused SYN packets the last never comes again")        \
    X(PDS_137_CCC, "PDS-137", "UET_NO_CCC_AVAIL fails what was begun")                             \
    X(PDS_137_BITMAP, "PDS-137", "UET_NO_BITMAP fails what was begun")                             \
    X(PDS_138, "PDS-138", "PDC_FATAL does not close the PDC")                                      \
    X(PDS_138_REST, "PDS-138", "of a message that moves what was acknowledged stays away")         \
    X(PDS_138_ROD, "PDS-138", "PDC_FATAL does not close a ROD PDC")                                \
    X(PDS_138_RETURN, "PDS-138", "PDC_FATAL for read data does not close the PDC")                 \
    X(PDS_138_STAYS, "PDS-138", "a target goes on with a PDC that its peer does not know")         \
    X(PDS_138_0E, "PDS-138", "UET_INV_DPDCID closes no PDC")                                       \
    X(PDS_138_0F, "PDS-138", "UET_PDC_HDR_MISMATCH closes no PDC")                                 \
    X(PDS_138_15, "PDS-138", "UET_INVALID_SYN closes no PDC")                                      \
    X(PDS_138_16, "PDS-138", "UET_PDC_MODE_MISMATCH closes no PDC")                                \
    X(PDS_138_19, "PDS-138", "UET_UNEXP_EVENT closes no PDC")                                      \
    X(PDS_138_0E_RETRY, "PDS-138", "UET_INV_DPDCID is not retried")                                \
    X(PDS_138_0F_RETRY, "PDS-138", "UET_PDC_HDR_MISMATCH is not retried")                          \
    X(PDS_138_15_RETRY, "PDS-138", "UET_INVALID_SYN is not retried")                               \
    X(PDS_138_16_RETRY, "PDS-138", "UET_PDC_MODE_MISMATCH is not retried")                         \
    X(PDS_138_19_RETRY, "PDS-138", "UET_UNEXP_EVENT is not retried")                               \
    X(PDS_138_0E_CREDIT, "PDS-138", "who asks for credit does not hear UET_INV_DPDCID")            \
    X(PDS_138_0F_CREDIT, "PDS-138", "who asks for credit does not hear UET_PDC_HDR_MISMATCH")      \
    X(PDS_138_COPY, "PDS-138", "a fatal NACK of what was sent again is lost")                      \
    X(PDS_138_RETURN_OTHER, "PDS-138",                                                             \
      "of fatal NACKs of return data one code alone ends the PDC")                                 \
    X(PDS_139, "PDS-139", "UET_CLOSING is not retried")                                            \
    X(PDS_140, "PDS-140", "UET_CLOSING_IN_ERR is retried")                                         \
    X(PDS_140_MESSAGE, "PDS-140", "UET_CLOSING_IN_ERR fails the message and leaves the PDC")       \
    X(PDS_141, "PDS-141", "UET_GTD_RESP_UNAVAIL is retried")                                       \
    X(PDS_141_PDC, "PDS-141", "UET_GTD_RESP_UNAVAIL fails the message and leaves the PDC")         \
    X(PDS_142_SACK, "PDS-142", "SACK undoes the resend that UET_ACK_WITH_DATA asks for")           \
    X(PDS_144, "PDS-144", "UET_RCVD_SES_PROCG fails the PDC")                                      \
    X(PDS_144_STOP, "PDS-144", "UET_RCVD_SES_PROCG stops the RTO")                                 \
    X(PDS_145_CLOSE, "PDS-145", "a Close Request of the initiator closes the PDC")                 \
    X(PDS_146, "PDS-146", "a trimmed ACK brings UET_TRIMMED_ACK")                                  \
    X(PDS_146_LASTHOP, "PDS-146", "an ACK trimmed at the last hop brings UET_TRIMMED_ACK")         \
    X(PDS_147_ASKED, "PDS-147", "an ACK Request outside the window gets a reserved NACK code")     \
    X(PDS_148_ROD, "PDS-148", "UET_ROD_OOO with a vendor_code is ignored")                         \
    X(PDS_148_TRIMMED, "PDS-148", "UET_TRIMMED with a vendor_code is ignored")                     \
    X(PDS_148_SYN, "PDS-148", "the NACK of a SYN with a vendor_code is ignored")                   \
    X(PDS_148_RUDI, "PDS-148", "the NACK of a RUDI Request with a vendor_code is ignored")         \
    X(PDS_149, "PDS-149", "a NACKed PSN counts as received")                                       \
    X(PDS_149_ROD, "PDS-149", "a ROD packet without a slot is not the one expected any more")      \
    X(PDS_149_BYTES, "PDS-149", "the bytes of a packet without room are placed")                   \
    X(PDS_149_SUM, "PDS-149", "an atomic without a slot is done")                                  \
    X(PDS_149_AR, "PDS-149", "a NACKed PSN of RUD that asked for no ACK counts as received")       \
    X(PDS_150, "PDS-150", "UET_NO_RESOURCE without a PDC names one")                               \
    X(PDS_150_OFFSET, "PDS-150", "UET_NO_RESOURCE without a PDC names psn_offset as one")          \
    X(PDS_151, "PDS-151", "UET_PSN_OOR_WINDOW brings an acknowledged PSN again")                   \
    X(PDS_151_OLDEST, "PDS-151",                                                                   \
      "UET_PSN_OOR_WINDOW of an acknowledged PSN brings the oldest packet again")                  \
    X(PDS_151_NEVER, "PDS-151", "UET_PSN_OOR_WINDOW never brings a resend")                        \
    X(PDS_151_NEXT, "PDS-151", "UET_PSN_OOR_WINDOW brings the PSN after CACK_PSN alone again")     \
    X(PDS_151_BEHIND, "PDS-151", "an ACK does not end what UET_PSN_OOR_WINDOW began")              \
    X(PDS_152, "PDS-152", "every ACK restarts the RTO of all packets")                             \
    X(PDS_154, "PDS-154", "a reserved NACK code closes the PDC")                                   \
    X(PDS_154_EDGES, "PDS-154", "the first and last reserved NACK codes close the PDC")            \
    X(PDS_154_SYN, "PDS-154", "a reserved NACK code of a SYN is taken for want of a PDC")          \
    X(PDS_154_RETX, "PDS-154", "a reserved NACK code uses up the retries")                         \
    X(PDS_154_TRIMMED, "PDS-154", "NACK code 0x03 closes the PDC")                                 \
    X(PDS_155, "PDS-155", "a NACK is answered")                                                    \
    X(PDS_155_FAR, "PDS-155", "a NACK of a PSN outside the window is answered")                    \
    X(PDS_156, "PDS-156", "the RTO is a tenth of RTO_Init_Time")                                   \
    X(PDS_156_ROD, "PDS-156", "no RTO on ROD")                                                     \
    X(PDS_156_LATER, "PDS-156", "each packet puts off the RTO of those before it")                 \
    X(PDS_156_BEHIND, "PDS-156", "a first RTO ends no sooner than one that has grown elsewhere")   \
    X(PDS_156_CREDIT, "PDS-156", "on credit, what opens a PDC and is lost is not sent again")      \
    X(PDS_157, "PDS-157", "no backoff")                                                            \
    X(PDS_157_NACKED, "PDS-157", "a NACK counts as a retry")                                       \
    X(PDS_157_PROGRESS, "PDS-157", "an ACK begins the RTO of all other packets anew")              \
    X(PDS_157_LESS, "PDS-157", "an ACK of a packet takes back the growth of the RTO of all")       \
    X(PDS_157_ALL, "PDS-157", "the retries of one packet count for all that are sent later")       \
    X(PDS_157_RETURN, "PDS-157", "no backoff of read data")                                        \
    X(PDS_157_CP, "PDS-157", "no backoff of Control Packets")                                      \
    X(PDS_157_ROD, "PDS-157", "no backoff on ROD")                                                 \
    X(PDS_157_RUDI, "PDS-157", "no backoff of RUDI Requests")                                      \
    X(PDS_157_LONGEST, "PDS-157", "the RTO grows beyond 8 s")                                      \
    X(PDS_157_FOURTH, "PDS-157", "the RTO doubles three times, and no more")                       \
    X(PDS_158, "PDS-158", "one resend too many")                                                   \
    X(PDS_158_NONE, "PDS-158", "with Max_RTO_Retx_Cnt 0 there is one resend")                      \
    X(PDS_158_CP, "PDS-158", "Control Packets are resent without end")                             \
    X(PDS_158_ROD, "PDS-158", "ROD packets are resent without end")                                \
    X(PDS_159_LONGEST, "PDS-159", "no retry follows the longest RTO")                              \
    X(PDS_159_RUDI, "PDS-159", "over RUDI 15 resends are the last, though 15 means no end")        \
    X(PDS_160, "PDS-160", "after the last resend the PDC is used on")                              \
    X(PDS_160_CLOSE, "PDS-160", "a Close Command that is given up leaves its PDC")                 \
    X(PDS_160_TARGET, "PDS-160", "a target whose read data was given up goes on")                  \
    X(PDS_160_LAST, "PDS-160", "a message is done when its last packet is acknowledged")           \
    X(PDS_160_SACKED, "PDS-160", "what SACK has named is done when its PDC fails")                 \
    X(PDS_162_PROCESSING, "PDS-162", "an ACK does not end what UET_RCVD_SES_PROCG began")          \
    X(PDS_162, "PDS-162", "an acknowledged PSN is resent")                                         \
    X(PDS_162_NAMED, "PDS-162", "what ACK_PSN alone has acknowledged is resent")                   \
    X(PDS_165_ONCE, "PDS-165", "only the first packet behind a ROD gap is refused")                \
    X(PDS_165_FAR, "PDS-165", "what is more than 64 PSNs ahead on ROD is dropped in silence")      \
    X(PDS_165_CLOSE, "PDS-165", "a Close Command is taken out of turn on ROD")                     \
    X(PDS_165_CLOSE_REQUEST, "PDS-165", "a Close Request ahead on ROD is not refused")             \
    X(PDS_165_STORED, "PDS-165", "the NACK of a ROD gap expects the PSN behind CACK_PSN")          \
    X(PDS_165_OPENING, "PDS-165", "the NACK of a ROD SYN behind Start_PSN expects PSN 0")          \
    X(PDS_165_SYN, "PDS-165", "the NACK of a SYN behind a ROD gap expects PSN 0")                  \
    X(PDS_166_SACK, "PDS-166", "SACK tells a ROD packet that was dropped")                         \
    X(PDS_167_FIRST, "PDS-167", "only the first gap of a PDC goes back")                           \
    X(PDS_167_MESSAGE, "PDS-167", "going back ends with the message of the missing packet")        \
    X(PDS_167_TIMEOUT, "PDS-167", "a timeout on ROD brings its own packet alone")                  \
    X(PDS_167_RETURN, "PDS-167", "ROD read data does not go back")                                 \
    X(PDS_168_LATE, "PDS-168", "a late UET_ROD_OOO of a gap repaired goes back again")             \
    X(PDS_169, "PDS-169", "the data of the last ROD read comes first")                             \
    X(PDS_169_ID, "PDS-169", "the data of ROD reads that wait goes by message_id")                 \
    X(PDS_169_STOPPED, "PDS-169", "a ROD read that the window stops lets the next one pass")       \
    X(PDS_171, "PDS-171", "a zero SACK bitmap on ROD counts as loss of all that is outstanding")   \
    X(PDS_172, "PDS-172", "every RUDI packet has the same pkt_id")                                 \
    X(PDS_172_READ, "PDS-172", "a RUDI read has the pkt_id of the last write")                     \
    X(PDS_173, "PDS-173", "a RUDI Response has another pkt_id")                                    \
    X(PDS_174_PDC, "PDS-174", "RUDI is not sent once the PDCs have run out")                       \
    X(PDS_175, "PDS-175", "a RUDI Request is never sent again")                                    \
    X(PDS_175_OTHERS, "PDS-175", "a resent RUDI Request stops the RTO of others")                  \
    X(PDS_175_NACKED, "PDS-175", "a NACK of a RUDI Request counts as a timeout")                   \
    X(PDS_175_RENEWED, "PDS-175", "a NACK gives a RUDI Request its retries anew")                  \
    X(PDS_175_ENDLESS, "PDS-175", "RUDI Requests are resent without end")                          \
    X(PDS_175_SILENT, "PDS-175", "a RUDI operation never fails")                                   \
    X(PDS_176, "PDS-176", "a late RUDI Response ends the next packet")                             \
    X(PDS_176_ENDED, "PDS-176", "a RUDI Response completes an operation that was given up")        \
    X(PDS_176_HALF, "PDS-176", "of the pkt_id of a RUDI Response the low half is looked at")       \
    X(PDS_177, "PDS-177", "retx is not set on a RUDI resend")                                      \
    X(PDS_177_ECHO, "PDS-177", "retx of a RUDI Response is always 0")                              \
    X(PDS_178, "PDS-178", "a RUDI Response does not echo CE")                                      \
    X(PDS_178_DATA, "PDS-178", "a RUDI Response with data does not echo CE")                       \
    X(PDS_179_LASTHOP, "PDS-179", "the NACK of a RUDI Request trimmed at the last hop has nt=0")   \
    X(PDS_179_LACK, "PDS-179", "a RUDI Request comes again only when it was trimmed")              \
    X(PDS_180_ATOMIC, "PDS-180", "atomics go over RUDI")                                           \
    X(PDS_181_PDC, "PDS-181", "UUD is not sent once the PDCs have run out")                        \
    X(PDS_182, "PDS-182", "a UUD Request has a flag set")                                          \
    X(PDS_184, "PDS-184", "a trimmed UUD Request is answered with a NACK")                         \
    X(PDS_184_LASTHOP, "PDS-184", "a UUD Request trimmed at the last hop is answered")             \
    X(PDS_185, "PDS-185", "a Control Packet for no PDC is dropped in silence")                     \
    X(PDS_185_OTHERS, "PDS-185",                                                                   \
      "of the Control Packets for no PDC only NOOP and Close Command are refused")                 \
    X(PDS_185_ASKED, "PDS-185", "an ACK Request for no PDC is told that its PSN has not come")     \
    X(PDS_186_EFFECT, "PDS-186", "a CP of a stranger is refused, and its PSN counts")              \
    X(PDS_186_CLEAR, "PDS-186", "a Clear Command of a stranger clears")                            \
    X(PDS_187, "PDS-187", "a NOOP is not acknowledged")                                            \
    X(PDS_187_AHEAD, "PDS-187", "a NOOP behind a gap is dropped")                                  \
    X(PDS_187_COPY, "PDS-187", "a NOOP that comes again is not acknowledged")                      \
    X(PDS_187_DRAINING, "PDS-187", "a NOOP is dropped while a PDC drains")                         \
    X(PDS_187_ROD, "PDS-187", "a NOOP on ROD is dropped")                                          \
    X(PDS_188_NOOP, "PDS-188", "isrod is 0 in a NOOP of a ROD PDC")                                \
    X(PDS_188_ROD, "PDS-188", "isrod in every Control Packet of a ROD PDC")                        \
    X(PDS_189_LOWEST, "PDS-189", "ACK Request asks for the lowest PSN")                            \
    X(PDS_189_NEWEST, "PDS-189", "ACK Request names the message sent last")                        \
    X(PDS_189_WINDOW, "PDS-189", "ACK Request for the window names message 1")                     \
    X(PDS_190_RETURN, "PDS-190", "an initiator answers no ACK Request")                            \
    X(PDS_190, "PDS-190", "an ACK Request for a received PSN is ignored")                          \
    X(PDS_190_STORED, "PDS-190", "an ACK Request brings a default response where one is stored")   \
    X(PDS_191, "PDS-191", "an ACK Request for a PSN not received is ignored")                      \
    X(PDS_191_COUNTS, "PDS-191", "an ACK Request for a PSN not received counts as that packet")    \
    X(PDS_191_ROD, "PDS-191", "an ACK Request on ROD is ignored")                                  \
    X(PDS_192, "PDS-192", "an ACK Request brings a default response where the ACK had data")       \
    X(PDS_193, "PDS-193", "a Probe is not answered")                                               \
    X(PDS_193_CLOSING, "PDS-193", "a target that has asked for the close hears no Probe")          \
    X(PDS_193_ROD, "PDS-193", "a Probe of a ROD PDC is not answered")                              \
    X(PDS_193_INITIATOR, "PDS-193", "an initiator answers no Probe")                               \
    X(PDS_193_WAITING, "PDS-193", "a PDC that waits to close answers no Probe")                    \
    X(PDS_195, "PDS-195", "a Credit is sent again as a packet that waits for its ACK")             \
    X(PDS_196, "PDS-196", "a reserved ctl_type closes the PDC")                                    \
    X(PDS_196_ACKED, "PDS-196", "a reserved ctl_type with ar=1 is acknowledged")                   \
    X(PDS_196_CLEARS, "PDS-196", "the payload of a reserved ctl_type clears")                      \
    X(PDS_197, "PDS-197", "Control Packets are not retransmitted")                                 \
    X(PDS_197_REQUEST, "PDS-197", "a Close Request is not retransmitted")                          \
    X(PDS_200, "PDS-200", "the target sends Close Command")                                        \
    X(PDS_200_PEER, "PDS-200", "the target of an initiator sends Close Command")                   \
    X(PDS_201, "PDS-201", "Close Command does not wait for the ACKs")                              \
    X(PDS_202, "PDS-202", "a closing PDC takes new messages")                                      \
    X(PDS_202_ASKED, "PDS-202", "after REQ_CLOSE a closing PDC takes new messages")                \
    X(PDS_202_OWN, "PDS-202", "a PDC that closes by its own wish takes new messages")              \
    X(PDS_203, "PDS-203", "Close Command does not free the PDC")                                   \
    X(PDS_204, "PDS-204", "uncleared responses hold the Close ACK back")                           \
    X(PDS_205, "PDS-205", "the ACK of Close Command does not free the PDC")                        \
    X(PDS_205_COVERED, "PDS-205", "an ACK that names another PSN ends no close")                   \
    X(PDS_205_ANY, "PDS-205", "any ACK ends the wait for that of the Close Command")               \
    X(PDS_206, "PDS-206", "INV_DPDCID for a Close Command is ignored")                             \
    X(PDS_206_ANEW, "PDS-206", "INV_DPDCID for a Close Command begins the close anew")             \
    X(PDS_207_PSN, "PDS-207", "a Close Request takes no PSN")                                      \
    X(PDS_208, "PDS-208", "a Close Request is acknowledged and forgotten")                         \
    X(PDS_208_AGAIN, "PDS-208", "a Close Request that comes again is not acknowledged")            \
    X(PDS_208_ROD, "PDS-208", "a Close Request of a ROD PDC is not taken")                         \
    X(PDS_209, "PDS-209", "REQ_CLOSE is ignored")                                                  \
    X(PDS_209_LAST, "PDS-209", "REQ_CLOSE counts only when nothing is outstanding")                \
    X(PDS_209_ROD, "PDS-209", "REQ_CLOSE is ignored on ROD")                                       \
    X(PDS_209_EARLY, "PDS-209", "a close that was asked for does not wait for the ACKs")           \
    X(PDS_210, "PDS-210", "Close_REQ_Time is ignored")                                             \
    X(PDS_210_ACK, "PDS-210", "each ACK asks for the close, and no time runs for it")              \
    X(PDS_210_IDLE, "PDS-210", "Close_REQ_Time counts from the last packet of the peer")           \
    X(PDS_210_LATE, "PDS-210", "no Close_REQ_Time runs behind a message that ends after it")       \
    X(PDS_210_CP, "PDS-210", "a Control Packet begins Close_REQ_Time anew")                        \
    X(PDS_210_HALF, "PDS-210", "a PDC with half a message is never given up")                      \
    X(PDS_211, "PDS-211", "Close Command is granted while return data is outstanding")             \
    X(PDS_211_PART, "PDS-211", "a close is granted once a part of the read data is acknowledged")  \
    X(PDS_211_ONCE, "PDS-211", "read data is not sent again once a close waits for it")            \
    X(PDS_212_CLOSE, "PDS-212", "a Close Command that comes again is refused with UET_CLOSING")    \
    X(PDS_212_OLD, "PDS-212", "a Request below the close PSN is refused with UET_CLOSING")         \
    X(PDS_212_ROD, "PDS-212", "a ROD PDC that waits for its close takes new Requests")             \
    X(PDS_213, "PDS-213", "Close Command without a TPDCID")                                        \
    X(PDS_215, "PDS-215", "a PDC is closed while a read is open")                                  \
    X(PDS_215_PART, "PDS-215", "a PDC is closed while a read has a part of its data")              \
    X(PDS_216_TWICE, "PDS-216", "a PSN is refused once for being trimmed")                         \
    X(PDS_216_AR, "PDS-216", "a trimmed packet that asks for no ACK is dropped in silence")        \
    X(PDS_216_LOWEST, "PDS-216", "the NACK of a trimmed packet names the lowest PSN missing")      \
    X(PDS_216_RETURN, "PDS-216", "trimmed read data is dropped in silence")                        \
    X(PDS_217_GAP, "PDS-217", "a ROD gap that was told silences what comes trimmed")               \
    X(PDS_218, "PDS-218", "the last hop is known by ECT(0) beside its DSCP")                       \
    X(PDS_218_ROD, "PDS-218", "the last hop is not told for ROD")                                  \
    X(PDS_218_RETURN, "PDS-218", "the last hop is not told for read data")                         \
    X(PDS_219_RUD, "PDS-219", "a trimmed RUD Request counts as received")                          \
    X(PDS_219_ROD, "PDS-219", "a trimmed ROD Request counts as received")                          \
    X(PDS_220, "PDS-220", "a trimmed duplicate is dropped in silence")                             \
    X(PDS_220_HIGHEST, "PDS-220", "a trimmed PSN below the highest is taken for a duplicate")      \
    X(PDS_220_ERROR, "PDS-220", "a trimmed copy of a refused PSN has a default response")          \
    X(PDS_220_RENEWS, "PDS-220", "after a trimmed copy the whole one is executed again")           \
    X(PDS_221_ROD, "PDS-221", "the NACK of a trimmed ROD packet does not tell CE")                 \
    X(PDS_221_RUDI, "PDS-221", "the NACK of a trimmed RUDI Request does not tell CE")              \
    X(PDS_222, "PDS-222", "a trimmed ACK brings UET_TRIMMED")                                      \
    X(PDS_223, "PDS-223", "a trimmed ACK with data brings no NACK before 1.0.3")                   \
    X(PDS_223_HOP, "PDS-223",                                                                      \
      "before 1.0.3 no NACK tells of an ACK that was trimmed at the last hop")                     \
    X(PDS_223_ONCE, "PDS-223", "before 1.0.3 one trimmed ACK with data is told, and no other")     \
    X(PDS_224, "PDS-224", "a trimmed Control Packet is executed")                                  \
    X(PDS_224_NACK, "PDS-224", "a trimmed NACK is taken")                                          \
    X(PDS_224_LASTHOP, "PDS-224", "a Control Packet trimmed at the last hop is executed")          \
    X(PDS_224_CLOSE, "PDS-224", "a trimmed Close Command is executed")                             \
    X(PDS_224_REQUEST, "PDS-224", "a trimmed Close Request is executed")                           \
    X(PDS_225, "PDS-225", "a trimmed RUDI Request is dropped in silence")                          \
    X(PDS_225_ACK, "PDS-225", "without ACK_CC a trimmed RUDI Request is dropped in silence")       \
    X(PDS_226_ONCE, "PDS-226", "what was resent is not resent for being trimmed")                  \
    X(PDS_226_LASTHOP, "PDS-226", "UET_TRIMMED_LASTHOP brings no resend")                          \
    X(PDS_226_RETURN, "PDS-226", "UET_TRIMMED brings no read data again")                          \
    X(PDS_227_SYN, "PDS-227", "UET_TRIMMED of a SYN brings no resend when it names no PDC")        \
    X(PDS_228, "PDS-228", "an inferred loss brings all packets again")                             \
    X(PDS_229, "PDS-229", "UET_RCVR_INFER_LOSS is ignored")                                        \
    X(PDS_231, "PDS-231", "PDS_Clear_Time never ends")                                             \
    X(PDS_232_AHEAD, "PDS-232", "a SYN with psn_offset without a free PDC is dropped in silence")  \
    X(PDS_233, "PDS-233", "a bad CRC is overlooked")                                               \
    X(PDS_233_GHOST, "PDS-233", "a SYN with a bad CRC leaves its PDC")                             \
    X(PDS_239, "PDS-239", "a small or medium request that is dropped counts as received")

#endif
