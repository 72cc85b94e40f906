/* SPDX-License-Identifier: BSD-2-Clause */
/* One operation, from the opening of its PDC to the close: what read, atomic and their like do. */
#ifndef UETCAT_ONCE_H
#define UETCAT_ONCE_H

#include "tools/uetcat/client.h"

/*
 * Does the operation, on RUD, on an open link whose options say where it goes; the caller fills in
 * what is special to it, and may change what uetcat_client_config has made. Returns UETCAT_YES when
 * it has completed well; else UETCAT_NO or UETCAT_USAGE, after a message in the link's command's
 * name.
 */
int uetcat_once(struct uetcat_link *l, const struct uet_fep_config *config,
                const struct uet_operation *op);

#endif
