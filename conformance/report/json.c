/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The JSON report. While the run lasts, the journal holds the head and every result, a line each,
 * so that nothing measured is lost when the run is cut short; the finished file takes its place.
 * A run that goes on from another first tells what that one found: until the first test of its own
 * begins, its journal is written beside, and what that one left stays.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/report/journal.h"
#include "conformance/report/outfile.h"
#include "conformance/report/reporter.h"
#include "conformance/report/run_json.h"

struct json_reporter {
    struct uet_reporter base;
    char *path;
    char beside[520];       /* where the journal will stand, if there is one */
    char journal_path[520]; /* "" when there is none: standard output, a device */
    char journal_temp[540]; /* its name until the first test begins, then "" */
    int journal_failed;     /* it did not get its name: told with the next line */
    FILE *journal;
    struct uet_outfile file;
};

void uet_journal_path(char *out, size_t size, const char *json_path)
{
    size_t n = strlen(json_path);

    if (n > 5 && strcmp(json_path + n - 5, ".json") == 0)
        n -= 5;
    snprintf(out, size, "%.*s.jsonl", (int)n, json_path);
}

/* One object on one line, on its way to the disk before the next test begins. */
static int journal_line(struct json_reporter *j, json_t *o)
{
    int status = 0;

    if (!j->journal) {
        json_decref(o);
        return 0;
    }
    if (j->journal_failed) {
        json_decref(o);
        return j->journal_failed;
    }
    if (!o)
        return -ENOMEM;
    errno = 0;
    if (json_dumpf(o, j->journal, JSON_COMPACT | JSON_REAL_PRECISION(9)) < 0 ||
        fputc('\n', j->journal) == EOF || fflush(j->journal) != 0)
        status = uet_outfile_error(j->journal_path, errno ? errno : EIO, j->base.error,
                                   sizeof(j->base.error));
    json_decref(o);
    return status;
}

/* From now on the journal tells more than what stood under its name. */
static int publish_journal(struct json_reporter *j)
{
    if (!j->journal || !j->journal_temp[0])
        return 0;
    if (rename(j->journal_temp, j->journal_path) == 0)
        j->journal_temp[0] = '\0';
    else
        j->journal_failed =
            uet_outfile_error(j->journal_path, errno, j->base.error, sizeof(j->base.error));
    return j->journal_failed;
}

static int json_begin(struct uet_reporter *self, const struct uet_run *run, size_t n_tests)
{
    struct json_reporter *j = (struct json_reporter *)self;
    int status = uet_outfile_open(&j->file, j->path, self->error, sizeof(self->error));

    if (status < 0 || !j->file.temp[0])
        return status;
    uet_journal_path(j->journal_path, sizeof(j->journal_path), j->path);
    snprintf(j->journal_temp, sizeof(j->journal_temp), "%s.tmp", j->journal_path);
    j->journal = fopen(j->journal_temp, "w");
    if (!j->journal)
        return uet_outfile_error(j->journal_temp, errno, self->error, sizeof(self->error));
    json_t *head = uet_json_info(&run->info);
    json_object_set_new(head, "planned", json_integer((json_int_t)n_tests));
    return journal_line(j, head);
}

static int json_test_begin(struct uet_reporter *self, const struct uet_run *run, const char *id)
{
    (void)run;
    (void)id;
    return publish_journal((struct json_reporter *)self);
}

static int json_test_done(struct uet_reporter *self, const struct uet_run *run,
                          const struct uet_result *result)
{
    struct json_reporter *j = (struct json_reporter *)self;

    return j->journal ? journal_line(j, uet_json_result(&run->info, result)) : 0;
}

static int json_not_run(struct uet_reporter *self, const struct uet_run *run,
                        const struct uet_not_run *not_run)
{
    struct json_reporter *j = (struct json_reporter *)self;

    (void)run;
    return journal_line(j,
                        json_pack("{s:s, s:s}", "not_run", not_run->id, "reason", not_run->reason));
}

static int json_end(struct uet_reporter *self, const struct uet_run *run)
{
    struct json_reporter *j = (struct json_reporter *)self;

    if (!j->file.out)
        return 0; /* begin has told why */
    json_t *top = uet_json_run(run);
    if (!top)
        return -ENOMEM;
    /* It matters only when the report cannot take the journal's place. */
    journal_line(j, json_pack("{s:s?}", "end", run->cut_short));
    publish_journal(j);
    /* What did not arrive shows in ferror when the file is committed. */
    json_dumpf(top, j->file.out, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
    fputc('\n', j->file.out);
    json_decref(top);
    int status = uet_outfile_commit(&j->file, self->error, sizeof(self->error));
    if (status == 0 && j->journal) {
        fclose(j->journal);
        j->journal = NULL;
        unlink(j->journal_path); /* all of it stands in the file now */
    }
    return status;
}

static void json_free(struct uet_reporter *self)
{
    struct json_reporter *j = (struct json_reporter *)self;

    uet_outfile_abort(&j->file);
    if (j->journal) {
        fclose(j->journal); /* it stays: the run was cut short */
        if (j->journal_temp[0] && !j->journal_failed)
            unlink(j->journal_temp); /* before anything was measured */
    }
    free(j->path);
    free(j);
}

struct uet_reporter *uet_json_reporter(const char *path)
{
    struct json_reporter *j = calloc(1, sizeof(*j));
    char *copy = strdup(path);

    if (!j || !copy) {
        free(j);
        free(copy);
        return NULL;
    }
    j->base = (struct uet_reporter){.begin = json_begin,
                                    .test_begin = json_test_begin,
                                    .test_done = json_test_done,
                                    .not_run = json_not_run,
                                    .end = json_end,
                                    .free = json_free};
    j->path = copy;
    j->base.path = copy;
    uet_journal_path(j->beside, sizeof(j->beside), path);
    j->base.beside = j->beside;
    return &j->base;
}
