/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/cli/jobs.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_JOBS 64

/* A result on its way from a worker: its pointers mean nothing there. */
struct parcel {
    size_t index;
    struct uet_result result;
};

struct worker {
    pid_t pid;
    int fd; /* read end; -1: it is done */
    size_t got;
    struct parcel parcel;
};

struct crew {
    const struct uet_test *const *tests;
    size_t n;
    struct uet_result *results;
    char (*sections)[UET_SECTION_MAX];
    bool *there;
    struct worker workers[MAX_JOBS];
    unsigned jobs;
};

/* ---- a worker ---- */

struct post {
    int fd;
    const struct uet_test *const *tests;
    size_t n;
};

static bool write_all(int fd, const void *data, size_t n)
{
    const char *p = data;

    while (n > 0) {
        ssize_t k = write(fd, p, n);

        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            return false;
        p += k;
        n -= (size_t)k;
    }
    return true;
}

static int post_result(void *ctx, const struct uet_result *r)
{
    const struct post *post = ctx;
    struct parcel parcel;

    memset(&parcel, 0, sizeof(parcel));
    parcel.result = *r;
    while (parcel.index < post->n && strcmp(post->tests[parcel.index]->id, r->id) != 0)
        parcel.index++;
    return write_all(post->fd, &parcel, sizeof(parcel)) ? 0 : -EPIPE;
}

/* Every jobs-th test, from `first`. Ends the process. */
static _Noreturn void work(const struct crew *crew, struct uet_session *session,
                           const struct uet_selection *selection, unsigned first, int fd)
{
    const struct post post = {fd, crew->tests, crew->n};
    const struct uet_run_events events = {.ctx = (void *)&post, .done = post_result};
    struct uet_summary summary = {0};
    int rc = 0;

    for (size_t i = first; i < crew->n && !rc; i += crew->jobs)
        rc = uet_run_tests(session, selection, &crew->tests[i], 1, &events, &summary);
    _exit(rc ? 1 : 0);
}

/* ---- the foreman ---- */

static int start(struct crew *crew, struct uet_session *session,
                 const struct uet_selection *selection)
{
    for (unsigned i = 0; i < crew->jobs; i++) {
        int ends[2];

        crew->workers[i].fd = -1;
        if (pipe(ends) != 0)
            return -errno;
        pid_t pid = fork();
        if (pid == 0) {
            close(ends[0]);
            work(crew, session, selection, i, ends[1]);
        }
        close(ends[1]);
        if (pid < 0) {
            close(ends[0]);
            return -errno;
        }
        crew->workers[i] = (struct worker){.pid = pid, .fd = ends[0]};
    }
    return 0;
}

static void accept_parcel(struct crew *crew, const struct parcel *p)
{
    if (p->index >= crew->n)
        return;
    const struct uet_test *test = crew->tests[p->index];
    struct uet_result *r = &crew->results[p->index];

    *r = p->result;
    r->id = test->id;
    r->requirements = test->requirements;
    r->section = uet_test_section(test, crew->sections[p->index]);
    r->role = uet_role_name(test->role);
    crew->there[p->index] = true;
}

static void read_some(struct crew *crew, struct worker *w)
{
    ssize_t k = read(w->fd, (char *)&w->parcel + w->got, sizeof(w->parcel) - w->got);

    if (k < 0 && errno == EINTR)
        return;
    if (k <= 0) {
        close(w->fd);
        w->fd = -1;
        return;
    }
    w->got += (size_t)k;
    if (w->got == sizeof(w->parcel)) {
        accept_parcel(crew, &w->parcel);
        w->got = 0;
    }
}

/* False when nobody works any more. */
static bool collect(struct crew *crew)
{
    struct pollfd fds[MAX_JOBS];
    nfds_t n = 0;

    for (unsigned i = 0; i < crew->jobs; i++)
        if (crew->workers[i].fd >= 0)
            fds[n++] = (struct pollfd){.fd = crew->workers[i].fd, .events = POLLIN};
    if (n == 0)
        return false;
    if (poll(fds, n, -1) <= 0)
        return true;
    for (nfds_t k = 0; k < n; k++)
        for (unsigned i = 0; fds[k].revents && i < crew->jobs; i++)
            if (crew->workers[i].fd == fds[k].fd)
                read_some(crew, &crew->workers[i]);
    return true;
}

/* A worker that died took its test along. */
static void mourn(struct crew *crew, size_t i)
{
    struct uet_result *r = &crew->results[i];
    const struct uet_test *test = crew->tests[i];

    *r = (struct uet_result){.id = test->id,
                             .requirements = test->requirements,
                             .section = uet_test_section(test, crew->sections[i]),
                             .role = uet_role_name(test->role),
                             .verdict = UET_ERROR};
    snprintf(r->message, sizeof(r->message), "the process that ran this test died");
}

static int supervise(struct crew *crew, const struct uet_run_events *events,
                     struct uet_summary *summary)
{
    size_t next = 0;
    bool working = true;
    int rc = 0;

    while (next < crew->n && !rc) {
        if (!crew->there[next] && working) {
            working = collect(crew);
            continue;
        }
        if (!crew->there[next])
            mourn(crew, next);
        uet_summary_add(summary, &crew->results[next]);
        if (events->begin)
            events->begin(events->ctx, crew->tests[next]);
        if (events->done)
            rc = events->done(events->ctx, &crew->results[next]);
        next++;
    }
    return rc;
}

static void dismiss(struct crew *crew)
{
    for (unsigned i = 0; i < crew->jobs; i++) {
        if (crew->workers[i].fd >= 0)
            close(crew->workers[i].fd); /* its next result finds no reader: it ends */
        if (crew->workers[i].pid > 0)
            waitpid(crew->workers[i].pid, NULL, 0);
    }
}

static int run_crew(struct uet_session *session, const struct uet_selection *selection,
                    const struct uet_test *const *tests, size_t n, unsigned jobs,
                    const struct uet_run_events *events, struct uet_summary *summary)
{
    struct crew *crew = calloc(1, sizeof(*crew));
    int rc = -ENOMEM;

    if (!crew)
        return rc;
    *crew = (struct crew){.tests = tests, .n = n, .jobs = jobs};
    crew->results = calloc(n, sizeof(*crew->results));
    crew->sections = calloc(n, sizeof(*crew->sections));
    crew->there = calloc(n, sizeof(*crew->there));
    if (crew->results && crew->sections && crew->there) {
        fflush(NULL); /* or each worker would write it again */
        rc = start(crew, session, selection);
        if (!rc)
            rc = supervise(crew, events, summary);
        dismiss(crew);
        if (!rc && session->stop && *session->stop)
            rc = -EINTR;
    }
    free(crew->results);
    free(crew->sections);
    free(crew->there);
    free(crew);
    return rc;
}

int uet_run_jobs(struct uet_session *session, const struct uet_selection *selection,
                 const struct uet_test *const *tests, size_t n, unsigned jobs,
                 const struct uet_run_events *events, struct uet_summary *summary)
{
    struct uet_summary sanity = {0};
    size_t first = 0;

    while (first < n && tests[first]->sanity)
        first++;
    if (jobs < 2 || n - first < 2)
        return uet_run_tests(session, selection, tests, n, events, summary);
    /* First only to see: the gate needs the results of sanity tests in the process of the others.
     */
    const struct uet_run_events none = {0};
    int rc = uet_run_tests(session, selection, tests, first, &none, &sanity);
    bool ground = sanity.fail + sanity.error + sanity.inconc + sanity.known_fail == 0;
    if (!rc && !ground)
        return uet_run_tests(session, selection, tests, n, events, summary);
    if (!rc)
        rc = uet_run_tests(session, selection, tests, first, events, summary);
    if (rc)
        return rc;
    if (jobs > MAX_JOBS)
        jobs = MAX_JOBS;
    if (jobs > n - first)
        jobs = (unsigned)(n - first);
    return run_crew(session, selection, tests + first, n - first, jobs, events, summary);
}
