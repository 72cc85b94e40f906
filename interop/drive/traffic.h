/* SPDX-License-Identifier: BSD-2-Clause */
/* What an endpoint does: resources, operations, and the bytes that have come. */
#ifndef UET_INTEROP_TRAFFIC_H
#define UET_INTEROP_TRAFFIC_H

#include "interop/drive/contract.h"
#include "interop/drive/fep.h"

struct traffic {
    struct contract *contract;
    struct driven *driven;
    struct uet_ut *ut;
    unsigned under_way;
};

/* Does this side start operations? The other one serves. */
bool traffic_acts(const struct contract *contract);

/* All return an exit status of the endpoint, and have said on stderr why it is not 0. */

/* Does the FEP know what this case asks for? Sets the parameters of the case. */
int traffic_fits(struct traffic *traffic);
/* Opens memory and posts receives for what comes, and for what the peer reads. */
int traffic_open(struct traffic *traffic);
/* Does its own operations, all of them; stops in the middle where the case says so. */
int traffic_act(struct traffic *traffic);
/* Waits until all receives were filled. */
int traffic_wait_received(struct traffic *traffic);
/* Serves the peer until a signal says that it is over. */
int traffic_serve(struct traffic *traffic);
/* Closes the PDCs that were opened, unless the case leaves them. */
int traffic_close(struct traffic *traffic);
/* Writes what has come into UET_OUT. */
int traffic_write_out(struct traffic *traffic);

#endif
