/* SPDX-License-Identifier: BSD-2-Clause */
/* Which way a packet of an entropy value takes through a fabric: its real bytes are asked about. */
#ifndef UET_SIM_FABRIC_PATHS_H
#define UET_SIM_FABRIC_PATHS_H

#include "sim/fabric/tree.h"

enum { PATH_LINES = 6 };

struct path {
    uint32_t lines[PATH_LINES]; /* as uet_fabric_path has them */
    size_t n;
};

/* A fabric of this tree without anybody at its hosts. 0 or as uet_fabric_new; uet_fabric_free. */
int paths_fabric(struct uet_fabric **out, const struct tree *tree);
/* n 0: there is none. */
struct path path_of(struct uet_fabric *fabric, uint16_t from, uint16_t to, uint16_t ev);
bool path_equal(const struct path *a, const struct path *b);

#endif
