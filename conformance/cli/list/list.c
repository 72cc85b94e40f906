/* SPDX-License-Identifier: BSD-2-Clause */
/* uetconform list: the tests by name, as JSON or as a plan; the claims a fep.yaml may make. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/cli/args.h"
#include "conformance/cli/choice.h"
#include "conformance/cli/commands.h"
#include "conformance/cli/list/list_plan.h"
#include "conformance/cli/list/places.h"
#include "conformance/harness/run/runner.h"
#include "tools/idle_option.h"
#include "uet_spec.h"

static int help(void)
{
    printf(
        "usage: uetconform list [OPTIONS]\n\n" UET_CHOICE_HELP
        "  --profile P      AI-Base, AI-Full, HPC or all\n"
        "  --markdown       the test plan, for a review: purpose, preamble, stimulus, expected,\n"
        "                   requirements with their text, claims and timers it needs\n"
        "  --json           as a JSON list\n"
        "  --claims         what `claims` in a fep.yaml may name\n"
        "  --parameters     what `parameters` may name, and in what unit\n"
        "  --dimensions     where else tests run than as they are written (run --depth), and the\n"
        "                   names of these places, for run --test ID@PLACE,PLACE\n\n"
        "Examples:\n"
        "  uetconform list --section 3.5.8\n"
        "  uetconform list --markdown > plan.md\n"
        "  uetconform list --json --requirement PDS-038\n");
    return 0;
}

static void list_words(const char *what, const char *const *words, size_t n)
{
    printf("  %s:", what);
    for (size_t i = 0; i < n; i++)
        printf(" %s", words[i]);
    putchar('\n');
}

static int list_claims(void)
{
    for (size_t i = 0; i < UET_PICS_COUNT; i++)
        printf("%-20s %s%s\n", uet_pics[i].name, uet_pics[i].meaning,
               uet_pics[i].by_default ? " (by default)" : "");
    puts(
        "\natomics: [OPERATION:DATATYPE...] in a fep.yaml claims pairs of Tables 3-21 and 3-22, as "
        "fsum:u64 or sum:i8-u64;\nan f before the operation: the old value comes back");
    list_words("operations", uet_atomic_ops, UET_ATOMIC_OPS);
    list_words("datatypes", uet_atomic_types, UET_ATOMIC_TYPES);
    return 0;
}

static int list_parameters(void)
{
    for (size_t i = 0; i < uet_n_params; i++) {
        const char *key = uet_dut_param_elsewhere(uet_params[i].name);

        printf("%-24s %-9s Table 3-28 (3.5.5)%s%s\n", uet_params[i].name, uet_params[i].unit,
               key ? "; write " : "", key ? key : "");
    }
    for (size_t i = 0; i < uet_dut_n_own_params; i++)
        printf("%-24s %-9s %s\n", uet_dut_own_params[i].name, uet_dut_own_params[i].unit,
               uet_dut_own_params[i].meaning);
    return 0;
}

static int list_dimensions(void)
{
    uet_places_print(NULL, 0);
    return 0;
}

static void print_names(const struct uet_test *const *tests, size_t n)
{
    size_t width = 0;

    for (size_t i = 0; i < n; i++)
        if (strlen(tests[i]->id) > width)
            width = strlen(tests[i]->id);
    for (size_t i = 0; i < n; i++)
        printf("%-*s  %s\n", (int)width, tests[i]->id, tests[i]->purpose);
}

/* By section, not in the order in which they run. */
static const struct uet_test **select_sorted(const struct uet_selection *selection, size_t *n)
{
    size_t n_all, n_selected, kept = 0;
    const struct uet_test **all = uet_tests_sorted(&n_all);
    const struct uet_test **selected = uet_select(selection, &n_selected);

    for (size_t i = 0; i < n_all; i++)
        for (size_t j = 0; j < n_selected; j++)
            if (all[i] == selected[j]) {
                all[kept++] = all[i];
                break;
            }
    free(selected);
    *n = kept;
    return all;
}

static int list_tests(const struct uet_selection *selection,
                      void (*print)(const struct uet_test *const *tests, size_t n))
{
    size_t n;
    const struct uet_test **tests = select_sorted(selection, &n);

    if (n)
        print(tests, n);
    free(tests);
    return n ? 0 : uet_setup_error("list", "no test matches all that is chosen");
}

int uet_cmd_list(int argc, char **argv)
{
    static const struct option options[] = {
        UET_CHOICE_OPTIONS,
        {"profile", required_argument, NULL, 'p'},
        {"markdown", no_argument, NULL, 'm'},
        {"json", no_argument, NULL, 'j'},
        {"claims", no_argument, NULL, 'c'},
        {"parameters", no_argument, NULL, 'P'},
        {"dimensions", no_argument, NULL, 'D'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    static const struct uet_idle_option idle[] = {
        {"claims", "*", NULL},      {"parameters", "*", NULL}, {"dimensions", "*", NULL},
        {"json", "markdown", NULL}, {NULL, NULL, NULL},
    };
    struct uet_selection selection = {0};
    struct uet_choice choice = {.command = "list", .of_tests = true};
    void (*print)(const struct uet_test *const *tests, size_t n) = print_names;
    uint8_t place;
    int c;

    if (!uet_args_used("list", argc, argv, options, idle))
        return 2;
    while ((c = uet_args_next("list", argc, argv, options)) != -1) {
        switch (c) {
        case 's':
        case 't':
        case 'r':
            if (!uet_choice_take(&choice, c, optarg, &selection))
                return 2;
            break;
        case 'p':
            selection.profile = optarg;
            if (!uet_args_word("list", "profile", optarg, uet_profile_names, &place))
                return 2;
            break;
        case 'm':
            print = uet_plan_markdown;
            break;
        case 'j':
            print = uet_plan_json;
            break;
        case 'c':
            return list_claims();
        case 'P':
            return list_parameters();
        case 'D':
            return list_dimensions();
        case 'h':
            return help();
        default:
            return 2;
        }
    }
    if (!uet_args_no_more("list", argc, argv))
        return 2;
    return list_tests(&selection, print);
}
