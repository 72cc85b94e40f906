/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fep.yaml. The keys stand in tables: name, type, place in the structure. Anything that is not in
 * a table is an error.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "conformance/harness/yaml/fep.h"
#include "uet_spec.h"
#include "ut/nearest.h"

#define WHERE(structure)                                                                           \
    {"job_id", UET_YAML_NUMBER, UET_YAML_AT(structure, job_id), .max = 0xffffff},                  \
        {"pid_on_fep", UET_YAML_NUMBER, UET_YAML_AT(structure, pid_on_fep), .max = 0xfff},         \
        {"resource_index", UET_YAML_NUMBER, UET_YAML_AT(structure, resource_index), .max = 0xfff}, \
        {"ri_generation", UET_YAML_NUMBER, UET_YAML_AT(structure, ri_generation), .max = 255},     \
        {"relative", UET_YAML_FLAG, UET_YAML_AT(structure, relative)},                             \
    {                                                                                              \
        "length", UET_YAML_NUMBER, UET_YAML_AT(structure, length), .min = 1, .max = UINT32_MAX     \
    }

/* What a peer addresses, alike in `memory` and `receives`. */
#define SAME_PLACE(a, b)                                                                           \
    ((a)->job_id == (b)->job_id && (a)->pid_on_fep == (b)->pid_on_fep &&                           \
     (a)->resource_index == (b)->resource_index && (a)->ri_generation == (b)->ri_generation &&     \
     (a)->relative == (b)->relative)

static void each_memory(struct uet_yaml *y, yaml_node_t *item, size_t i)
{
    static const struct uet_yaml_key keys[] = {
        WHERE(uet_dut_memory),
        {"key", UET_YAML_NUMBER, UET_YAML_AT(uet_dut_memory, key)},
        {"no_write", UET_YAML_FLAG, UET_YAML_AT(uet_dut_memory, no_write)},
    };
    static const char *const required[] = {"job_id", "resource_index", "key", "length", NULL};
    struct uet_dut_memory *memory = &y->dut->memory[i];

    y->dut->n_memory = i + 1;
    memory->line = uet_yaml_line(item);
    uet_yaml_mapping(y, item, "an entry of 'memory'", keys, UET_YAML_COUNT(keys), memory);
    uet_yaml_require(y, item, "an entry of 'memory'", required);
    for (const struct uet_dut_memory *m = y->dut->memory; m < memory; m++)
        if (SAME_PLACE(m, memory) && m->key == memory->key) {
            uet_yaml_twice(y, item, "the same place stands in 'memory'", m->line);
            break;
        }
}

static void memory(struct uet_yaml *y, yaml_node_t *node)
{
    uet_yaml_list(y, node, "memory", UET_DUT_MAX_MEMORY, each_memory);
}

static void each_receive(struct uet_yaml *y, yaml_node_t *item, size_t i)
{
    static const struct uet_yaml_key keys[] = {WHERE(uet_dut_receive)};
    static const char *const required[] = {"job_id", "resource_index", "length", NULL};
    struct uet_dut_receive *receive = &y->dut->receives[i];

    y->dut->n_receives = i + 1;
    receive->line = uet_yaml_line(item);
    uet_yaml_mapping(y, item, "an entry of 'receives'", keys, UET_YAML_COUNT(keys), receive);
    uet_yaml_require(y, item, "an entry of 'receives'", required);
    for (const struct uet_dut_receive *r = y->dut->receives; r < receive; r++)
        if (SAME_PLACE(r, receive)) {
            uet_yaml_twice(y, item, "the same place stands in 'receives'", r->line);
            break;
        }
}

static void receives(struct uet_yaml *y, yaml_node_t *node)
{
    uet_yaml_list(y, node, "receives", UET_DUT_MAX_MEMORY, each_receive);
}

static void each_claim(struct uet_yaml *y, yaml_node_t *item, size_t i)
{
    const char *text = uet_yaml_scalar(item);
    int n = text ? uet_pics_find(text, strlen(text)) : -1;
    char guess[320] = "", claim[64];

    (void)i;
    if (n >= 0) {
        snprintf(claim, sizeof(claim), "claim '%s' stands here", text);
        if (y->claimed[n])
            uet_yaml_twice(y, item, claim, y->claimed[n]);
        else
            y->claimed[n] = uet_yaml_line(item);
        y->dut->claims[n] = true;
        return;
    }
    if (text)
        uet_nearest_in(guess, sizeof(guess), text, &uet_pics->name, sizeof(*uet_pics),
                       UET_PICS_COUNT);
    uet_yaml_bad(y, item, "unknown claim '%s'%s (`uetconform list --claims` shows them)",
                 text ? text : "(not a text)", guess);
}

static void claims(struct uet_yaml *y, yaml_node_t *node)
{
    memset(y->dut->claims, 0, sizeof(y->dut->claims));
    uet_yaml_list(y, node, "claims", UET_PICS_COUNT, each_claim);
}

static void each_atomic(struct uet_yaml *y, yaml_node_t *item, size_t i)
{
    const char *text = uet_yaml_scalar(item);
    char err[4 * UET_ATOMIC_TEXT];

    (void)i;
    if (!text)
        uet_yaml_bad(y, item, "an atomic is a text, as fsum:u64");
    else if (!uet_atomics_add(&y->dut->atomics, text, err))
        uet_yaml_bad(y, item, "%s", err);
}

static void atomics(struct uet_yaml *y, yaml_node_t *node)
{
    uet_yaml_list(y, node, "atomics", 2 * UET_ATOMIC_OPS, each_atomic);
}

static void security(struct uet_yaml *y, yaml_node_t *node)
{
    static const struct uet_yaml_key keys[] = {
        {"keys", UET_YAML_TEXT, UET_YAML_AT(uet_dut, keys)},
        {"sdi", UET_YAML_NUMBER, UET_YAML_AT(uet_dut, sdi), .max = 0xffffff},
    };

    uet_yaml_mapping(y, node, "'security'", keys, UET_YAML_COUNT(keys), y->dut);
}

/* Read when all others have been (uet_yaml_setups, uet_yaml_alike). */
static void last(struct uet_yaml *y, yaml_node_t *node)
{
    (void)y;
    (void)node;
}

static const char *const encapsulations[] = {"udp", "native", NULL};

static const struct uet_yaml_key keys[] = {
    {"name", UET_YAML_TEXT, UET_YAML_AT(uet_dut, name)},
    {"address", UET_YAML_ADDRESS, UET_YAML_AT(uet_dut, address)},
    {"tester", UET_YAML_SPECIAL, .special = uet_yaml_tester},
    {"port", UET_YAML_SPECIAL, .special = uet_yaml_port},
    {"control", UET_YAML_TEXT, UET_YAML_AT(uet_dut, control)},
    {"spec", UET_YAML_TEXT_OF, UET_YAML_AT(uet_dut, spec), .words = uet_dut_specs},
    {"profile", UET_YAML_TEXT_OF, UET_YAML_AT(uet_dut, profile), .words = uet_profile_names},
    {"encapsulation", UET_YAML_WORD, UET_YAML_AT(uet_dut, native), .words = encapsulations},
    {"udp_port", UET_YAML_NUMBER, UET_YAML_AT(uet_dut, udp_port), .min = 1, .max = 65535},
    {"ip_protocol", UET_YAML_NUMBER, UET_YAML_AT(uet_dut, ip_protocol), .min = 1, .max = 255},
    {"protect", UET_YAML_WORD, UET_YAML_AT(uet_dut, protect), .words = uet_dut_protections},
    {"security", UET_YAML_SPECIAL, .special = security},
    {"crc_order", UET_YAML_WORD, UET_YAML_AT(uet_dut, crc_order), .words = uet_yaml_crc_orders},
    {"payload_mtu", UET_YAML_NUMBER, UET_YAML_AT(uet_dut, payload_mtu), .max = 8192},
    {"response_time", UET_YAML_DURATION, UET_YAML_AT(uet_dut, response_time_ns)},
    {"quiet_time", UET_YAML_DURATION, UET_YAML_AT(uet_dut, quiet_time_ns)},
    {"ack_cc", UET_YAML_FLAG, UET_YAML_AT(uet_dut, ack_cc)},
    {"restart", UET_YAML_TEXT, UET_YAML_AT(uet_dut, restart)},
    {"restart_time", UET_YAML_DURATION, UET_YAML_AT(uet_dut, restart_time_ns)},
    {"restart_each_test", UET_YAML_FLAG, UET_YAML_AT(uet_dut, restart_each_test)},
    {"claims", UET_YAML_SPECIAL, .special = claims},
    {"atomics", UET_YAML_SPECIAL, .special = atomics},
    {"memory", UET_YAML_SPECIAL, .special = memory},
    {"receives", UET_YAML_SPECIAL, .special = receives},
    {"parameters", UET_YAML_SPECIAL, .special = uet_yaml_parameters},
    {"known_deviations", UET_YAML_SPECIAL, .special = uet_yaml_known},
    {"setups", UET_YAML_SPECIAL, .special = last}, /* rests on all others */
    {"alike", UET_YAML_SPECIAL, .special = last},
};

/* What stands behind `---` would be read by nobody. */
static void check_only_document(struct uet_yaml *y, yaml_parser_t *parser)
{
    yaml_document_t next;

    if (!yaml_parser_load(parser, &next)) {
        uet_yaml_bad(y, NULL, "what follows the first document is not YAML: delete it");
        return;
    }
    const yaml_node_t *root = yaml_document_get_root_node(&next);
    if (root)
        uet_yaml_bad(y, root,
                     "a second document begins here: one file describes one FEP; delete it");
    yaml_document_delete(&next);
}

/* Which of the FEPs that the file tells of. */
struct asked {
    size_t place; /* of UET_OVER_SETUP */
    size_t alike; /* of `alike`, from 1; 0: that of the file itself */
};

static void read_document(struct uet_yaml *y, yaml_parser_t *parser, struct asked asked)
{
    yaml_node_t *root = yaml_document_get_root_node(&y->document);

    if (!root) {
        uet_yaml_bad(y, NULL, "the file is empty (see conformance/examples/fep.yaml)");
        return;
    }
    uet_yaml_mapping(y, root, "the file", keys, UET_YAML_COUNT(keys), y->dut);
    uet_yaml_check(y, root);
    uet_yaml_setups(y, root, asked.place);
    uet_yaml_alike(y, root, asked.alike);
    check_only_document(y, parser);
    uet_yaml_count_rest(y);
}

static int read_file(struct uet_yaml *y, FILE *file, struct asked asked)
{
    yaml_parser_t parser;

    if (!yaml_parser_initialize(&parser)) {
        snprintf(y->err, y->errlen, "%s: no memory", y->path);
        return -ENOMEM;
    }
    yaml_parser_set_input_file(&parser, file);
    if (yaml_parser_load(&parser, &y->document)) {
        read_document(y, &parser, asked);
        yaml_document_delete(&y->document);
    } else {
        y->errors = 1;
        snprintf(y->err, y->errlen, "%s:%lu:%lu: not YAML: %s", y->path,
                 (unsigned long)parser.problem_mark.line + 1,
                 (unsigned long)parser.problem_mark.column + 1,
                 parser.problem ? parser.problem : "cannot be read");
    }
    yaml_parser_delete(&parser);
    return y->errors ? -EINVAL : 0;
}

static int read_asked(struct uet_dut *dut, const char *path, struct asked asked, char *err,
                      size_t errlen)
{
    struct uet_yaml y = {.path = path, .err = err, .errlen = errlen, .dut = dut};
    FILE *file = fopen(path, "r");
    int why = file ? 0 : errno;

    uet_dut_default(dut);
    snprintf(dut->path, sizeof(dut->path), "%s", path);
    if (file && ungetc(fgetc(file), file) == EOF && ferror(file)) /* a folder can be opened */
        why = errno;
    if (why) {
        snprintf(err, errlen, "%s: %s", path, strerror(why));
        if (file)
            fclose(file);
        return -why;
    }
    int rc = read_file(&y, file, asked);
    fclose(file);
    return rc;
}

int uet_dut_read(struct uet_dut *dut, const char *path, char *err, size_t errlen)
{
    return read_asked(dut, path, (struct asked){0}, err, errlen);
}

int uet_dut_read_setup(struct uet_dut *dut, const char *path, size_t place, char *err,
                       size_t errlen)
{
    return read_asked(dut, path, (struct asked){.place = place}, err, errlen);
}

int uet_dut_read_alike(struct uet_dut *dut, const char *path, size_t which, char *err,
                       size_t errlen)
{
    return read_asked(dut, path, (struct asked){.alike = which}, err, errlen);
}
