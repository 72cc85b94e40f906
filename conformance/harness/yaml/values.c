/* SPDX-License-Identifier: BSD-2-Clause */
/* The values of fep.yaml: texts, words, numbers with units, addresses, and mappings of them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/harness/yaml/reader.h"
#include "ut/nearest.h"

struct unit {
    const char *name;
    uint64_t factor;
};

static const struct unit times[] = {
    {"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}, {NULL, 0}};
static const struct unit sizes[] = {
    {"", 1}, {"KiB", 1024}, {"MiB", 1024 * 1024}, {"GiB", 1024 * 1024 * 1024}, {NULL, 0}};

static const struct unit *find_unit(const struct unit *units, const char *name)
{
    while (units->name && strcmp(units->name, name) != 0)
        units++;
    return units->name ? units : NULL;
}

/* Where the digits end; NULL when there are none, or none that everybody reads alike (010). */
static const char *read_digits(const char *text, unsigned long long *n)
{
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    char *end;

    if (*text < '0' || *text > '9' || (!hex && text[0] == '0' && text[1] >= '0' && text[1] <= '9'))
        return NULL;
    errno = 0;
    *n = strtoull(text, &end, hex ? 16 : 10);
    return errno ? NULL : end;
}

static const char *read_units(const char *text, const struct unit *units, const char *what,
                              uint64_t *value)
{
    unsigned long long n = 0;
    const char *end = read_digits(text, &n);

    if (!end)
        return what;
    while (*end == ' ')
        end++;
    const struct unit *unit = find_unit(units, end);
    if (!unit)
        return *end == '\0' ? "needs a unit (ns, us, ms or s)" : what;
    *value = n * unit->factor;
    return n == 0 || *value / n == unit->factor ? NULL : what;
}

const char *uet_yaml_time(const char *text, uint64_t *ns)
{
    return read_units(text, times, "must be a time such as 5ms (ns, us, ms or s)", ns);
}

const char *uet_yaml_number(const char *text, uint64_t *value)
{
    return read_units(text, sizes,
                      "must be a number, decimal or 0x... (KiB, MiB or GiB may follow)", value);
}

const char *uet_yaml_shown(char out[UET_YAML_TIME_TEXT], uint64_t value, bool time)
{
    const struct unit *unit = times;

    for (const struct unit *u = times; time && value && u->name; u++)
        if (value % u->factor == 0)
            unit = u;
    snprintf(out, UET_YAML_TIME_TEXT, "%llu%s", (unsigned long long)(value / unit->factor),
             time && value ? unit->name : "");
    return out;
}

static const char *shown(const yaml_node_t *node)
{
    const char *text = uet_yaml_scalar(node);

    return text ? text : node->type == YAML_SEQUENCE_NODE ? "a list" : "a mapping";
}

/* ---- by type ---- */

static void set_number(struct uet_yaml *y, const struct uet_yaml_key *k, yaml_node_t *node,
                       uint8_t *at)
{
    bool duration = k->type == UET_YAML_DURATION;
    const char *text = shown(node);
    uint64_t v = 0;
    const char *wrong = duration ? uet_yaml_time(text, &v) : uet_yaml_number(text, &v);

    if (wrong)
        uet_yaml_bad(y, node, "'%s' %s, not '%s'", k->name, wrong, text);
    else if (duration && v == 0)
        uet_yaml_bad(y, node, "'%s' is %s: it must be more than 0", k->name, text);
    else if (k->max && v > k->max)
        uet_yaml_bad(y, node, "'%s' is %s: at most %llu", k->name, text,
                     (unsigned long long)k->max);
    else if (v < k->min)
        uet_yaml_bad(y, node, "'%s' is %s: at least %llu", k->name, text,
                     (unsigned long long)k->min);
    else if (k->size == 1)
        *at = (uint8_t)v;
    else if (k->size == 2)
        memcpy(at, &(uint16_t){(uint16_t)v}, 2);
    else if (k->size == 4)
        memcpy(at, &(uint32_t){(uint32_t)v}, 4);
    else
        memcpy(at, &v, 8);
}

static void set_text(struct uet_yaml *y, const struct uet_yaml_key *k, yaml_node_t *node,
                     uint8_t *at)
{
    const char *text = uet_yaml_scalar(node);

    if (!text)
        uet_yaml_bad(y, node, "'%s' must be a text", k->name);
    else if (strlen(text) >= k->size)
        uet_yaml_bad(y, node, "'%s' is too long: at most %zu characters", k->name, k->size - 1);
    else
        memcpy(at, text, strlen(text) + 1);
}

static void set_address(struct uet_yaml *y, const struct uet_yaml_key *k, yaml_node_t *node,
                        struct uet_ip *ip)
{
    const char *text = shown(node);

    if (uet_ip_parse(ip, text) != 0)
        uet_yaml_bad(y, node, "'%s' must be an IPv4 or IPv6 address, not '%s'", k->name, text);
}

int uet_yaml_word(struct uet_yaml *y, const yaml_node_t *node, const char *name,
                  const char *const *words)
{
    const char *text = shown(node);
    char all[160] = "", guess[320];
    size_t at = 0, n = 0;

    for (; words[n]; n++) {
        if (strcmp(words[n], text) == 0)
            return (int)n;
        int wrote = snprintf(all + at, sizeof(all) - at, "%s%s",
                             n == 0         ? ""
                             : words[n + 1] ? ", "
                                            : " or ",
                             words[n]);
        at += wrote > 0 && (size_t)wrote < sizeof(all) - at ? (size_t)wrote : 0;
    }
    uet_yaml_bad(y, node, "'%s' must be %s, not '%s'%s", name, all, text,
                 uet_nearest_in(guess, sizeof(guess), text, words, sizeof(*words), n));
    return -1;
}

static void set_word(struct uet_yaml *y, const struct uet_yaml_key *k, yaml_node_t *node,
                     uint8_t *at)
{
    static const char *const yes_or_no[] = {"false", "true", NULL};
    int place = uet_yaml_word(y, node, k->name, k->type == UET_YAML_FLAG ? yes_or_no : k->words);

    if (place < 0)
        return;
    if (k->type == UET_YAML_TEXT_OF)
        snprintf((char *)at, k->size, "%s", k->words[place]);
    else if (k->type == UET_YAML_FLAG)
        memcpy(at, &(bool){place == 1}, sizeof(bool));
    else
        *at = (uint8_t)place;
}

void uet_yaml_value(struct uet_yaml *y, const struct uet_yaml_key *k, yaml_node_t *node, void *base)
{
    uint8_t *at = (uint8_t *)base + k->offset;

    switch ((enum uet_yaml_type)k->type) {
    case UET_YAML_TEXT:
        set_text(y, k, node, at);
        break;
    case UET_YAML_ADDRESS:
        set_address(y, k, node, (struct uet_ip *)(void *)at);
        break;
    case UET_YAML_FLAG:
    case UET_YAML_WORD:
    case UET_YAML_TEXT_OF:
        set_word(y, k, node, at);
        break;
    case UET_YAML_NUMBER:
    case UET_YAML_DURATION:
        set_number(y, k, node, at);
        break;
    case UET_YAML_SPECIAL:
        k->special(y, node);
        break;
    }
}

/* ---- mappings by a table ---- */

struct mapping {
    const struct uet_yaml_key *keys;
    size_t n;
    void *base;
};

static void read_pair(struct uet_yaml *y, yaml_node_t *key, yaml_node_t *value, void *ctx)
{
    const struct mapping *m = ctx;
    const char *name = uet_yaml_scalar(key);
    char guess[320];

    for (size_t i = 0; i < m->n; i++)
        if (strcmp(m->keys[i].name, name) == 0) {
            uet_yaml_value(y, &m->keys[i], value, m->base);
            return;
        }
    uet_yaml_bad(
        y, key, "unknown key '%s'%s", name,
        uet_nearest_in(guess, sizeof(guess), name, &m->keys->name, sizeof(*m->keys), m->n));
}

void uet_yaml_mapping(struct uet_yaml *y, yaml_node_t *node, const char *what,
                      const struct uet_yaml_key *keys, size_t n, void *base)
{
    struct mapping m = {keys, n, base};

    uet_yaml_pairs(y, node, what, &m, read_pair);
}
