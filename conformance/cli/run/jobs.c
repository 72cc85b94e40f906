/* SPDX-License-Identifier: BSD-2-Clause */
/* The foreman: gives shares of the tests out, watches over who works, hands on what came. */
#include "conformance/cli/run/jobs.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/cli/run/worker.h"

enum {
    MAX_JOBS = 64,
    LOOK_MS = 200,     /* a signal just before poll() is seen so much later */
    MAX_STILLBORN = 3, /* processes that die without beginning a test: more, and the run ends */
};

/* Beyond --ceiling, for a process that is to end by itself. */
#define GRACE_NS (UINT64_C(1000000000) + UET_BEGIN_AGAIN_NS)
#define NOTHING  SIZE_MAX

/* For a process at a real FEP to end its test and what the test has set up. */
#define FAREWELL_NS UINT64_C(15000000000)

/* What all processes see. */
struct shared {
    volatile sig_atomic_t stop;
    volatile bool inside[MAX_JOBS];
};

/* What is known of a test. */
struct task {
    enum { WAITING, RUNNING, DONE, NOT_RUN } state;
    bool again; /* it is run the second time: the first process died */
    struct uet_result result;
    char section[UET_SECTION_MAX];
};

struct worker {
    pid_t pid;
    int fd; /* read end; -1: its share is done */
    volatile bool *inside;
    struct uet_share share;
    size_t running; /* or NOTHING */
    uint64_t since_ns;
    bool expired; /* the test took too long: the process was killed */
    unsigned stillborn;
    size_t got;
    struct uet_parcel parcel;
};

struct crew {
    const struct uet_jobs *jobs;
    const struct uet_test *const *tests;
    size_t n;
    struct task *tasks;
    size_t next; /* the next to hand on */
    bool begun;  /* its begin was handed on */
    const struct uet_run_events *events;
    struct uet_summary *summary;
    struct shared *shared;
    struct worker workers[MAX_JOBS];
    unsigned n_workers;
    int rc;
};

static bool stopped(const struct crew *crew)
{
    return crew->jobs->session->stop && *crew->jobs->session->stop;
}

/* ---- what became of a test ---- */

static void name_result(struct crew *crew, size_t i)
{
    const struct uet_test *test = crew->tests[i];
    struct task *task = &crew->tasks[i];

    task->result.id = test->id;
    task->result.requirements = test->requirements;
    task->result.section = uet_test_section(test, task->section);
    task->result.role = uet_role_name(test->role);
}

/* How a process ended: "signal 9", "exit status 1". */
static const char *cause(int how)
{
    return WIFSIGNALED(how) ? "signal" : "exit status";
}

static int number(int how)
{
    return WIFSIGNALED(how) ? WTERMSIG(how) : WEXITSTATUS(how);
}

/* Its process is gone. Whose fault it is hangs on who was at work then. */
static void mourn(struct crew *crew, const struct worker *w, size_t i, int how)
{
    struct task *task = &crew->tasks[i];
    const char *who = *w->inside ? "the FEP" : "the tester";
    double seconds = (double)(uet_worker_now_ns() - w->since_ns) / 1e9;

    task->state = DONE;
    task->result = (struct uet_result){.verdict = *w->inside ? UET_FAIL : UET_ERROR,
                                       .contested = crew->tests[i]->contested,
                                       .wall_seconds = seconds};
    name_result(crew, i);
    if (w->expired)
        snprintf(task->result.message, sizeof(task->result.message),
                 "%s did not come back: no end after %.1f s (--ceiling %g); its process was ended",
                 who, seconds, crew->jobs->session->ceiling_s);
    else
        snprintf(task->result.message, sizeof(task->result.message),
                 "%s's process died twice in this test (%s %d)", who, cause(how), number(how));
}

/* Hands on, in the order of the tests, what is ready. */
static void hand_on(struct crew *crew)
{
    const struct uet_run_events *events = crew->events;

    for (; crew->next < crew->n && !crew->rc; crew->next++, crew->begun = false) {
        struct task *task = &crew->tasks[crew->next];
        const struct uet_test *test = crew->tests[crew->next];

        if (task->state == WAITING)
            return;
        if (!crew->begun && task->state != NOT_RUN && events->begin)
            events->begin(events->ctx, test);
        crew->begun = true;
        if (task->state == RUNNING)
            return;
        if (task->state == NOT_RUN) {
            if (events->not_run)
                crew->rc = events->not_run(events->ctx, test, task->result.message);
            continue;
        }
        uet_note_ground(crew->jobs->session, test, &task->result);
        uet_summary_add(crew->summary, &task->result);
        if (events->done)
            crew->rc = events->done(events->ctx, &task->result);
    }
}

static void accept_parcel(struct crew *crew, struct worker *w)
{
    const struct uet_parcel *p = &w->parcel;
    struct uet_session *session = crew->jobs->session;

    if (p->kind == UET_PARCEL_ENDED)
        snprintf(session->ended, sizeof(session->ended), "%.*s", (int)sizeof(session->ended) - 1,
                 p->result.message);
    if (p->index >= crew->n)
        return;
    struct task *task = &crew->tasks[p->index];
    w->stillborn = 0;
    if (p->kind == UET_PARCEL_BEGIN) {
        task->state = RUNNING;
        w->running = p->index;
        w->since_ns = uet_worker_now_ns();
        return;
    }
    task->result = p->result;
    task->state = p->kind == UET_PARCEL_DONE ? DONE : NOT_RUN;
    name_result(crew, p->index);
    w->running = NOTHING;
    w->share.first = p->index + w->share.step;
}

/* ---- processes ---- */

static void start(struct crew *crew, struct worker *w)
{
    int rc = uet_worker_start(crew->jobs, &w->share, w->inside, &w->pid, &w->fd);

    w->running = NOTHING;
    w->expired = false;
    w->got = 0;
    if (!rc)
        return;
    w->pid = 0;
    w->fd = -1;
    crew->rc = crew->rc ? crew->rc : rc;
}

/* The rest of a share finds nobody who runs it. */
static void give_up(struct crew *crew, const struct worker *w)
{
    struct uet_session *session = crew->jobs->session;

    snprintf(session->ended, sizeof(session->ended), "the processes that run the tests die");
    for (size_t i = w->share.first; i < w->share.n; i += w->share.step) {
        crew->tasks[i].state = NOT_RUN;
        snprintf(crew->tasks[i].result.message, sizeof(crew->tasks[i].result.message), "%s",
                 session->ended);
    }
}

/* The pipe is closed: the share is done, or the process died and another goes on. */
static void bury(struct crew *crew, struct worker *w)
{
    size_t i = w->running;
    int how = 0;

    close(w->fd);
    w->fd = -1;
    waitpid(w->pid, &how, 0);
    w->pid = 0;
    if (stopped(crew) || crew->rc)
        return;
    if (w->share.first >= w->share.n) {
        if (how != 0) { /* a sanitizer has more to say */
            fprintf(stderr, "uetconform run: the process that ran the tests ended with %s %d\n",
                    cause(how), number(how));
            crew->rc = -EIO;
        }
        return;
    }
    if (i == NOTHING && ++w->stillborn > MAX_STILLBORN) {
        give_up(crew, w);
        return;
    }
    if (!w->expired && (i == NOTHING || !crew->tasks[i].again)) {
        fprintf(stderr, "uetconform run: the process that ran %s%s died (%s %d): another goes on\n",
                i == NOTHING ? "tests up to " : "",
                crew->tests[i == NOTHING ? w->share.first : i]->id, cause(how), number(how));
        if (i != NOTHING)
            crew->tasks[i].again = true;
    } else {
        mourn(crew, w, i, how);
        w->share.first = i + w->share.step;
        hand_on(crew); /* a sanity test bears on those that come */
    }
    w->share.taken_over = true;
    if (w->share.first < w->share.n)
        start(crew, w);
}

/* Up to the end of a parcel, whose size its first bytes tell. */
static void read_some(struct crew *crew, struct worker *w)
{
    const size_t head = offsetof(struct uet_parcel, result);
    size_t due = w->got < head ? head : uet_parcel_size(w->parcel.kind);
    ssize_t k = read(w->fd, (char *)&w->parcel + w->got, due - w->got);

    if (k < 0 && errno == EINTR)
        return;
    if (k <= 0) {
        bury(crew, w);
        return;
    }
    w->got += (size_t)k;
    if (w->got >= head && w->got == uet_parcel_size(w->parcel.kind)) {
        accept_parcel(crew, w);
        w->got = 0;
    }
}

/* Ends processes whose test takes too long; returns how many ms may pass until the next look. */
static int watch(struct crew *crew)
{
    uint64_t now = uet_worker_now_ns(), next = UINT64_MAX;
    const struct uet_session *session = crew->jobs->session;
    unsigned bodies = session->in_place > 1 ? session->in_place + 1 : 1; /* and the check */
    uint64_t limit = bodies * (uint64_t)(session->ceiling_s * 1e9) + GRACE_NS;

    /* At a real FEP who waits for packets looks at the clock, and a restart takes its time. */
    if (!crew->jobs->ref)
        return LOOK_MS;
    for (unsigned i = 0; i < crew->n_workers; i++) {
        struct worker *w = &crew->workers[i];

        if (w->fd < 0 || w->running == NOTHING || w->expired)
            continue;
        uint64_t due = w->since_ns + limit;
        if (due <= now) {
            w->expired = true;
            kill(w->pid, SIGKILL); /* its pipe closes: bury() goes on */
        } else if (due < next) {
            next = due;
        }
    }
    uint64_t wait_ms = next == UINT64_MAX ? LOOK_MS : (next - now) / 1000000u + 1;
    return wait_ms < LOOK_MS ? (int)wait_ms : LOOK_MS;
}

/* False when nobody works any more. */
static bool collect(struct crew *crew)
{
    struct pollfd fds[MAX_JOBS];
    unsigned who[MAX_JOBS];
    nfds_t n = 0;
    int wait_ms = watch(crew);

    for (unsigned i = 0; i < crew->n_workers; i++) {
        if (crew->workers[i].fd < 0)
            continue;
        who[n] = i;
        fds[n++] = (struct pollfd){.fd = crew->workers[i].fd, .events = POLLIN};
    }
    if (n == 0)
        return false;
    if (poll(fds, n, wait_ms) <= 0)
        return true;
    for (nfds_t k = 0; k < n; k++)
        if (fds[k].revents)
            read_some(crew, &crew->workers[who[k]]);
    return true;
}

/*
 * A real FEP is left as a run in one process leaves it: the test that runs ends as interrupted,
 * and puts back what it has set. A reference FEP goes with its process.
 */
static void take_leave(struct crew *crew)
{
    uint64_t until_ns = uet_worker_now_ns() + FAREWELL_NS;

    if (crew->jobs->ref)
        return;
    crew->shared->stop = 1;
    while (uet_worker_now_ns() < until_ns && collect(crew))
        ;
}

/* Ends who still works. */
static void dismiss(struct crew *crew)
{
    for (unsigned i = 0; i < crew->n_workers; i++) {
        struct worker *w = &crew->workers[i];

        if (w->pid > 0) {
            kill(w->pid, SIGKILL);
            waitpid(w->pid, NULL, 0);
        }
        if (w->fd >= 0)
            close(w->fd);
    }
}

/* Ctrl-C: what is there is handed on; what was under way is cut, the rest did not run. */
static void cut(struct crew *crew)
{
    for (size_t i = crew->next; i < crew->n; i++) {
        struct task *task = &crew->tasks[i];

        if (task->state == RUNNING) {
            task->state = DONE;
            task->result = (struct uet_result){.verdict = UET_INCONC, .cut = true};
            name_result(crew, i);
            snprintf(task->result.message, sizeof(task->result.message), "%s", UET_INTERRUPTED);
        } else if (task->state == WAITING) {
            task->state = NOT_RUN;
            snprintf(task->result.message, sizeof(task->result.message), "%s", UET_INTERRUPTED);
        }
    }
    hand_on(crew);
    crew->rc = crew->rc ? crew->rc : -EINTR;
}

static void supervise(struct crew *crew, unsigned n_workers)
{
    crew->n_workers = n_workers;
    for (unsigned i = 0; i < n_workers; i++) {
        crew->workers[i] = (struct worker){.fd = -1, .inside = crew->shared->inside + i};
        crew->workers[i].share = (struct uet_share){.tests = crew->tests,
                                                    .n = crew->n,
                                                    .first = i,
                                                    .step = n_workers,
                                                    .stop = &crew->shared->stop};
    }
    for (unsigned i = 0; i < n_workers && !crew->rc; i++)
        start(crew, &crew->workers[i]);
    while (!crew->rc && !stopped(crew) && collect(crew))
        hand_on(crew);
    hand_on(crew);
    bool early = crew->next < crew->n;
    take_leave(crew);
    hand_on(crew);
    dismiss(crew);
    if (!crew->rc && early)
        cut(crew);
    if (!crew->rc && crew->jobs->session->ended[0])
        crew->rc = -ECONNABORTED;
}

static int run_crew(const struct uet_jobs *jobs, const struct uet_test *const *tests, size_t n,
                    unsigned n_workers, const struct uet_run_events *events,
                    struct uet_summary *summary)
{
    struct crew *crew = calloc(1, sizeof(*crew));
    struct task *tasks = calloc(n + 1, sizeof(*tasks));
    struct shared *shared =
        mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int rc = -ENOMEM;

    if (crew && tasks && shared != MAP_FAILED) {
        *crew = (struct crew){.jobs = jobs,
                              .tests = tests,
                              .n = n,
                              .tasks = tasks,
                              .events = events,
                              .summary = summary,
                              .shared = shared};
        supervise(crew, n_workers);
        rc = crew->rc;
    }
    if (shared != MAP_FAILED)
        munmap(shared, sizeof(*shared));
    free(tasks);
    free(crew);
    return rc;
}

/* All by one process. */
static int run_alone(const struct uet_jobs *jobs, const struct uet_test *const *tests, size_t n,
                     const struct uet_run_events *events, struct uet_summary *summary)
{
    if (n == 0)
        return 0;
    return jobs->ref ? run_crew(jobs, tests, n, 1, events, summary)
                     : uet_run_tests(jobs->session, jobs->selection, tests, n, events, summary);
}

int uet_run_jobs(const struct uet_jobs *jobs, const struct uet_test *const *tests, size_t n,
                 const struct uet_run_events *events, struct uet_summary *summary)
{
    size_t first = 0;
    unsigned many = jobs->jobs < MAX_JOBS ? jobs->jobs : MAX_JOBS;

    while (first < n && tests[first]->sanity)
        first++;
    if (many < 2 || n - first < 2)
        return run_alone(jobs, tests, n, events, summary);
    int rc = run_alone(jobs, tests, first, events, summary);
    if (rc == -EINTR || rc == -ECONNABORTED) {
        int told = uet_not_run(events, tests + first, n - first,
                               rc == -EINTR ? UET_INTERRUPTED : jobs->session->ended);
        return told ? told : rc;
    }
    if (rc)
        return rc;
    if (jobs->session->n_shaken > 0)
        return run_alone(jobs, tests + first, n - first, events, summary);
    if (many > n - first)
        many = (unsigned)(n - first);
    return run_crew(jobs, tests + first, n - first, many, events, summary);
}
