/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The reference FEP: SES over PDS as a pure state machine.
 *
 * It is given frames, application calls and the time; it gives back frames, completions and the
 * next deadline. It never touches a socket, a clock, a thread or the heap; its memory is one
 * block that the caller provides. Same configuration, same seed, same calls: same bytes.
 *
 * Time is in nanoseconds, never runs backwards, and starts wherever the caller likes.
 * One FEP is used by one thread at a time. No call blocks.
 */
#ifndef UET_REFIMPL_FEP_H
#define UET_REFIMPL_FEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/addr.h"
#include "wire/packet.h"
#include "wire/tss.h"

struct uet_fep;

#define UET_FEP_NEVER UINT64_MAX

/* Completions of writes with header data that wait for the application: nothing else bounds them.
 */
#define UET_FEP_WRITE_COMPLETIONS 256u
#define UET_FEP_RANDOM_PSN        (UINT64_C(1) << 32)

enum uet_fep_spec { UET_SPEC_1_0_3, UET_SPEC_1_0_2, UET_SPEC_1_0_1 };

/*
 * PDS configuration parameters (Table 3-28, 3.5.5) by their names, in the units of the table's
 * public sources: times in nanoseconds, sizes in bytes, Default_MPR in units of 128 PSNs.
 */
struct uet_fep_params {
    uint8_t Default_MPR;
    uint16_t Max_ACK_Data_Size;
    bool ACK_On_ECN;
    bool Enb_ACK_Per_Pkt;
    uint32_t ACK_Gen_Trigger;
    uint32_t ACK_Gen_Min_Pkt_Add;
    uint64_t RTO_Init_Time;
    uint8_t Max_RTO_Retx_Cnt; /* 15: without end */
    uint64_t NACK_Retx_Time;
    uint8_t Max_NACK_Retx_Cnt; /* 31: without end */
    uint64_t PDS_Clear_Time;
    uint64_t Close_REQ_Time;
    uint64_t Tail_Loss_Time;         /* 0: no tail-loss timer (PDS-230) */
    uint8_t Max_Tail_Loss_Retx;      /* tail resends of a packet before only the RTO is left */
    bool Limit_PSN_Range;            /* a PDC closes at Start_PSN + 2^31 (PDS-069) */
    uint16_t Trimmable_ACK_Size;     /* longer ACKs have a trimmable DSCP (PDS-127) */
    uint8_t Override_MPR_Zero_Value; /* PSNs that pds.mpr = 0 stands for (PDS-065); 0: not set */
    uint64_t Syn_Retx_Safety_Time;   /* 1.0.3 (PDS-054) */
    uint64_t New_PDC_Time;           /* life of a PENDING PDC (PDS-052) */
    uint32_t New_PDC_Timeout_Thresh;
    uint8_t
        SES_Retry_Cnt; /* local: repeats of a message after RC_NO_MATCH and the like (SES-129) */
    uint8_t PDCs_Per_Tuple; /* local: PDCs that the messages of one mapping tuple may share out */
    /* Local: how long a deferred send, or the target that has asked for it again, waits for the
     * other: then it begins anew, or lets the receive go. */
    uint64_t Deferral_Time;
    uint64_t Rendezvous_Time; /* local: how long a rendezvous waits until its target begins to read,
                                 and a target without receive remembers one */
    uint64_t Idle_Time; /* local: an idle initiator PDC closes after this; 0 never (PDS-214) */
    bool ACK_CC;        /* answer with ACK_CC (NSCC state, MPR, SACK) instead of ACK */
    /* Local: what finds a loss before the RTO does (3.5.15); 0 each: it does not. */
    uint8_t SACK_Loss_Count; /* packets sent later that have arrived */
    uint16_t OOO_Loss_Count; /* ooo_count of an ACK_CC */
    bool EV_Loss;            /* a packet sent later on the same entropy value has arrived */
    uint16_t EV_Slots;       /* entropy values a RUD PDC sprays over; 0: any, at random */
    uint32_t CC_Window; /* local: nominal bytes in flight to a destination in a traffic class, over
                           all PDCs there; 0: only MP_Range bounds them */
    /*
     * Local: NSCC (3.6.13.3, Table 3-82) by the table's names; 0 stands for the table's formula.
     * They hold for all destinations, from the next CCC on.
     */
    /* Local: RCCC (3.6.14): it grants credit as destination, and as source sends on credit alone.
     * It shares MaxWnd, config_base_rtt and sender_link_rate with NSCC. */
    bool RCCC;
    uint8_t credit_rate; /* per cent of this FEP's line that it grants */
    /* As destination it grants less while marks and trims tell that paths to it are narrower than
     * its line (aggregate rate control), but never less than its share of a fabric that has so many
     * times more lines of hosts than it can carry; 0: that is not known. */
    bool ARC;
    uint8_t oversubscription;
    /* As source it asks for all that waits, and takes off nothing for the credit in hand; what
     * comes above MaxWnd it discards. */
    bool target_of_backlog;
    bool idle_credit; /* sources that want none get up to MaxWnd in advance */
    /* Local: as destination, how much less the host can take than the line (3.6.13.2): it is
     * rcv_cwnd_pend, and credit comes so much slower; 127: least. */
    uint8_t host_pressure;
    bool NSCC;     /* it bounds what is in flight to a destination, in the place of CC_Window */
    bool trimming; /* the switches trim */
    uint32_t sender_link_rate, receiver_link_rate; /* Mbit/s; the receiver's 0: as the sender's */
    uint64_t config_base_rtt, target_qdelay, qa_threshold, adjust_period_threshold; /* ns */
    uint32_t MaxWnd, fi, eta, adjust_bytes_threshold;                               /* bytes */
    uint64_t alpha;                                                                 /* bytes/s */
    uint32_t fi_scale;   /* thousandths */
    uint8_t gamma;       /* per cent */
    uint8_t max_md_jump; /* per cent */
    uint8_t qa_gate;     /* a shift */
    bool disable_quick_adapt;
    uint32_t fast_increase_tolerance; /* ns: a delay below it is about none */
    /* Local: load balancing of RUD (3.6.16). */
    uint8_t LB;           /* 0: any EV, or EV_Slots; 1: oblivious; 2: REPS; 3: EV bitmap */
    uint16_t ev_set_size; /* EVs to a destination, a power of two */
    uint8_t ev_saturation_fraction; /* per cent of them with bad news: then none is passed over */
    uint32_t t_reroute; /* RTTs: a ROD PDC leaves a path with bad news, no sooner when not idle;
                           0: never. The facts' default is 10 or more */
    uint64_t reps_freeze_time;
    uint8_t reps_explore; /* EVs drawn after it */
    uint16_t CCCs;        /* local: congestion control contexts for all PDCs; 0: as many as these */
    uint16_t PSN_Bitmaps; /* local: PSN bitmaps for all PDCs; 0: one each. Not more than at start */
    uint16_t Write_Completions; /* local: completions of writes that may wait for the application */
    uint16_t Infer_Loss_Count;  /* as target: packets above a gap, then UET_RCVR_INFER_LOSS */
    uint64_t Start_PSN; /* local: of the PDCs that it opens, as far as PDS-027 lets it, for tests;
                           UET_FEP_RANDOM_PSN: at random (PDS-026) */
    bool
        MPR_Zero; /* local: with Override_MPR_Zero_Value, a window of so many PSNs, told as mpr 0 */
};

#define UET_FEP_NO_DSCP 0xffu

struct uet_fep_choices;

struct uet_fep_config {
    struct uet_ip address; /* the Fabric Address (3.4.1.3) */
    uint64_t seed;
    uint64_t secret; /* a seed of Start_PSNs alone (3.5.8.2): what else is random goes in clear, and
                        would tell them; 0: of one with the rest */
    /*
     * UET_Data_Protect: UET_PROTECT_NONE or UET_PROTECT_CRC, as packets of jobs without a secure
     * domain go; or UET_PROTECT_TSS, and none goes or comes in clear.
     */
    uint8_t protect;
    uint8_t crc_order;      /* enum uet_crc_order of its trailer (3.5.25) */
    uint8_t spec;           /* enum uet_fep_spec */
    uint8_t profile;        /* enum uet_profile (3.3.1): without what its FEP goes without */
    bool over_udp;          /* UET_Over_UDP; false: native IP (3.5.10.1) */
    uint8_t ip_protocol;    /* IP_Proto_Nxt_Hdr, of native IP; 0 stands for 253 */
    uint16_t udp_port;      /* UDP_Dest_Port; 0 stands for 4793 */
    uint16_t payload_mtu;   /* 1024, 2048, 4096 or 8192 (SES-042) */
    uint16_t max_pdcs;      /* initiator and target PDCs together, 1..65535 */
    uint16_t reserved_pdcs; /* of them, only for SYNs with use_rsv_pdc (3.5.8.1); fewer than all */
    uint16_t max_stored_responses; /* guaranteed-delivery slots of the whole FEP */
    uint16_t max_services;
    uint16_t max_regions;
    uint32_t max_receives;     /* up to 2^22 */
    uint16_t max_operations;   /* initiator operations in flight or waiting */
    uint16_t max_messages;     /* target messages in progress */
    uint16_t max_held;         /* deferrable sends that wait for their receive; 0: none does */
    uint16_t max_unexpected;   /* sends that wait, whole, for their receive: at most half of */
    uint32_t unexpected_bytes; /* max_stored_responses; and bytes for all of them */
    uint16_t max_read_parts;   /* target: packets of READs whose data is not known to be there */
    uint32_t max_packets;      /* packets of all PDCs that wait for their ACK; one PDC takes half */
    uint32_t max_rudi_packets; /* RUDI packets that wait for their response (RUDI has no window) */
    uint16_t max_domains;      /* secure domains (3.7.4); 0: no security */
    uint8_t dscp_request;      /* DSCP_TRIMMABLE or another class for requests */
    uint8_t dscp_rtx;      /* DSCP_TRIMMABLE_RTX, of those that come again; UET_FEP_NO_DSCP: none */
    uint8_t dscp_rudi_uud; /* of RUDI and UUD requests: better another one (CMS-074) */
    uint8_t dscp_control;  /* DSCP_CONTROL: ACK, NACK and CP */
    /*
     * The code points of packets that a switch has cut (4.1.4.1): bit d stands for DSCP d. 0, as by
     * default: there is no such role, and no packet is taken for trimmed.
     */
    uint64_t dscp_trimmed, dscp_trimmed_lasthop;
    struct uet_fep_params params;
    /* What the specification leaves free, chosen otherwise (variants); NULL: the usual way. Copied
     * when the FEP is made. */
    const struct uet_fep_choices *choices;
};

/* Fills in defaults (the defaults of Table 3-28 where they are known). */
void uet_fep_config_default(struct uet_fep_config *config);

/*
 * A parameter by its name, in a configuration: all of Table 3-28, and this FEP's own. Set returns
 * -ENOENT, or -ERANGE and leaves it alone.
 */
int uet_fep_config_set(struct uet_fep_config *config, const char *name, uint64_t value);
int uet_fep_config_get(const struct uet_fep_config *config, const char *name, uint64_t *value);

/*
 * Makes it one of the variants of refimpl/variants.c: FEPs that conform and choose otherwise.
 * -ENOENT: none of that name. The i-th name and what it does; NULL after the last.
 */
int uet_fep_config_variant(struct uet_fep_config *config, const char *name);
const char *uet_fep_variant(size_t i, const char **text);

/*
 * Has a FEP of this configuration's profile the feature (enum uet_profile_feature, a row of
 * uet_profiles)? What is optional is chosen (profile.c). Of UET_PROFILE_ALL it has all that was
 * built.
 */
bool uet_fep_config_has(const struct uet_fep_config *config, uint8_t feature);
/* Why it has the feature in no profile: "of the link, not of the FEP"; NULL: it can have it. */
const char *uet_fep_never_has(uint8_t feature);

/* What may be said of the i-th parameter; false after the last. */
struct uet_param;
struct uet_fep_param_info {
    const char *name;
    const char *unit;             /* "bool", "ns", "bytes", ... */
    uint64_t low, high, standard; /* what this FEP takes, and its default */
    bool at_start;                /* set before the FEP is made, not later */
    bool local;                   /* this FEP's own, not of Table 3-28 */
    const struct uet_param *spec; /* what the table says; NULL when local */
};
bool uet_fep_param_info(size_t i, struct uet_fep_param_info *info);

/*
 * The same at any time, for those that may change then: -EPERM for the others (at_start).
 */
int uet_fep_param_set(struct uet_fep_params *params, const char *name, uint64_t value);
int uet_fep_param_get(const struct uet_fep_params *params, const char *name, uint64_t *value);
/*
 * The i-th parameter's name and value: in force, or for those that are set before the FEP is made
 * as `config` has it. False after the last.
 */
bool uet_fep_param_at(const struct uet_fep_config *config, const struct uet_fep_params *params,
                      size_t i, const char **name, uint64_t *value);
/* The i-th parameter's name; NULL after the last. */
const char *uet_fep_param_name(size_t i);

/* Are its code points valid, and trimmed packets told from whole ones by them (CMS-011)? */
bool uet_fep_config_dscps(const struct uet_fep_config *config);

/* Bytes that a FEP of this configuration needs; 0 when the configuration is not valid. */
size_t uet_fep_size(const struct uet_fep_config *config);

/* Bytes of it that one PDC takes. */
size_t uet_fep_pdc_size(void);

/*
 * Makes a FEP in memory (uet_fep_size bytes, aligned for any type; zeroed here). The memory stays
 * the caller's and must outlive the FEP. Returns NULL when size is too small, or the configuration
 * is not valid.
 */
struct uet_fep *uet_fep_init(void *memory, size_t size, const struct uet_fep_config *config,
                             uint64_t now_ns);

/*
 * Back to the state after init: PDCs, regions, receives, operations and services are forgotten,
 * what was set of the parameters too. Random numbers, message_ids and the PSNs of each PDCID go on,
 * so that nothing from before is taken for something new.
 */
void uet_fep_reset(struct uet_fep *fep, uint64_t now_ns);

/* The parameters in force, to be changed at any time. */
struct uet_fep_params *uet_fep_params(struct uet_fep *fep);
const struct uet_fep_config *uet_fep_config(const struct uet_fep *fep);

/* A frame has arrived. The bytes are the caller's and are not kept. */
void uet_fep_receive(struct uet_fep *fep, const uint8_t *frame, size_t len, uint64_t now_ns);

/* The time has come to now_ns: timers run. */
void uet_fep_advance(struct uet_fep *fep, uint64_t now_ns);

/* The time of the next timer; UET_FEP_NEVER when none runs. */
uint64_t uet_fep_deadline(const struct uet_fep *fep);

/*
 * Takes the next frame to send, written into buffer (cap >= UET_FRAME_MAX). Returns its length,
 * 0 when there is none now. Call until 0 after every other call.
 */
size_t uet_fep_transmit(struct uet_fep *fep, uint8_t *buffer, size_t cap, uint64_t now_ns);

/* ---- resources: {JobID, PIDonFEP, RI} and what stands behind them (3.4.1.3) ---- */

enum uet_ri_class { UET_RI_RMA, UET_RI_SEND, UET_RI_TAGGED }; /* three RI spaces (SES-056) */

struct uet_service {
    uint32_t job_id;
    uint16_t pid_on_fep;
    uint16_t resource_index;
    uint8_t ri_class;    /* enum uet_ri_class */
    bool has_generation; /* ri_generation is checked */
    uint8_t ri_generation;
    bool disabled;
    bool keeps_unexpected; /* sends without receive wait here for theirs (3.4.3.6.2.2) */
};

/* Opens a resource index; -ENOSPC, -EEXIST, or -EINVAL: this FEP has no such class (3.3.1). */
int uet_fep_service_add(struct uet_fep *fep, const struct uet_service *service);

/* Changes `disabled` and the generation of an open one; -ENOENT. */
int uet_fep_service_set(struct uet_fep *fep, const struct uet_service *service);

#define UET_RIGHT_READ  1u
#define UET_RIGHT_WRITE 2u

/* A memory region behind an RMA service. The bytes stay the caller's. */
struct uet_region {
    uint32_t job_id; /* the job allowed to use it */
    bool any_job;    /* or every job (rel=0 only) */
    uint16_t pid_on_fep;
    uint16_t resource_index;
    uint64_t key;   /* memory key (Table 2-13) */
    uint8_t rights; /* UET_RIGHT_* */
    uint8_t *base;
    uint64_t length;
};

/* Registers a region; returns its handle (>= 0), -ENOSPC, -EEXIST (key taken), or -EINVAL: no
 * bytes, or vendor_specific bits in the key, which is a user's (SES-161). */
int uet_fep_region_add(struct uet_fep *fep, const struct uet_region *region);

/*
 * Takes it back: from now on no packet finds it, of a message in progress neither (RC_BAD_MKEY,
 * SES-063; the other packets of that message fail alike, SES-116). 0: its bytes are not touched any
 * more, and its handle may be given out again. -EBUSY: the bytes of a READ, granted before, are
 * still to be sent, or sent again, from there: call again until 0. -ENOENT: no such handle.
 */
int uet_fep_region_remove(struct uet_fep *fep, int handle);

/*
 * A posted receive buffer. Sends take those of their RI in posting order (SES-090). A tagged send
 * takes the oldest one whose match_bits, but for the bits to ignore, and whose initiator are its
 * own (3.4.1.3.8): the order of MPI, which exact tags do not ask for (SES-093, SES-178).
 */
struct uet_receive {
    uint32_t job_id;
    bool any_job;
    uint16_t pid_on_fep;
    uint16_t resource_index;
    uint8_t *base;
    uint32_t length;
    bool truncate;  /* overlong sends are cut instead of refused (SES-101, SES-102) */
    uint64_t token; /* comes back in the completion */
    bool tagged;
    bool any_initiator;
    uint32_t initiator;
    uint64_t match_bits, ignore;
};

/* Posts a receive; 0, -ENOSPC, or -EINVAL: this FEP has no tags, or no bits to ignore (3.3.1). */
int uet_fep_post_receive(struct uet_fep *fep, const struct uet_receive *receive);

/*
 * Takes back the oldest with this one's pid_on_fep, resource_index, token, and tag (tagged,
 * match_bits, ignore); it has no completion.
 * What is sent next finds the receive after it, or gets RC_NO_MATCH (SES-096). -ENOENT: none waits
 * there; a message that has taken it keeps it, and completes it.
 */
int uet_fep_receive_remove(struct uet_fep *fep, const struct uet_receive *receive);

/*
 * The same, but of one that a message has taken, too: the receive ends with RC_CANCELLED, and so do
 * the packets of that message which are still to come. -ENOENT: it is over, or promised to a
 * message that was put off, or being read into.
 */
int uet_fep_receive_cancel(struct uet_fep *fep, const struct uet_receive *receive);

/* ---- operations of the initiator ---- */

/*
 * Delivery modes (3.5.7). RUDI carries UET_OP_WRITE and UET_OP_READ only, one idempotent packet at
 * a time, to a region whose key has bit 63 (SES-085, SES-086). UUD carries UET_OP_DATAGRAM_SEND
 * only, and nothing else does (SES-038): one packet, no answer; it completes when it has been given
 * out.
 */
enum uet_mode { UET_MODE_RUD, UET_MODE_ROD, UET_MODE_RUDI, UET_MODE_UUD };

enum uet_op_header { UET_OP_HEADER_STD, UET_OP_HEADER_SMALL, UET_OP_HEADER_MEDIUM };

struct uet_operation {
    struct uet_ip to;
    uint8_t opcode; /* UET_OP_*: an opcode whose row starts it (ses/operations.c) */
    uint8_t mode;   /* enum uet_mode */
    uint8_t header; /* enum uet_op_header; small and medium carry one packet */
    bool relative;  /* ses.rel */
    bool delivery_complete;
    bool has_header_data; /* ses.hd: write with immediate, or send with data */
    uint32_t job_id;
    uint16_t pid_on_fep;
    uint16_t resource_index;
    uint8_t ri_generation;
    uint32_t initiator;
    uint64_t buffer_offset;
    uint64_t key;
    uint64_t header_data;
    uint8_t peer_flags, peer_capabilities; /* what the address of the peer says (Table 2-10: enum
                                              fi_addr_flags, fep_capabilities); 0: nothing */
    uint8_t traffic_class;                 /* part of the PDC mapping tuple (PDS-011) */
    bool reserved;          /* so is this: a PDC of the reserved pools (use_rsv_pdc) */
    uint8_t amo, datatype;  /* of an atomic: Tables 3-21 and 3-22 */
    const uint8_t *compare; /* of UET_AMO_CSWAP and its kin; the mask of UET_AMO_MSWAP */
    const uint8_t *data;    /* stays the caller's until the completion */
    uint32_t eager;         /* of a rendezvous: bytes that it brings itself; the target reads the */
    int region;             /* rest, or all, of this region of the FEP, in which `data` lies */
    uint8_t *into;          /* of one that fetches: where `length` bytes go; the caller's, too */
    uint32_t length;
    uint64_t token;
};

/*
 * Starts an operation; 0, -ENOSPC (try again after a completion) or -EINVAL. -EACCES: its job has
 * no secure domain that is in use, and nothing may go in clear; or one in which this FEP is the
 * server, with SSIs, and has heard nothing yet from the client there.
 */
int uet_fep_submit(struct uet_fep *fep, const struct uet_operation *op, uint64_t now_ns);

/* Does it start operations of that opcode, in any mode? */
bool uet_fep_starts(const struct uet_fep *fep, uint8_t opcode);

/* And in that one (enum uet_mode)? */
bool uet_fep_starts_on(const struct uet_fep *fep, uint8_t opcode, uint8_t mode);

/* Asks for the close of every PDC to `to` (initiator side), or of every PDC when to is NULL. */
void uet_fep_close(struct uet_fep *fep, const struct uet_ip *to, uint64_t now_ns);

/* The target side of the same: Close Request on every PDC that this peer opened (3.5.16.4). */
void uet_fep_close_request(struct uet_fep *fep, const struct uet_ip *from, uint64_t now_ns);

/*
 * Sends a NOOP, a Negotiation or a Probe (UET_CTL_*) on the PDC to `to` with JobID 0 and traffic
 * class 0. NOOP and Negotiation open it when there is none (3.5.16.1); a Probe does not and gets
 * -ENOENT. -ENOSPC: no PDC is free. -EACCES: as of an operation. -EINVAL: another ctl_type, or
 * another IP version, or a Negotiation of a FEP that is older than 1.0.3.
 */
int uet_fep_control(struct uet_fep *fep, const struct uet_ip *to, uint8_t ctl_type,
                    uint64_t now_ns);

enum uet_completion_kind {
    UET_COMPLETION_OPERATION, /* an operation of this FEP ended */
    UET_COMPLETION_RECEIVE,   /* a posted receive was filled */
    UET_COMPLETION_WRITE,     /* a write with immediate data arrived (SES-068) */
};

enum uet_completion_status {
    UET_STATUS_OK,
    UET_STATUS_SES_ERROR, /* return_code says which */
    UET_STATUS_PDS_ERROR, /* retries used up, PDC closed in error (PDS-160) */
};

struct uet_completion {
    uint8_t kind;
    uint8_t status;
    uint8_t return_code; /* enum uet_ses_return_code */
    bool has_header_data;
    uint64_t token; /* of the operation or the receive; the region's handle for a write */
    uint64_t header_data;
    uint64_t match_bits; /* of the tagged send that took a receive */
    uint32_t length;     /* bytes moved; of a READ that failed it is not said which of them */
    uint32_t job_id;
    uint32_t initiator;
    struct uet_ip peer;
};

/* Takes the oldest completion; false when there is none. */
bool uet_fep_completion(struct uet_fep *fep, struct uet_completion *completion);

/* ---- transport security: secure domains (3.7) ---- */

/* How a target makes sure that a PDC of the domain is new, and no replay (3.5.8.2). */
enum uet_fep_start {
    UET_EXPECTED_0RTT_START, /* Start_PSN at or above expected_psn is taken at once (TSS-057) */
    UET_RANDOM_1RTT_START,   /* the target says where to begin, at random (TSS-059) */
};

#define UET_FEP_DOMAIN_JOBS 8u /* JobIDs that a domain may name */

/*
 * A secure domain (3.7.4) as it is installed: a row of the SDKDB. Its packets are those of its
 * jobs: what they send is sealed, and nothing else reaches them, neither clear packets nor those of
 * another domain (TSS-048, TSS-049).
 */
struct uet_fep_domain {
    struct uet_tss_params keys; /* SDI, how packets are sealed, and the key of one AN: the one to
                                   send with */
    uint32_t ssi;               /* with keys.ssi_mode: this FEP's; at a client of a server its own,
                                   at the server each client's own is used (TSS-029) */
    uint16_t epoch;
    uint64_t next_counter; /* of the first packet: after a restart beyond all that were used */
    /* No packet with it or beyond (TSS-022); 0 stands for 2^48 - 1. A domain in epoch 0 goes on by
     * itself, once, to a key in its other slot that nothing was sealed with: state.an tells. */
    uint64_t counter_limit;
    uint32_t jobs[UET_FEP_DOMAIN_JOBS]; /* whom it serves: */
    uint8_t n_jobs;                     /* so many of them; 0: all JobIDs */
    uint8_t start;                      /* enum uet_fep_start: for PDCs that peers open */
    uint32_t start_psn;     /* of the PDCs that it opens; 0: at random, until a peer tells one */
    uint32_t expected_psn;  /* the floor: PDCs of peers begin there or above (TSS-057) */
    uint16_t max_epoch_age; /* older packets are dropped (TSS-037) */
    uint32_t auth_fail_threshold; /* more bad ICVs latch the domain (TSS-043); 0: never */
    bool disabled;                /* known, but nothing of it is taken or sent (TSS-039) */
};

/* What is not a choice of the domain's owner: no key, an age of 16, a threshold of 1000. */
void uet_fep_domain_default(struct uet_fep_domain *domain);

/*
 * Installs a domain; the caller wipes its copy of the key. Takes heap, as loading a key does: not
 * for the packet path. 0; -EINVAL (uet_tss_params_error says more of domain->keys, or IPv6 without
 * an SSI in a mode that needs one), -EEXIST, -ENOSPC (max_domains), -ENOMEM.
 *
 * When several domains serve a job, what it sends goes by the first installed of those that name
 * it, else by the first that serves all; what comes may come by any of them.
 */
int uet_fep_domain_install(struct uet_fep *fep, const struct uet_fep_domain *domain);

/* Forgets it and wipes its keys. What was begun in it, of either side, ends in error. -ENOENT. */
int uet_fep_domain_remove(struct uet_fep *fep, uint32_t sdi);

/*
 * Puts a domain in the place of the installed one of its SDI: what was begun there goes on in it.
 * -ENOENT: none is installed. Other errors are those of uet_fep_domain_install: with -ENOMEM the
 * old one is gone, too, as if it had been removed.
 */
int uet_fep_domain_replace(struct uet_fep *fep, const struct uet_fep_domain *domain);

/*
 * Loads a key into the AN slot of an installed domain: what comes with that AN is opened with it
 * from now on (TSS-033), and counter and epoch of the slot are 0 (TSS-035). Everything but the key
 * must be as it was installed: -EINVAL. -EBUSY: it is the slot that is sent with. -ENOENT, -ENOMEM.
 */
int uet_fep_domain_load(struct uet_fep *fep, const struct uet_tss_params *keys);

/* Wipes the key of an AN: what comes with it is dropped. -EBUSY: it is sent with. -ENOENT. */
int uet_fep_domain_unload(struct uet_fep *fep, uint32_t sdi, uint8_t an);

/* Sends with that AN from now on: resends and repeated answers too (TSS-020). -ENOENT: no key. */
int uet_fep_domain_rotate(struct uet_fep *fep, uint32_t sdi, uint8_t an);

/*
 * The epoch and the counter of the next packet, of the AN that is sent with. Neither may go back
 * while it is in use: -EINVAL; a newer epoch may begin with any counter. -ENOENT.
 */
int uet_fep_domain_advance(struct uet_fep *fep, uint32_t sdi, uint16_t epoch, uint64_t counter);

/* How PDCs begin from now on that peers open (enum uet_fep_start). -EINVAL, -ENOENT. */
int uet_fep_domain_start(struct uet_fep *fep, uint32_t sdi, uint8_t start);

/*
 * The counters that a slot may use from now on: those not used so far from `from` on, below `below`
 * and its counter_limit. For hosts that remember over a restart what they have given out.
 * -ENOENT: no such slot has a key.
 */
int uet_fep_domain_reserve(struct uet_fep *fep, uint32_t sdi, uint8_t an, uint64_t from,
                           uint64_t below);

/* Takes it into use, and out of use again; unlatches it. -ENOENT. */
int uet_fep_domain_enable(struct uet_fep *fep, uint32_t sdi, bool enabled);

/* A domain as it is now. There is no key in it. */
struct uet_fep_domain_state {
    uint32_t sdi;
    uint8_t an;      /* that is sent with, ... */
    bool has_key[2]; /* ... and those that have a key */
    uint16_t epoch;
    uint64_t next_counter;
    uint64_t next_of[2]; /* the counters by AN */
    uint32_t start_psn, expected_psn;
    uint8_t start; /* enum uet_fep_start */
    bool enabled, latched;
    uint64_t in_auth_fail_pkts; /* since it was latched or installed last */
};

/* The i-th; false after the last. */
bool uet_fep_domain_get(const struct uet_fep *fep, size_t i, struct uet_fep_domain_state *state);

/*
 * Wipes all keys and gives back what OpenSSL holds for them: before the FEP's memory is given up,
 * when a domain was ever installed. The FEP is to be used no more.
 */
void uet_fep_erase(struct uet_fep *fep);

/* ---- looking inside ---- */

/* Counters by number: every event and every drop has its own name. */
size_t uet_fep_n_counters(void);
const char *uet_fep_counter_name(size_t i);
uint64_t uet_fep_counter(const struct uet_fep *fep, size_t i);

/* PDCs that exist now, as initiator and as target. */
size_t uet_fep_pdcs(const struct uet_fep *fep, bool initiator);

#endif
