/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a test's body works with. conformance/tests/README.md shows how.
 *
 * A failed expectation leaves the body at once (longjmp): a body owns nothing that must be freed,
 * for all it gets lives as long as the test.
 */
#ifndef UET_CONFORMANCE_TC_H
#define UET_CONFORMANCE_TC_H

#include "conformance/harness/dut.h"
#include "conformance/harness/seal.h"
#include "conformance/harness/test.h"
#include "conformance/result.h"
#include "port/port.h"
#include "ut/verbs.h"
#include "wire/build.h"
#include "wire/class.h"
#include "wire/packet.h"

#define UET_MS 1000000ull
#define UET_US 1000ull

/* ---- the running test ---- */

/* What fep.yaml tells of the FEP. */
const struct uet_dut *uet_tc_dut(const struct uet_tc *tc);

/* The upper tester, or NULL. Initiator tests always have one; others name it in `needs`. */
struct uet_ut *uet_tc_ut(const struct uet_tc *tc);

uint64_t uet_tc_now(const struct uet_tc *tc); /* the port's clock, ns */
uint64_t uet_tc_random(struct uet_tc *tc);    /* same seed and test: same numbers */
bool uet_tc_virtual_time(const struct uet_tc *tc);

/* A parameter of the FEP in its unit (ns, bytes); ends the test as skip when it is not known. */
uint64_t uet_tc_param(struct uet_tc *tc, const char *name);

/* What fep.yaml or the FEP tells of a parameter, whatever the test has set it to. */
bool uet_tc_told(struct uet_tc *tc, const char *name, uint64_t *value);

/* The same of a parameter that Table 3-28 does not have; the least that it may be (dut.h) where
 * nothing is told, or less: a FEP tells 0 of what it does not use. */
uint64_t uet_tc_told_or_least(struct uet_tc *tc, const char *name);

/* The ceiling of NSCC's window in bytes, told or by its formula (3.6.13.3); 0: it is not known. */
uint64_t uet_tc_max_wnd(struct uet_tc *tc);

/*
 * How long to listen for what must not come, or may: longer than the timers that are told of the
 * FEP, as it comes. Durations given to the functions below are those of the FEP; --time-scale is
 * applied there.
 */
uint64_t uet_tc_quiet(struct uet_tc *tc);

/* The FEP's response time, scaled, and longer where the host is slow: what is waited for without a
 * time of its own has so long. */
uint64_t uet_tc_patience(const struct uet_tc *tc);

/* How much too late (or early) something timed may come: 0 in virtual time. */
uint64_t uet_tc_tolerance(const struct uet_tc *tc, uint64_t duration_ns);

/* When what is due after duration_ns has come at the latest: the tolerance and 1 ms on top. */
uint64_t uet_tc_latest(const struct uet_tc *tc, uint64_t duration_ns);

/* The second address of the tester; ends the test as skip when there is none. */
struct uet_ip uet_tc_second_address(struct uet_tc *tc);

/* n bytes that tell packets apart; they live as long as the test. */
const uint8_t *uet_tc_bytes(struct uet_tc *tc, size_t n);

/* ---- the tester's peer: PDCs ---- */

#define UET_NEW_PDC_TIME_MOST 100000000u /* ns: the most that New_PDC_Time may be (3.5.5) */

/*
 * A PDC as the tester sees it. Windows, CLEAR and CACK are kept here, apart from any FEP's code.
 * A test may change every member.
 */
struct uet_pdc {
    struct uet_tc *tc;
    struct uet_pdc *next;
    bool initiator;            /* the tester opened it */
    bool rod;                  /* else RUD */
    struct uet_ip self;        /* the tester's address */
    struct uet_domain *domain; /* the secure domain that it belongs to (TSS-045); NULL: none */
    uint8_t sender;            /* its SSI is so much above that of the address; 1: never */
    uint16_t pdcid;            /* ours: spdcid of what we send */
    uint16_t first_pdcid;      /* the one that it was made with */
    uint16_t fep_pdcid;        /* the FEP's, 0 while unknown */
    uint16_t entropy;          /* UDP source port of what we send first */
    uint32_t start_psn;        /* of both directions (PDS-028) */
    uint32_t next_psn;         /* the next PSN we send */
    uint32_t in_step;          /* all below it went out in the order of PSNs */
    uint32_t fep_cack;         /* all that we sent up to here is acknowledged */
    uint32_t clear_psn;        /* CLEAR_PSN of what we send next (3.5.11.4.4) */
    uint32_t clear_told;       /* the highest CLEAR_PSN sent so far */
    uint32_t cack;             /* all that the FEP sent up to here has arrived */
    uint32_t cack_told;        /* the highest CACK_PSN sent so far */
    uint64_t rcvd_bytes;       /* nominal bytes of the Requests that came (3.6.13.9) */
    uint32_t rcvd_told;        /* the highest rcvd_bytes sent so far, in 256 bytes, modulo 2^24 */
    uint8_t mpr;               /* advertised in ACK_CC, in 128 PSNs */
    bool ack_cc;               /* acknowledge with ACK_CC */
    bool auto_ack;             /* answer requests and CPs of the FEP by itself */
    bool auto_clear;           /* advance clear_psn and send Clear Commands by itself */
    bool answered;             /* an ACK was sent: the FEP knows our PDCID */
    bool credit_lost;          /* it has asked for what it was given before */
    bool on_credit;            /* the FEP sends on credit (3.6.14): */
    uint8_t ccc_id;            /* ... of this CCC, */
    uint32_t credit_target;    /* ... the highest that it told here, */
    uint32_t credit_given;     /* ... and what it was granted here, in all */
    bool closing, closed;      /* a Close Command was sent or came; the PDC is gone */
    bool in_error;             /* ... by a fatal NACK, and the FEP may keep it until it is closed */
    uint32_t close_psn;
    const struct uet_in *refused; /* the NACK by which the FEP keeps the PDC, or NULL */
    bool auto_close;              /* the postamble closes it */
    bool unfinished;              /* ... or tries to, where no reset ends what it may have open */
    bool unstarted;     /* the FEP is asked where it begins, before its first packet is built */
    bool stays_pending; /* ... and New_PDC_Time was set, so that it is PENDING for long */
    bool was_told;      /* ... it was not, and the FEP has told where to begin */
    bool told_anew;     /* ... and again, when the PDC began there: what was PENDING was over */
    bool aside;         /* the harness's own: what comes on it concerns no test */
    uint8_t acked[8192], heard[8192]; /* a bit for each PSN (modulo 65536) of the last 2^15 */
    struct uet_sent *sent;            /* what was sent, newest first */
};

/*
 * A PDC about to be opened, RUD: fresh PDCID, random Start_PSN, or that of the point (point.h:
 * psn). Nothing is sent.
 */
struct uet_pdc *uet_pdc_new(struct uet_tc *tc);

/* The same with a Start_PSN of the test's choice, or from another address of the tester. */
struct uet_pdc *uet_pdc_new_at(struct uet_tc *tc, uint32_t start_psn);
struct uet_pdc *uet_pdc_new_from(struct uet_tc *tc, struct uet_ip self);

/*
 * Preamble: a PDC opened with one Request (uet_any_request) and acknowledged. What goes wrong in
 * here makes the test inconc, not fail.
 */
struct uet_pdc *uet_pdc_open(struct uet_tc *tc);

/* Has the FEP acknowledged this PSN; all that was sent? */
bool uet_pdc_acknowledged(const struct uet_pdc *pdc, uint32_t psn);
bool uet_pdc_all_acknowledged(const struct uet_pdc *pdc);

/* Everything between these two calls is preamble in the same sense. */
void uet_preamble_begin(struct uet_tc *tc);
void uet_preamble_end(struct uet_tc *tc);

/* ---- packets to send ---- */

/*
 * A packet about to be sent, headers filled in correctly. A test overrides any field with the
 * accessors of uet_spec.h (uet_rud_rod_req_dpdcid_set(o.pds, 0)) or any member here.
 */
struct uet_out {
    struct uet_pdc *pdc;    /* may be NULL: a packet of no PDC */
    struct uet_route route; /* addresses, entropy, ECN, DSCP */
    struct uet_wrong wrong; /* lengths and checksums wrong on purpose */
    uint8_t protect;        /* enum uet_protect */
    struct uet_seal tss;    /* with UET_PROTECT_TSS: for which domain, and what is wrong there */
    uint8_t pds[64], ses[96];
    uint16_t pds_len, ses_len; /* bytes of the headers; cut or extended at will */
    const uint8_t *payload;
    uint32_t payload_len;
    uint8_t pad; /* bytes of no meaning behind the IP packet, as short frames have them */
    uint16_t
        fragment; /* IPv4: flags and fragment offset in the place of DF alone; 0: as it should be */
    uint8_t ip_protocol; /* in the place of that of its encapsulation; 0: as it should be */
    uint16_t trim_to;    /* bytes behind the IP header that a switch leaves of it; 0: all (4.1) */
    uint32_t psn;        /* the PSN or pkt_id that it took, for what comes back */
    const char *meant;   /* what the test means with it, for the capture; NULL: said by itself */
};

/* The initiator ID of what the tester sends: a number that needs all its bits. */
#define UET_TC_SENDER 0xfedc0007u

/*
 * What tests ask the FEP for: readable numbers, so that a capture is easy to read. The JobID needs
 * all bits of its field; of the rest the FEP may have few.
 */
enum { UET_TC_JOB = 0xa51001, UET_TC_PID = 3, UET_TC_RI = 5 };

/* Where requests go: a service of the FEP, and for WRITE a memory region behind it. */
struct uet_memory {
    uint32_t job_id;
    uint16_t pid_on_fep;
    uint16_t resource_index;
    uint8_t ri_generation;
    bool relative;
    uint64_t key;
    uint32_t length;      /* bytes of the region or of a posted buffer */
    uint64_t handle;      /* of the upper tester, when there is one; of the first buffer */
    uint64_t last_handle; /* of the last of several buffers */
};

/*
 * A writable region of at least `length` bytes; a send resource with `count` posted buffers of
 * `length` bytes. The upper tester makes them; without one fep.yaml must name them, else the test
 * ends as skip.
 */
struct uet_memory uet_need_memory(struct uet_tc *tc, uint32_t length);
/* The same, or one of the least bytes where the FEP has none so long. */
struct uet_memory uet_need_long_memory(struct uet_tc *tc, uint32_t length, uint32_t least);
/* A region that RUDI may write to: its key has idempotent_safe (Table 2-13); upper tester only. */
struct uet_memory uet_need_idempotent(struct uet_tc *tc, uint32_t length);

struct uet_memory uet_need_receive(struct uet_tc *tc, uint32_t length, unsigned count);

/* The same behind an index with that generation; upper tester only (3.4.3.6.3). */
struct uet_memory uet_need_generation(struct uet_tc *tc, uint32_t length, unsigned count,
                                      uint8_t generation);
/* From now on the index has that generation in this space (enum uet_ut_class). */
void uet_set_generation(struct uet_tc *tc, const struct uet_memory *m, uint8_t ri_class,
                        uint8_t generation);

/* A tagged resource, and on the same RI an untagged one, without buffers; upper tester only. */
struct uet_memory uet_need_tagged(struct uet_tc *tc);
/* The same where no receive may be there at first: a FEP that opens a resource with the first
 * receive alone is skipped. */
struct uet_memory uet_need_empty(struct uet_tc *tc);
/* The same, where sends without receive are kept with their payload (3.4.3.6.2.2). */
struct uet_memory uet_need_keeping(struct uet_tc *tc);

/* The same made to measure; upper tester only (else skip). The service is opened too. */
struct uet_memory uet_need_memory_like(struct uet_tc *tc, const struct uet_ut_memory *like);
/* Of that length, or where the FEP refuses that, of the least bytes. */
struct uet_memory uet_need_memory_up_to(struct uet_tc *tc, const struct uet_ut_memory *like,
                                        uint32_t least);

/*
 * For the sanity tests alone: tries every entry of fep.yaml's `memory`, or `receives`, by a WRITE
 * or READ of its last bytes, or two SENDs. A FEP that refuses them, or says nothing, makes the
 * test inconc with the line of each such entry; tests that would use one end as inconc, too.
 */
void uet_try_declared_memory(struct uet_tc *tc);
void uet_try_declared_receives(struct uet_tc *tc);

/* The bytes of a region or buffer as the FEP has them; upper tester only (else skip). */
void uet_read_back(struct uet_tc *tc, const struct uet_memory *m, uint64_t offset, void *out,
                   size_t n);

/*
 * Requests take the next PSN of the PDC; syn and psn_offset are set while the FEP's PDCID is not
 * known, ar always. One packet with SOM and EOM unless said otherwise.
 */
struct uet_out uet_no_op(struct uet_pdc *pdc); /* SES NO_OP, zero address (SES-028) */
/*
 * The least that the FEP claims, for tests to which any Request will do: a NO_OP; else a WRITE of
 * no bytes; else a SEND of no bytes. Ends the test as skip when it claims none of them (`needs`
 * any-request says so before).
 */
struct uet_out uet_any_request(struct uet_pdc *pdc);
struct uet_out uet_write(struct uet_pdc *pdc, const struct uet_memory *m, uint64_t offset,
                         const void *data, uint32_t n);
struct uet_out uet_send_message(struct uet_pdc *pdc, const struct uet_memory *m, const void *data,
                                uint32_t n);
/* A READ of n bytes in one packet; it carries none (3.4.1.5.3). */
struct uet_out uet_read(struct uet_pdc *pdc, const struct uet_memory *m, uint64_t offset,
                        uint32_t n);
/*
 * An atomic (3.4.2.4): the operand, n bytes of it, in the byte order of the network. With `compare`
 * both stand in the longer extension, which counts as 32 bytes of payload (SES-021, 022, 166).
 */
struct uet_atomic {
    uint8_t amo, datatype; /* Tables 3-21, 3-22 */
    const void *operand;
    uint32_t n;
    const void *compare; /* n bytes: what is compared, or the mask; NULL: one operand */
    bool plain;          /* UET_ATOMIC; else UET_FETCHING_ATOMIC */
    bool tagged;         /* UET_TSEND_ATOMIC, UET_TSEND_FETCH_ATOMIC: the key is a tag (3.4.6.2) */
};
uint8_t uet_atomic_opcode(const struct uet_atomic *a);
struct uet_out uet_atomic(struct uet_pdc *pdc, const struct uet_memory *m, uint64_t offset,
                          const struct uet_atomic *a);
/* Optimized headers (3.4.2.2): small and medium, opcode WRITE, SEND or READ (data unread). */
struct uet_out uet_small(struct uet_pdc *pdc, uint8_t opcode, const struct uet_memory *m,
                         uint64_t offset, const void *data, uint32_t n);
struct uet_out uet_medium(struct uet_pdc *pdc, uint8_t opcode, const struct uet_memory *m,
                          uint64_t offset, const void *data, uint32_t n);

/*
 * A message of several packets, cut at the FEP's payload MTU, written to out (at most max);
 * returns how many. opcode is WRITE, SEND or READ (data unread); ar is set in the last one only.
 */
size_t uet_message(struct uet_pdc *pdc, uint8_t opcode, const struct uet_memory *m, uint64_t offset,
                   const void *data, uint32_t n, struct uet_out *out, size_t max);

/*
 * A Control Packet (Table 3-66) with the ar, psn and payload that its type wants: NOOP, Close
 * Command, Close Request, Negotiation take the next PSN; the others have what the test sets.
 */
struct uet_out uet_cp(struct uet_pdc *pdc, uint8_t ctl_type);

/* An ACK of a packet of the FEP: default response for requests and read data, none for CPs. */
struct uet_in;
struct uet_out uet_ack(struct uet_pdc *pdc, const struct uet_in *in);

/* The same carrying a SES response (3.4.2.5); req is left to the test. */
struct uet_out uet_ack_with(struct uet_pdc *pdc, const struct uet_in *in, uint8_t opcode,
                            uint8_t list, uint8_t return_code);
struct uet_out uet_nack(struct uet_pdc *pdc, uint32_t psn, uint8_t code);

/*
 * Answers to a READ that the FEP sent, with the bytes that it asks for out of those of the whole
 * message (3.5.12.1): an ACK that asks for a clear and whose CACK_PSN waits for it; a Request of
 * the return direction, which takes the PDC's next PSN; a RUDI Response.
 */
struct uet_out uet_ack_data(struct uet_pdc *pdc, const struct uet_in *in, const void *message);
struct uet_out uet_return_data(struct uet_pdc *pdc, const struct uet_in *in, const void *message);
struct uet_out uet_rudi_answer_data(struct uet_tc *tc, const struct uet_in *in,
                                    const void *message);
/* How many bytes that packet of a READ asks for: a first one tells it by the payload MTU alone. */
uint32_t uet_read_asked(const struct uet_tc *tc, const struct uet_in *in);

/*
 * Packets without a PDC (pdc is NULL). RUDI: a WRITE or READ whose pkt_id no other packet of the
 * run has, which is also its psn here; the response that its ACK is (3.5.10.9); its NACK
 * (3.5.10.10). UUD: a UET_DATAGRAM_SEND of one packet, message_id 0.
 */
struct uet_out uet_rudi_write(struct uet_tc *tc, const struct uet_memory *m, uint64_t offset,
                              const void *data, uint32_t n);
struct uet_out uet_rudi_read(struct uet_tc *tc, const struct uet_memory *m, uint64_t offset,
                             uint32_t n);
/* A message of n bytes from the start of the memory, each packet with a pkt_id of its own; how many
 * there are, at most max. A READ has no data. */
size_t uet_rudi_message(struct uet_tc *tc, uint8_t opcode, const struct uet_memory *m,
                        const void *data, uint32_t n, struct uet_out *out, size_t max);
struct uet_out uet_rudi_answer(struct uet_tc *tc, const struct uet_in *in, uint8_t return_code);
struct uet_out uet_rudi_nack(struct uet_tc *tc, const struct uet_in *in, uint8_t code);
struct uet_out uet_datagram(struct uet_tc *tc, const struct uet_memory *m, const void *data,
                            uint32_t n);

/* Sends it now. The packet stays good and may be altered and sent again. */
void uet_send(struct uet_tc *tc, const struct uet_out *out);

/* Sends it again as a retransmission: retx=1, ar=1 (3.5.15). */
void uet_resend(struct uet_tc *tc, const struct uet_out *out);

/* ---- packets that came ---- */

struct uet_in {
    struct uet_packet packet; /* its bytes live as long as the test */
    uint64_t time_ns;
    uint32_t frame;      /* number in the capture, from 1 */
    struct uet_pdc *pdc; /* of the tester, by address and dpdcid; NULL: none */
    bool retransmission; /* a request or CP whose PSN had come before */
    bool counted;        /* rcvd_bytes of its PDC counts it */
    uint32_t cleared;    /* the highest CLEAR_PSN that we had sent on its PDC when it came */
    bool consumed;       /* an expectation took it */
    bool code_wanted;    /* a check wanted the return code that it carries */
    bool tolerated;
    bool lost;         /* in a storm, or refused there: nobody has taken it */
    const char *broke; /* the first MUST (--strict: or SHOULD) whose rule it broke; NULL: none */
    struct uet_in *next;
    struct uet_in *before; /* one that came earlier, maybe with the same PSN */
};

/* Bytes of a packet from its UDP or entropy header to the trailer, and 40 for what is around them
 * (3.6.12). */
uint32_t uet_nominal_size(const struct uet_packet *p);

/* rcvd_bytes that tells of so many bytes: rounded up, 24 bits (3.6.9.2). */
static inline uint32_t uet_rcvd_units(uint64_t bytes)
{
    return (uint32_t)((bytes + UET_RCVD_BYTES_UNIT - 1) / UET_RCVD_BYTES_UNIT) & 0xffffff;
}

/* What to wait for. Members left 0 say nothing. */
enum uet_want_kind {
    UET_WANT_ANY = UET_CLASS_ANY,
    UET_WANT_ACK = UET_CLASS_ACK,
    UET_WANT_NACK = UET_CLASS_NACK,
    UET_WANT_REQUEST = UET_CLASS_REQUEST,
    UET_WANT_CP = UET_CLASS_CP,
    UET_WANT_RUDI_REQUEST = UET_CLASS_RUDI_REQUEST,
    UET_WANT_RUDI_RESPONSE = UET_CLASS_RUDI_RESPONSE,
    UET_WANT_UUD = UET_CLASS_UUD,
    UET_WANT_ANSWER = UET_CLASS_ANSWER, /* what the FEP sends by itself is neither ACK nor NACK */
};

struct uet_want {
    uint8_t kind;              /* enum uet_want_kind */
    const struct uet_pdc *pdc; /* it belongs to this PDC */
    bool with_psn;             /* ACK_PSN, nack_psn, psn or (RUDI) pkt_id is the one below */
    bool covering;             /* an ACK whose ACK_PSN or CACK_PSN covers it will do */
    uint32_t psn;
    const uint8_t *codes; /* nack_code or ctl_type is one of these */
    size_t n_codes;
    bool (*also)(const struct uet_in *in, const void *ctx); /* and this holds, unless NULL */
    const void *ctx;
    const char *named; /* in words; NULL: made from the members */
    bool again;        /* it comes when the FEP retries: one that is set not to, skips the test */
    uint64_t within;   /* ns, for the steps of steps.h; 0: as long as each says */
};

/*
 * Waits until a packet matches or within_ns is over (0: the FEP's response time). Packets that
 * came before and were not taken by another expectation match as well; each is taken once. What a
 * conforming FEP may send meanwhile is tolerated and judged by the rules; anything else that
 * nothing expects fails the test at its end. At the deadline the test fails.
 */
const struct uet_in *uet_expect(struct uet_tc *tc, const struct uet_want *want, uint64_t within_ns);

/* The same, but NULL at the deadline: for what may come. */
const struct uet_in *uet_maybe(struct uet_tc *tc, const struct uet_want *want, uint64_t within_ns);

/* Nothing that matches may come for duration_ns (0: uet_tc_quiet), nor have come untaken. */
void uet_expect_nothing(struct uet_tc *tc, const char *requirement, const struct uet_want *want,
                        uint64_t duration_ns);

/* The ACK that names this PSN; that names or covers it; the NACK; the request; the CP. */
const struct uet_in *uet_expect_ack(struct uet_tc *tc, const struct uet_pdc *pdc, uint32_t psn);
const struct uet_in *uet_expect_covered(struct uet_tc *tc, const struct uet_pdc *pdc, uint32_t psn);
/*
 * The ACK that names this PSN and says what became of it: one with UET_NO_RESPONSE tells arrival
 * only, and the response follows in another ACK (3.4.3.6.2). When none follows, that ACK itself.
 */
const struct uet_in *uet_expect_answer(struct uet_tc *tc, const struct uet_pdc *pdc, uint32_t psn);
const struct uet_in *uet_expect_nack(struct uet_tc *tc, const struct uet_pdc *pdc, uint32_t psn,
                                     uint8_t code);
const struct uet_in *uet_expect_nack_of(struct uet_tc *tc, const struct uet_pdc *pdc, uint32_t psn,
                                        const uint8_t *codes, size_t n);
const struct uet_in *uet_expect_request(struct uet_tc *tc, const struct uet_pdc *pdc, uint32_t psn);
/* The next request of the FEP, first copies only; pdc NULL: on any PDC. */
const struct uet_in *uet_expect_any_request(struct uet_tc *tc, const struct uet_pdc *pdc);
/* The same, or NULL when none comes within a short while: the FEP sends no more for now. */
const struct uet_in *uet_next_request(struct uet_tc *tc, const struct uet_pdc *pdc);
const struct uet_in *uet_expect_cp(struct uet_tc *tc, const struct uet_pdc *pdc, uint8_t ctl_type);

/* Lets time pass: packets are taken in and answered by the peer. */
void uet_wait(struct uet_tc *tc, uint64_t duration_ns);

/*
 * Did the FEP answer this PSN with a response that it delivers with guarantee, and ask for its
 * clear (3.5.20.2.2)? A FEP may do so with any UET_RESPONSE, a success too; CACK_PSN then waits.
 */
bool uet_guaranteed(const struct uet_tc *tc, const struct uet_pdc *pdc, uint32_t psn);

/* What came so far and was not expected no longer matches anything. */
void uet_forget(struct uet_tc *tc);

/* The same with what the FEP has sent so far and is still under way. */
void uet_forget_settled(struct uet_tc *tc);

/* From now on such packets need no expectation. Codes are copied; ctx is not. */
void uet_tolerate(struct uet_tc *tc, const struct uet_want *want);

/* Initiator tests: are requests of the FEP acknowledged by themselves (true at the start)? */
void uet_auto_ack(struct uet_tc *tc, bool on);

/* Does a FEP with RCCC get more credit than it wants by itself (true at the start)? */
void uet_auto_credit(struct uet_tc *tc, bool on);

/* Target tests: from now on the FEP may open PDCs to the tester, as initiator tests let it. */
void uet_accept_pdcs(struct uet_tc *tc);

/*
 * From now on the network loses, doubles and delays what comes, and what the peer answers by
 * itself; it loses no more packets than that (said again: anew). Until uet_calm; a body ends calm.
 */
void uet_storm(struct uet_tc *tc, unsigned losses);
void uet_calm(struct uet_tc *tc);

/*
 * The test has more open than fep.yaml tells (max-open-messages, max-reads, max-pdcs), to see the
 * refusal.
 */
void uet_beyond_told(struct uet_tc *tc);

/* The test needs so many packets that another would be stopped for them: a number goes round. */
void uet_talk_long(struct uet_tc *tc);

/* For what comes only when the FEP retries: one that is set to no retries skips the test. */
void uet_need_retries(struct uet_tc *tc);

/* ---- verdicts ---- */

/* The requirement that the following expectations test; at the start the test's first. Returns the
 * one that it was before. */
const char *uet_for(struct uet_tc *tc, const char *requirement);

/* The packet that the following checks look at; expectations set it to what they took. */
void uet_look_at(struct uet_tc *tc, const struct uet_in *in);

/*
 * Checks: false (with the reason recorded) when not met. A MUST that is not met fails the test and
 * leaves the body; a SHOULD is a finding and the body goes on; --strict makes it fail.
 */
bool uet_check(struct uet_tc *tc, const char *requirement, bool met, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool uet_check_eq(struct uet_tc *tc, const char *requirement, const char *what, uint64_t got,
                  uint64_t want);
bool uet_check_enum(struct uet_tc *tc, const char *requirement, const char *what,
                    uint8_t enumeration, uint64_t got, uint64_t want);

/* The packet carries a SES response with this return code. */
bool uet_check_return_code(struct uet_tc *tc, const char *requirement, const struct uet_in *in,
                           uint8_t return_code);

/*
 * The same where another reading has another code: that one is a finding (uet_other_reading).
 */
bool uet_check_code_or(struct uet_tc *tc, const char *requirement, const struct uet_in *in,
                       uint8_t return_code, uint8_t other);

/* The packet carries a success: a default response, or UET_RESPONSE with RC_OK. */
bool uet_check_success(struct uet_tc *tc, const char *requirement, const struct uet_in *in);

/*
 * The FEP follows the other reading of a contested requirement, or a way that one known
 * implementation goes: a finding; --strict makes it fail and leaves the body.
 */
void uet_other_reading(struct uet_tc *tc, const char *requirement, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * A sanity test: other tests can go on, whatever comes out here from now on. Without it, what
 * builds on a sanity test that did not pass is inconc.
 */
void uet_ground_holds(struct uet_tc *tc);

/* Ends the test: the FEP broke the requirement; the tester or the network spoilt it; no claim. */
void uet_fail(struct uet_tc *tc, const char *requirement, const char *format, ...)
    __attribute__((format(printf, 3, 4), noreturn));
void uet_inconc(struct uet_tc *tc, const char *format, ...)
    __attribute__((format(printf, 2, 3), noreturn));
void uet_error(struct uet_tc *tc, const char *format, ...)
    __attribute__((format(printf, 2, 3), noreturn));
void uet_skip(struct uet_tc *tc, const char *format, ...)
    __attribute__((format(printf, 2, 3), noreturn));
/* uet_skip() says that the FEP took another way, as it may; this one says what else it was. */
void uet_skip_for(struct uet_tc *tc, enum uet_skip_reason reason, const char *format, ...)
    __attribute__((format(printf, 3, 4), noreturn));

/* A remark that worsens nothing. */
void uet_note(struct uet_tc *tc, const char *requirement, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- a FEP that goes on to serve ---- */

/* How long what is over may stay at the FEP: the told timers by which it lets go by itself. */
uint64_t uet_linger(struct uet_tc *tc);

/* A NACK that says that the FEP has no room, for a PDC or for a packet (Table 3-58). */
bool uet_short_of_room(const struct uet_in *in);

/*
 * Sends it and takes the answer: an ACK that names or covers it, a NACK. What is refused for want
 * of room, or not answered, is sent again after uet_linger, and later once more. NULL: no answer.
 */
const struct uet_in *uet_answered(struct uet_tc *tc, const struct uet_out *o);

/* The same for one packet of a READ: the next data that comes on its PDC, in an ACK or a Request.
 */
const struct uet_in *uet_data_answered(struct uet_tc *tc, const struct uet_out *o);

/*
 * The FEP serves as on its first day: a PDC opens, carries a Request and closes, and the largest
 * operations that it claims, of several packets, succeed; as initiator also one of its own. What it
 * is short of, it gets time for. `worst` UET_FAIL: else the test fails, whatever the level of the
 * requirement; UET_PASS: as uet_check has it. The region is one of the test's, or NULL.
 */
void uet_serves(struct uet_tc *tc, const char *requirement, enum uet_verdict worst,
                const struct uet_memory *region);

/* ---- driving the FEP (upper tester) ---- */

/* A peer service of the tester's for the FEP to address; any numbers will do. */
struct uet_ut_operation uet_op(struct uet_tc *tc, uint32_t length);

/*
 * What a call of the upper tester returned: a refusal ends the test as skip, for a FEP need not
 * know every verb, mode and argument; no reply as error.
 */
void uet_did(struct uet_tc *tc, int rc, const char *verb);

/* For a verdict: what made the FEP act. For who calls uet_ut_* directly; the uet_do_* say it. */
void uet_note_asked(struct uet_tc *tc, const char *verb, const struct uet_ut_operation *op);

/*
 * The same as a uet_do_* where a refusal is an answer: false. No reply ends the test as error, a
 * mode or a verb that `hello` does not tell as skip.
 */
bool uet_tries(struct uet_tc *tc, const struct uet_ut_operation *op, const char *verb,
               int (*call)(struct uet_ut *ut, const struct uet_ut_operation *op, uint64_t *handle),
               uint64_t *handle);

/* Make the FEP initiate; the handle comes back in the completion. Refusal is `skip`. */
uint64_t uet_do_send(struct uet_tc *tc, const struct uet_ut_operation *op);
uint64_t uet_do_tagged_send(struct uet_tc *tc, const struct uet_ut_operation *op);
uint64_t uet_do_deferrable_send(struct uet_tc *tc, const struct uet_ut_operation *op);
uint64_t uet_do_deferrable_tagged_send(struct uet_tc *tc, const struct uet_ut_operation *op);
uint64_t uet_do_rendezvous_send(struct uet_tc *tc, const struct uet_ut_operation *op);
uint64_t uet_do_rendezvous_tagged_send(struct uet_tc *tc, const struct uet_ut_operation *op);
uint64_t uet_do_write(struct uet_tc *tc, const struct uet_ut_operation *op);
uint64_t uet_do_read(struct uet_tc *tc, const struct uet_ut_operation *op);
uint64_t uet_do_atomic(struct uet_tc *tc, const struct uet_ut_operation *op);
uint64_t uet_do_fetching_atomic(struct uet_tc *tc, const struct uet_ut_operation *op);
uint64_t uet_do_tagged_atomic(struct uet_tc *tc, const struct uet_ut_operation *op);
uint64_t uet_do_tagged_fetching_atomic(struct uet_tc *tc, const struct uet_ut_operation *op);
uint64_t uet_do_no_op(struct uet_tc *tc, const struct uet_ut_operation *op);

/* Sets a parameter of the FEP for this test; ends it as skip when the FEP cannot. */
void uet_set_param(struct uet_tc *tc, const char *name, uint64_t value);

/* The same where it only helps: false when the FEP cannot. */
bool uet_try_param(struct uet_tc *tc, const char *name, uint64_t value);

/* Waits for the completion of that handle; false when none came within_ns (0: response time). */
bool uet_completion(struct uet_tc *tc, uint64_t handle, uint64_t within_ns,
                    struct uet_ut_completion *out);

/* The same for a completion of whatever handle that no call has taken. */
bool uet_any_completion(struct uet_tc *tc, uint64_t within_ns, struct uet_ut_completion *out);

/* Waits for the completion of that handle: the test fails at the deadline. */
struct uet_ut_completion uet_expect_completion(struct uet_tc *tc, uint64_t handle);

/*
 * Waits for the FEP to open a PDC to the tester, and gives it with its first Request. A NOOP may
 * come before that and open it (3.5.16.1).
 */
struct uet_pdc *uet_accept(struct uet_tc *tc, const struct uet_in **first);

#endif
