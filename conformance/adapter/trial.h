/* SPDX-License-Identifier: BSD-2-Clause */
/* One check of an upper tester as it goes: private to this folder. */
#ifndef UET_CONFORMANCE_ADAPTER_TRIAL_H
#define UET_CONFORMANCE_ADAPTER_TRIAL_H

#include "conformance/adapter/adapter.h"

enum { TRIAL_ENDS = 32 };

struct trial {
    struct uet_adapter *adapter;
    struct uet_ut *ut, *peer;
    struct uet_ut_about about, peer_about;
    struct uet_adapter_result r;
    uint16_t ri; /* resource indices that are in use; each check takes others */
    struct uet_ut_completion ends[2]
                                 [TRIAL_ENDS]; /* of the FEP and of its peer, not yet asked for */
    size_t n_ends[2];
};

struct check {
    const char *verb, *what;
    void (*body)(struct trial *t);
    const char *asks; /* the argument that it is about, as uet_adapter_result has it; may be NULL */
};

extern const struct check uet_adapter_alone[], uet_adapter_between[];
extern const size_t uet_adapter_n_alone, uet_adapter_n_between;

#define TRIAL_JOB 0x1234u
#define TRIAL_PID 3u

/* A resource index that no check has used. */
uint16_t trial_ri(struct trial *t);

/* Opens a resource index for TRIAL_JOB at that FEP, where there is a verb for it; else `reg_mem`
 * and `post_recv` do. False: the check has come out. */
bool trial_opens(struct trial *t, struct uet_ut *ut, uint16_t ri, enum uet_ut_class ri_class);

/* The check has come out so; a later call changes nothing. */
void trial_says(struct trial *t, enum uet_adapter_how how, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#define WRONG(t, ...) trial_says(t, UET_ADAPTER_WRONG, __VA_ARGS__)

/*
 * Did the call come back with what it promises? Else the check has come out: refused where the
 * upper tester said no, wrong where its reply is none. doing: the verb, where nothing else tells.
 */
bool trial_ok(struct trial *t, struct uet_ut *ut, const char *doing, int rc);

/* Of the verbs of the FEP, does hello list that one? */
bool trial_lists(struct trial *t, const char *verb);

/*
 * The request (stolen) must be refused: true when it is, else the check has come out as wrong:
 * `why` is the rest of the sentence "... was accepted, ".
 */
bool trial_refuses(struct trial *t, json_t *request, const char *why);

/*
 * Waits for the completion of that handle at the FEP (side 0) or its peer (1); what others come is
 * kept. NULL when none came in time: the check has come out as wrong.
 */
const struct uet_ut_completion *trial_end(struct trial *t, int side, uint64_t handle,
                                          const char *of);
/* The same, where none is no mistake: NULL, and nothing has come out. */
const struct uet_ut_completion *trial_may_end(struct trial *t, int side, uint64_t handle);

#endif
