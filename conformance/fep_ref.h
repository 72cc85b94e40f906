/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * `--fep ref`: the reference FEP in this process, behind a memory port with virtual time, driven by
 * an upper tester in process. A mutator may stand at its port (violate/mutate.h).
 */
#ifndef UET_CONFORMANCE_FEP_REF_H
#define UET_CONFORMANCE_FEP_REF_H

#include "conformance/harness/dut.h"
#include "port/port.h"
#include "ut/ut.h"
#include "wire/impair.h"
#include "wire/keyfile.h"

struct uet_fep_ref;

/*
 * Stands between the FEP and the wire. Gets each frame that the FEP sends (it may alter it in
 * place; len bytes) and says what becomes of it.
 */
struct uet_mutator {
    void *ctx;
    struct uet_fate (*frame)(void *ctx, uint8_t *frame, uint32_t len);
};

/*
 * A parameter of Table 3-28, or "max-pdcs", "max-open-messages", "max-stored-responses",
 * "max-regions", "max-receives", "max-services", "max-operations", "max-read-parts" (of READs),
 * "max-rudi-packets", "payload-mtu" (bytes), "answer-delay" (ns); a
 * choice of the FEP's, 1 or 0: "ack-each", "cps-when-open", "waits-for-peer", "spare-api".
 */
struct uet_fep_ref_setting {
    const char *name; /* NULL ends a list */
    uint64_t value;
};

/* Which reference FEP. */
struct uet_fep_ref_kind {
    uint64_t seed;
    uint8_t spec;                               /* enum uet_fep_spec: 0 is 1.0.3 */
    const char *variant;                        /* of refimpl/variants.c; NULL: the usual one */
    const char *profile;                        /* AI-Base, ...; NULL or "all": the variant's */
    bool no_crc;                                /* its packets end in no CRC trailer */
    bool ipv6;                                  /* it has an address of IPv6 */
    bool native;                                /* native IP (3.5.10.1), whatever the variant */
    uint8_t ip_protocol;                        /* IP_Proto_Nxt_Hdr of it; 0 stands for 253 */
    uint8_t crc_order;                          /* enum uet_crc_order of the trailer */
    const struct uet_keyfile *keys;             /* it is secured by these: UET_Data_Protect 2 */
    bool keys_beside;                           /* ... but jobs without domain go in clear */
    const struct uet_fep_ref_setting *settings; /* on top of the variant; NULL: none */
};

/* Makes the FEP and its port; 0, or a negative errno and one line in err. */
int uet_fep_ref_open(struct uet_fep_ref **ref, uint64_t seed, char *err, size_t errlen);
int uet_fep_ref_open_as(struct uet_fep_ref **ref, const struct uet_fep_ref_kind *kind, char *err,
                        size_t errlen);

/* Owned by the reference FEP; good until uet_fep_ref_close. */
struct uet_port *uet_fep_ref_port(struct uet_fep_ref *ref);
struct uet_ut *uet_fep_ref_ut(struct uet_fep_ref *ref);
const struct uet_dut *uet_fep_ref_dut(const struct uet_fep_ref *ref);

/* Packets that a rule was meant for since it was set, and those that it has harmed in all. */
struct uet_impaired {
    uint32_t seen, harmed;
};

/* All that the FEP sends goes by this rule; it and the counts must outlive that. */
void uet_fep_ref_impair(struct uet_fep_ref *ref, const struct uet_impairment *rule,
                        struct uet_impaired *count);

/* A mutator in the place of a rule. Copied; NULL takes either away. */
void uet_fep_ref_mutate(struct uet_fep_ref *ref, const struct uet_mutator *mutator);

/*
 * From now on *inside is true while the FEP is at work (on a frame, a timer, a verb), so that who
 * shares that memory can tell a FEP that does not come back from a tester that does not.
 */
void uet_fep_ref_watch(struct uet_fep_ref *ref, volatile bool *inside);

/* The i-th rule that the bent FEP can be told to break (verb `violate`); NULL after the last. */
const char *uet_fep_ref_violation(size_t i);
const char *uet_fep_ref_violation_name(size_t i);

/* NULL is allowed. */
void uet_fep_ref_close(struct uet_fep_ref *ref);

#endif
