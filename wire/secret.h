/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory for keys: locked, so that it is never swapped out, left out of core dumps, zero at first
 * and wiped when it is given back. Where the system refuses one of these, the memory is there all
 * the same, and uet_secrets_guard tells.
 */
#ifndef UET_WIRE_SECRET_H
#define UET_WIRE_SECRET_H

#include <stdbool.h>
#include <stddef.h>

/*
 * n bytes, at least 1, in pages of their own; NULL: no memory. What works with a key has copies of
 * it in registers, and these on stacks: against a core dump there is uet_secrets_guard.
 */
void *uet_secret_new(size_t n);

/* Wipes and gives back. NULL is fine. */
void uet_secret_free(void *secret);

/* Whether two secrets are the same, in a time that tells nothing of where they differ. */
bool uet_secret_equal(const void *a, const void *b, size_t n);

/*
 * For the whole process, once it holds keys, and again after it has loaded more: no core dump and
 * no debugger of another user (PR_SET_DUMPABLE), and all pages there are now stay in memory
 * (mlockall), as cryptographic contexts hold derived keys outside of uet_secret_new. Returns 0, or
 * a negative errno and a sentence in err on what the system refuses and how to allow it: go on, and
 * tell it.
 */
int uet_secrets_guard(char *err, size_t size);

#endif
