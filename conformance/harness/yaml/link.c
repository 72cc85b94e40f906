/* SPDX-License-Identifier: BSD-2-Clause */
/* How the FEP is reached: what fep.yaml and each of its set-ups tell alike. */
#include <string.h>

#include "conformance/harness/yaml/fep.h"

const char *const uet_yaml_crc_orders[] = {"auto", "big", "little", NULL};

static void each_tester(struct uet_yaml *y, yaml_node_t *item, size_t i)
{
    static const struct uet_yaml_key key = {.name = "tester", .type = UET_YAML_ADDRESS};

    uet_yaml_value(y, &key, item, &y->dut->tester[i]);
}

void uet_yaml_tester(struct uet_yaml *y, yaml_node_t *node)
{
    memset(y->dut->tester, 0, sizeof(y->dut->tester));
    if (node->type == YAML_SCALAR_NODE)
        each_tester(y, node, 0);
    else
        uet_yaml_list(y, node, "tester", UET_DUT_TESTERS, each_tester);
    if (node->type == YAML_SEQUENCE_NODE &&
        node->data.sequence.items.start == node->data.sequence.items.top)
        uet_yaml_bad(y, node,
                     "'tester' is an empty list: an unused IP address for the tester, or two");
}

void uet_yaml_port(struct uet_yaml *y, yaml_node_t *node)
{
    static const struct uet_yaml_key keys[] = {
        {"interface", UET_YAML_TEXT, UET_YAML_AT(uet_dut, interface)},
    };

    uet_yaml_mapping(y, node, "'port'", keys, UET_YAML_COUNT(keys), y->dut);
}
