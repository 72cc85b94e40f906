/* SPDX-License-Identifier: BSD-2-Clause */
/* The FEP that --fep names, ready to be tested: its description, a port, an upper tester. */
#ifndef UET_CONFORMANCE_CLI_TARGET_H
#define UET_CONFORMANCE_CLI_TARGET_H

#include "conformance/fep_ref.h"
#include "ut/verbs.h"

struct uet_target {
    struct uet_dut dut;
    struct uet_port *port;
    struct uet_ut *ut;        /* NULL: none */
    struct uet_fep_ref *ref;  /* NULL: not the reference FEP in process */
    char fep_name[80];        /* what it calls itself */
    struct uet_keyfile *keys; /* of its secure domains; NULL: none */
    char note[160];           /* for the reader of a report: judged as another version, or "" */
    const char *secure;       /* as it was opened: a key mode, or NULL */
    bool lent_port, lent_ut, lent_keys; /* another target's, which closes them */
};

/* Does --fep name the reference FEP in process: "ref", or "ref:VARIANT"? */
bool uet_target_is_ref(const char *fep);

/* Opens it; 0, or a negative errno and one line in err. Closed by uet_target_close. */
int uet_target_open(struct uet_target *target, const char *fep, uint64_t seed, char *err,
                    size_t errlen);
#define UET_TARGET_SPEC_UNTOLD UINT8_MAX

/* What the command line says of it. */
struct uet_target_as {
    uint64_t seed;
    uint8_t spec;        /* --spec: a place in uet_dut_specs, or UET_TARGET_SPEC_UNTOLD. A reference
                            FEP follows that version */
    const char *profile; /* --profile, or NULL: a reference FEP becomes one of it */
    const char *secure;  /* --secure: the key mode of a reference FEP's domain; NULL: in clear */
    const struct uet_dut
        *keys_of;               /* not NULL: in its place the key file that this fep.yaml names */
    const struct uet_dut *told; /* what the fep.yaml tells, where it is read already; or NULL */
    unsigned in_place; /* above 1: bodies are repeated so often, for which a reference FEP gets
                          small pools, and room for what each body asks its upper tester for */
};

/* The same. target->dut.spec is the version to judge by. */
int uet_target_open_as(struct uet_target *target, const char *fep, const struct uet_target_as *as,
                       char *err, size_t errlen);
void uet_target_close(struct uet_target *target);

/*
 * What is told of a FEP, without a packet to it: its fep.yaml and, unless cable_only, its upper
 * tester; target->port stays NULL, as no interface is opened. *caps: what a port to it can do (enum
 * uet_port_cap). The reference FEP is opened as ever. Errors: as uet_target_open_as.
 */
int uet_target_open_told(struct uet_target *target, const char *fep, const struct uet_target_as *as,
                         bool cable_only, uint32_t *caps, char *err, size_t errlen);

/* The version by which the target is judged: its place in uet_dut_specs. */
uint8_t uet_target_spec(const struct uet_target *target);

/*
 * The FEP of base as `setups` of its fep.yaml tells it for that place of UET_OVER_SETUP. It has the
 * port of base where the tester's addresses are the same, and its upper tester where the control
 * is: base is closed after it. 0, or a negative errno and one line in err.
 */
int uet_target_open_setup(struct uet_target *target, const struct uet_target *base, size_t place,
                          char *err, size_t errlen);

/*
 * Another FEP, of an entry of base's `alike` (from 1), which is judged as it is. Errors and closing
 * as above.
 */
int uet_target_open_alike(struct uet_target *target, const struct uet_target *base, size_t which,
                          char *err, size_t errlen);

/*
 * What the FEP says of itself (`hello`) against what fep.yaml says: 0, or -EINVAL and one line in
 * err that names both. The command line's version goes before fep.yaml's, that before the FEP's
 * own; judged by another version than its own, the FEP gets a note.
 */
int uet_target_agree(struct uet_target *target, const struct uet_ut_about *about, uint8_t spec,
                     char *err, size_t errlen);

#endif
