/* SPDX-License-Identifier: BSD-2-Clause */
/* The fields of what was heard, by the names of the specification. */
#include <stdio.h>
#include <string.h>

#include "conformance/harness/context/context.h"
#include "conformance/harness/preamble/preamble.h"
#include "conformance/harness/steps/steps.h"
#include "wire/layers.h"

/* A field as it stands in one packet. */
struct found {
    const char *name;
    uint8_t kind;        /* enum uet_field_kind */
    uint8_t enumeration; /* of an UET_KIND_ENUM */
    uint64_t value;
};

static bool find_in_header(const struct uet_packet *p, const struct uet_layer_at *l, uint16_t id,
                           struct found *out)
{
    const struct uet_header *h = &uet_headers[l->id];

    for (size_t i = 0; i < h->n_fields; i++) {
        const struct uet_field *f = h->fields[i];
        if (f->filter != id || f->width > 64)
            continue;
        *out = (struct found){f->name, f->kind, f->enumeration,
                              uet_field_get(f, p->frame + l->offset)};
        return true;
    }
    return false;
}

/* What follows from the fields of a header: ACK_PSN, CLEAR_PSN. */
static bool find_computed(const struct uet_packet *p, const struct uet_layer_at *l, uint16_t id,
                          struct found *out)
{
    struct uet_computed c[UET_COMPUTED_MAX];
    size_t n = uet_computed(p, l->id, c);

    for (size_t i = 0; i < n; i++) {
        if (strcmp(c[i].name, uet_filters[id].name) != 0)
            continue;
        *out = (struct found){c[i].name, c[i].psn ? UET_KIND_PSN : UET_KIND_UINT, 0, c[i].value};
        return true;
    }
    return false;
}

static bool find(const struct uet_in *in, uint16_t id, struct found *out)
{
    struct uet_layer_at layers[UET_LAYERS_MAX];
    size_t n = uet_layers(&in->packet, layers);

    for (size_t i = 0; i < n; i++)
        if (find_in_header(&in->packet, &layers[i], id, out) ||
            find_computed(&in->packet, &layers[i], id, out))
            return true;
    return false;
}

/* The FEP sent a packet of another form than the requirement has. */
static bool missing(struct uet_tc *tc, const char *requirement, const struct uet_in *in,
                    uint16_t id)
{
    uet_look_at(tc, in);
    return uet_check(tc, requirement, false, "the packet has no %s", uet_filters[id].name);
}

uint64_t value_of(struct uet_tc *tc, const struct uet_in *in, uint16_t id)
{
    struct found f;

    if (find(in, id, &f))
        return f.value;
    const char *requirement = uet_for(tc, "");
    uet_for(tc, requirement);
    uet_look_at(tc, in);
    uet_fail(tc, requirement, "the packet has no %s", uet_filters[id].name);
}

#define VALUE_TEXT 80

static const char *value_text(const struct found *f, uint64_t value, char out[VALUE_TEXT])
{
    unsigned long long v = value;

    if (f->kind == UET_KIND_ENUM)
        snprintf(out, VALUE_TEXT, "%s (%llu)", uet_enum_name(f->enumeration, (uint32_t)value), v);
    else if (f->kind == UET_KIND_PSN)
        snprintf(out, VALUE_TEXT, "0x%08llx", v);
    else
        snprintf(out, VALUE_TEXT, "0x%llx (%lld)", v, (long long)value);
    return out;
}

/* How the value stands to another: below 0, 0, above 0. */
static int against(const struct found *f, uint64_t other)
{
    if (f->kind == UET_KIND_PSN)
        return uet_psn_diff((uint32_t)f->value, (uint32_t)other);
    if (f->kind == UET_KIND_INT)
        return (int64_t)f->value < (int64_t)other ? -1 : f->value != other;
    return f->value < other ? -1 : f->value > other;
}

enum op { EQUAL, NOT_EQUAL, AT_LEAST, AT_MOST };

static bool compare(struct uet_tc *tc, const char *requirement, const struct uet_in *in,
                    uint16_t id, enum op op, uint64_t value)
{
    static const char *const words[] = {[EQUAL] = "",
                                        [NOT_EQUAL] = "another than ",
                                        [AT_LEAST] = "at least ",
                                        [AT_MOST] = "at most "};
    struct found f;

    if (!find(in, id, &f))
        return missing(tc, requirement, in, id);
    int c = against(&f, value);
    bool met = op == EQUAL ? c == 0 : op == NOT_EQUAL ? c != 0 : op == AT_LEAST ? c >= 0 : c <= 0;
    char came[VALUE_TEXT], wanted[VALUE_TEXT];

    uet_look_at(tc, in);
    value_text(&f, f.value, came);
    value_text(&f, value, wanted);
    uet_story_tell(tc, "check  ", in->pdc, "%s: %s is %s, required %s%s", requirement, f.name, came,
                   words[op], wanted);
    return uet_check(tc, requirement, met, "%s is %s, required %s%s", f.name, came, words[op],
                     wanted);
}

bool field(struct uet_tc *tc, const char *requirement, const struct uet_in *in, uint16_t id,
           uint64_t value)
{
    return compare(tc, requirement, in, id, EQUAL, value);
}

bool payload_bytes(struct uet_tc *tc, const char *requirement, const struct uet_in *in,
                   uint32_t bytes)
{
    uet_look_at(tc, in);
    return uet_check_eq(tc, requirement, "payload bytes", in->packet.payload_len, bytes);
}

bool field_is_not(struct uet_tc *tc, const char *requirement, const struct uet_in *in, uint16_t id,
                  uint64_t value)
{
    return compare(tc, requirement, in, id, NOT_EQUAL, value);
}

bool field_at_least(struct uet_tc *tc, const char *requirement, const struct uet_in *in,
                    uint16_t id, uint64_t least)
{
    return compare(tc, requirement, in, id, AT_LEAST, least);
}

bool field_at_most(struct uet_tc *tc, const char *requirement, const struct uet_in *in, uint16_t id,
                   uint64_t most)
{
    return compare(tc, requirement, in, id, AT_MOST, most);
}

bool uet_field_among(struct uet_tc *tc, const char *requirement, const struct uet_in *in,
                     uint16_t id, const uint64_t *values, size_t n)
{
    struct found f;

    if (!find(in, id, &f))
        return missing(tc, requirement, in, id);
    char came[VALUE_TEXT], one[VALUE_TEXT], wanted[240] = "";
    bool met = false;

    for (size_t i = 0; i < n; i++) {
        size_t at = strlen(wanted);
        met |= against(&f, values[i]) == 0;
        snprintf(wanted + at, sizeof(wanted) - at, "%s%s", i ? " or " : "",
                 value_text(&f, values[i], one));
    }
    uet_look_at(tc, in);
    value_text(&f, f.value, came);
    uet_story_tell(tc, "check  ", in->pdc, "%s: %s is %s, required %s", requirement, f.name, came,
                   wanted);
    return uet_check(tc, requirement, met, "%s is %s, required %s", f.name, came, wanted);
}

#define QUEUED (5 * UET_US) /* for so long the first may have stood behind others on the link */

bool not_before(struct uet_tc *tc, const char *requirement, const struct uet_in *first,
                const struct uet_in *second, uint64_t ns)
{
    uint64_t after = second->time_ns - first->time_ns;

    uet_look_at(tc, second);
    return uet_check(tc, requirement, after + uet_tc_tolerance(tc, ns) + QUEUED >= ns,
                     "it comes %.3f ms after the first one, required at least %.3f ms",
                     (double)after / 1e6, (double)ns / 1e6);
}

void check_initiator(struct uet_tc *tc, const char *requirement, const struct uet_in *in)
{
    if (!tc->session->no_initiator)
        field(tc, requirement, in, UET_F_SES_INITIATOR, UET_TC_INITIATOR);
}
