/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files of the packet delivery sublayer offer each other and fep.c. Private. */
#ifndef UET_REFIMPL_PDS_PDS_H
#define UET_REFIMPL_PDS_PDS_H

#include "refimpl/cms/cms.h"
#include "refimpl/pds/credit.h"
#include "refimpl/pds/state.h"
#include "refimpl/ses_pds.h"

/* ---- pdc.c: the manager (3.5.9.2): pools, lookups, the line for transmission, timers ---- */

/* Every PDC closed and free, in its pool; the lookups, the line and the timers are empty. */
void uet_pdc_pool_reset(struct uet_fep *fep);

/* What a PDC is opened for. */
struct pdc_wanted {
    struct uet_ip peer;
    struct tss_context tss;
    const uint32_t *start_psn; /* of the peer that opens it; NULL: this FEP does */
    uint8_t traffic_class;     /* 0 of a peer's: no packet tells it */
    bool rod;
    bool reserved;
};
/* What a new PDC lacks, as a NACK code; 0: nothing. */
uint8_t uet_pdc_lack(const struct uet_fep *fep, const struct pdc_wanted *wanted);
/* Is there a PDC in that pool (3.5.8.1)? What is lacking then, both pools share. */
bool uet_pdc_in_pool(const struct uet_fep *fep, bool reserved);
/* A closed PDC made new; NULL when there is none. The caller sets the rest. */
struct pdc *uet_pdc_begin(struct uet_fep *fep, const struct pdc_wanted *wanted);
/* What law.start_psn may be: at random anywhere, in 2^16 .. 2^31 - 1, or for the first incarnation
 * of a PDCID some hundreds below 2^32. */
uint32_t uet_start_psn_anywhere(struct uet_fep *fep, const struct pdc *pdc);
uint32_t uet_start_psn_positive(struct uet_fep *fep, const struct pdc *pdc);
uint32_t uet_start_psn_at_wrap(struct uet_fep *fep, const struct pdc *pdc);
/* What law.free_first may be: PDCIDs falling, or in no order. */
bool uet_pdcid_always_first(struct uet_fep *fep);
bool uet_pdcid_maybe_first(struct uet_fep *fep);
/* Does what asks for a reserved PDC get one of the reserved pool: is there such a pool? */
bool uet_pdc_in_reserve(const struct uet_fep *fep, bool reserved);

/*
 * Forgets a PDC, its packets and its messages. Operations must be gone. A clean one is used again
 * first; one closed in error last, as its peer may still hold the other half.
 */
void uet_pdc_free(struct uet_fep *fep, struct pdc *pdc, bool clean);
/* A PDC of a peer ends: a recorded SYN of it must open nothing any more (TSS-066). */
void uet_pdc_raise_floor(struct uet_fep *fep, const struct pdc *pdc);
/*
 * A PDC whose SYN was sent again is CLOSED, but not free for Syn_Retx_Safety_Time: a late copy of
 * the SYN must not meet another incarnation of it (PDS-054). This ends the wait.
 */
void uet_pdc_release(struct uet_fep *fep, struct pdc *pdc);

/* The open PDC with this PDCID; NULL when there is none. */
struct pdc *uet_pdc_by_id(struct uet_fep *fep, uint16_t id);

/*
 * The target PDC of the {source, spdcid} of a SYN, under the same keys (3.5.8.2, TSS-045); CLOSED
 * while Syn_Retx_Safety_Time guards it.
 */
struct pdc *uet_pdc_by_syn(struct uet_fep *fep, const struct uet_packet *p);

/*
 * The initiator PDC with the least to do of those for this operation's tuple (PDS-011), which goes
 * under these keys, and how many there are; NULL and 0.
 */
struct pdc *uet_pdc_by_tuple(struct uet_fep *fep, const struct uet_operation *call,
                             const struct tss_context *tss, uint32_t *n);

/* Lets lookups find it, by the tuple or by {peer, peer_id}; and no longer. */
void uet_pdc_map(struct uet_fep *fep, struct pdc *pdc);
void uet_pdc_unmap(struct uet_fep *fep, struct pdc *pdc);

/* The PDC may have something to send. */
void uet_pdc_ready(struct uet_fep *fep, struct pdc *pdc);
/* It would send, but its share of tx_packets is taken. */
void uet_pdc_starve(struct uet_fep *fep, struct pdc *pdc);
/* It would send, but its congestion control does not let it. */
void uet_pdc_hold(struct uet_fep *fep, struct pdc *pdc);
/* The next PDC in line, taken out of it; NULL when there is none. */
struct pdc *uet_pdc_next_ready(struct uet_fep *fep);

/* Nothing is going on. */
bool uet_pdc_idle(const struct uet_fep *fep, const struct pdc *pdc);

/* Entropy values (3.5.10.1): any one, and that of the next packet to the PDC's peer. */
uint16_t uet_pdc_entropy(struct uet_fep *fep, const struct pdc *pdc);

/* ---- timers.c ---- */

/* Starts it; with delay 0 it does not run, and what waits for it may go on at once. */
void uet_timer_start(const struct uet_fep *fep, struct pdc *pdc, enum pdc_timer timer,
                     uint64_t delay);
static inline bool uet_timer_runs(const struct uet_fep *fep, const struct pdc *pdc,
                                  enum pdc_timer timer)
{
    return pdc->timers[timer] != UET_FEP_NEVER && pdc->timers[timer] > fep->now;
}
/* Puts the first of the PDC's timers into the heap: after anything that moves one. */
void uet_pdc_schedule(struct uet_fep *fep, struct pdc *pdc);
/* Runs all that are due at fep->now. */
void uet_pdc_timers(struct uet_fep *fep);
uint64_t uet_pdc_first_deadline(const struct uet_fep *fep);

/* ---- heap.c ---- */

/* The PDC's place among the deadlines (ns; UET_FEP_NEVER: it has none). */
void uet_heap_set(struct uet_fep *fep, struct pdc *pdc, uint64_t deadline);

/* ---- window.c: the receiving half ---- */

enum psn_place { PSN_NEW, PSN_DUPLICATE, PSN_AHEAD, PSN_BEHIND };

/* From Start_PSN on; the PDC's bitmap is new and empty, or is emptied (uet_sink_restart). */
void uet_sink_init(struct pdc *pdc);
void uet_sink_restart(struct uet_fep *fep, struct pdc *pdc);
/* MP_Range as this FEP cps_when_open it, in PSNs (PDS-063). */
uint32_t uet_sink_mp_range(const struct uet_fep *fep);
/* Is it told as mpr 0, which stands for Override_MPR_Zero_Value (PDS-065)? */
bool uet_sink_below_128(const struct uet_fep *fep);
/* Where a PSN of the peer's lies: in the window, received, or beyond either end (3.5.11.4). */
enum psn_place uet_sink_place(const struct uet_fep *fep, const struct pdc *pdc, uint32_t psn);
#define SACK_BITS 64
/*
 * Which of the 64 PSNs from this one on, which lies within 2^15 of CACK, have been received: the
 * first is the least significant bit (PDS-114).
 */
uint64_t uet_sink_bits(const struct uet_fep *fep, const struct pdc *pdc, uint32_t base);
/* A new PSN is received; CACK moves as far as it may (3.5.11.4.5). */
void uet_sink_receive(struct uet_fep *fep, struct pdc *pdc, uint32_t psn);
/*
 * Keeps the response of the plan, guaranteed or promised, or the part it is made of: in the slot of
 * the plan, or in a new one, which the plan then names; false when every slot is taken. Before
 * uet_sink_receive.
 */
bool uet_sink_store(struct uet_fep *fep, struct pdc *pdc, const struct ack_about *about,
                    struct ses_plan *plan, uint32_t part);
/* The promised answer is there. */
void uet_sink_answer(struct pdc *pdc, struct stored *s, const uint8_t *response);
/* The stored response of that PSN; NULL: there is none, or it was cleared. */
const struct stored *uet_sink_stored(struct uet_fep *fep, const struct pdc *pdc, uint32_t psn);
/* CLEAR_PSN has come: stored responses up to it are freed (PDS-074). */
void uet_sink_clear(struct uet_fep *fep, struct pdc *pdc, uint32_t clear_psn);
/* The PDC ends: what its receiving half keeps is given back. */
void uet_sink_free(struct uet_fep *fep, struct pdc *pdc);

/* ---- part.c: reads that are served ---- */

/* Is there room to keep one more? ahead: its request came ahead of a gap. */
bool uet_part_room(const struct uet_fep *fep, const struct pdc *pdc, bool in_ack, bool ahead);
/*
 * Keeps a copy, with its bytes, which nothing that happens to the memory changes; its number, 0
 * when there is none left.
 */
uint32_t uet_part_keep(struct uet_fep *fep, struct pdc *pdc, const struct part *part);
/* What becomes of the read data of this part is known, or its PDC ends; 0: there is none. */
void uet_part_free(struct uet_fep *fep, struct pdc *pdc, uint32_t id, enum part_fate fate);
/* Puts it at the end of what the return direction sends (PDS-169). */
void uet_part_queue(struct uet_fep *fep, struct pdc *pdc, const struct part *part);
/* A part that is kept, to the end of that queue. */
void uet_part_append(struct uet_fep *fep, struct pdc *pdc, uint32_t id);
/* The first of the queue, which is not empty, taken out of it. */
uint32_t uet_part_take(struct uet_fep *fep, struct pdc *pdc);
/* The PDC ends: what waits in its queue is given back. */
void uet_part_forget_queue(struct uet_fep *fep, struct pdc *pdc);

/* ---- in/returned.c: the return direction at the initiator ---- */

/* A new Request with read data has come in the window (I12). */
void uet_returned_accept(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p);

/* ---- source.c: the sending half ---- */

/* A new PDC's half: from its Start_PSN on, Default_MPR PSNs (PDS-062). */
void uet_source_init(struct uet_fep *fep, struct pdc *pdc);
/* Is all that could be sent, or sent again, beyond the window, so that no ACK will come? */
bool uet_source_held_back(struct uet_fep *fep, const struct pdc *pdc);
/* May a new PSN be sent (PDS-060, PDS-047)? */
bool uet_source_window_open(const struct uet_fep *fep, const struct pdc *pdc);
/* Must the next new packet wait: is the window full, or this PDC's share of the packets taken? */
bool uet_source_stopped(const struct uet_fep *fep, const struct pdc *pdc);
/* Is a packet free for it? */
bool uet_source_may_grow(const struct uet_fep *fep, const struct pdc *pdc);
/* An ACK is asked for that covers the packets up to this one. */
void uet_source_asked(struct pdc *pdc, uint32_t psn);
/* A packet with the next PSN at the end of the list; NULL when the PDC's share is taken. */
struct tx_packet *uet_source_new(struct uet_fep *fep, struct pdc *pdc);
/* The outstanding packet with this PSN, or NULL. */
struct tx_packet *uet_source_find(struct uet_fep *fep, const struct pdc *pdc, uint32_t psn);
/* The first packet that waits to be sent again and lies in the window, or NULL. */
struct tx_packet *uet_source_next_resend(struct uet_fep *fep, struct pdc *pdc);
/* Marks for sending again. */
void uet_source_resend(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *packet);
/* A NACK says that the peer had no PDC for it (PDS-137): it waits for the fate of the others. */
void uet_source_refused(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *packet);
/* There is a PDC after all: those are sent again on it. */
void uet_source_resend_refused(struct uet_fep *fep, struct pdc *pdc);
/* It takes another PSN, as no retransmission may (PDS-058): after UET_NEW_START_PSN alone. */
void uet_source_renumber(struct uet_fep *fep, struct tx_packet *packet, uint32_t psn);
/* RTO_Init_Time x 2^retry_count, at most 8 s (PDS-157). */
uint64_t uet_source_rto(const struct uet_fep *fep, uint8_t rto_count);
/* All outstanding packets from Start_PSN on, as if nothing had been sent (NEW_START_PSN). */
void uet_source_restart(struct uet_fep *fep, struct pdc *pdc, uint32_t start_psn);
/* Limit_PSN_Range: time to close, while what has begun still fits (PDS-069). */
bool uet_source_used_up(const struct uet_fep *fep, const struct pdc *pdc);
/* It has just been sent: the RTO runs (3.5.15). */
void uet_source_sent(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *packet);
/* Out of the list for good. */
void uet_source_retire(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *packet);
/* CLEAR_PSN: below the first packet not retired (3.5.11.4.4). */
uint32_t uet_source_clear_psn(struct uet_fep *fep, const struct pdc *pdc);
/* Marks for sending again, on ROD with all that follows. */
void uet_source_lost(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *packet);
/* Is anything outstanding, or waiting to be sent on the return direction? */
bool uet_source_busy(const struct pdc *pdc);
/* TIMER_RETX: RTO and NACK_Retx_Time. May close the PDC in error. */
void uet_source_timer(struct uet_fep *fep, struct pdc *pdc);
void uet_source_free(struct uet_fep *fep, struct pdc *pdc);

/* ---- flight.c: what is in flight ---- */

/* Does the PDC's congestion control let it send a Request now? If not, it waits to be woken. */
bool uet_flight_may_send(struct uet_fep *fep, struct pdc *pdc);
/* May the Request that is sent now be the last for a while? Then it asks for an ACK. */
bool uet_flight_is_last(struct uet_fep *fep, struct pdc *pdc);
/* It waits for its window, which may have become smaller than what is in flight: and that is less
 * than makes the destination answer by itself. */
bool uet_flight_stopped(const struct uet_fep *fep, const struct pdc *pdc);
/* It asks, for this or another reason. */
void uet_flight_asks(struct uet_fep *fep, struct pdc *pdc);
/* The entropy value of the Request that is sent now (3.6.16). */
uint16_t uet_flight_entropy(struct uet_fep *fep, struct pdc *pdc);
/* The Request has been written, in a frame of so many bytes; ... */
void uet_flight_sent(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *packet, size_t frame);
/* ... is known to have arrived, or matters no longer; ... */
void uet_flight_arrived(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *packet);
/* ... or is to be sent again, whatever for; false: it was not in flight. */
bool uet_flight_lost(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *packet);
/* The same of one that this NACK is about, or of a loss that nobody has told. */
void uet_flight_nacked(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *packet,
                       const uint8_t *nack);
void uet_flight_inferred(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *packet);
/* The RTT of the packet that an ACK names (3.6.13.1), before it is retired; 0: there is no valid
 * sample. packet may be NULL: it is outstanding no longer. told: the CC state of the ACK, or NULL.
 */
uint64_t uet_flight_rtt(const struct uet_fep *fep, const struct pdc *pdc,
                        const struct tx_packet *packet, const struct uet_packet *ack,
                        const struct uet_cc_state *told);
/* What the ACK has told goes to the congestion control, after the packets that it retires. */
void uet_flight_acked(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p,
                      const struct uet_cc_state *told, uint64_t rtt_ns);
/* A Probe leaves, with this opaque value; the ACK of a Probe has come. */
void uet_flight_probes(struct uet_fep *fep, const struct pdc *pdc, uint16_t opaque);
void uet_flight_probed(struct uet_fep *fep, const struct pdc *pdc, const struct uet_packet *ack);
/* Counts anew what the PDC has to send, which is bound to credit. */
void uet_flight_count(struct uet_fep *fep, struct pdc *pdc);
/* Whoever of its CCC waits may look again. */
void uet_flight_wake(struct uet_fep *fep, const struct pdc *pdc);
/* The PDC ends: it leaves its CCC, and so does all that it had in flight. */
void uet_flight_end(struct uet_fep *fep, struct pdc *pdc);
/* The PDC has had its turn and sends nothing: what it was woken for goes to the next one. */
void uet_flight_passed(struct uet_fep *fep, const struct pdc *pdc);

/* ---- infer.c: losses found out before the RTO (3.5.15) ---- */

/* A packet that was the order-th to be sent is known to have arrived. */
void uet_infer_received(struct uet_fep *fep, struct pdc *pdc, uint32_t order, uint16_t slot);
/* ooo_count of an ACK_CC, and the highest PSN that it says has arrived. */
void uet_infer_ooo(struct uet_fep *fep, struct pdc *pdc, uint32_t ooo_count, uint32_t highest_psn);
void uet_infer_sent(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *q);
/* An ACK has come: the tail-loss timer begins anew. */
void uet_infer_progress(struct uet_fep *fep, struct pdc *pdc);
/* Tail_Loss_Time is over. */
void uet_infer_tail(struct uet_fep *fep, struct pdc *pdc);

/* ---- machine.c: the state machines (3.5.9.3, 3.5.9.4) ---- */

enum pdc_event {
    PDC_EV_PEER_KNOWN,     /* an ACK or a NACK named the peer's PDCID */
    PDC_EV_START_PSN_OK,   /* a SYN came with the Start_PSN that PENDING waits for */
    PDC_EV_CLOSE,          /* this side wants to close, or the target asked for it */
    PDC_EV_MESSAGES_ENDED, /* no begun message is left */
    PDC_EV_ALL_ACKED,      /* no packet of this side is outstanding */
    PDC_EV_CLOSE_SENT,     /* the Close Command has left */
    PDC_EV_CLOSE_COMMAND,  /* one has come */
    PDC_EV_CLOSE_TIME,     /* the timer of the close, or New_PDC_Time */
    PDC_EV_ERROR,          /* retries used up, or a fatal NACK */
    PDC_EV_NO_PEER,        /* the peer has no such PDC (any more), or this side no such domain */
    PDC_EV_COUNT
};

/* Runs the event through the table of the PDC's role; false when it has no row. May free the PDC.
 */
bool uet_pdc_event(struct uet_fep *fep, struct pdc *pdc, enum pdc_event event);
/* No new message from now on; Close Command, or Close Request of a target, when it may go. */
void uet_pdc_close(struct uet_fep *fep, struct pdc *pdc);
/* A target's Close Request leaves: Close_REQ_Time begins (PDS-210); 0: the timer is off. */
void uet_pdc_limit_close(struct uet_fep *fep, struct pdc *pdc);
/* A message or a read in progress on a target's PDC has ended, maybe the last. */
void uet_pdc_messages_ended(struct uet_fep *fep, struct pdc *pdc);
/* The next step of a closing PDC, after something ended. May free it. */
void uet_pdc_drain(struct uet_fep *fep, struct pdc *pdc);
/* Every begun operation fails, and the PDC closes in error (PDS-160). May free it. */
void uet_pdc_fail(struct uet_fep *fep, struct pdc *pdc);
/* The same, but the operations are tried again on another PDC. */
void uet_pdc_retry(struct uet_fep *fep, struct pdc *pdc);
/* The same, and the peer has nothing that could be closed. Frees it. */
void uet_pdc_no_peer(struct uet_fep *fep, struct pdc *pdc, bool retry);
/* So end all PDCs of domains that were removed, of either side: no packet of theirs opens. */
void uet_pdc_end_removed(struct uet_fep *fep);

/* ---- opening.c ---- */

/* The PDC for the operation's tuple under these keys, a new one if need be; NULL when none is
 * free. */
struct pdc *uet_initiator_open(struct uet_fep *fep, const struct uet_operation *call,
                               const struct tss_context *tss);
/* No PDC can be opened: an idle one of this side's closes (I2), or a peer is asked to close one. */
void uet_initiator_make_room(struct uet_fep *fep, bool reserved);

/* ---- in/acked.c, nacked.c: what comes back (3.5.12) ---- */

/* Takes an ACK (of both modes), or a NACK; what fits no PDC is dropped and counted (PDS-122,
 * PDS-134). */
void uet_initiator_ack(struct uet_fep *fep, const struct uet_packet *p);
void uet_initiator_nack(struct uet_fep *fep, const struct uet_packet *p);

/* A NACK about a packet that waits for its ACK. */
struct uet_nacked {
    struct tx_packet *packet;
    const uint8_t *h;
    bool newest; /* it answers the newest copy of the packet */
};

/* The rows of Table 3-58. */
void uet_nacked_law(struct uet_nack_row rows[UET_NACK_CODES]);
/*
 * Resend on the same PDC after NACK_Retx_Time, counted by itself (PDS-135, PDS-136). On a ROD PDC
 * all that follows goes with it: the target has dropped it (3.5.21).
 */
void uet_nacked_resend(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n);
/* The same, unless a go-back has been there before. */
void uet_nacked_trimmed(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n);
/*
 * The same. The CLEAR_PSN that a packet beyond the window carries is lost with it, and may be what
 * would have moved the window: it goes by itself (PDS-080).
 */
void uet_nacked_beyond(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n);
/*
 * The first missing PSN and all after it once more (PDS-167). NACKs for copies that went out before
 * the go-back of this gap speak of the same gap: one is enough (PDS-168).
 */
void uet_nacked_go_back(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n);
/*
 * There was no PDC at the peer when this packet came (PDS-137). Another SYN packet under way may
 * still open it, and what that one carries would be done twice if all were retried now (PDS-001):
 * only when every packet has been refused is there no PDC, and every copy of it that may still be
 * on its way.
 */
void uet_nacked_no_pdc(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n);
/* Without a PDC the same as UET_NO_PDC_AVAIL (I5). */
void uet_nacked_no_resource(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n);
/*
 * The target of a secure PDC wants another Start_PSN (I6): all again from there, still with syn=1.
 * Counted like a resend, or a target that is never content would keep this PDC for ever.
 */
void uet_nacked_renumber(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n);
/* PDC_FATAL: the PDC is closed; its packets are retried elsewhere or reported (PDS-138). */
void uet_nacked_close(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n);
/* Counted, and no more. */
void uet_nacked_nothing(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n);
/* The peer has named its PDCID, for the first time or again. */
void uet_initiator_learn_tpdcid(struct uet_fep *fep, struct pdc *pdc, uint16_t spdcid);
/*
 * The PSNs that mpr 0 stands for: Override_MPR_Zero_Value, or as 1 when that is not set (contested,
 * PDS-065); before 1.0.3 "no limit", which is 0 in struct source, too.
 */
uint16_t uet_mpr_zero_override(const struct uet_fep *fep);
uint16_t uet_mpr_zero_unlimited(const struct uet_fep *fep);
/* What may follow once packets have been retired. May free the PDC. */
void uet_initiator_progress(struct uet_fep *fep, struct pdc *pdc);

/* ---- transmit.c ---- */

/* Writes the PDC's next packet; its length, 0 when it has nothing to send now. */
size_t uet_pdc_transmit(struct uet_fep *fep, struct pdc *pdc, uint8_t *buffer, size_t cap);

/* ---- in/lookup.c: the PDC of a Request or Control Packet ---- */

/* The PDC of a packet with syn=0, checked against it; NULL after a NACK or a drop. */
struct pdc *uet_target_lookup(struct uet_fep *fep, const struct uet_packet *p);
/* The PDC of a SYN packet, opened if need be; NULL after a NACK or a drop. */
struct pdc *uet_target_lookup_syn(struct uet_fep *fep, const struct uet_packet *p);
/*
 * The PDC holds what others wait for, and has begun a message that does not go on: its initiator is
 * asked by NOOP whether it still knows the PDC.
 */
void uet_target_ask_holder(struct uet_fep *fep, struct pdc *pdc);

/* ---- in/target.c: Requests ---- */

/* Takes a RUD or ROD Request of either direction: finds its PDC, or opens one, and answers. */
void uet_target_request(struct uet_fep *fep, const struct uet_packet *p);
/* The rows of the window: what is answered to a PSN that lies outside. */
void uet_target_law(struct uet_place_row places[UET_PSN_PLACES][2]);
/* NACK for a PSN outside the window; false when the PSN is inside. */
bool uet_target_refuse_psn(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p,
                           enum psn_place place);

/* ---- ack.c ---- */

struct ack_about {
    uint32_t psn;
    uint16_t entropy;
    bool m, retx;
    const uint8_t *response; /* UET_SES_RSP_BYTES, or NULL for next_hdr NONE */
    const struct part *part; /* read data instead of a response */
    bool probe;
    uint16_t probe_opaque;
    bool close;     /* a Close ACK asks for nothing, ... */
    bool has_floor; /* ... and may tell where the domain's next PDC begins (TSS-067) */
    uint32_t floor;
    bool has_sack_base;
    uint32_t sack_base;
};

/*
 * The ways to begin the SACK bitmap. The usual one just after CACK, so that the hole shows, and
 * moved up so that the packet that caused the ACK is in it; at that packet; at the multiple of 8 at
 * or below; with that packet as its last.
 */
uint32_t uet_sack_after_cack(const struct pdc *pdc, const struct ack_about *about);
uint32_t uet_sack_at_trigger(const struct pdc *pdc, const struct ack_about *about);
uint32_t uet_sack_eights(const struct pdc *pdc, const struct ack_about *about);
uint32_t uet_sack_behind(const struct pdc *pdc, const struct ack_about *about);

/* What an ACK of this packet says, without a response. */
struct ack_about uet_ack_about(const struct uet_packet *p);
/* Puts that ACK into the line of answers; without room there it is dropped and counted. */
void uet_ack_send(struct uet_fep *fep, struct pdc *pdc, const struct ack_about *about);
/* The ways to acknowledge: what is due, or each packet. */
bool uet_ack_when_due(bool due);
bool uet_ack_each(bool due);
/* The rules of 3.5.12.2 for a packet just accepted: ACK now, or count. */
void uet_ack_decide(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p,
                    const struct ack_about *about, bool at_once);

/* ---- nack.c ---- */

/* Answers a request or a CP with a NACK (3.5.12.7); spdcid is 0 or this side's PDCID. */
void uet_nack_send(struct uet_fep *fep, const struct uet_packet *p, uint8_t code, uint16_t spdcid);
/* The same with a payload: the Expected_PSN of ROD_OOO, the Start_PSN of NEW_START_PSN. */
void uet_nack_send_payload(struct uet_fep *fep, const struct uet_packet *p, uint8_t code,
                           uint16_t spdcid, uint32_t payload);
/* A NACK that answers no packet of the moment: psn is one that the peer has sent. */
void uet_nack_send_about(struct uet_fep *fep, struct pdc *pdc, uint8_t code, uint32_t psn);

/* ---- in/trim.c ---- */

/* Takes a packet that a switch has trimmed (3.5.15): a Request gets its NACK, a duplicate its ACK;
 * Control Packets and NACKs are dropped and counted (PDS-224). */
void uet_trim_receive(struct uet_fep *fep, const struct uet_packet *p);

/* ---- in/cp.c ---- */

/* Takes a Control Packet that is whole: finds its PDC, or opens one, and does what its row says. */
void uet_cp_receive(struct uet_fep *fep, const struct uet_packet *p);

/* What each ctl_type does (3.5.16): the rows of the law. NOOP and Negotiation: just acknowledged.
 */
void uet_cp_law(uet_cp_act *acts[UET_CTL_TYPES]);
uet_cp_act uet_cp_noop, uet_cp_ack_request, uet_cp_clear_command, uet_cp_clear_request,
    uet_cp_close_command, uet_cp_close_request, uet_cp_probe, uet_cp_credit;
/* Reserved (PDS-196): said with 0x19, and the PDC lives on. */
uet_cp_act uet_cp_unknown;
uet_cp_act uet_cp_nothing;
/*
 * Slots for guaranteed responses have run short: Clear Request on this PDC when it holds some, and
 * on one other that does, in turn; its Clear Command may have been lost (PDS-084, PDS-086).
 */
void uet_cp_ask_for_clears(struct uet_fep *fep, struct pdc *pdc);
/* Sends the credit that is due (3.5.16.6.1). */
void uet_cp_grant(struct uet_fep *fep);

/* ---- rudi.c (3.5.22) ---- */

/* No request is outstanding. pkt_ids begin anew at random: late Responses are to meet none. */
void uet_rudi_reset(struct uet_fep *fep);
/* Writes the next RUDI request; its length, 0 when there is none to send now. */
size_t uet_rudi_transmit(struct uet_fep *fep, uint8_t *buffer, size_t cap);
/* What was begun without a PDC, over RUDI or UUD, in a domain that was removed ends in error. */
void uet_rudi_end_removed(struct uet_fep *fep);
/* Sends again, or gives up, the RUDI packets whose time has come. */
void uet_rudi_timer(struct uet_fep *fep);
/* Takes a RUDI Request, which is done and answered; a Response of what is outstanding. */
void uet_rudi_request(struct uet_fep *fep, const struct uet_packet *p);
void uet_rudi_response(struct uet_fep *fep, const struct uet_packet *p);
/* A NACK with nt=1 (PDS-179). */
void uet_rudi_nacked(struct uet_fep *fep, const struct uet_packet *p);

/* ---- uud.c (3.5.7.4) ---- */

/* Writes the next datagram; its length, 0: there is none. Takes one; nothing is answered. */
size_t uet_uud_transmit(struct uet_fep *fep, uint8_t *buffer, size_t cap);
void uet_uud_request(struct uet_fep *fep, const struct uet_packet *p);

/* ---- reply.c ---- */

/* Does an ACK of this PSN wait in line (answer_delay_ns)? */
bool uet_reply_waits(const struct uet_fep *fep, const struct pdc *pdc, uint32_t psn);
/* Begins an answer to a packet, with the data of this part or NULL; false and counted when the
 * queue is full. */
bool uet_reply_start(struct uet_fep *fep, struct uet_build *b, const struct uet_packet *p,
                     const struct part *part);
/* The same, in clear whatever the packet is (contested, TSS-054). */
bool uet_reply_start_clear(struct uet_fep *fep, struct uet_build *b, const struct uet_packet *p);
/* The same to the peer of a PDC. */
bool uet_reply_start_on(struct uet_fep *fep, struct uet_build *b, const struct pdc *pdc,
                        uint16_t entropy, const struct part *part);
/* Is what room is left kept for NACKs and Control Packets? */
bool uet_reply_scarce(const struct uet_fep *fep);
/* Queues it. cc_state_offset: where the NSCC state stands in the frame, or 0. */
void uet_reply_finish(struct uet_fep *fep, struct uet_build *b, size_t cc_state_offset);
/* When the oldest may leave: at once, unless this FEP takes its time (answer_delay_ns). */
uint64_t uet_reply_deadline(const struct uet_fep *fep);
/* The data of an answer is gone: what waits to be sent with it is not sent. */
void uet_reply_forget(struct uet_fep *fep, const uint8_t *data);
/* Takes the oldest; its length, or 0. */
size_t uet_reply_take(struct uet_fep *fep, uint8_t *buffer, size_t cap);

#endif
