/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The upper tester: the verbs that make a FEP act, as JSON lines. A vendor implements them over a
 * Unix or TCP socket, or standard input and output; the reference FEP implements them in process
 * and over `uetfep --control`.
 *
 * Request  {"id":1,"verb":"write","to":"192.0.2.1",...}
 * Reply    {"id":1,"ok":true,...}  or  {"id":1,"ok":false,"error":"what is wrong"}
 *
 * The verbs and their arguments are described in docs/upper-tester.md, and wrapped for C in
 * ut/verbs.h. No verb blocks: `wait` returns the completions there are.
 */
#ifndef UET_UT_UT_H
#define UET_UT_UT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The longest line either way, with its newline. What is longer is refused. */
#define UET_UT_LINE_MAX (4u << 20)

/* The most bytes of memory that one line carries ("data" of get_mem, send, write, reg_mem). */
#define UET_UT_DATA_MAX (1u << 20)

struct uet_ut;
struct uet_ut_operation;
struct uet_ut_receive;

struct uet_ut_ops {
    int (*call)(struct uet_ut *ut, json_t *request, json_t **reply);
    void (*close)(struct uet_ut *ut);
};

struct uet_ut {
    const struct uet_ut_ops *ops;
    uint64_t next_id;
    bool lost;       /* the connection is closed: every later call returns -EPIPE */
    char error[256]; /* a sentence on the last call that did not return 0 */

    /* Hear of each operation before the FEP does and when it has begun it, and of each receive that
     * it has posted; NULL: nobody asks. */
    void (*on_start)(void *ctx, const char *verb, const struct uet_ut_operation *op);
    void (*on_begun)(void *ctx, uint8_t kind, const struct uet_ut_operation *op, uint64_t handle);
    void (*on_posted)(void *ctx, const struct uet_ut_receive *receive, uint64_t handle);
    void *on_ctx;

    /* Of uet_ut_told; freed by uet_ut_close. */
    json_t *told;     /* the reply to `hello` that still holds; NULL: none */
    json_t *at_reset; /* the one that holds as long as nothing was set since a reset */
    bool was_reset;   /* nothing was */
};

/*
 * Sends a request (stolen; an object without "id") and gives back the reply, owned by the caller.
 * Returns 0 when the reply says ok; -EPROTO when it says not (*reply then holds the error text
 * under "error"); another negative errno when there is no reply (*reply is NULL): -ETIMEDOUT,
 * -EPIPE (the FEP's end is closed), -EBADMSG (not a reply to this request, or a refusal
 * of all: somebody else holds the FEP), -EMSGSIZE (a request
 * or a reply longer than UET_UT_LINE_MAX), -EINVAL (no JSON object), -ENOMEM. After -ETIMEDOUT,
 * -EBADMSG and -EMSGSIZE of a reply a socket is closed, as nobody knows what would come next:
 * later calls return -EPIPE. ut->error says the same in words.
 */
int uet_ut_call(struct uet_ut *ut, json_t *request, json_t **reply);

/*
 * What `hello` tells, as from uet_ut_call. It is asked once for as long as nothing is done that may
 * change what it tells: `set` and `violate`, and `reset`, which brings back what it told at first
 * (docs/upper-tester.md). Who wants to hear it anew calls it by uet_ut_call.
 */
int uet_ut_told(struct uet_ut *ut, json_t **reply);

/*
 * Connects to it: a path or "unix:PATH", "tcp:HOST:PORT", or "exec:COMMAND", which starts the
 * command and speaks to its standard input and output; it is ended with the connection. timeout_ms
 * (> 0) bounds each call from then on. 0, or a negative errno and a sentence in err.
 */
int uet_ut_connect(struct uet_ut **ut, const char *where, int timeout_ms, char *err, size_t errlen);

/* In process: handle(ctx, request) returns the reply object (owned by the caller). NULL: no
 * memory. */
struct uet_ut *uet_ut_local(json_t *(*handle)(void *ctx, json_t *request), void *ctx);

/* NULL is allowed. */
void uet_ut_close(struct uet_ut *ut);

#endif
