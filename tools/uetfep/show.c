/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/uetfep/show.h"

#include <inttypes.h>
#include <stdio.h>

#include <jansson.h>

#include "uet_spec.h"

/* Where range and default come from: the table, this FEP where the table leaves it open, or us. */
static const char *source_of(const struct uet_fep_param_info *info)
{
    if (info->local)
        return "uetkit";
    return info->spec->ranged && info->spec->defaulted ? "table" : "choice";
}

static void print_row(const struct uet_fep_param_info *info, uint64_t value)
{
    char range[48];

    if (info->high == UINT64_MAX)
        snprintf(range, sizeof(range), "%" PRIu64 "..", info->low);
    else
        snprintf(range, sizeof(range), "%" PRIu64 "..%" PRIu64, info->low, info->high);
    printf("%-23s %10" PRIu64 " %-8s  %-14s %10" PRIu64 "  %s%s\n", info->name, value, info->unit,
           range, info->standard, source_of(info), info->at_start ? "  at the start" : "");
}

static int show_text(const struct uet_fep_config *config)
{
    struct uet_fep_param_info info;
    uint64_t value = 0;

    printf("%-23s %10s %-8s  %-14s %10s  %s\n", "name", "value", "unit", "range", "default",
           "from");
    for (size_t i = 0; uet_fep_param_info(i, &info); i++)
        if (uet_fep_config_get(config, info.name, &value) == 0)
            print_row(&info, value);
    return 0;
}

static json_t *row_of(const struct uet_fep_param_info *info, uint64_t value)
{
    const struct uet_param *spec = info->spec;
    json_t *row = json_pack("{s:s, s:I, s:s, s:I, s:I, s:s, s:b}", "name", info->name, "value",
                            (json_int_t)value, "unit", info->unit, "low", (json_int_t)info->low,
                            "default", (json_int_t)info->standard, "source", source_of(info),
                            "at_start", info->at_start);

    if (row && info->high <= INT64_MAX)
        json_object_set_new(row, "high", json_integer((json_int_t)info->high));
    if (row && spec) {
        const char confidence[] = {spec->confidence, 0};

        json_object_update_new(row, json_pack("{s:s, s:s, s:s, s:b}", "section", spec->section,
                                              "confidence", confidence, "note", spec->note,
                                              "optional", spec->optional));
    }
    return row;
}

static int show_json(const struct uet_fep_config *config)
{
    json_t *rows = json_array();
    struct uet_fep_param_info info;
    uint64_t value = 0;
    int rc;

    for (size_t i = 0; uet_fep_param_info(i, &info); i++)
        if (uet_fep_config_get(config, info.name, &value) == 0)
            json_array_append_new(rows, row_of(&info, value));
    rc = json_dumpf(rows, stdout, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
    json_decref(rows);
    putchar('\n');
    if (rc == 0)
        return 0;
    fputs(UETFEP_NAME ": the parameters cannot be written\n", stderr);
    return 1;
}

int show_params(const struct uet_fep_config *config, bool json)
{
    return json ? show_json(config) : show_text(config);
}
