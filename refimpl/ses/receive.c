/* SPDX-License-Identifier: BSD-2-Clause */
/* Posted receive buffers (SES-090). */
#include <errno.h>

#include "refimpl/ses/ses.h"

int uet_fep_post_receive(struct uet_fep *fep, const struct uet_receive *receive)
{
    if (fep->receives.used + fep->completions.n_receive >= fep->config.max_receives)
        return -ENOSPC;
    uint32_t id = pool_get(&fep->receives);
    if (!id)
        return -ENOSPC;
    struct posted *posted = receive_at(fep, id);
    posted->next = 0; /* the pool's link stood there */
    posted->call = *receive;
    if (fep->receives_tail)
        receive_at(fep, fep->receives_tail)->next = id;
    else
        fep->receives_head = id;
    fep->receives_tail = id;
    return 0;
}

void uet_receive_take(struct uet_fep *fep, uint32_t id)
{
    struct posted *posted = receive_at(fep, id);
    uint32_t *link = &fep->receives_head, before = 0;
    while (*link != id) {
        before = *link;
        link = &receive_at(fep, *link)->next;
    }
    *link = posted->next;
    if (fep->receives_tail == id)
        fep->receives_tail = before;
    posted->next = 0;
}

void uet_receive_complete(struct uet_fep *fep, uint32_t id, const struct uet_completion *what)
{
    struct uet_completion completion = *what;
    completion.kind = UET_COMPLETION_RECEIVE;
    completion.token = receive_at(fep, id)->call.token;
    pool_put(&fep->receives, id);
    uet_completion_push(fep, &completion);
}
