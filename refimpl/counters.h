/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The FEP's counters: one name for every event and every reason to drop a frame, so that a bring-up
 * engineer can tell what became of any frame. X(name, meaning).
 */
#ifndef UET_REFIMPL_COUNTERS_H
#define UET_REFIMPL_COUNTERS_H

#define UET_COUNTERS(X)                                                                            \
    X(frames_in, "frames given to the FEP")                                                        \
    X(frames_out, "frames the FEP gave out")                                                       \
    X(drop_not_for_us, "other destination address")                                                \
    X(drop_not_uet, "not UET over UDP")                                                            \
    X(drop_eth_short, "Ethernet header cut short")                                                 \
    X(drop_ip_short, "IP header cut short")                                                        \
    X(drop_ip_version, "IP version or header length wrong")                                        \
    X(drop_ip_length, "IP length does not fit the frame")                                          \
    X(drop_ip_checksum, "IPv4 header checksum wrong")                                              \
    X(drop_ip_fragment, "IP fragment")                                                             \
    X(drop_udp_short, "UDP header cut short")                                                      \
    X(drop_udp_length, "UDP length differs from the IP length")                                    \
    X(drop_pds_short, "PDS header cut short")                                                      \
    X(drop_pds_type, "PDS type reserved or not known (PDS-233)")                                   \
    X(drop_unsupported, "readable, but not done by this FEP")                                      \
    X(drop_pds_next_hdr, "next_hdr not allowed in this PDS header (SES-006)")                      \
    X(drop_ses_short, "SES header cut short (SES-159)")                                            \
    X(drop_source, "source address that no peer can have")                                         \
    X(drop_crc_short, "no room for the CRC trailer")                                               \
    X(drop_crc_bad, "CRC-32C wrong (PDS-233)")                                                     \
    X(drop_tss_short, "no room for TSS header and ICV (TSS-044)")                                  \
    X(in_auth_pkts, "sealed packets whose ICV was good (3.7)")                                     \
    X(in_auth_fail_pkts, "sealed packets whose ICV was wrong (TSS-042)")                           \
    X(in_invalid, "sealed packets whose sp does not fit, or of a latched domain (TSS-040)")        \
    X(in_invalid_sa, "sealed packets of a domain that is disabled, or an AN without key")          \
    X(in_late_pkts, "sealed packets whose epoch is too old (TSS-037)")                             \
    X(in_binding_failure_pkts, "packets whose SDI, or want of one, does not fit PDC or JobID")     \
    X(drop_clear_bound, "of these: in clear, where the PDC or the job has a domain (TSS-048)")     \
    X(drop_other_domain, "... of another SDI or SSI than their PDC (TSS-045)")                     \
    X(drop_job_not_served, "... of a JobID that their domain does not serve (TSS-049)")            \
    X(in_errored_pkts, "sealed packets whose SDI is not installed (TSS-038)")                      \
    X(in_rx_encryption_bypass_pkts, "packets that came in clear, where there is security")         \
    X(in_trimmed_pkts, "sealed packets that a switch has cut, read without proof (TSS-072)")       \
    X(out_auth_pkts, "packets sealed and sent")                                                    \
    X(out_invoke_fail, "packets not sent, as the counter of the key is used up (TSS-022)")         \
    X(out_errored_pkts, "packets not sent, as their domain is not in use")                         \
    X(out_rx_encryption_bypass_pkts, "packets sent in clear, where there is security")             \
    X(domains_latched, "domains that too many wrong ICVs have closed (TSS-043)")                   \
    X(drop_parse_other, "any other parse error")                                                   \
    X(drop_reply_cleared, "an answer waited longer than the response that it carried was kept")    \
    X(drop_reply_queue_full, "an answer found no room; the peer's timer recovers")                 \
    X(rx_request, "RUD requests for a PDC of this FEP")                                            \
    X(rx_request_new, "requests accepted and handed to SES")                                       \
    X(rx_return_request, "Requests with read data on a return direction (I12)")                    \
    X(rx_read_data, "packets of read data, by any way, written where they belong")                 \
    X(rod_out_of_order, "ROD packets ahead of the expected PSN, dropped (PDS-166)")                \
    X(rod_go_back, "runs of go-back-N (PDS-167)")                                                  \
    X(nack_of_older_copy, "no PDC for a SYN, a copy of which is still on its way")                 \
    X(nack_close_refused, "a Close Command behind what was given up, refused for ever")            \
    X(nack_same_gap, "NACK for a gap that is being resent already (PDS-168)")                      \
    X(rx_out_of_order, "accepted ahead of a gap")                                                  \
    X(rx_dup_retx, "duplicates with retx=1, answered (PDS-129)")                                   \
    X(rx_dup_dropped, "duplicates with retx=0, dropped (PDS-128)")                                 \
    X(rx_ce, "packets with congestion experienced")                                                \
    X(rx_trimmed, "trimmed requests (Table 3-61)")                                                 \
    X(drop_trimmed_ack, "trimmed ACKs: the RTO recovers (PDS-222)")                                \
    X(drop_trimmed, "trimmed NACKs, Control Packets and others (PDS-224)")                         \
    X(rx_ack, "ACKs that were used")                                                               \
    X(rx_nack, "NACKs that were used")                                                             \
    X(rx_cp, "Control Packets for a PDC of this FEP")                                              \
    X(drop_syn_spdcid_zero, "SYN with spdcid 0 (PDS-017)")                                         \
    X(drop_syn_cp, "SYN on a Control Packet that cannot open a PDC (PDS-046)")                     \
    X(drop_behind_window, "below the duplicate window (PDS-068)")                                  \
    X(drop_return_request,                                                                         \
      "Request with read data from a PDC's initiator, or without from its target")                 \
    X(drop_read_unknown, "read data for no READ of that PDC")                                      \
    X(drop_read_data, "read data that does not fit the READ it names")                             \
    X(drop_read_again, "read data that had come before, with another PSN")                         \
    X(drop_before_established, "return packet before this side learned the TPDCID")                \
    X(drop_clear_bad, "CLEAR_PSN outside the window, or ahead of its PSN (PDS-072)")               \
    X(drop_ack_unknown_pdc, "ACK for no PDC (PDS-124)")                                            \
    X(drop_ack_source, "ACK from another address than the PDC's")                                  \
    X(drop_ack_spdcid, "ACK with another spdcid (PDS-123)")                                        \
    X(drop_ack_beyond, "ACK ahead of the last PSN sent (PDS-122)")                                 \
    X(drop_ack_probe, "probe answer; no probe result is kept")                                     \
    X(ack_psn_not_outstanding, "ACK_PSN already retired")                                          \
    X(ack_sack, "PSNs learned from SACK bitmaps")                                                  \
    X(ack_mpr_stale, "stale MPR ignored (PDS-066)")                                                \
    X(ack_req_clear, "ACKs with REQ_CLEAR")                                                        \
    X(ack_req_close, "ACKs with REQ_CLOSE")                                                        \
    X(drop_nack_unknown_pdc, "NACK for no PDC (PDS-124)")                                          \
    X(drop_nack_source, "NACK from another address or with another spdcid")                        \
    X(drop_nack_psn, "nack_psn not outstanding (PDS-134)")                                         \
    X(drop_nack_code, "reserved NACK code (PDS-154)")                                              \
    X(drop_nack_action, "NACK whose action this PDC has no use for")                               \
    X(drop_nack_rudi, "NACK of a RUDI packet")                                                     \
    X(drop_cp_role, "Control Packet from the wrong side of the PDC (PDS-200)")                     \
    X(drop_cp_credit, "Credit or Credit Request without credit congestion control")                \
    X(drop_cp_outside, "ACK Request for a PSN outside the window")                                 \
    X(rx_rudi_request, "RUDI Requests")                                                            \
    X(rx_rudi_response, "RUDI Responses that were used")                                           \
    X(tx_rudi_request, "first transmissions of RUDI Requests")                                     \
    X(tx_rudi_response, "RUDI Responses")                                                          \
    X(tx_nack_rudi, "NACKs of RUDI Requests (PDS-179)")                                            \
    X(drop_rudi_pkt_id, "RUDI Response or NACK for no outstanding packet (PDS-176)")               \
    X(drop_rudi_source, "RUDI Response or NACK from another address")                              \
    X(drop_rudi_no_response, "RUDI Response without a SES response that ends the wait")            \
    X(rudi_exhausted, "RUDI operations given up after the last resend (PDS-175)")                  \
    X(rx_uud, "UUD Requests")                                                                      \
    X(tx_uud, "UUD Requests sent")                                                                 \
    X(drop_uud_trimmed, "trimmed UUD Request (PDS-184)")                                           \
    X(drop_uud_opcode, "UUD Request that is no datagram (SES-038)")                                \
    X(drop_uud_form, "datagram of a wrong form")                                                   \
    X(drop_uud_address, "datagram for no open resource index")                                     \
    X(drop_uud_no_receive, "datagram without a posted receive (SES-040)")                          \
    X(drop_uud_too_long, "datagram longer than the receive")                                       \
    X(tx_return_request, "first transmissions of read data on a return direction (T10)")           \
    X(tx_ack_data, "ACKs with read data (PDS-118)")                                                \
    X(tx_request, "first transmissions of requests")                                               \
    X(tx_retx, "retransmissions of requests and Control Packets")                                  \
    X(tx_ack, "ACKs")                                                                              \
    X(tx_ack_coalesced, "ACKs by ACK_Gen_Trigger")                                                 \
    X(tx_ack_gap, "ACKs because a gap closed (PDS-125)")                                           \
    X(tx_noop, "NOOP")                                                                             \
    X(tx_ack_request, "ACK Request")                                                               \
    X(tx_clear_command, "Clear Command")                                                           \
    X(tx_credit, "Credit")                                                                         \
    X(tx_credit_request, "Credit Request")                                                         \
    X(tx_clear_request, "Clear Request")                                                           \
    X(tx_close_command, "Close Command")                                                           \
    X(tx_close_request, "Close Request")                                                           \
    X(tx_probe, "Probe")                                                                           \
    X(tx_negotiation, "Negotiation")                                                               \
    X(tx_nack_no_pdc_avail, "NACK UET_NO_PDC_AVAIL")                                               \
    X(tx_nack_no_ccc_avail, "NACK UET_NO_CCC_AVAIL")                                               \
    X(tx_nack_no_bitmap, "NACK UET_NO_BITMAP")                                                     \
    X(tx_nack_no_pkt_buffer, "NACK UET_NO_PKT_BUFFER")                                             \
    X(tx_nack_no_gtd_del_avail, "NACK UET_NO_GTD_DEL_AVAIL")                                       \
    X(tx_nack_no_ses_msg_avail, "NACK UET_NO_SES_MSG_AVAIL")                                       \
    X(tx_nack_no_resource, "NACK UET_NO_RESOURCE")                                                 \
    X(tx_nack_psn_oor_window, "NACK UET_PSN_OOR_WINDOW")                                           \
    X(tx_nack_rod_ooo, "NACK UET_ROD_OOO")                                                         \
    X(tx_nack_trimmed, "NACK UET_TRIMMED and UET_TRIMMED_LASTHOP")                                 \
    X(tx_nack_inv_dpdcid, "NACK UET_INV_DPDCID")                                                   \
    X(tx_nack_pdc_hdr_mismatch, "NACK UET_PDC_HDR_MISMATCH")                                       \
    X(tx_nack_rcvr_infer_loss, "NACK UET_RCVR_INFER_LOSS")                                         \
    X(tx_nack_closing_in_err, "NACK UET_CLOSING_IN_ERR")                                           \
    X(tx_nack_new_start_psn, "NACK UET_NEW_START_PSN")                                             \
    X(tx_nack_closing, "NACK UET_CLOSING")                                                         \
    X(tx_nack_pkt_not_rcvd, "NACK UET_PKT_NOT_RCVD")                                               \
    X(tx_nack_invalid_syn, "NACK UET_INVALID_SYN")                                                 \
    X(tx_nack_pdc_mode_mismatch, "NACK UET_PDC_MODE_MISMATCH")                                     \
    X(tx_nack_ack_with_data, "NACK UET_ACK_WITH_DATA")                                             \
    X(tx_nack_unexp_event, "NACK UET_UNEXP_EVENT")                                                 \
    X(tx_nack_other, "any other NACK")                                                             \
    X(rto_expired, "packets whose RTO expired")                                                    \
    X(rto_exhausted, "PDCs closed in error after Max_RTO_Retx_Cnt (PDS-160)")                      \
    X(loss_by_sack, "losses seen by SACK_Loss_Count")                                              \
    X(rod_rerouted, "ROD PDCs that left a path with bad news (t_reroute, 3.6.16.2)")               \
    X(loss_by_ev, "losses seen by the order on one entropy value (EV_Loss)")                       \
    X(loss_by_ooo, "losses seen by OOO_Loss_Count")                                                \
    X(loss_by_tail, "resends by Tail_Loss_Time (PDS-230)")                                         \
    X(nack_exhausted, "PDCs closed in error after Max_NACK_Retx_Cnt (PDS-136)")                    \
    X(nack_retx, "packets that a NACK asked for again")                                            \
    X(nack_new_start_psn, "renumberings that UET_NEW_START_PSN asked for")                         \
    X(nack_fatal, "PDCs closed by a NACK of class PDC_FATAL")                                      \
    X(nack_error, "NACKs of class PDC_ERR: the PDC stays (3.5.23)")                                \
    X(pdc_opened_initiator, "PDCs opened as initiator")                                            \
    X(pdc_opened_target, "PDCs opened as target")                                                  \
    X(pdc_closed, "PDCs closed by Close Command")                                                  \
    X(pdc_freed_unopened, "initiator PDCs freed before a TPDCID was known (PDS-213)")              \
    X(pdc_closed_in_error, "PDCs closed in error (PDC_CLOSE_IN_ERR)")                              \
    X(pdc_close_req_timeout, "target PDCs closed after Close_REQ_Time (PDS-210)")                  \
    X(pdc_pending_timeout, "PENDING PDCs freed after New_PDC_Time (NEW_PDC_TIMEOUT_CNT)")          \
    X(pdc_pending_suspect, "of them beyond New_PDC_Timeout_Thresh: a flood?")                      \
    X(psn_range_close_cnt, "PDCs closed as their PSNs were used up (PDS-069, TSS-055)")            \
    X(pdc_guarded, "closed PDCs kept for Syn_Retx_Safety_Time (PDS-054)")                          \
    X(drop_syn_stale, "late SYN of a PDC that is closed (PDS-054)")                                \
    X(pdc_response_timeout, "closing PDCs given up as a promised response never came")             \
    X(op_waits_for_pdc, "operations that found no free PDC")                                       \
    X(op_retried, "operations sent again on a new PDC")                                            \
    X(op_stopped, "messages ended early after an error, by UET_MSG_ERROR (SES-125)")               \
    X(op_deferred, "deferrable sends that the target has put off (SES-146)")                       \
    X(op_restarted, "deferrable sends that an RTR has asked for again (SES-150)")                  \
    X(op_ses_retried, "messages repeated after RC_NO_MATCH, RC_DISABLED_GEN, RC_BAD_GENERATION")   \
    X(op_completed, "operations completed with success")                                           \
    X(op_ses_error, "operations ended by a return code")                                           \
    X(op_pds_error, "operations ended by the PDS")                                                 \
    X(op_domain_gone, "of these: as the domain they were begun in was removed (ROB-052)")          \
    X(ses_executed, "SES packets executed")                                                        \
    X(ses_refused, "SES packets answered with an error")                                           \
    X(ses_message_done, "messages of several packets completed")                                   \
    X(ses_message_failed, "messages of several packets that failed")                               \
    X(ses_held, "sends without receive whose header is kept (3.4.3.6.2.1)")                        \
    X(ses_unexpected, "sends without receive that are kept whole (3.4.3.6.2.2)")                   \
    X(ses_unexpected_matched, "kept sends that have found their receive")                          \
    X(ses_unexpected_lost, "kept sends that ended without: in error, or with their PDC")           \
    X(ses_held_given_up, "held sends that did not come again, or made room for another")           \
    X(ses_rendezvous_read, "READs of the rest of a rendezvous send (SES-156)")                     \
    X(ses_rtr, "UET_DEFERRABLE_RTR sent (SES-148)")                                                \
    X(service_exhausted, "resource indices disabled, as ROD found no receive there (SES-106)")     \
    X(ses_message_cancelled, "messages of several packets whose receive was taken back")           \
    X(ses_message_abandoned, "messages forgotten with their PDC")                                  \
    X(ses_response_stray, "SES responses that belong to no operation")

#define UET_COUNTER_ENUM(name, text) CNT_##name,
enum uet_counter_id { UET_COUNTERS(UET_COUNTER_ENUM) CNT_COUNT };

#endif
