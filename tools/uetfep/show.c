/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/uetfep/show.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "refimpl/acts_as.h"
#include "uet_spec.h"

/* Where range and default come from: the table, this FEP where the table leaves it open, or us. */
static const char *source_of(const struct uet_fep_param_info *info)
{
    if (info->local)
        return "uetkit";
    return info->spec->ranged && info->spec->defaulted ? "table" : "choice";
}

/* A parameter as it is: its value, what that comes to, and what it needs to have an effect. */
struct shown {
    uint64_t value, acts_as;
    struct uet_fep_needs needs; /* "": it has one */
};

static bool look(const struct uet_fep_config *config, bool domains, const char *name,
                 struct shown *shown)
{
    if (uet_fep_config_get(config, name, &shown->value) != 0)
        return false;
    shown->acts_as = shown->value;
    if (!uet_fep_param_needs(config, domains, name, &shown->needs))
        (void)uet_fep_param_acts_as(config, name, &shown->acts_as);
    return true;
}

static void print_row(const struct uet_fep_param_info *info, const struct shown *shown)
{
    char range[48];

    if (info->high == UINT64_MAX)
        snprintf(range, sizeof(range), "%" PRIu64 "..", info->low);
    else
        snprintf(range, sizeof(range), "%" PRIu64 "..%" PRIu64, info->low, info->high);
    printf("%-23s %10" PRIu64 " %-8s  %-14s %10" PRIu64 "  %s%s", info->name, shown->value,
           info->unit, range, info->standard, source_of(info),
           info->at_start ? "  at the start" : "");
    if (shown->acts_as != shown->value)
        printf("  acts as %" PRIu64, shown->acts_as);
    if (shown->needs.text[0])
        printf("  off: needs %s", shown->needs.text);
    putchar('\n');
}

static int show_text(const struct uet_fep_config *config, bool domains)
{
    struct uet_fep_param_info info;
    struct shown shown;

    printf("%-23s %10s %-8s  %-14s %10s  %s\n", "name", "value", "unit", "range", "default",
           "from");
    for (size_t i = 0; uet_fep_param_info(i, &info); i++)
        if (look(config, domains, info.name, &shown))
            print_row(&info, &shown);
    return 0;
}

static json_t *row_of(const struct uet_fep_param_info *info, const struct shown *shown)
{
    const struct uet_param *spec = info->spec;
    json_t *row =
        json_pack("{s:s, s:I, s:I, s:s, s:I, s:I, s:s, s:b}", "name", info->name, "value",
                  (json_int_t)shown->value, "acts_as", (json_int_t)shown->acts_as, "unit",
                  info->unit, "low", (json_int_t)info->low, "default", (json_int_t)info->standard,
                  "source", source_of(info), "at_start", info->at_start);

    if (row && info->high <= INT64_MAX)
        json_object_set_new(row, "high", json_integer((json_int_t)info->high));
    if (row && shown->needs.text[0])
        json_object_set_new(row, "needs", json_string(shown->needs.text));
    if (row && spec) {
        const char confidence[] = {spec->confidence, 0};

        json_object_update_new(row, json_pack("{s:s, s:s, s:s, s:b}", "section", spec->section,
                                              "confidence", confidence, "note", spec->note,
                                              "optional", spec->optional));
    }
    return row;
}

static int show_json(const struct uet_fep_config *config, bool domains)
{
    json_t *rows = json_array();
    struct uet_fep_param_info info;
    struct shown shown;
    int rc;

    for (size_t i = 0; uet_fep_param_info(i, &info); i++)
        if (look(config, domains, info.name, &shown))
            json_array_append_new(rows, row_of(&info, &shown));
    rc = json_dumpf(rows, stdout, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
    json_decref(rows);
    putchar('\n');
    if (rc == 0)
        return 0;
    fputs(UETFEP_NAME ": the parameters cannot be written\n", stderr);
    return 1;
}

int show_params(const struct uet_fep_config *config, bool domains, bool json)
{
    return json ? show_json(config, domains) : show_text(config, domains);
}

/* "M yes", "O no". */
static void print_duty(struct uet_fep_config config, uint8_t feature, uint8_t profile)
{
    config.profile = profile;
    printf("  %c %-6s", uet_profiles[feature].duty[profile],
           uet_fep_config_has(&config, feature) ? "yes" : "no");
}

/* What a switch, a link or software has is no feature of a FEP's transport. */
static bool is_of_a_fep(const struct uet_profile_row *row)
{
    static const char *const others[] = {"switch", "link", "software", "SES (unknown)"};

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (strcmp(row->area, others[i]) == 0)
            return false;
    return true;
}

int show_profiles(const struct uet_fep_config *config)
{
    printf("M mandatory, O optional, N not used (3.3.1); yes, no: has a FEP of --profile it?\n\n");
    printf("%-25s", "feature");
    for (uint8_t p = 0; p < UET_PROFILE_ALL; p++)
        printf("  %-8s", uet_profile_names[p]);
    puts("");
    for (uint8_t f = 0; f < uet_n_profiles; f++) {
        const char *why = uet_fep_never_has(f);

        if (!is_of_a_fep(&uet_profiles[f]))
            continue;
        printf("%-25s", uet_profiles[f].name);
        for (uint8_t p = 0; p < UET_PROFILE_ALL; p++)
            print_duty(*config, f, p);
        printf("  %s%s%s%s\n", uet_profiles[f].feature, why ? " [" : "", why ? why : "",
               why ? "]" : "");
    }
    return 0;
}
