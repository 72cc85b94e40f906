/* SPDX-License-Identifier: BSD-2-Clause */
/* The faults of CMS requirements (section 3.6), in the order of their ids; see ../list.h. */
#ifndef UET_REFIMPL_FAULTS_LIST_CMS_H
#define UET_REFIMPL_FAULTS_LIST_CMS_H

#define UET_VIOLATIONS_CMS(X)                                                                      \
    X(CMS_009_NEW, "CMS-009", "what is new leaves as a resend, once there was one")                \
    X(CMS_009_PLAIN, "CMS-009", "a resend that has no DSCP of its own leaves as control")          \
    X(CMS_009_EMPTY, "CMS-009", "a Request without payload leaves as control")                     \
    X(CMS_010_TRIM, "CMS-010", "what comes on the DSCP of resends counts as trimmed")              \
    X(CMS_012, "CMS-012", "a mark brings a Control Packet, and no ACK")                            \
    X(CMS_012_UUD, "CMS-012", "a datagram with CE is told by a NACK")                              \
    X(CMS_016, "CMS-016", "what a switch has cut counts in rcvd_bytes")                            \
    X(CMS_016_HOP, "CMS-016", "what was cut at the last hop counts in rcvd_bytes")                 \
    X(CMS_018_CP, "CMS-018", "Control Packets count in rcvd_bytes")                                \
    X(CMS_018_LESS, "CMS-018", "of each Request rcvd_bytes counts 4 bytes less")                   \
    X(CMS_018_MARKED, "CMS-018", "what has CE does not count in rcvd_bytes")                       \
    X(CMS_018_MORE, "CMS-018", "of each Request rcvd_bytes counts a byte more")                    \
    X(CMS_018_READ, "CMS-018", "read data does not count in rcvd_bytes")                           \
    X(CMS_020, "CMS-020", "rcvd_bytes is less where the header is the shorter one of IPv4")        \
    X(CMS_020_VLAN, "CMS-020", "rcvd_bytes counts VLAN tags")                                      \
    X(CMS_021_USED, "CMS-021", "rcvd_bytes goes on where a PDC was before")                        \
    X(CMS_022, "CMS-022", "rcvd_bytes is the sum of all PDCs")                                     \
    X(CMS_022_CCC, "CMS-022", "PDCs of one CCC tell its rcvd_bytes, not their own")                \
    X(CMS_023_GAP, "CMS-023", "a copy of what waits above a gap counts in rcvd_bytes")             \
    X(CMS_024_SHORT, "CMS-024", "rcvd_bytes has 16 bits")                                          \
    X(CMS_024_LATE, "CMS-024", "rcvd_bytes of a late answer is that of before")                    \
    X(CMS_027, "CMS-027", "a late rcvd_bytes frees what it counts again")                          \
    X(CMS_028, "CMS-028", "in-flight below 0 counts as endless")                                   \
    X(CMS_029_COPY, "CMS-029", "service_time of a resend is that of the first copy")               \
    X(CMS_029_GAP, "CMS-029", "service_time is that of what waited behind a gap")                  \
    X(CMS_029_UNIT, "CMS-029", "service_time is in microseconds")                                  \
    X(CMS_031, "CMS-031", "service_time 0 counts as the longest")                                  \
    X(CMS_031_LAST, "CMS-031", "service_time 0 stands for the one before")                         \
    X(CMS_031_BASE, "CMS-031", "with service_time 0 no ACK tells a base RTT")                      \
    X(CMS_032_COPY, "CMS-032", "what comes again counts in ooo_count again")                       \
    X(CMS_032_FEW, "CMS-032", "ooo_count has four bits")                                           \
    X(CMS_032_OLD, "CMS-032", "only the ACK of a new packet tells ooo_count")                      \
    X(CMS_032_RETURN, "CMS-032", "ooo_count of read data is 0")                                    \
    X(CMS_033, "CMS-033", "with RCCC alone ACK_CC has a reserved cc_type")                         \
    X(CMS_034, "CMS-034", "the reserved bits of the credit state are set")                         \
    X(CMS_034_COPY, "CMS-034", "the reserved bits of the credit state are set for a copy")         \
    X(CMS_034_HOLE, "CMS-034", "ooo_count stands right behind the credit")                         \
    X(CMS_034_WANTS, "CMS-034", "what is not granted yet stands behind the credit")                \
    X(CMS_036, "CMS-036", "rcv_cwnd_pend is how many packets wait above a gap")                    \
    X(CMS_037, "CMS-037", "the first window is twice MaxWnd")                                      \
    X(CMS_038, "CMS-038", "an ACK frees a packet too many")                                        \
    X(CMS_039, "CMS-039", "time opens the window")                                                 \
    X(CMS_040, "CMS-040", "a window of one packet closes")                                         \
    X(CMS_041, "CMS-041", "a window that was cut never grows again")                               \
    X(CMS_041_BYTES, "CMS-041", "adjust_bytes_threshold applies no growth")                        \
    X(CMS_041_ALPHA, "CMS-041", "alpha counts three times")                                        \
    X(CMS_041_ETA, "CMS-041", "each ACK adds eta")                                                 \
    X(CMS_041_FAST, "CMS-041", "the first packet without delay brings fast increase")              \
    X(CMS_041_LATCH, "CMS-041", "a delay does not end fast increase")                              \
    X(CMS_042, "CMS-042", "above target_qdelay a window does not grow")                            \
    X(CMS_043, "CMS-043", "a mark alone halves the window")                                        \
    X(CMS_043_GROWS, "CMS-043", "a mark without delay lets the window grow")                       \
    X(CMS_043_MEAN, "CMS-043", "a mark counts by the mean of the delays")                          \
    X(CMS_042_ETA, "CMS-042", "above target_qdelay a window grows by eta alone")                   \
    X(CMS_042_ADAPT, "CMS-042", "a delay above the target brings quick adapt")                     \
    X(CMS_042_DOUBLE, "CMS-042", "fi counts twice")                                                \
    X(CMS_044_ABOVE, "CMS-044", "marks cut above twice the target alone")                          \
    X(CMS_044_BOTH, "CMS-044", "with RCCC marks cut no window of NSCC's")                          \
    X(CMS_044_ENDS, "CMS-044", "what is trimmed of the flight before quick adapt is of it on")     \
    X(CMS_044_HALF, "CMS-044", "marks cut twice in a base RTT")                                    \
    X(CMS_044_MEAN, "CMS-044", "the mean delay never falls")                                       \
    X(CMS_044_SELDOM, "CMS-044", "marks cut once in four base RTTs")                               \
    X(CMS_044_EACH, "CMS-044", "each mark cuts the window")                                        \
    X(CMS_044_DEEP, "CMS-044", "one cut may leave next to nothing")                                \
    X(CMS_044, "CMS-044", "NSCC never slows down")                                                 \
    X(CMS_045, "CMS-045", "service_time counts as delay")                                          \
    X(CMS_045_LONG, "CMS-045", "service_time counts up to 2^15 units only")                        \
    X(CMS_046, "CMS-046", "any ACK tells an RTT, whatever retx says")                              \
    X(CMS_047, "CMS-047", "the ACK of a third copy tells an RTT")                                  \
    X(CMS_047_FIRST, "CMS-047", "the RTT of a resend begins with the first copy")                  \
    X(CMS_047_WRAP, "CMS-047", "four resends count as none")                                       \
    X(CMS_048, "CMS-048", "the ceiling of the window does not follow base_rtt")                    \
    X(CMS_048_NACK, "CMS-048", "a NACK tells no RTT")                                              \
    X(CMS_048_BASE, "CMS-048", "delays are those above config_base_rtt, whatever RTTs were")       \
    X(CMS_049, "CMS-049", "UET_TRIMMED leaves the window alone")                                   \
    X(CMS_049_FIRST, "CMS-049", "trims bring quick adapt before a period has begun")               \
    X(CMS_049_GATE, "CMS-049", "qa_gate counts one less")                                          \
    X(CMS_049_OFF, "CMS-049", "disable_quick_adapt is not heard")                                  \
    X(CMS_049_BOTH, "CMS-049", "with RCCC UET_TRIMMED leaves NSCC's window alone")                 \
    X(CMS_049_HALF, "CMS-049", "UET_TRIMMED halves the window")                                    \
    X(CMS_050, "CMS-050", "quick adapt never acts")                                                \
    X(CMS_050_AGAIN, "CMS-050", "trims bring quick adapt in each period from then on")             \
    X(CMS_050_DELAY, "CMS-050", "no delay brings quick adapt")                                     \
    X(CMS_050_LATE, "CMS-050", "quick adapt waits a base RTT longer")                              \
    X(CMS_050_WINDOW, "CMS-050", "the gate of quick adapt is a part of the window")                \
    X(CMS_051_SOON, "CMS-051", "quick adapt waits for a base RTT alone")                           \
    X(CMS_051, "CMS-051", "quick adapt acts at each trim")                                         \
    X(CMS_052, "CMS-052", "marks of the flight before quick adapt count")                          \
    X(CMS_052_CLEAN, "CMS-052", "an unmarked ACK ends the flight before")                          \
    X(CMS_052_SLOW, "CMS-052", "after a period marks of the flight before count")                  \
    X(CMS_053, "CMS-053", "with RCCC a trim at the last hop cuts the window, too")                 \
    X(CMS_053_MARK, "CMS-053", "with RCCC a marked trim at the last hop cuts the window")          \
    X(CMS_054, "CMS-054", "UET_TRIMMED_LASTHOP leaves the window alone")                           \
    X(CMS_054_MTU, "CMS-054", "UET_TRIMMED_LASTHOP cuts the window by an MTU")                     \
    X(CMS_054_ADAPT, "CMS-054", "UET_TRIMMED_LASTHOP starts no quick adapt")                       \
    X(CMS_055, "CMS-055", "a timeout cuts no window")                                              \
    X(CMS_055_ADAPT, "CMS-055", "a packet taken for lost brings quick adapt")                      \
    X(CMS_055_BOTH, "CMS-055", "with RCCC a packet taken for lost leaves the window alone")        \
    X(CMS_056, "CMS-056", "UET_NO_PKT_BUFFER cuts the window")                                     \
    X(CMS_057, "CMS-057", "the packet that fills the window asks for no ACK")                      \
    X(CMS_057_SMALL, "CMS-057", "in a small window only what fills it asks for an ACK")            \
    X(CMS_058, "CMS-058", "each ACK brings a Probe")                                               \
    X(CMS_058_ANSWER, "CMS-058", "when a Probe is answered another one leaves")                    \
    X(CMS_058_DATA, "CMS-058", "a Probe leaves with the data that it looks for")                   \
    X(CMS_058_NACK, "CMS-058", "each NACK brings a Probe")                                         \
    X(CMS_058_SERVED, "CMS-058", "service_time of the answer to a Probe counts as delay")          \
    X(CMS_058_TOLD, "CMS-058", "the answer to a Probe tells no base RTT")                          \
    X(CMS_058_BOTH, "CMS-058", "with RCCC the answer to a Probe tells no base RTT")                \
    X(CMS_058_MANY, "CMS-058", "a first ACK brings a Probe for each packet")                       \
    X(CMS_060, "CMS-060", "a resend does not count as in flight")                                  \
    X(CMS_060_CREDIT, "CMS-060", "a packet that was trimmed comes again without credit")           \
    X(CMS_060_LOST, "CMS-060", "a packet that was lost gives back its credit")                     \
    X(CMS_060_BOTH, "CMS-060", "with NSCC a packet that was refused comes again without credit")   \
    X(CMS_062, "CMS-062", "rcv_cwnd_pend is not heard")                                            \
    X(CMS_062_SAMPLE, "CMS-062", "rcv_cwnd_pend is not heard where no RTT is told")                \
    X(CMS_063, "CMS-063", "of rcv_cwnd_pend a quarter is heard")                                   \
    X(CMS_063_AGAIN, "CMS-063", "a wish is not heard once another one has ended")                  \
    X(CMS_063_LITTLE, "CMS-063", "a small rcv_cwnd_pend is not heard")                             \
    X(CMS_063_ONCE, "CMS-063", "the second flight of a wish is not heard")                         \
    X(CMS_064_KEPT, "CMS-064", "a wish holds until rc=1")                                          \
    X(CMS_064, "CMS-064", "rcv_cwnd_pend 0 with rc=1 counts as 64")                                \
    X(CMS_065, "CMS-065", "rcv_cwnd_pend 1 does not stop growth")                                  \
    X(CMS_065_EVEN, "CMS-065", "rcv_cwnd_pend does not stop growth above the target")              \
    X(CMS_065_FAST, "CMS-065", "rcv_cwnd_pend does not stop fast increase")                        \
    X(CMS_066, "CMS-066", "rc is not heard")                                                       \
    X(CMS_066_FIRST, "CMS-066", "rc=1 brings back the window from before the first wish")          \
    X(CMS_066_CEILING, "CMS-066", "rc=1 brings a window back that is above its ceiling")           \
    X(CMS_067, "CMS-067", "the end of rcv_cwnd_pend is taken for rc")                              \
    X(CMS_067_LATCH, "CMS-067", "rc=1 beside a wish brings the window back when that ends")        \
    X(CMS_069, "CMS-069", "all ROD PDCs take one path")                                            \
    X(CMS_069_CCC, "CMS-069", "all ROD PDCs have one ccc_id")                                      \
    X(CMS_070, "CMS-070", "a full window holds ACKs and NACKs back")                               \
    X(CMS_070_NACK, "CMS-070", "a full window holds back NACKs that name a PDC")                   \
    X(CMS_070_CP, "CMS-070", "a full window holds Control Packets back")                           \
    X(CMS_071, "CMS-071", "read data passes the window")                                           \
    X(CMS_071_AGAIN, "CMS-071", "read data that is sent again is not in flight")                   \
    X(CMS_071_CREDIT, "CMS-071", "read data needs no credit")                                      \
    X(CMS_071_EACH, "CMS-071", "each READ has a window of its own")                                \
    X(CMS_071_MARKS, "CMS-071", "marks of read data are not heard")                                \
    X(CMS_071_TRIMS, "CMS-071", "a trim of read data counts as any other NACK")                    \
    X(CMS_072, "CMS-072", "a full window holds datagrams back")                                    \
    X(CMS_072_CREDIT, "CMS-072", "without credit no datagram leaves")                              \
    X(CMS_072_FILLS, "CMS-072", "datagrams fill the window of RUD")                                \
    X(CMS_072_SPENT, "CMS-072", "datagrams are taken off the credit")                              \
    X(CMS_073, "CMS-073", "a full window holds RUDI back")                                         \
    X(CMS_073_FILLS, "CMS-073", "RUDI fills the window of RUD")                                    \
    X(CMS_073_CUTS, "CMS-073", "RUDI that is lost cuts the window of RUD")                         \
    X(CMS_074_AGAIN, "CMS-074", "RUDI that comes again leaves on the class of Requests")           \
    X(CMS_076, "CMS-076", "with RCCC on, Requests carry no CC state")                              \
    X(CMS_076_AGAIN, "CMS-076", "what is sent again has the type of a Request without CC state")   \
    X(CMS_076_ID, "CMS-076", "all CCCs have one ccc_id")                                           \
    X(CMS_077, "CMS-077", "sends on without credit")                                               \
    X(CMS_077_EMPTY, "CMS-077", "a Request without payload needs no credit")                       \
    X(CMS_077_HEARD, "CMS-077", "the first credit is enough for all")                              \
    X(CMS_077_NUDGE, "CMS-077", "a packet leaves without credit behind a second question")         \
    X(CMS_078, "CMS-078", "credit is not heard")                                                   \
    X(CMS_078_ACK, "CMS-078", "credit in an ACK is not heard")                                     \
    X(CMS_078_GAP, "CMS-078", "credit in an ACK that leaves CACK_PSN where it is is not heard")    \
    X(CMS_078_LITTLE, "CMS-078", "gives up soon where a unit of credit is lacking")                \
    X(CMS_079, "CMS-079", "credit that comes again counts again")                                  \
    X(CMS_079_ACK, "CMS-079", "credit in ACKs counts beside that of Credit")                       \
    X(CMS_080, "CMS-080", "credit past 2^24 is not heard")                                         \
    X(CMS_080_ROUND, "CMS-080", "credit past 2^24 counts as a window")                             \
    X(CMS_080_SHORT, "CMS-080", "what credit is newer by has 16 bits")                             \
    X(CMS_080_TARGET, "CMS-080", "credit_target stops at 2^24 - 1")                                \
    X(CMS_081, "CMS-081", "speculates for two windows")                                            \
    X(CMS_081_NACK, "CMS-081", "a NACK does not end the speculation")                              \
    X(CMS_081_BOTH, "CMS-081", "with NSCC on a NACK does not end the speculation")                 \
    X(CMS_082, "CMS-082", "credit_target is far beyond what waits")                                \
    X(CMS_082_CAP, "CMS-082", "without NSCC credit_target has no cap")                             \
    X(CMS_082_AGAIN, "CMS-082", "what is to be sent again is not asked for")                       \
    X(CMS_082_ENDED, "CMS-082", "what a PDC that has ended wanted is wanted on")                   \
    X(CMS_082_FEW, "CMS-082", "asks for a packet at a time, however much waits")                   \
    X(CMS_082_WINDOW, "CMS-082", "asks for a window, whatever waits")                              \
    X(CMS_083, "CMS-083", "Credit asks for an ACK")                                                \
    X(CMS_084, "CMS-084", "no Credit Request is sent")                                             \
    X(CMS_084_ORDER, "CMS-084", "its Credit Request has ccc_id behind credit_target")              \
    X(CMS_085, "CMS-085", "credit is granted at twice the line rate")                              \
    X(CMS_086, "CMS-086", "who wants credit first gets all of it first")                           \
    X(CMS_086_ALL, "CMS-086", "who has credit gets all it wants before the next one")              \
    X(CMS_086_TURN, "CMS-086", "who has credit gets more ten times in a row")                      \
    X(CMS_086_FOUR, "CMS-086", "of many sources four get credit")                                  \
    X(CMS_086_RAISE, "CMS-086", "who raises its credit_target comes first")                        \
    X(CMS_087, "CMS-087", "grants far beyond the credit_target")                                   \
    X(CMS_087_ASKED, "CMS-087", "what a Credit Request wants is not heard")                        \
    X(CMS_087_BACK, "CMS-087", "a Credit tells less than the one before it")                       \
    X(CMS_087_LATE, "CMS-087", "a lower credit_target takes back a higher one")                    \
    X(CMS_087_OTHER, "CMS-087", "of a CCC only its first PDC is heard")                            \
    X(CMS_088, "CMS-088", "what a trimmed packet wants is not heard")                              \
    X(CMS_088_LATE, "CMS-088", "what a trimmed packet wants is all that its source wants")         \
    X(CMS_089, "CMS-089", "with RCCC on, NSCC's window is not obeyed")                             \
    X(CMS_094, "CMS-094", "each mark moves a ROD PDC to another path")                             \
    X(CMS_094_TRIM, "CMS-094", "each trim moves a ROD PDC to another path")                        \
    X(CMS_095, "CMS-095", "a trim at the last hop moves a ROD PDC to another path")                \
    X(CMS_095_AGAIN, "CMS-095", "the second trim at the last hop moves a ROD PDC")                 \
    X(CMS_096, "CMS-096", "nine of ten Requests take one path")                                    \
    X(CMS_096_DATA, "CMS-096", "read data takes one path")                                         \
    X(CMS_096_SET, "CMS-096", "each fourth Request takes a path that is not of the set")           \
    X(CMS_097, "CMS-097", "oblivious spraying draws at random")                                    \
    X(CMS_097_ANEW, "CMS-097", "oblivious spraying begins anew with each message")                 \
    X(CMS_097_MARK, "CMS-097", "a mark begins another pass")                                       \
    X(CMS_097_RESEND, "CMS-097", "what is sent again takes the path of the packet before")         \
    X(CMS_098, "CMS-098", "a marked path does not rest")                                           \
    X(CMS_098_ONCE, "CMS-098", "once most paths were marked none rests any more")                  \
    X(CMS_099, "CMS-099", "marked paths are passed over however many they are")                    \
    X(CMS_099_WAITS, "CMS-099", "when most paths are marked the source waits")                     \
    X(CMS_100, "CMS-100", "a path that trims does not rest")                                       \
    X(CMS_100_LASTHOP, "CMS-100", "a trim at the last hop blames the path")                        \
    X(CMS_102, "CMS-102", "the last bits of entropy values are kept for ports")                    \
    X(CMS_110_ENDED, "CMS-110", "what was in flight on a PDC that has ended counts on")            \
    X(CMS_110, "CMS-110", "a CCC that was idle has no window left")                                \
    X(CMS_111, "CMS-111", "an ACK does not cancel a resend")                                       \
    X(CMS_111_SACK, "CMS-111", "a SACK bit cancels no resend")                                     \
    X(CMS_112, "CMS-112", "ACK_CC has the credit though NSCC is on")                               \
    X(CMS_112_DUE, "CMS-112", "ACK_CC has the credit while some is due, though NSCC is on")        \
    X(CMS_113, "CMS-113", "an ACK without a sample moves the window")                              \
    X(CMS_113_COVERED, "CMS-113", "an ACK of what another one has covered tells an RTT of nothing")

#endif
