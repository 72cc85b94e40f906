/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fep.yaml. The keys stand in tables: name, type, place in the structure. Anything that is not in
 * a table is an error with its line.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "conformance/harness/dut.h"
#include "ut/nearest.h"
#include "wire/packet.h"

enum type {
    TEXT,     /* char[size] */
    ADDRESS,  /* struct uet_ip */
    FLAG,     /* bool */
    NUMBER8,  /* up to max */
    NUMBER16, /* up to max */
    NUMBER32, /* up to max */
    NUMBER64,
    DURATION, /* uint64_t, ns: "5ms" */
    PROTECT,  /* uint8_t: none, crc */
    SPECIAL,  /* has a function of its own */
};

struct reader {
    yaml_document_t document;
    const char *path;
    char *err;
    size_t errlen;
    struct uet_dut *dut;
};

struct key {
    const char *name;
    enum type type;
    size_t offset, size; /* size: of a TEXT */
    uint64_t max;
    int (*special)(struct reader *r, yaml_node_t *value);
};

static int __attribute__((format(printf, 3, 4)))
bad(struct reader *r, const yaml_node_t *node, const char *format, ...)
{
    va_list args;
    int n = snprintf(r->err, r->errlen, "%s:%lu: ", r->path,
                     node ? (unsigned long)node->start_mark.line + 1 : 1ul);

    va_start(args, format);
    if (n > 0 && (size_t)n < r->errlen)
        vsnprintf(r->err + n, r->errlen - (size_t)n, format, args);
    va_end(args);
    return -EINVAL;
}

/* ---- values ---- */

static const char *scalar(const yaml_node_t *node)
{
    return node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : NULL;
}

/* Decimal or 0x...; a unit may follow: ns us ms s for times, KiB for sizes. */
static bool read_number(const char *text, uint64_t *value, bool duration)
{
    static const struct {
        const char *unit;
        uint64_t factor;
        bool duration;
    } units[] = {{"", 1, false},     {"KiB", 1024, false},  {"ns", 1, true},
                 {"us", 1000, true}, {"ms", 1000000, true}, {"s", 1000000000, true}};
    char *end;

    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    unsigned long long n = strtoull(text, &end, 0);
    if (errno)
        return false;
    while (*end == ' ')
        end++;
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
        if (strcmp(end, units[i].unit) == 0 && (!duration || units[i].duration)) {
            *value = n * units[i].factor;
            return n == 0 || *value / n == units[i].factor;
        }
    return false;
}

static int set_number(struct reader *r, const struct key *k, yaml_node_t *node, uint8_t *at)
{
    const char *text = scalar(node);
    uint64_t v;

    if (!text || !read_number(text, &v, k->type == DURATION))
        return bad(r, node, "'%s' must be %s, not '%s'", k->name,
                   k->type == DURATION ? "a time such as 5ms" : "a number", text ? text : "a list");
    if (k->max && v > k->max)
        return bad(r, node, "'%s' is %s: at most %llu", k->name, text, (unsigned long long)k->max);
    if (k->type == NUMBER8)
        *at = (uint8_t)v;
    else if (k->type == NUMBER16)
        memcpy(at, &(uint16_t){(uint16_t)v}, 2);
    else if (k->type == NUMBER32)
        memcpy(at, &(uint32_t){(uint32_t)v}, 4);
    else
        memcpy(at, &v, 8);
    return 0;
}

static int set_text(struct reader *r, const struct key *k, yaml_node_t *node, uint8_t *at)
{
    const char *text = scalar(node);

    if (!text)
        return bad(r, node, "'%s' must be a text", k->name);
    if (strlen(text) >= k->size)
        return bad(r, node, "'%s' is too long: at most %zu characters", k->name, k->size - 1);
    memcpy(at, text, strlen(text) + 1);
    return 0;
}

static int set_address(struct reader *r, const char *name, yaml_node_t *node, struct uet_ip *ip)
{
    const char *text = scalar(node);

    if (!text || uet_ip_parse(ip, text) != 0)
        return bad(r, node, "'%s' must be an IPv4 or IPv6 address, not '%s'", name,
                   text ? text : "a list");
    return 0;
}

static int set_word(struct reader *r, const struct key *k, yaml_node_t *node, uint8_t *at)
{
    const char *text = scalar(node);
    const char *zero = k->type == FLAG ? "false" : "none", *one = k->type == FLAG ? "true" : "crc";

    if (!text || (strcmp(text, zero) != 0 && strcmp(text, one) != 0))
        return bad(r, node, "'%s' must be %s or %s, not '%s'", k->name, zero, one,
                   text ? text : "a list");
    bool on = strcmp(text, one) == 0;
    if (k->type == FLAG)
        memcpy(at, &on, sizeof(on));
    else
        *at = on ? UET_PROTECT_CRC : UET_PROTECT_NONE;
    return 0;
}

static int set_value(struct reader *r, const struct key *k, yaml_node_t *node, void *base)
{
    uint8_t *at = (uint8_t *)base + k->offset;

    switch (k->type) {
    case TEXT:
        return set_text(r, k, node, at);
    case ADDRESS:
        return set_address(r, k->name, node, (struct uet_ip *)(void *)at);
    case FLAG:
    case PROTECT:
        return set_word(r, k, node, at);
    case SPECIAL:
        return k->special(r, node);
    default:
        return set_number(r, k, node, at);
    }
}

/* ---- mappings and lists ---- */

static int unknown_key(struct reader *r, yaml_node_t *node, const char *name,
                       const struct key *keys, size_t n)
{
    char guess[320];

    return bad(r, node, "unknown key '%s'%s", name,
               uet_nearest_in(guess, sizeof(guess), name, &keys->name, sizeof(*keys), n));
}

static int read_mapping(struct reader *r, yaml_node_t *node, const struct key *keys, size_t n,
                        void *base, const char *what)
{
    if (node->type != YAML_MAPPING_NODE)
        return bad(r, node, "%s must be a mapping of keys and values", what);
    for (yaml_node_pair_t *p = node->data.mapping.pairs.start; p < node->data.mapping.pairs.top;
         p++) {
        yaml_node_t *key = yaml_document_get_node(&r->document, p->key);
        yaml_node_t *value = yaml_document_get_node(&r->document, p->value);
        const char *name = scalar(key);
        size_t i = 0;

        while (name && i < n && strcmp(keys[i].name, name) != 0)
            i++;
        if (!name || i == n)
            return unknown_key(r, key, name ? name : "(not a text)", keys, n);
        int rc = set_value(r, &keys[i], value, base);
        if (rc)
            return rc;
    }
    return 0;
}

/* Calls each for every item of a list of at most max. */
static int read_list(struct reader *r, yaml_node_t *node, const char *what, size_t max,
                     int (*each)(struct reader *r, yaml_node_t *item, size_t i))
{
    if (node->type != YAML_SEQUENCE_NODE)
        return bad(r, node, "'%s' must be a list", what);
    size_t n = 0;
    for (yaml_node_item_t *p = node->data.sequence.items.start; p < node->data.sequence.items.top;
         p++) {
        yaml_node_t *item = yaml_document_get_node(&r->document, *p);

        if (n == max)
            return bad(r, item, "'%s' has more than %zu entries", what, max);
        int rc = each(r, item, n++);
        if (rc)
            return rc;
    }
    return 0;
}

#define OF(structure, member) offsetof(struct structure, member)
#define COUNT(table)          (sizeof(table) / sizeof((table)[0]))

static int each_tester(struct reader *r, yaml_node_t *item, size_t i)
{
    return set_address(r, "tester", item, &r->dut->tester[i]);
}

static int special_tester(struct reader *r, yaml_node_t *node)
{
    if (node->type == YAML_SCALAR_NODE)
        return each_tester(r, node, 0);
    return read_list(r, node, "tester", UET_DUT_TESTERS, each_tester);
}

static int special_port(struct reader *r, yaml_node_t *node)
{
    static const struct key keys[] = {
        {"interface", TEXT, OF(uet_dut, interface), sizeof(((struct uet_dut *)0)->interface), 0,
         NULL},
    };

    return read_mapping(r, node, keys, COUNT(keys), r->dut, "'port'");
}

static const struct key memory_keys[] = {
    {"job_id", NUMBER32, OF(uet_dut_memory, job_id), 0, 0xffffff, NULL},
    {"pid_on_fep", NUMBER16, OF(uet_dut_memory, pid_on_fep), 0, 0xfff, NULL},
    {"resource_index", NUMBER16, OF(uet_dut_memory, resource_index), 0, 0xfff, NULL},
    {"ri_generation", NUMBER8, OF(uet_dut_memory, ri_generation), 0, 255, NULL},
    {"relative", FLAG, OF(uet_dut_memory, relative), 0, 0, NULL},
    {"key", NUMBER64, OF(uet_dut_memory, key), 0, 0, NULL},
    {"length", NUMBER32, OF(uet_dut_memory, length), 0, UINT32_MAX, NULL},
    {"no_write", FLAG, OF(uet_dut_memory, no_write), 0, 0, NULL},
};

static int each_memory(struct reader *r, yaml_node_t *item, size_t i)
{
    r->dut->n_memory = i + 1;
    return read_mapping(r, item, memory_keys, COUNT(memory_keys), &r->dut->memory[i],
                        "an entry of 'memory'");
}

static int special_memory(struct reader *r, yaml_node_t *node)
{
    return read_list(r, node, "memory", UET_DUT_MAX_MEMORY, each_memory);
}

static const struct key receive_keys[] = {
    {"job_id", NUMBER32, OF(uet_dut_receive, job_id), 0, 0xffffff, NULL},
    {"pid_on_fep", NUMBER16, OF(uet_dut_receive, pid_on_fep), 0, 0xfff, NULL},
    {"resource_index", NUMBER16, OF(uet_dut_receive, resource_index), 0, 0xfff, NULL},
    {"ri_generation", NUMBER8, OF(uet_dut_receive, ri_generation), 0, 255, NULL},
    {"relative", FLAG, OF(uet_dut_receive, relative), 0, 0, NULL},
    {"length", NUMBER32, OF(uet_dut_receive, length), 0, UINT32_MAX, NULL},
};

static int each_receive(struct reader *r, yaml_node_t *item, size_t i)
{
    r->dut->n_receives = i + 1;
    return read_mapping(r, item, receive_keys, COUNT(receive_keys), &r->dut->receives[i],
                        "an entry of 'receives'");
}

static int special_receives(struct reader *r, yaml_node_t *node)
{
    return read_list(r, node, "receives", UET_DUT_MAX_MEMORY, each_receive);
}

static int each_claim(struct reader *r, yaml_node_t *item, size_t i)
{
    const char *text = scalar(item);
    int n = text ? uet_pics_find(text, strlen(text)) : -1;

    (void)i;
    if (n < 0) {
        char guess[320] = "";
        if (text)
            uet_nearest_in(guess, sizeof(guess), text, &uet_pics->name, sizeof(*uet_pics),
                           UET_PICS_COUNT);
        return bad(r, item, "unknown claim '%s'%s (`uetconform list --claims` shows them)",
                   text ? text : "(not a text)", guess);
    }
    r->dut->claims[n] = true;
    return 0;
}

static int special_claims(struct reader *r, yaml_node_t *node)
{
    memset(r->dut->claims, 0, sizeof(r->dut->claims));
    return read_list(r, node, "claims", UET_PICS_COUNT, each_claim);
}

static int special_parameters(struct reader *r, yaml_node_t *node)
{
    if (node->type != YAML_MAPPING_NODE)
        return bad(r, node, "'parameters' must be a mapping of names and values");
    for (yaml_node_pair_t *p = node->data.mapping.pairs.start; p < node->data.mapping.pairs.top;
         p++) {
        yaml_node_t *key = yaml_document_get_node(&r->document, p->key);
        yaml_node_t *node_value = yaml_document_get_node(&r->document, p->value);
        const char *name = scalar(key), *text = scalar(node_value);
        uint64_t value;

        if (!name || strlen(name) >= sizeof(r->dut->params[0].name))
            return bad(r, key, "a parameter's name must be a text of at most %zu characters",
                       sizeof(r->dut->params[0].name) - 1);
        if (text && (strcmp(text, "true") == 0 || strcmp(text, "false") == 0))
            value = text[0] == 't';
        else if (!text || (!read_number(text, &value, false) && !read_number(text, &value, true)))
            return bad(r, node_value, "parameter '%s' must be a number or a time, not '%s'", name,
                       text ? text : "a list");
        if (!uet_dut_param_set(r->dut, name, value))
            return bad(r, key, "more than %d parameters", UET_DUT_MAX_PARAMS);
    }
    return 0;
}

static int each_known(struct reader *r, yaml_node_t *item, size_t i)
{
    static const struct key keys[] = {
        {"test", TEXT, OF(uet_dut_known, test), sizeof(((struct uet_dut_known *)0)->test), 0, NULL},
        {"reason", TEXT, OF(uet_dut_known, reason), sizeof(((struct uet_dut_known *)0)->reason), 0,
         NULL},
        {"date", TEXT, OF(uet_dut_known, date), sizeof(((struct uet_dut_known *)0)->date), 0, NULL},
    };
    struct uet_dut_known *known = &r->dut->known[i];

    r->dut->n_known = i + 1;
    int rc = read_mapping(r, item, keys, COUNT(keys), known, "an entry of 'known_deviations'");
    if (!rc && (!known->test[0] || !known->reason[0] || !known->date[0]))
        return bad(r, item, "a known deviation needs test, reason and date");
    return rc;
}

static int special_known(struct reader *r, yaml_node_t *node)
{
    return read_list(r, node, "known_deviations", UET_DUT_MAX_KNOWN, each_known);
}

#define TEXT_OF(member) OF(uet_dut, member), sizeof(((struct uet_dut *)0)->member), 0, NULL

static const struct key top_keys[] = {
    {"name", TEXT, TEXT_OF(name)},
    {"address", ADDRESS, OF(uet_dut, address), 0, 0, NULL},
    {"tester", SPECIAL, 0, 0, 0, special_tester},
    {"port", SPECIAL, 0, 0, 0, special_port},
    {"control", TEXT, TEXT_OF(control)},
    {"spec", TEXT, TEXT_OF(spec)},
    {"profile", TEXT, TEXT_OF(profile)},
    {"protect", PROTECT, OF(uet_dut, protect), 0, 0, NULL},
    {"payload_mtu", NUMBER16, OF(uet_dut, payload_mtu), 0, 8192, NULL},
    {"udp_port", NUMBER16, OF(uet_dut, udp_port), 0, 65535, NULL},
    {"response_time", DURATION, OF(uet_dut, response_time_ns), 0, 0, NULL},
    {"ack_cc", FLAG, OF(uet_dut, ack_cc), 0, 0, NULL},
    {"claims", SPECIAL, 0, 0, 0, special_claims},
    {"memory", SPECIAL, 0, 0, 0, special_memory},
    {"receives", SPECIAL, 0, 0, 0, special_receives},
    {"parameters", SPECIAL, 0, 0, 0, special_parameters},
    {"known_deviations", SPECIAL, 0, 0, 0, special_known},
};

/* What must be there, and what must agree. */
static int check_whole(struct reader *r, const yaml_node_t *root)
{
    const struct uet_dut *d = r->dut;

    if (d->address.version == 0)
        return bad(r, root, "'address' is missing: the IP address of the FEP");
    if (d->tester[0].version == 0)
        return bad(r, root, "'tester' is missing: an unused IP address for the tester, or two");
    for (size_t i = 0; i < UET_DUT_TESTERS; i++)
        if (d->tester[i].version != 0 && d->tester[i].version != d->address.version)
            return bad(r, root, "'tester' and 'address' must be of one IP version");
    if (!d->interface[0])
        return bad(r, root, "'port' is missing: port: {interface: eth1}");
    if (d->payload_mtu != 1024 && d->payload_mtu != 2048 && d->payload_mtu != 4096 &&
        d->payload_mtu != 8192)
        return bad(r, root, "'payload_mtu' must be 1024, 2048, 4096 or 8192");
    return 0;
}

static int read_document(struct reader *r)
{
    yaml_node_t *root = yaml_document_get_root_node(&r->document);

    if (!root)
        return bad(r, NULL, "the file is empty (see conformance/examples/fep.yaml)");
    int rc = read_mapping(r, root, top_keys, COUNT(top_keys), r->dut, "the file");
    return rc ? rc : check_whole(r, root);
}

int uet_dut_read(struct uet_dut *dut, const char *path, char *err, size_t errlen)
{
    struct reader r = {.path = path, .err = err, .errlen = errlen, .dut = dut};
    yaml_parser_t parser;
    FILE *file = fopen(path, "r");
    int rc;

    uet_dut_default(dut);
    snprintf(dut->path, sizeof(dut->path), "%s", path);
    if (!file) {
        rc = -errno;
        snprintf(err, errlen, "%s: %s", path, strerror(-rc));
        return rc;
    }
    if (!yaml_parser_initialize(&parser)) {
        fclose(file);
        snprintf(err, errlen, "%s: no memory", path);
        return -ENOMEM;
    }
    yaml_parser_set_input_file(&parser, file);
    if (!yaml_parser_load(&parser, &r.document)) {
        snprintf(err, errlen, "%s:%lu: not YAML: %s", path,
                 (unsigned long)parser.problem_mark.line + 1,
                 parser.problem ? parser.problem : "cannot be read");
        rc = -EINVAL;
    } else {
        rc = read_document(&r);
        yaml_document_delete(&r.document);
    }
    yaml_parser_delete(&parser);
    fclose(file);
    return rc;
}
