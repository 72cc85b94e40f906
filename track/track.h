/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tracker: passive state built from packets in capture order. It knows PDCs, PSNs, messages,
 * and which packet answers which. It judges nothing (rules/ does) and shares nothing with the
 * reference FEP.
 *
 * Append-only: what it said of a packet never changes. It has no clock and takes memory from the
 * caller's allocator. It knows its vantage, and what a vantage cannot know it leaves unknown.
 *
 * One tracker serves one run of FEPs: after a FEP was restarted, start a new tracker.
 */
#ifndef UET_TRACK_TRACK_H
#define UET_TRACK_TRACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/packet.h"

/* Where the capture was taken. */
enum uet_vantage {
    UET_VANTAGE_MIDDLE,    /* anywhere: packets may be lost, or pass each other, on either side */
    UET_VANTAGE_INITIATOR, /* at the FEP that opens PDCs: all that it sends, in order, and gets */
    UET_VANTAGE_TARGET,    /* at the other one */
    UET_VANTAGE_BOTH,      /* a memory port, one cable: nothing is lost unseen */
};

struct uet_track_allocator {
    void *ctx;
    void *(*alloc)(void *ctx, size_t bytes); /* zeroed; NULL when there is none left */
    void (*free)(void *ctx, void *block);    /* may be NULL: an arena */
};

struct uet_track_config {
    uint8_t vantage;     /* enum uet_vantage */
    uint8_t protect;     /* enum uet_protect */
    uint8_t crc_order;   /* enum uet_crc_order of UET_PROTECT_CRC */
    uint16_t udp_port;   /* 0 stands for 4793 */
    uint8_t ip_protocol; /* of native UET; 0 stands for 253 */
    /* The code points of both trimmed roles (4.1.4.1), those of DSCP_TRIMMED_LASTHOP again: bit d
     * stands for DSCP d. 0: what was trimmed is told by its UDP length alone. */
    uint64_t dscp_trimmed, dscp_trimmed_lasthop;
    bool from_start; /* the capture begins before any PDC of it was opened */
    /*
     * How many PSNs of a direction, and packets without a PDC, are remembered; 0: all. With it the
     * memory grows with PDCs and not with packets, and what was said of a packet is good until the
     * next call only. At least UET_TRACK_WINDOW_MIN: no window reaches farther back.
     */
    uint32_t window;
    uint64_t hash_seed; /* any number; a secret one where captures may be hostile */
    struct uet_track_allocator allocator;
};

struct uet_track;

/* Is it a Request of a ROD PDC, with CC state or not? */
static inline bool uet_is_rod(const struct uet_packet *p)
{
    uint8_t type = uet_is_request(p) ? uet_pds_prologue_type(uet_pds(p)) : 0;
    return type == UET_PDS_ROD_REQ || type == UET_PDS_ROD_CC_REQ;
}

/*
 * What of a direction's Requests is in flight, counted low: nominal bytes (3.6.12). Everything up
 * to the highest PSN that has an answer counts as arrived or lost, and all that was sent before a
 * resend, for its source may have taken it for lost.
 */
struct uet_track_flight {
    uint64_t sent;   /* of all PSNs that came in order, each once */
    uint64_t passed; /* ... of those that count no longer */
    uint64_t told;   /* arrived by rcvd_bytes, which goes round and is unwrapped here */
    uint64_t unsure; /* arrived, and may have been taken for lost before: counted twice (CMS-111) */
    uint64_t since_ns; /* when the oldest that counts was sent, 0: none does */
    uint32_t rcvd;     /* rcvd_bytes, as the newest ACK_CC told it */
    bool answered;     /* by an ACK or NACK */
};

/*
 * What a source has sent on credit to one destination under one ccc_id (3.6.14), counted low, and
 * what it was granted, counted high.
 */
struct uet_track_ccc {
    uint64_t sent;    /* nominal bytes of all copies; of a PDC's first packet, and its SYN that
                         comes again, none */
    uint64_t granted; /* bytes, since the first credit that was seen */
    uint64_t first;   /* what that one says, counted from 0; where a count begins is not public */
    uint32_t credit;  /* the newest, in units */
    uint32_t begins;  /* how often a CCC may have begun, which speculates: with a PDC, or a message
                         when nothing was on its way */
    bool heard;       /* a credit was seen */
    const struct uet_track_pdc *joined; /* the PDC that told of it last */
    bool anew;       /* that came when the one before had closed: perhaps this is another CCC, whose
                        count begins again */
    bool maybe_anew; /* that came when the one before had not closed, and waited for ACKs: it may
                        have failed unseen. A count that goes back then is another CCC's */
    bool over;       /* the newest packet ended its message */
    uint8_t id;
};

/*
 * From the UDP or entropy header to the trailer, and what stands for the rest (3.6.12). Of a packet
 * that was parsed from its PDS header on, what is below counts as UDP.
 */
static inline uint32_t uet_nominal_bytes(const struct uet_packet *p)
{
    uint32_t below = p->udp_offset ? p->udp_offset : p->entropy_offset;
    return (p->ip_end ? p->ip_end - below : p->len + UET_UDP_BYTES) + 40;
}

/* One direction of a PDC: initiator to target (forward) or back (return). */
struct uet_track_dir {
    bool psn_known;       /* some PSN was seen */
    uint32_t first_psn;   /* the lowest PSN seen */
    uint32_t highest_psn; /* the highest PSN seen */
    bool cack_known;
    uint32_t cack_psn; /* highest CACK_PSN that acknowledges this direction */
    bool clear_known;
    bool clear_rides;   /* in a Request that has been, or may yet be, refused with its CLEAR_PSN */
    uint32_t clear_psn; /* highest CLEAR_PSN sent in this direction */
    bool mpr_known;
    uint8_t mpr; /* as last advertised to the sender of this direction */
    uint8_t highest_mpr;
    bool mpr_missing; /* some answer came without mpr, or with 0: the sender's limit is not sure */
    /* Runs without a gap from Start_PSN on; known only when the PDC was opened in sight. */
    bool runs_known;
    uint32_t seen_psn;  /* every PSN up to here was seen */
    uint32_t acked_psn; /* every PSN up to here is acknowledged, by CACK or by an ACK of its own */
    /* A guaranteed response that no CLEAR covers yet: the lowest PSN known to have one. */
    bool uncleared_known;
    uint32_t uncleared_psn;
    bool kept_known;
    uint32_t kept_from; /* with a window: the lowest PSN that may still be remembered */
    uint32_t n_probes;  /* Probe CPs: whether they take a PSN is not settled (3.5.16.5) */
    /* The highest PSN that an ACK, its CACK or its SACK told received, and in which packet. */
    bool told_known;
    uint32_t told_psn, told_by;
    bool named_known;
    uint32_t named_psn; /* highest ACK_PSN that acknowledged this direction */
    /* ROD: a NACK told a gap; Expected_PSN, and the number of the first NACK that told it. */
    bool gap_known;
    uint32_t gap_psn, gap_by;
    uint32_t gap_again_by; /* the newest that told it again for what was sent before the resend */
    uint64_t gap_again_ns; /* ... and its time */
    uint32_t gap_anew_by;  /* the newest that told it for what may have been sent after it: the
                              resend was lost, too */
    bool resent_known;
    uint32_t resent_psn; /* of the newest packet with retx = 1 */
    /* The lowest PSN whose only copy was refused by a NACK: it was not received. */
    bool refused_known;
    uint8_t refused_code;
    uint32_t refused_psn;
    bool read_known;
    uint32_t read_psn; /* first PSN of the read whose data was last sent in this direction */
    uint32_t clear_by; /* number of the packet that last moved clear_psn */
    uint32_t clear_on; /* with clear_rides: its PSN */
    bool unread;       /* the SES header of some Request could not be read */
    /* An ACK that acknowledges this direction came cut by a switch; the newest one's ACK_PSN. */
    bool trimmed_ack;
    bool trimmed_ack_data; /* ... and brought read data */
    uint32_t trimmed_ack_psn;
    uint32_t asked_by; /* ... of the newest ACK Request of this direction, or 0 */
    /* The newest one's PSN, where it has overtaken what it asks about. */
    bool asked_ahead;
    uint32_t asked_psn;
    bool wants_credit; /* no Credit has come since the newest Credit Request of this direction */
    struct uet_track_flight flight;
    struct uet_track_ccc *ccc; /* of the newest CC Request, NULL: none was seen */
    uint64_t
        min_rtt_ns; /* shortest time from a PSN sent once to the ACK that names it, 0 unknown */
};

/* Why a PSN was sent again (3.5.15, 3.5.21), as far as the packets tell. */
enum uet_resent {
    UET_RESENT_NO,      /* it was not */
    UET_RESENT_UNSEEN,  /* retx = 1, but no copy was seen before */
    UET_RESENT_TRIMMED, /* a switch cut the copy before: NACK UET_TRIMMED, or the cut copy seen */
    UET_RESENT_NACK,    /* another NACK asked for it (3.5.12.7) */
    UET_RESENT_GO_BACK, /* ROD: it lies behind a gap that UET_ROD_OOO told (3.5.21) */
    UET_RESENT_GAP,     /* no NACK, but a later PSN was told received: a loss inferred */
    UET_RESENT_SILENCE, /* nothing was heard of it, nor of later PSNs: the timeout */
    UET_RESENT_NEEDLESS /* an ACK had covered it: the ACK came late, or not at all */
};
#define UET_RESENT_CAUSES 8

/* "no answer in time" */
const char *uet_resent_name(enum uet_resent cause);

/*
 * Why a packet was taken for one of a PDC. PDCIDs are used again: one pair of them may be that of
 * several PDCs, one after the other.
 */
enum uet_match_reason {
    UET_MATCH_NONE,   /* it belongs to none that was seen */
    UET_MATCH_EARLY,  /* to none yet: a target's, maybe, whose first answer was not seen */
    UET_MATCH_OPENS,  /* its SYN opens the PDC */
    UET_MATCH_SYN,    /* a SYN with the IPDCID of a PDC, not far from its PSNs (3.5.8.2) */
    UET_MATCH_PDCIDS, /* both PDCIDs, and no other PDC in question */
    UET_MATCH_PSN, /* both PDCIDs, those of several PDCs: its PSN tells, or the younger is meant */
    UET_MATCH_ANSWER,  /* an answer to the IPDCID: it tells the TPDCID */
    UET_MATCH_IGNORED, /* the same, but the initiator is bound to ignore it (3.5.12) */
    UET_MATCH_REFUSES, /* a NACK to the IPDCID: the target has an older PDC with it (3.5.6) */
    UET_MATCH_OLDER,   /* ... and takes the SYN for one of that older PDC, which this is */
    UET_MATCH_NACKED,  /* a NACK without SPDCID: the PDC in which its nack_psn was sent */
    UET_MATCH_OFFERED, /* the initiator uses a TPDCID that an ignored answer gave */
    UET_MATCH_GUESSED, /* TPDCID is taken from this packet: the answer that told it was not seen */
    UET_MATCH_MIDSTREAM,   /* a PDC whose opening was not seen begins here */
    UET_MATCH_SUPERSEDES,  /* an answer of a PDC that took the PDCIDs over unseen begins it here */
    UET_MATCH_CONTRADICTS, /* one PDCID is the PDC's, the other is not */
    UET_MATCH_REASONS
};

/* "pdcids", and in words, by what its PDC is told: "both PDCIDs". */
const char *uet_match_name(enum uet_match_reason reason);
const char *uet_match_why(enum uet_match_reason reason);

/* Does a NACK of this code say that the packet was not received, so that its PSN is open? */
bool uet_nack_refuses(uint8_t code);

/* How often one PSN is remembered copy by copy; later copies are only counted. */
#define UET_TRACK_COPIES 4

/* The largest MP_Range is 255 * 128 PSNs, and an ACK_PSN lies at most 32768 from CACK_PSN. */
#define UET_TRACK_WINDOW_MIN 131072u

/* One sending of a PSN. */
struct uet_track_copy {
    uint32_t number; /* of the packet */
    uint16_t entropy;
    uint8_t ecn;      /* enum uet_ip_ecn */
    bool retx : 1;    /* flags.retx */
    bool trimmed : 1; /* a switch cut it */
    bool lasthop : 1; /* ... at the last hop (by DSCP) */
};

/*
 * One PSN of one direction: a Request or a PSN-consuming CP with all its copies. Also a packet
 * that takes no PSN or belongs to no PDC, kept so that a NACK finds what it answers.
 */
struct uet_track_psn {
    uint32_t psn;
    uint32_t n_copies; /* all of them */
    uint64_t time_ns;  /* of the first copy */
    uint64_t last_ns;  /* of the newest copy */
    uint64_t told_ns;  /* of the first ACK or SACK that told it received; meaningful with told_by */
    uint64_t upto;     /* flight.sent with its first copy, 0: it came out of order */
    const struct uet_track_pdc *pdc;
    struct uet_track_message *message; /* NULL: none */
    struct uet_track_copy copy[UET_TRACK_COPIES];
    struct uet_track_copy last; /* the newest copy */
    uint16_t payload_len;
    uint16_t nominal;      /* bytes in flight (3.6.12); 0: no Request */
    bool unsure;           /* a NACK refused it, and it did not come again yet */
    bool retx_clear_seen;  /* a copy with flags.retx = 0 was seen */
    bool whole_seen;       /* a copy that no switch had cut: headers and payload_len are of it */
    bool trimmed_seen;     /* a copy that a switch had cut */
    bool answered_default; /* the first ACK that named it brought UET_DEFAULT_RESPONSE */
    bool promised;         /* ... or UET_NO_RESPONSE: the answer comes later */
    bool data_seen;        /* ... or read data */
    bool told_to_probe;    /* told_by answers a Probe: whether that tells anything is contested */
    bool mixed;            /* copies differ in what they say: PDS type or SES header */
    bool ack_requested;    /* an ACK Request CP asked about it */
    bool has_response;     /* an error response, the first that came, in response */
    uint8_t nack_code;     /* of the newest NACK */
    bool forward;          /* with pdc: its direction */
    uint32_t data_by;      /* READ: number of the first packet with data that it asked for, or 0 */
    uint32_t acked_by;     /* number of the first ACK that names it as ACK_PSN, or 0 */
    uint32_t nacked_by;    /* number of the first NACK for it, or 0 */
    uint32_t renacked_by;  /* number of the newest NACK for it, or 0 */
    uint32_t wanted_by;    /* ... of another code than UET_ROD_OOO */
    uint32_t domain;       /* RUDI: 1 and the SDI (3.7) of its first copy, 0: that came in clear */
    uint32_t told_by;      /* number of the first ACK that named it or told it in SACK, or 0 */
    uint8_t response[UET_SES_RSP_BYTES];
    uint8_t pds, ses;       /* enum uet_header_id of the first copy's headers */
    const uint8_t *headers; /* of the first copy: PDS header, then SES header */
};

/* One incarnation of a pair of PDCIDs: who uses them again has another PDC. */
struct uet_track_pdc {
    uint32_t stream; /* number of the PDC in order of appearance, from 0 */
    struct uet_ip initiator_ip, target_ip;
    uint16_t ipdcid, tpdcid; /* tpdcid 0 while unknown */
    bool rod;                /* meaningful when mode_known */
    bool mode_known;
    bool opened_in_sight; /* a SYN opened it; false: first seen when it was already open */
    bool whole;           /* ... and nothing of it was sent before the capture began */
    bool start_known;
    uint32_t start_psn;
    bool roles_known;        /* initiator and target are sure: a SYN or the kind of packet told */
    bool established;        /* TPDCID was seen */
    bool tpdcid_guessed;     /* TPDCID came from a Request, no ACK or NACK confirmed it yet */
    uint16_t tpdcid_offered; /* the PDCID of an answer that was not taken for TPDCID, or 0 */
    uint16_t refused_by;     /* the PDCID of another PDC of the target's that refused it, or 0 */
    bool syn_over;           /* the initiator sent a new PSN with syn = 0 */
    uint32_t syn_over_psn;   /* the lowest such PSN */
    bool closing;            /* Close Command seen */
    bool closed;             /* ... and acknowledged, or answered UET_INV_DPDCID */
    bool refused;        /* a NACK said that the target made no PDC, or wants another Start_PSN */
    bool failed;         /* a fatal NACK */
    uint8_t failed_code; /* ... the first one's nack_code */
    uint64_t failed_ns;  /* ... its time */
    bool failed_forward; /* ... sent by the initiator */
    bool target_told;    /* ... the initiator has sent one, the first or a later one */
    bool failed_moot;    /* ... for a PSN that was acknowledged: it changes nothing (PDS-134) */
    bool doubtful;       /* a SYN came when the target may have ended it: it may open another */
    bool in_clear;       /* it was opened so, and belongs to no SDI whatever comes */
    bool sdi_known;      /* it was sealed (3.7), and of this SDI when first seen so */
    bool sdi_from[2];    /* who has sent a packet of that SDI: [1] the initiator */
    uint32_t sdi, ssi;
    bool ssi_of_initiator; /* the packet was the initiator's */
    bool new_start_known;  /* UET_NEW_START_PSN named a Start_PSN */
    uint32_t new_start_psn;
    uint32_t n_reads_open; /* READ messages whose data has not all come, and no error for them */
    uint32_t n_trimmed;    /* packets that a switch cut */
    uint32_t resent[UET_RESENT_CAUSES]; /* PSNs sent again, by enum uet_resent */
    uint32_t close_psn;                 /* meaningful when closing */
    uint32_t close_asked_by; /* number of the first Close Request, or ACK with REQ_CLOSE, or 0 */
    uint32_t n_nacks;
    uint32_t first_frame;                /* number of the packet that opened it */
    struct uet_track_dir dir[2];         /* [0] forward, [1] return */
    struct uet_track_pdc *previous;      /* the PDC that had the same IPDCID before, or NULL */
    struct uet_track_pdc *tpdcid_before; /* the same, of the TPDCID */
    const struct uet_track_pdc *earlier; /* the PDC opened before it by the same FEP to the same */
    struct uet_track_pdc *next;          /* in order of appearance */
    uint64_t hash;                       /* the tracker's own */
};

/* A SES message: packets of one message_id on one PDC and direction. */
struct uet_track_message {
    struct uet_track_pdc *pdc;
    uint8_t opcode;
    uint16_t message_id;
    uint32_t job_id;
    uint32_t request_length;
    uint64_t bytes_seen; /* distinct payload bytes */
    uint32_t first_frame, last_frame;
    bool som_seen, eom_seen;
    uint32_t som_psn, eom_psn; /* meaningful when seen */
    uint32_t highest_psn;
    uint64_t data_bytes;  /* read data that was returned for it, each once */
    bool data_in_ack;     /* ... some of it in ACKs */
    bool data_in_request; /* ... some of it in Requests of the other direction */
    bool read_open;       /* it is counted in n_reads_open */
    uint32_t read_part;   /* READ: what each of its packets but the last asks for, 0 unknown */
    uint32_t n_psns;      /* PSNs remembered that belong to it */
    bool is_newest;       /* of its message_id */
    struct uet_track_message *free; /* the tracker's own */
    bool answered_with_error;       /* an error response came for one of its packets ... */
    uint32_t error_psn;             /* ... first for this PSN */
    const uint8_t *first_header;    /* copy of its first SES header, uet_headers[] bytes long */
    uint8_t first_header_id;        /* enum uet_header_id */
};

/*
 * What the TSS header of a packet says beside those before it (3.7). Its source is the SDI, the SSI
 * and the address that it comes from; its IV is that with AN, epoch and counter. Where the AN may
 * have got another key since, nothing is said: after the source used the other one, for who has no
 * keys.
 */
struct uet_track_seal {
    bool known;         /* the packet is whole, and its source is remembered */
    uint32_t used_by;   /* number of the packet that had its IV before, or 0 */
    bool used_key;      /* ... with the same key, and not only in the same AN */
    bool used_alike;    /* ... with the same ICV, as far as it was captured: the same once more */
    bool used_again;    /* ... and is the same Request, CP, ACK or NACK, whatever it says now */
    uint32_t shared_by; /* of one from another address with its SSI, key, epoch and counter; or 0 */
    /* The highest before it on its path, one entropy value and DSCP to one address: or 0. */
    uint32_t path_by;
    uint16_t path_epoch;
    uint64_t path_counter;
    bool new_key; /* the source turns to this AN, under a key that it did not use before */
    uint64_t other_counter; /* ... highest of the other AN */
};

/* One packet as the tracker sees it. */
struct uet_tracked {
    const struct uet_track *track;
    uint32_t number; /* of the packet, from 1, as given to uet_track_add in order */
    uint64_t time_ns;
    struct uet_track_pdc *pdc;         /* NULL: belongs to none known */
    struct uet_track_message *message; /* NULL: none */
    struct uet_track_message *read;    /* whose data it brings, NULL: none, or not known */
    const struct uet_track_psn *asked; /* the Request that asked for the data it brings, or NULL */
    uint64_t read_bytes;       /* with read: of its data so far, those of this packet included */
    uint8_t match;             /* enum uet_match_reason: why pdc is its PDC */
    bool forward;              /* from the PDC's initiator */
    bool from_initiator_known; /* forward is sure */
    bool opens;                /* its SYN opened the PDC */
    bool mismatch;             /* its PDCIDs contradict those of pdc; it changed nothing */
    bool loose;                /* it takes no PSN, or belongs to no PDC */
    bool same_frame;           /* an equal packet was seen: a resend, or captured twice */
    bool duplicate;            /* this PSN was sent before in this direction (whatever retx says) */
    bool retransmission;       /* duplicate with flags.retx */
    bool new_psn;              /* the highest PSN of its direction so far */
    bool acknowledged_before;  /* its PSN was covered by an ACK already seen */
    uint8_t resent;            /* enum uet_resent: why its PSN is sent again */
    uint64_t since_ns;         /* since the copy before; meaningful when duplicate */
    /* An answer gives a PDCID that another PDC of the same two FEPs has, still in use. */
    const struct uet_track_pdc *taken_from;
    uint32_t pkt_id;    /* RUDI */
    bool is_rudi;       /* RUDI: own or request is its exchange, pdc is NULL */
    bool pkt_id_in_use; /* RUDI Request: its pkt_id is that of another one, not answered */
    /* It begins a message under the message_id of one that is not acknowledged as far as was seen,
     * which began in this packet; or 0. */
    uint32_t id_taken_by;
    uint32_t previous_frame; /* the packet with the same PSN before, or 0 */
    uint32_t request_frame;  /* for an ACK or NACK: the request it answers, or 0 */
    uint64_t request_time_ns;
    /* For a request, CP, ACK or NACK: copies of the headers of the packet it answers or repeats. */
    const uint8_t *request_headers;   /* PDS header then SES header of request_frame, or NULL */
    uint8_t request_pds, request_ses; /* enum uet_header_id of them */
    uint16_t request_entropy;
    uint8_t request_ecn;
    const struct uet_track_psn *own;     /* Request, CP: its PSN, this copy included, or NULL */
    const struct uet_track_psn *before;  /* Request, CP: the PSN before it, or NULL if unseen */
    const struct uet_track_psn *request; /* ACK, NACK: the PSN it answers, or NULL */
    bool request_unsure; /* NACK: a Request has the psn of that CP, which names none: either may be
                          */
    /* The direction this packet travels in (Request, CP) or acknowledges, as it was before. */
    struct uet_track_dir was;
    struct uet_track_seal seal;
    struct uet_packet packet; /* points into the frame given; good only during the callback */
};

/* What was seen in all. */
struct uet_track_totals {
    uint32_t uet;       /* packets with a PDS or TSS header, or part of one */
    uint32_t sealed;    /* by TSS: nothing behind its header is known */
    uint32_t iv_unsure; /* whose IV was maybe used before: what was seen then is forgotten */
    uint32_t iv_again;  /* whose IV another one had before, if the AN has the same key as then */
    uint32_t key_old; /* with a counter above 2^34.5, as long as a key may live at most (TSS-023) */
    uint32_t trimmed; /* cut by a switch */
    uint32_t crc_bad; /* not tracked: a receiver drops them */
    uint32_t rudi_requests, rudi_resent, rudi_responses, rudi_nacks;
    uint32_t uud;         /* no state, no answer (3.5.7.4) */
    uint32_t pdcs_broken; /* refused, failed or closed so far */
    uint32_t resent[UET_RESENT_CAUSES];
};

/* A tracker; NULL when the allocator has no memory. */
struct uet_track *uet_track_new(const struct uet_track_config *config);

/*
 * Takes the next packet. Returns what is known of it, owned by the tracker and overwritten by
 * the next call; NULL only when memory ran out (what was learned before stays good, the packet
 * is not counted in). A frame that is not UET or has no sound PDS header comes back with
 * pdc == NULL and packet.error set. A wrong UDP length, IP checksum or SES header does not keep
 * its PDS header from being tracked: a trimmed packet is answered by its PSN (4.1).
 *
 * Cost: O(1) on average; memory grows by a bounded amount with each packet.
 */
const struct uet_tracked *uet_track_add(struct uet_track *track, const uint8_t *frame, size_t len,
                                        uint64_t time_ns);

/*
 * The same for a packet that the caller has parsed: with other options, cut by the capture, or
 * opened by its key. Only headers are read. A packet of which the PDS header was not captured
 * belongs to no PDC. One that was parsed into uet_track_place needs no copy; what stood there is
 * that of the packet before.
 */
struct uet_packet *uet_track_place(struct uet_track *track);
const struct uet_tracked *uet_track_add_packet(struct uet_track *track,
                                               const struct uet_packet *packet, uint64_t time_ns);

/*
 * Counts n packets that are not given to the tracker, so that its numbers are those of the capture
 * they come from.
 */
void uet_track_skip(struct uet_track *track, uint32_t n);

/*
 * A FEP has begun anew, as who drives it knows: what it held of the PDCs seen so far is gone. They
 * count as not seen in whole, so that nothing is said for sure of them.
 */
void uet_track_begun_anew(struct uet_track *track);

/* The PDCs seen, in order of appearance (linked by next). */
const struct uet_track_pdc *uet_track_pdcs(const struct uet_track *track);

/* A PSN of a PDC's direction, NULL when it was not seen. */
const struct uet_track_psn *uet_track_find_psn(const struct uet_track *track,
                                               const struct uet_track_pdc *pdc, bool forward,
                                               uint32_t psn);

/* What was counted of all packets so far; the tracker's, and goes on changing. */
const struct uet_track_totals *uet_track_totals(const struct uet_track *track);

/* Was the capture begun before anything was sent, so that what was not seen was not sent? */
bool uet_track_from_start(const struct uet_track *track);

/* Are the code points of trimmed packets known, so that each of them is recognised? */
bool uet_track_knows_trims(const struct uet_track *track);

/* The vantage it was made with. */
enum uet_vantage uet_track_vantage(const struct uet_track *track);

/* Gives all back to the allocator it was made with; what it has told of packets goes with it. */
void uet_track_free(struct uet_track *track);

#endif
