/* SPDX-License-Identifier: BSD-2-Clause */
/* The running test, for the harness itself. Tests see it through tc.h. */
#ifndef UET_HARNESS_CONTEXT_H
#define UET_HARNESS_CONTEXT_H

#include <setjmp.h>
#include <stdarg.h>

#include "conformance/harness/context/record.h"
#include "conformance/harness/session.h"
#include "conformance/harness/tc.h"
#include "rules/rules.h"
#include "track/track.h"
#include "wire/print.h"

#define UET_MAX_TOLERATED 16
#define UET_MAX_SET       32
#define UET_TC_PSN_LISTS  64

/* A packet of the tester's, kept for what comes again: its answer, and the leave for a NACK. */
struct uet_sent {
    struct uet_sent *next;
    struct uet_out out;
};

/* What a test has changed at the FEP, a reset does not put back, and the test's end does. */
struct uet_undo {
    struct uet_undo *next;
    int (*undo)(struct uet_tc *tc, const void *what); /* as a verb: below 0, it was refused */
    const void *what;
    bool late; /* when the PDCs are closed */
    bool done; /* by the test itself */
};

struct uet_tc {
    struct uet_session *session;
    const struct uet_test *test;
    struct uet_result *result;
    uint64_t rng;

    jmp_buf leave; /* out of the body */
    bool in_body;
    int preamble; /* > 0: what goes wrong is inconc */
    const char *claim;

    struct uet_arena *arena;
    struct uet_record record;
    struct uet_track *track;
    struct uet_rules *rules;
    struct uet_rules_window window; /* of the FEP, as the rules know it */
    /* How tracker and rules want a frame parsed: as far as it can be, and with the trims seen. */
    struct uet_parse_options parsed_as;

    struct uet_domain *domain; /* in which the test runs; NULL: in none */
    struct uet_undo *undo;     /* newest first */
    struct uet_pdc *pdcs;
    /* Where a PDC of the tester's may begin there; NULL: before the body. */
    void (*secure_start)(struct uet_tc *tc, struct uet_pdc *pdc, const uint32_t *wanted);
    void (*ask_start)(struct uet_tc *tc, struct uet_pdc *pdc); /* of an unstarted one */
    bool starts_by_hand;                                       /* the test itself sees to that */
    bool accepting; /* the FEP may open PDCs to the tester */
    bool by_itself; /* the peer answers: not what the test says */
    bool auto_ack;
    bool no_credit; /* the test itself grants */
    struct uet_in *in_first, *in_last;
    struct uet_in *of_psn[UET_TC_PSN_LISTS]; /* uet_tc_of_psn() */
    struct uet_in *in_forgotten;             /* the last that matches nothing any more, and */
    uint32_t forgotten;                      /* its frame, or that of what the tester sent since */
    struct uet_in *in_taken;     /* the last of those from the first on that are all consumed */
    struct uet_in *in_looked_at; /* the last that was looked at for what it says of closing: */
    bool close_asked;            /* one up to it asks for it, */
    bool closed_said;            /* and one says that it is done, or under way */
    const struct uet_in *current;
    struct uet_want tolerated[UET_MAX_TOLERATED];
    size_t n_tolerated;

    struct uet_step *story; /* what the body said, heard and checked, newest first */
    size_t n_steps;
    const struct uet_packet *sent; /* the last packet of the body */
    uint32_t sent_frame;
    struct uet_asked *asked_ops; /* what the FEP was asked to do, newest first */
    struct uet_begun *begun;     /* those that it has begun, newest first */
    struct uet_posted *posted;   /* the receives that it has posted */
    struct uet_said *said;       /* what may fill them */
    struct uet_answered {
        uint64_t codes;                   /* that the tester has answered with: a bit for each */
        uint32_t modified[8], n_modified; /* and modified_lengths but 0: the last ones */
    } answered;
    bool generation_told;         /* by RC_BAD_GENERATION: operations may have another one */
    char asked[120];              /* what the upper tester was asked for since that packet, or "" */
    struct uet_finding rule_said; /* by which rule the verdict is a fail, or "" */
    bool rule_speaks;             /* a rule judges, not the body */
    uint64_t start_ns, wall_deadline_ns;
    uint64_t quiet_ns;    /* of uet_tc_quiet, once it was asked for */
    struct uet_ip forged; /* a source that is nobody's, of what the test sent last so */
    bool port_broken;
    uint16_t next_message_id;
    uint32_t next_pkt_id;
    bool unsettled;          /* a packet was sent and may still be under way */
    uint64_t last_packet_ns; /* when the last one was sent, or came; 0: none yet */
    uint64_t completed_ns;   /* when the last completion of an operation was told; 0: none yet */
    uint32_t service_count;
    bool late_request; /* the FEP goes on with what an earlier test began */
    bool no_pdc_left;  /* the FEP refuses whatever PDC */
    bool keeps_state;  /* the FEP cannot be reset: numbers of earlier tests are not used again */
    struct uet_open *open; /* where limits are told: the Requests that the FEP was sent */
    bool beyond_told;      /* and the test goes beyond them on purpose */
    bool pdc_refused;      /* as many PDCs as it has were open, and the FEP refused another */
    bool pdc_asked_back;   /* ... or asked for the close of one */
    bool talks_long;       /* it needs more packets than a FEP should send in a test */
    struct uet_memory *any_memory, *any_receive; /* of uet_any_request, NULL: needed none yet */
    bool any_read;                               /* one was a READ: data in a Request is expected */
    struct uet_out *held; /* sent in one go, and still to go out in the order of the point */
    size_t n_held;
    void (*company)(struct uet_tc *tc, const struct uet_pdc *of); /* NULL: it has come */
    bool arranging; /* company or past of the point; how it goes says nothing of the test */
    bool learning;  /* where the FEP begins in a secure domain (secure_start.c) */
    struct uet_storm {
        bool on;
        unsigned losses; /* that there may still be */
        struct uet_out late;
        bool has_late;
    } storm;
    struct uet_out copied; /* the last packet, of which the network may make a copy */
    bool has_copied;
    unsigned n_amid;   /* how often something may have come amid its packets */
    uint64_t rng_amid; /* of that alone (uet_tc_random_amid) */
    /* Other operations before the first of the FEP's; NULL: they are over. */
    void (*past_of_fep)(struct uet_tc *tc, const struct uet_ut_operation *like);
    bool opens_pdc;     /* to the FEP, in the mode of the point */
    bool out_of_step;   /* a Request went out before an older one arrived, or the FEP refused one */
    unsigned in_one_go; /* Requests sent since the last look at what came */
    struct uet_dut_param set[UET_MAX_SET]; /* parameters that this test has changed */
    size_t n_set;
    struct uet_dut_param before[UET_MAX_SET]; /* in place: what they were */
    size_t n_before;
    struct uet_ut_completion *completions; /* taken from the FEP, not yet asked for */
    size_t n_completions, room_completions;
};

/* ---- memory of a test ---- */

struct uet_arena;
/* Zeroed memory until the end of the test; never NULL (ends the test as error). */
void *uet_tc_alloc(struct uet_tc *tc, size_t n);
void *uet_arena_alloc(struct uet_arena **arena, size_t n); /* NULL: no memory */
void uet_arena_free(struct uet_arena **arena);

/*
 * The last Request or CP of a PDC that came with that PSN; `before` leads to those that came
 * earlier. Others of other PSNs and PDCs stand among them.
 */
static inline struct uet_in **uet_tc_of_psn(struct uet_tc *tc, uint32_t psn)
{
    return &tc->of_psn[psn % UET_TC_PSN_LISTS];
}

/* ---- the point at which the test runs ---- */

/*
 * Its place in that dimension, NULL: the ordinary one. To be asked wherever the place alters
 * something: so it is known which dimensions a test reaches.
 */
const struct uet_place *uet_tc_place(struct uet_tc *tc, enum uet_dimension_id dimension);

/* ---- time ---- */

/* The host's monotonic clock in ns, whatever the port's time is. */
uint64_t uet_wall_ns(void);

/* ns of the test's time scale. */
uint64_t uet_tc_scale(const struct uet_tc *tc, uint64_t ns);

/* ---- verdicts (verdict.c) ---- */

#define UET_NEEDS_MORE_PDCS "needs more PDCs at once than the FEP has (max-pdcs)"

/* A Close Request, an ACK that asks for the same, or the Close Command of an initiator. */
bool uet_asks_to_close(const struct uet_in *in);

/* Worsens the verdict; keeps the message of the worst. */
void uet_tc_worsen(struct uet_tc *tc, enum uet_verdict verdict, const char *requirement,
                   const struct uet_in *in, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
void uet_tc_vworsen(struct uet_tc *tc, enum uet_verdict verdict, const char *requirement,
                    const struct uet_in *in, const char *format, va_list args);

/* The FEP broke a requirement: fail, finding or remark, by its level. True when it failed. */
bool uet_tc_violated(struct uet_tc *tc, const char *requirement, const struct uet_in *in,
                     const char *format, ...) __attribute__((format(printf, 4, 5)));
bool uet_tc_vviolated(struct uet_tc *tc, const char *requirement, const struct uet_in *in,
                      const char *format, va_list args);

/* A finding of the test, or NULL: it stands there already, or finds no room. */
struct uet_finding *uet_tc_find(struct uet_tc *tc, const char *requirement, uint32_t frame,
                                const char *why);

/* Does the requirement hold in the version that the run judges by? */
bool uet_tc_in_force(const struct uet_tc *tc, const char *requirement);

/* What a rule reports only (struct uet_violation): a finding; with --strict as any other. */
void uet_tc_reported(struct uet_tc *tc, const char *requirement, const struct uet_in *in,
                     const char *why);
_Noreturn void uet_tc_leave(struct uet_tc *tc);

/* A rule's opinion of a packet that came, or (NULL) of what the upper tester told. It knows no
 * preamble: what breaks it, breaks it. */
void uet_tc_rule_broken(struct uet_tc *tc, const struct uet_in *in, const char *requirement,
                        const char *message);

/* One line on a packet that came. */
const char *uet_tc_line(const struct uet_in *in, char *out);

/* ---- the conversation in words (story.c) ---- */

/* What the body says, hears and checks; what the preamble and the peer by itself do is left out. */
void uet_story_said(struct uet_tc *tc, const struct uet_pdc *pdc, const struct uet_packet *packet);
void uet_story_heard(struct uet_tc *tc, const struct uet_in *in);
/* verb has seven letters, blanks behind it; it is static. */
void uet_story_tell(struct uet_tc *tc, const char *verb, const struct uet_pdc *pdc,
                    const char *format, ...) __attribute__((format(printf, 4, 5)));

/* A line a step with its time, PSNs as "n+3" from the Start_PSN of their PDC. size >= 200. */
void uet_story_write(const struct uet_tc *tc, char *out, size_t size);

/* ---- calls of the upper tester (upper.c) ---- */

/* The upper tester; without one the test ends as skip. */
struct uet_ut *uet_tc_need_ut(struct uet_tc *tc);

/*
 * What a call returned. uet_tc_answered ends the test as error when there was no reply;
 * uet_tc_did_still also when a verb is refused that the upper tester knows, where a test refers to
 * what the FEP gave it.
 */
void uet_tc_answered(struct uet_tc *tc, int rc, const char *verb);
void uet_tc_did_still(struct uet_tc *tc, int rc, const char *verb);

/* Does the upper tester, which there is, know it? Ends the test as error where it tells nothing. */
bool uet_tc_has_verb(struct uet_tc *tc, const char *verb);

/* Makes the FEP forget what earlier tests left; false when the upper tester does not do it. */
bool uet_tc_reset(struct uet_tc *tc);

/* A Request of the FEP has come in this test. */
bool uet_tc_request_came(const struct uet_tc *tc);

/*
 * As uet_tc_random, for what comes amid the packets of a test (amid.c): which numbers the test
 * itself takes depends on the PDCIDs that tests before it used.
 */
uint64_t uet_tc_random_amid(struct uet_tc *tc);

/* ---- parameters of the FEP (params.c) ---- */

/* Gives a FEP's retransmission timer the host's slowness, where that can be done. */
void uet_tc_slow_timers(struct uet_tc *tc);

/* In place: sets back what the test has set, for the body that comes next. */
void uet_tc_params_back(struct uet_tc *tc);
/* Tells the rules what is known of its window (rules.h), which a set parameter may change. */
void uet_tc_tell_window(struct uet_tc *tc);

/* Makes a FEP that is set to no retries retry, where it can be set. */
void uet_tc_let_retry(struct uet_tc *tc);

#endif
