/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names: for every enumeration of spec-map that a field has and every value of it, the name in a
 * display filter means that value and no other: uetx.ses.opcode == "UET_READ". A line for each
 * fault, exit status 1 then.
 */
#include <stdio.h>
#include <string.h>

#include "dissector/tests/epan_run.h"
#include "dissector/uetx.h"

static unsigned faults, names;

/* Values of ranges, whose names are made: here by hand. */
static const struct {
    const char *filter;
    uint32_t value;
} in_ranges[] = {
    {"uetx.pds.type == \"RESERVED_15\"", 15},
    {"uetx.pds.type == \"RESERVED_31\"", 31},
    {"uetx.pds.cc_type == \"PROPRIETARY_15\"", 15},
    {"uetx.pds.nack_code == \"RESERVED_0x1B\"", 27},
    {"uetx.pds.nack_code == \"RESERVED_0xFC\"", 252},
    {"uetx.ses.opcode == \"RESERVED_0x2f\"", 47},
    {"uetx.ses.rsp.opcode == \"VENDOR_DEFINED_0\"", 48},
    {"uetx.ses.rsp.opcode == \"VENDOR_DEFINED_15\"", 63},
    {"uetx.ses.return_code == \"RESERVED_WITH_DATA_56\"", 56},
    {"uetx.ses.return_code == \"RESERVED_WITH_DATA_61\"", 61},
    {"uetx.ses.atomic_opcode == \"VENDOR_DEFINED_30\"", 254},
};

/* What a user may write for the same value. */
static const char *const forms[] = {"%s == \"%s\"", "%s in {\"%s\"}"};

static void fault(const char *filter, uint32_t value, const char *what)
{
    faults++;
    printf("%s %s value %u\n", filter, what, value);
}

static void check_value(int hf, uint8_t enumeration, uint32_t value)
{
    const char *abbrev = proto_registrar_get_nth((guint)hf)->abbrev;
    char name[UET_ENUM_VALUE_NAME];
    uet_enum_value_name(enumeration, value, name);
    const struct uet_enumerator *e = uet_enum_find(enumeration, value);
    if (e->low == e->high && strcmp(name, e->name) != 0)
        fault(name, value, "is not the specification's name of");
    for (size_t i = 0; i < array_length(forms); i++) {
        char *filter = g_strdup_printf(forms[i], abbrev, name);
        if (!epan_run_holds(filter, hf, value))
            fault(filter, value, "does not find");
        if (epan_run_holds(filter, hf, value + 1))
            fault(filter, value, "finds more than");
        g_free(filter);
    }
    char *number = g_strdup_printf("%s == %u", abbrev, value);
    if (!epan_run_holds(number, hf, value))
        fault(number, value, "does not find");
    g_free(number);
    names++;
}

static void check_field(int hf, uint8_t enumeration)
{
    static bool seen[UINT16_MAX];
    if (seen[hf % UINT16_MAX])
        return;
    seen[hf % UINT16_MAX] = true;
    const struct uet_enumeration *e = &uet_enumerations[enumeration];
    for (size_t i = 0; i < e->n; i++)
        for (uint32_t v = e->values[i].low; v <= e->values[i].high; v++)
            check_value(hf, enumeration, v);
}

int main(void)
{
    epan_run_start();
    epan_run_open();
    for (int id = UET_H_NONE + 1; id < UET_H_COUNT; id++)
        for (unsigned i = 0; i < uet_headers[id].n_fields; i++) {
            const struct uet_field *f = uet_headers[id].fields[i];
            int hf = uetx_field_at((enum uet_header_id)id, i);
            if (hf != UETX_NO_ID && f->kind == UET_KIND_ENUM)
                check_field(hf, f->enumeration);
        }
    for (size_t i = 0; i < array_length(in_ranges); i++) {
        char *abbrev = g_strndup(in_ranges[i].filter, strcspn(in_ranges[i].filter, " "));
        if (!epan_run_holds(in_ranges[i].filter, uetx_field_named(abbrev), in_ranges[i].value))
            fault(in_ranges[i].filter, in_ranges[i].value, "does not find");
        g_free(abbrev);
    }
    printf("%u names, %u faults\n", names, faults);
    return faults || names < 1000 ? 1 : 0;
}
