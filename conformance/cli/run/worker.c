/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/cli/run/worker.h"

#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "conformance/cli/target/restart.h"

#define TAKE_OVER_MS 5000 /* for an upper tester to see that its client has gone */

/* Where the results of this worker go. */
struct post {
    int fd;
    const struct uet_test **tests; /* the share, in order */
    const struct uet_share *share;
    size_t n, last;    /* tests are run in order: the last that something was told of */
    uint64_t begun_ns; /* when its begin was told; 0: it has ended, or not begun */
};

uint64_t uet_worker_now_ns(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

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

/* Among all tests; one past them: there is none of that id. */
static size_t index_of(struct post *post, const char *id)
{
    for (size_t i = 0; i < post->n; i++) {
        size_t at = (post->last + i) % post->n;

        if (strcmp(post->tests[at]->id, id) != 0)
            continue;
        post->last = at;
        return post->share->first + at * post->share->step;
    }
    return post->share->n;
}

static int post(struct post *post, const char *id, enum uet_parcel_kind kind,
                const struct uet_result *result, const char *words)
{
    struct uet_parcel parcel;
    const size_t size = uet_parcel_size((uint8_t)kind);

    memset(&parcel, 0, size);
    parcel.index = index_of(post, id);
    parcel.kind = (uint8_t)kind;
    if (result)
        parcel.result = *result;
    if (words)
        snprintf(parcel.result.message, sizeof(parcel.result.message), "%s", words);
    return write_all(post->fd, &parcel, size) ? 0 : -EPIPE;
}

static void post_begin(void *ctx, const struct uet_test *test)
{
    struct post *to = ctx;
    const uint64_t now_ns = uet_worker_now_ns();

    if (to->begun_ns && now_ns - to->begun_ns < UET_BEGIN_AGAIN_NS)
        return;
    to->begun_ns = now_ns;
    post(to, test->id, UET_PARCEL_BEGIN, NULL, NULL); /* who reads no more sees it at `done` */
}

static int post_done(void *ctx, const struct uet_result *result)
{
    ((struct post *)ctx)->begun_ns = 0;
    return post(ctx, result->id, UET_PARCEL_DONE, result, NULL);
}

static int post_not_run(void *ctx, const struct uet_test *test, const char *reason)
{
    return post(ctx, test->id, UET_PARCEL_NOT_RUN, NULL, reason);
}

/* NULL with ref. */
static struct uet_target *own_target(const struct uet_jobs *jobs, const struct uet_share *share)
{
    size_t which = share->first % share->step;

    return jobs->ref || which == 0 ? jobs->target : &jobs->alike->target[which - 1];
}

/*
 * That of the FEP of this process. Of another one nothing was seen so far; what was found out of
 * entries of fep.yaml holds for all that are set up so.
 */
static struct uet_session *own_session(const struct uet_jobs *jobs, const struct uet_share *share)
{
    static struct uet_session own;
    static struct uet_restart restart;
    struct uet_target *t = own_target(jobs, share);

    if (jobs->ref || t == jobs->target)
        return jobs->session;
    own = *jobs->session;
    own.dut = &t->dut;
    own.port = t->port;
    own.ut = t->ut;
    own.served = NULL;
    own.ever_heard = false;
    restart = (struct uet_restart){t, &own, NULL};
    own.restart = t->dut.restart[0] ? uet_restart : NULL;
    own.restart_ctx = &restart;
    return &own;
}

/* Why the run cannot go on; of several FEPs, at which one. */
static int post_ended(struct post *post_box, const struct uet_jobs *jobs,
                      const struct uet_session *session)
{
    char words[sizeof(session->ended) + UET_IP_TEXT + 8], address[UET_IP_TEXT];

    snprintf(words, sizeof(words), "%s%s%s",
             jobs->ref ? "" : uet_ip_text(&session->dut->address, address), jobs->ref ? "" : ": ",
             session->ended);
    return post(post_box, "", UET_PARCEL_ENDED, NULL, words);
}

/*
 * The connection that this process was forked off with is out of step when the one before it died
 * between a request and its reply, and closed when that one had restarted the FEP.
 */
static int take_over(const struct uet_jobs *jobs, const struct uet_share *share,
                     struct uet_session *session)
{
    if (jobs->ref || !share->taken_over)
        return 0;
    return uet_reconnect(own_target(jobs, share), session, "in a process that goes on",
                         TAKE_OVER_MS, session->ended, sizeof(session->ended))
               ? -ECONNABORTED
               : 0;
}

/*
 * A test gives its memory back and the next takes as much again: by itself libc hands it to the
 * kernel each time, which gives it back page by page.
 */
static void keep_freed_memory(void)
{
    mallopt(M_MMAP_THRESHOLD, 32 << 20); /* the highest there is */
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
    mallopt(M_TOP_PAD, 1 << 20);
}

/* In the new process; ends it. */
static _Noreturn void work(const struct uet_jobs *jobs, const struct uet_share *share, int fd)
{
    struct uet_session *session = own_session(jobs, share);
    struct uet_summary summary = {0};
    struct post p = {.fd = fd, .share = share};
    const struct uet_run_events events = {
        .ctx = &p, .begin = post_begin, .done = post_done, .not_run = post_not_run};

    keep_freed_memory();
    session->stop = share->stop; /* signals stop who gave the work out only */
    p.tests = malloc((share->n + 1) * sizeof(p.tests[0]));
    if (!p.tests)
        _exit(1);
    for (size_t i = share->first; i < share->n; i += share->step)
        p.tests[p.n++] = share->tests[i];
    int rc = take_over(jobs, share, session);
    if (rc)
        uet_not_run(&events, p.tests, p.n, session->ended);
    else
        rc = uet_run_tests(session, jobs->selection, p.tests, p.n, &events, &summary);
    if (rc == -ECONNABORTED)
        rc = post_ended(&p, jobs, session);
    free(p.tests);
    exit(rc && rc != -ECONNABORTED ? 1 : 0); /* not _exit: a sanitizer looks for leaks there */
}

int uet_worker_start(const struct uet_jobs *jobs, const struct uet_share *share,
                     volatile bool *inside, pid_t *pid, int *fd)
{
    pid_t parent = getpid();
    int ends[2];

    if (pipe(ends) != 0)
        return -errno;
    *inside = false;
    fflush(NULL); /* or the worker would write it again */
    *pid = fork();
    if (*pid == 0) {
        /* Ctrl-C reaches the whole process group: who gave the work out says what becomes of it. */
        signal(SIGINT, SIG_IGN);
        signal(SIGTERM, SIG_IGN);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(1);
        close(ends[0]);
        if (jobs->ref)
            uet_fep_ref_watch(jobs->ref, inside);
        for (size_t i = 0; i < jobs->n_others; i++)
            uet_fep_ref_watch(jobs->others[i], inside);
        work(jobs, share, ends[1]);
    }
    int rc = *pid < 0 ? -errno : 0;
    close(ends[1]);
    *fd = ends[0];
    if (rc)
        close(ends[0]);
    return rc;
}
