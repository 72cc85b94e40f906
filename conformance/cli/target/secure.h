/* SPDX-License-Identifier: BSD-2-Clause */
/* The secure domains of a target (3.7): its keys, from a file or from the seed. */
#ifndef UET_CONFORMANCE_CLI_SECURE_H
#define UET_CONFORMANCE_CLI_SECURE_H

#include "conformance/cli/target/target.h"

/*
 * The keys of a reference FEP, from seed and mode (one of uet_secure_modes), in as->keys, which
 * lives until uet_secure_close. 0, or a negative errno and one line in err.
 */
int uet_secure_of_seed(struct uet_target *target, uint64_t seed, const char *mode, bool ipv6,
                       char *err, size_t errlen);

/*
 * Where the key file stands that a fep.yaml with `security` names; false: that path is longer than
 * out, of which UET_SECURE_PATH bytes are always enough.
 */
#define UET_SECURE_PATH 512
bool uet_secure_path(const struct uet_dut *dut, char *out, size_t size);

/*
 * Reads the key file that fep.yaml names, into *keys, which the caller frees; NULL where there is
 * none. 0, with a warning or "" in err, or a negative errno and one line there.
 */
int uet_secure_read(struct uet_keyfile **keys, const struct uet_dut *dut, char *err, size_t errlen);

/* The same into target->keys, and the tester's domains of them. */
int uet_secure_open(struct uet_target *target, char *err, size_t errlen);

/* Makes the tester's domains of target->keys, and tells target->dut of them. */
int uet_secure_domains(struct uet_target *target, char *err, size_t errlen);

/* Wipes the keys and what came of them. */
void uet_secure_close(struct uet_target *target);

/*
 * The key log of a run with keys of its own, for who opens its captures: of its n FEPs, with keys
 * or without. 0 or a negative errno.
 */
int uet_secure_write_log(const struct uet_target *const *targets, size_t n, const char *dir,
                         char *err, size_t errlen);

#endif
