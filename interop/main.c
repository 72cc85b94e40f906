/* SPDX-License-Identifier: BSD-2-Clause */
/* uetinterop: two FEPs, a bad network between them, and who is right. docs/man/uetinterop.1 */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "interop/drive/drive.h"
#include "interop/folder.h"
#include "interop/net.h"
#include "interop/options.h"
#include "interop/report.h"
#include "ut/descriptors.h"

static volatile sig_atomic_t stop;

static void on_signal(int number)
{
    (void)number;
    stop = 1;
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal};

    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static int fail(const char *text)
{
    fprintf(stderr, "uetinterop: %s\n", text);
    return 2;
}

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

struct program {
    struct options options;
    struct implementations implementations;
    struct cases cases;
    char bin[PATH_MAX], out[PATH_LENGTH];
};

static int read_files(struct program *p)
{
    char err[PATH_LENGTH + 300];

    if (implementations_read(&p->implementations, p->options.implementations, err, sizeof(err)) ||
        (p->options.with &&
         implementations_read(&p->implementations, p->options.with, err, sizeof(err))) ||
        cases_read(&p->cases, p->options.cases, err, sizeof(err)))
        return fail(err);
    return 0;
}

/* ---- list ---- */

static int list(struct program *p)
{
    printf("implementations\n");
    for (size_t i = 0; i < p->implementations.n; i++) {
        const struct implementation *im = &p->implementations.all[i];

        printf("  %-14s UE %-6s %-7s %s%s\n", im->name, word_specs[im->spec],
               !im->server[0]   ? "client"
               : !im->client[0] ? "server"
                                : "both",
               im->description, im->when_named ? " (only when it is named)" : "");
    }
    printf("cases\n");
    for (size_t i = 0; i < p->cases.n; i++)
        printf("  %-14s %-10s %s\n", p->cases.all[i].id, p->cases.all[i].section,
               p->cases.all[i].shows);
    return fflush(stdout) || ferror(stdout) ? fail("standard output cannot be written") : 0;
}

/* ---- run ---- */

/* The programs that a cell needs stand beside this one. */
static int find_programs(struct program *p)
{
    static const char *const names[] = {"uetrelay", "uetconform"};
    ssize_t n = readlink("/proc/self/exe", p->bin, sizeof(p->bin) - 1);
    char path[PATH_LENGTH];

    p->bin[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(p->bin, '/');
    if (slash)
        *slash = '\0';
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (access(path_of(path, "%s/%s", p->bin, names[i]), X_OK)) {
            fprintf(stderr, "uetinterop: %s is missing: build all of uetkit (./dev build)\n", path);
            return 2;
        }
    return 0;
}

static int find_out(struct program *p)
{
    char here[PATH_MAX];

    if (p->options.out[0] == '/')
        path_of(p->out, "%s", p->options.out);
    else if (getcwd(here, sizeof(here)))
        path_of(p->out, "%s/%s", here, p->options.out);
    return strlen(p->out) < PATH_LENGTH - 300 && p->out[0] ? 0 : fail("--out is too long");
}

static int tell(const struct program *p, const struct matrix *m)
{
    char err[PATH_LENGTH + 300];

    if (report_write(m, err, sizeof(err)))
        return fail(err);
    if (p->options.json) {
        json_t *all = report_json(m);

        json_dumpf(all, stdout, JSON_INDENT(2));
        printf("\n");
        json_decref(all);
    } else {
        report_text(m, stdout, isatty(STDOUT_FILENO));
        printf("%s/index.html\n", m->out);
    }
    if (fflush(stdout) || ferror(stdout))
        return fail("standard output cannot be written");
    if (stop)
        return 130;
    return matrix_count(m, CELL_PASS) + matrix_count(m, CELL_UNSUPPORTED) != m->n;
}

static int run_matrix(struct program *p, struct matrix *m)
{
    char err[PATH_LENGTH + 300];
    const double began = seconds();

    if (matrix_choose(m, &p->options.choice, err, sizeof(err)))
        return fail(err);
    if (!net_possible(err, sizeof(err)))
        return fail(err);
    if (matrix_begin(m, p->options.resume, err, sizeof(err)))
        return fail(err);
    if (!matrix_run(m, p->options.jobs, isatty(STDERR_FILENO), &stop) && !stop)
        return fail("the results cannot be written: is the disk full?");
    m->seconds = seconds() - began;
    return tell(p, m);
}

static int run(struct program *p)
{
    struct matrix m = {.implementations = &p->implementations,
                       .cases = &p->cases,
                       .small = !p->options.large,
                       .seed = p->options.seed,
                       .slow = p->options.slow,
                       .keep = p->options.keep,
                       .out = p->out,
                       .bin = p->bin};
    int rc = find_programs(p);

    if (rc == 0)
        rc = find_out(p);
    if (rc == 0) {
        catch_signals();
        rc = run_matrix(p, &m);
    }
    matrix_free(&m);
    return rc;
}

static int command(const char *name, int argc, char **argv)
{
    static struct program p;
    int rc = options_read(&p.options, strcmp(name, "list") == 0, argc, argv);

    if (rc >= 0)
        return rc;
    rc = read_files(&p);
    if (rc == 0)
        rc = strcmp(name, "list") == 0 ? list(&p) : run(&p);
    implementations_free(&p.implementations);
    cases_free(&p.cases);
    return rc;
}

int main(int argc, char **argv)
{
    if (!uet_hold_descriptors())
        return 2;
    const char *name = argc > 1 ? argv[1] : "";
    struct options options;

    if (strcmp(name, "drive") == 0)
        return uet_interop_drive(argc - 1, argv + 1);
    if (strcmp(name, "run") == 0 || strcmp(name, "list") == 0)
        return command(name, argc - 1, argv + 1);
    if (name[0] == '-') /* --help and --version; others are told */
        return options_read(&options, false, argc, argv) == 0 ? 0 : 2;
    fprintf(stderr, "uetinterop: %s%s%s: give run, list or drive (uetinterop --help)\n",
            name[0] ? "unknown command '" : "no command", name, name[0] ? "'" : "");
    return 2;
}
