/* SPDX-License-Identifier: BSD-2-Clause */
/* The parts of fep.yaml that have a file of their own. */
#ifndef UET_HARNESS_YAML_FEP_H
#define UET_HARNESS_YAML_FEP_H

#include "conformance/harness/yaml/reader.h"

/* `parameters` (params.c). */
void uet_yaml_parameters(struct uet_yaml *y, yaml_node_t *node);

/* `known_deviations` (known.c). */
void uet_yaml_known(struct uet_yaml *y, yaml_node_t *node);

/* What must be there, and what must agree (check.c). */
void uet_yaml_check(struct uet_yaml *y, const yaml_node_t *root);

#endif
