/* SPDX-License-Identifier: BSD-2-Clause */
/* Breaking rules on purpose: for those who test tests. No part of the library's public headers. */
#ifndef UET_REFIMPL_VIOLATE_H
#define UET_REFIMPL_VIOLATE_H

#include <stddef.h>

struct uet_fep;

/*
 * The bent build only (uet_fep_bent): breaks a rule from now on, in the way of that name; NULL
 * mends all. A requirement's id ("PDS-058") stands for the way that is called so (PDS_058), or for
 * the only one that there is. Returns -ENOTUNIQ when it has several, none of which is called so;
 * -ENOENT when no such violation is built in (or this is not the bent build).
 */
int uet_fep_violate(struct uet_fep *fep, const char *id);
/* The number of what it would break, for the next two; -ENOENT, -ENOTUNIQ. */
int uet_fep_violation_find(const char *id);
/* The id of the i-th violation, and its name, which no other has; NULL after the last. */
const char *uet_fep_violation(size_t i);
const char *uet_fep_violation_name(size_t i);

#endif
