/* SPDX-License-Identifier: BSD-2-Clause */
/* The parts of fep.yaml that have a file of their own. */
#ifndef UET_HARNESS_YAML_FEP_H
#define UET_HARNESS_YAML_FEP_H

#include "conformance/harness/yaml/reader.h"

/* `parameters` (params.c). */
void uet_yaml_parameters(struct uet_yaml *y, yaml_node_t *node);

/* `known_deviations` (known.c). */
void uet_yaml_known(struct uet_yaml *y, yaml_node_t *node);

/* How the FEP is reached, by the keys `tester` and `port` (link.c). */
void uet_yaml_tester(struct uet_yaml *y, yaml_node_t *node);
void uet_yaml_port(struct uet_yaml *y, yaml_node_t *node);

extern const char *const uet_yaml_crc_orders[]; /* enum uet_dut_crc_order */

/*
 * `setups` (setups.c): the FEP, as it has been read, becomes that of the place; 0: it stays as it
 * is. All that the file tells of other places is checked in either case.
 */
void uet_yaml_setups(struct uet_yaml *y, const yaml_node_t *root, size_t place);

/*
 * `alike` (alike.c): the FEP, as it has been read, becomes that of the entry, counted from 1; 0: it
 * stays as it is. All entries are checked in either case.
 */
void uet_yaml_alike(struct uet_yaml *y, const yaml_node_t *root, size_t which);

/* What must be there, and what must agree (check.c). */
void uet_yaml_check(struct uet_yaml *y, const yaml_node_t *root);

/* Of it: how the FEP is reached, as the keys of that mapping tell. */
void uet_yaml_check_link(struct uet_yaml *y, const yaml_node_t *at);

#endif
