/* SPDX-License-Identifier: BSD-2-Clause */
/* The FEP that --fep names, ready to be tested: its description, a port, an upper tester. */
#ifndef UET_CONFORMANCE_CLI_TARGET_H
#define UET_CONFORMANCE_CLI_TARGET_H

#include "conformance/fep_ref.h"

struct uet_target {
    struct uet_dut dut;
    struct uet_port *port;
    struct uet_ut *ut;       /* NULL: none */
    struct uet_fep_ref *ref; /* NULL: not the reference FEP in process */
    char fep_name[80];       /* what it calls itself */
};

/* Does --fep name the reference FEP in process: "ref", or "ref:VARIANT"? */
bool uet_target_is_ref(const char *fep);

/* Opens it; 0, or a negative errno and one line in err. Closed by uet_target_close. */
int uet_target_open(struct uet_target *target, const char *fep, uint64_t seed, char *err,
                    size_t errlen);
/* The same; a reference FEP follows that version (in the order of uet_args_specs). */
int uet_target_open_as(struct uet_target *target, const char *fep, uint64_t seed, uint8_t spec,
                       char *err, size_t errlen);
void uet_target_close(struct uet_target *target);

#endif
