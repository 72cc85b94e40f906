/* SPDX-License-Identifier: BSD-2-Clause */
/* uetconform report: other forms of a run that is over. */
#include <stdbool.h>
#include <stdio.h>

#include "conformance/cli/args.h"
#include "conformance/cli/commands.h"
#include "conformance/report/reporter.h"
#include "tools/idle_option.h"

static const char help[] =
    "usage: uetconform report RUN.json [--html FILE] [--junit FILE] [--json FILE]\n"
    "Writes reports of a run from its JSON file, or from the journal (.jsonl) of a run that was\n"
    "cut short. Without an option it prints the summary. FILE - is standard output.\n\n"
    "  --html FILE    a page for a browser, by itself\n"
    "  --junit FILE   JUnit XML for build servers\n"
    "  --json FILE    the JSON file again: makes a whole one of a journal\n"
    "  --verbose      name every test that was skipped or did not run\n"
    "  --help         this text\n\n"
    "Exit status: 0 written, 2 usage or set-up. The verdicts do not change it.\n\n"
    "  uetconform report out/report.json --html out/report.html\n"
    "  uetconform report out/report.jsonl --json out/partial.json\n";

/* The run, result by result, through the chain, as if it ran now. */
static int replay(struct uet_reports *reports, const struct uet_run *run)
{
    int status = uet_reports_begin(reports, &run->info, run->planned);

    for (size_t i = 0; status == 0 && i < run->n; i++)
        status = uet_reports_test_done(reports, &run->results[i]);
    for (size_t i = 0; status == 0 && i < run->n_not_run; i++)
        status = uet_reports_not_run(reports, run->not_run[i].id, run->not_run[i].reason);
    return status < 0 ? status : uet_reports_end(reports, run->cut_short);
}

static int write_reports(const struct uet_run *run, const char *html, const char *junit,
                         const char *json, bool verbose)
{
    struct uet_reports *reports = uet_reports_new();
    int status = 0;

    if (!reports)
        return uet_setup_error("report", "not enough memory");
    if (html)
        uet_reports_add(reports, uet_html_reporter(html));
    if (junit)
        uet_reports_add(reports, uet_junit_reporter(junit));
    if (json)
        uet_reports_add(reports, uet_json_reporter(json));
    if (!html && !junit && !json)
        uet_reports_add(reports,
                        uet_terminal_reporter(stdout, UET_TERMINAL_QUIET |
                                                          (verbose ? UET_TERMINAL_VERBOSE : 0u)));
    if (replay(reports, run) < 0)
        status = uet_setup_error("report", "%s", uet_reports_error(reports));
    uet_reports_free(reports);
    return status;
}

int uet_cmd_report(int argc, char **argv)
{
    static const struct option options[] = {
        {"html", required_argument, NULL, 'H'}, {"junit", required_argument, NULL, 'J'},
        {"json", required_argument, NULL, 'j'}, {"verbose", no_argument, NULL, 'v'},
        {"help", no_argument, NULL, 'h'},       {NULL, 0, NULL, 0}};
    static const struct uet_idle_option idle[] = {{"verbose", "html", NULL},
                                                  {"verbose", "junit", NULL},
                                                  {"verbose", "json", NULL},
                                                  {NULL, NULL, NULL}};
    const char *html = NULL, *junit = NULL, *json = NULL;
    struct uet_run run;
    char error[1024];
    bool verbose = false;
    int c;

    if (!uet_args_used("report", argc, argv, options, idle))
        return 2;
    while ((c = uet_args_next("report", argc, argv, options)) != -1)
        switch (c) {
        case 'H':
            if (!uet_args_once("report", "html", optarg, &html))
                return 2;
            break;
        case 'J':
            if (!uet_args_once("report", "junit", optarg, &junit))
                return 2;
            break;
        case 'j':
            if (!uet_args_once("report", "json", optarg, &json))
                return 2;
            break;
        case 'v':
            verbose = true;
            break;
        case 'h':
            fputs(help, stdout);
            return 0;
        default:
            return 2;
        }
    if (argc - optind != 1)
        return uet_usage("report", "needs one file, the JSON of a run");
    if (!uet_args_spares("report", argv[optind], html) ||
        !uet_args_spares("report", argv[optind], junit))
        return 2;
    if (uet_run_read(&run, argv[optind], error, sizeof(error)) < 0)
        return uet_setup_error("report", "%s", error);
    if (uet_run_has_journal(argv[optind], error, sizeof(error)))
        fprintf(stderr,
                "uetconform report: %s is of a later run that was cut short or is under way; this "
                "is %s\n",
                error, argv[optind]);
    int status = write_reports(&run, html, junit, json, verbose);
    uet_run_free(&run);
    return status;
}
