/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/cli/run/captures.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "conformance/harness/test.h"

#define MARK   ".uetconform-captures" /* names the reports, a line each */
#define ENDING ".pcapng"

static bool is_file(const char *report)
{
    return report && strcmp(report, "-") != 0;
}

/* The path from the root, so that the same name elsewhere is another file. */
static void absolute(char *out, size_t size, const char *path)
{
    char here[PATH_MAX];

    if (path[0] == '/' || !getcwd(here, sizeof(here)))
        snprintf(out, size, "%s", path);
    else
        snprintf(out, size, "%s/%s", here, path);
}

/* Does the mark name this report? */
static bool named(FILE *mark, const char *report)
{
    char path[2 * PATH_MAX], line[2 * PATH_MAX];

    absolute(path, sizeof(path), report);
    rewind(mark);
    while (fgets(line, sizeof(line), mark)) {
        line[strcspn(line, "\n")] = '\0';
        if (strcmp(line, path) == 0)
            return true;
    }
    return false;
}

/* Do the captures there belong to a report that is about to be replaced? */
static bool are_ours(const char *dir, const char *const *reports, size_t n)
{
    char path[PATH_MAX];
    bool ours = false;

    snprintf(path, sizeof(path), "%s/" MARK, dir);
    FILE *mark = fopen(path, "r");
    for (size_t i = 0; mark && i < n && !ours; i++)
        ours = is_file(reports[i]) && named(mark, reports[i]);
    if (mark)
        fclose(mark);
    return ours;
}

/* A capture as this suite names it: the id of a test, and of its point "@wrap". */
static bool is_capture(const char *name)
{
    size_t n = strlen(name), end = strlen(ENDING);
    char id[NAME_MAX + 1];

    if (n <= end || strcmp(name + n - end, ENDING) != 0)
        return false;
    snprintf(id, sizeof(id), "%.*s", (int)(n - end), name);
    id[strcspn(id, "@")] = '\0';
    return uet_test_find(id) != NULL;
}

/* Removes captures, or finds the first one when they may not be removed. 0, 1: found, or -errno. */
static int clear(const char *dir, bool remove_them, char *first, size_t size)
{
    DIR *d = opendir(dir);
    const struct dirent *entry;
    int rc = 0;

    if (!d)
        return -errno;
    while (!rc && (entry = readdir(d))) {
        if (!is_capture(entry->d_name))
            continue;
        snprintf(first, size, "%s", entry->d_name);
        if (!remove_them)
            rc = 1;
        else if (unlinkat(dirfd(d), entry->d_name, 0) != 0)
            rc = -errno;
    }
    closedir(d);
    return rc;
}

static int write_mark(const char *dir, const char *const *reports, size_t n)
{
    char path[2 * PATH_MAX];

    snprintf(path, sizeof(path), "%s/" MARK, dir);
    FILE *mark = fopen(path, "w");
    if (!mark)
        return -errno;
    for (size_t i = 0; i < n; i++)
        if (is_file(reports[i])) {
            absolute(path, sizeof(path), reports[i]);
            fprintf(mark, "%s\n", path);
        }
    return fclose(mark) == 0 ? 0 : -errno;
}

bool uet_captures_begin(const char *dir, const char *const *reports, size_t n, bool go_on,
                        char *why, size_t size)
{
    char first[NAME_MAX + 1] = "";
    int rc = go_on ? 0 : clear(dir, are_ours(dir, reports, n), first, sizeof(first));

    if (rc == 1) {
        snprintf(why, size,
                 "--pcap-dir %s: it holds captures of another run (%s): name another directory, or "
                 "remove them",
                 dir, first);
        return false;
    }
    if (!rc)
        rc = write_mark(dir, reports, n);
    if (rc)
        snprintf(why, size, "--pcap-dir %s: %s", dir, strerror(-rc));
    return rc == 0;
}
