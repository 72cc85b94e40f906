/* SPDX-License-Identifier: BSD-2-Clause */
/* `alike` of fep.yaml: other FEPs that are set up just so, for `run --jobs`. */
#include <stdlib.h>
#include <string.h>

#include "conformance/harness/yaml/fep.h"

/* Where each is; in all else it is as the file says. */
static const struct uet_yaml_key keys[] = {
    {"address", UET_YAML_ADDRESS, UET_YAML_AT(uet_dut, address)},
    {"tester", UET_YAML_SPECIAL, .special = uet_yaml_tester},
    {"port", UET_YAML_SPECIAL, .special = uet_yaml_port},
    {"control", UET_YAML_TEXT, UET_YAML_AT(uet_dut, control)},
    {"restart", UET_YAML_TEXT, UET_YAML_AT(uet_dut, restart)},
};

/* Where a FEP is, and in which line that stands; 0: it is that of the file. */
struct end {
    struct uet_ip address, tester[UET_DUT_TESTERS];
    char interface[sizeof(((struct uet_dut *)0)->interface)];
    char control[sizeof(((struct uet_dut *)0)->control)];
    unsigned line;
};

struct uet_yaml_alike {
    struct uet_dut *base;          /* as the rest of the file says */
    struct uet_dut scratch, taken; /* the entry that is read; the one that is asked for */
    struct end ends[1 + UET_DUT_MAX_ALIKE];
    size_t which; /* asked for, from 1; 0: none */
};

static struct end end_of(const struct uet_dut *dut, unsigned line)
{
    struct end e = {.address = dut->address, .line = line};

    memcpy(e.tester, dut->tester, sizeof(e.tester));
    memcpy(e.interface, dut->interface, sizeof(e.interface));
    memcpy(e.control, dut->control, sizeof(e.control));
    return e;
}

static bool same_ip(const struct uet_ip *a, const struct uet_ip *b)
{
    return a->version && a->version == b->version && uet_ip_equal(a, b);
}

static bool is_tester(const struct end *e, const struct uet_ip *address)
{
    for (size_t i = 0; i < UET_DUT_TESTERS; i++)
        if (same_ip(&e->tester[i], address))
            return true;
    return false;
}

static bool has_address(const struct end *e, const struct uet_ip *address)
{
    return same_ip(&e->address, address) || is_tester(e, address);
}

static bool has_a_tester(const struct end *e, const struct end *of)
{
    for (size_t i = 0; i < UET_DUT_TESTERS; i++)
        if (has_address(e, &of->tester[i]))
            return true;
    return false;
}

/* What two FEPs at one time cannot have in common. */
static void check_two(struct uet_yaml *y, const yaml_node_t *at, const struct end *first,
                      const struct end *e)
{
    const bool one_link = strcmp(first->interface, e->interface) == 0;
    const char *what = NULL;

    if (first->control[0] && strcmp(first->control, e->control) == 0)
        what = "control";
    else if (one_link && has_address(e, &first->address))
        what = "address";
    else if (one_link && has_a_tester(e, first))
        what = "tester";
    if (what && first->line)
        uet_yaml_bad(y, at, "an entry of 'alike' has the '%s' of line %u: give it its own", what,
                     first->line);
    else if (what)
        uet_yaml_bad(y, at, "an entry of 'alike' has the '%s' of the file: give it its own", what);
}

static void each(struct uet_yaml *y, yaml_node_t *item, size_t i)
{
    struct uet_yaml_alike *a = y->alike;
    struct end *e = &a->ends[i + 1];

    a->scratch = *a->base;
    a->scratch.restart[0] = '\0'; /* that of the file starts another one */
    a->scratch.restart_each_test = false;
    y->dut = &a->scratch;
    uet_yaml_mapping(y, item, "an entry of 'alike'", keys, UET_YAML_COUNT(keys), y->dut);
    *e = end_of(y->dut, uet_yaml_line(item));
    if (item->type == YAML_MAPPING_NODE) {
        uet_yaml_check_link(y, item);
        if (a->base->restart[0] && !y->dut->restart[0])
            uet_yaml_bad(y, item,
                         "an entry of 'alike' lacks 'restart': that of the file starts "
                         "another FEP");
        for (const struct end *first = a->ends; first < e; first++)
            check_two(y, item, first, e);
    }
    y->dut = a->base;
    y->dut->alike = (uint8_t)(i + 1);
    a->scratch.restart_each_test = a->base->restart_each_test;
    if (i + 1 == a->which)
        a->taken = a->scratch;
}

static void check_beside(struct uet_yaml *y, const yaml_node_t *root, const yaml_node_t *node,
                         const char *other, const char *why)
{
    if (uet_yaml_find(y, root, other))
        uet_yaml_bad(y, node, "'alike' does not go with '%s': %s; leave one of them out", other,
                     why);
}

void uet_yaml_alike(struct uet_yaml *y, const yaml_node_t *root, size_t which)
{
    yaml_node_t *node = uet_yaml_find(y, root, "alike");

    if (!node)
        return;
    y->alike = malloc(sizeof(*y->alike));
    if (!y->alike) {
        uet_yaml_bad(y, node, "no memory to read 'alike'");
        return;
    }
    *y->alike = (struct uet_yaml_alike){.base = y->dut, .which = which};
    y->alike->ends[0] = end_of(y->dut, 0);
    check_beside(y, root, node, "setups", "they are those of one FEP");
    check_beside(y, root, node, "security", "no two testers may seal under one key");
    uet_yaml_list(y, node, "alike", UET_DUT_MAX_ALIKE, each);
    if (which)
        *y->dut = y->alike->taken;
    free(y->alike);
    y->alike = NULL;
}
