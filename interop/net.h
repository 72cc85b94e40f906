/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The network of a cell: a namespace for each endpoint, and this process's own in the middle, where
 * the relay stands. None has a name: all is gone with the last process in it.
 */
#ifndef UET_INTEROP_NET_H
#define UET_INTEROP_NET_H

#include <stdbool.h>
#include <stddef.h>

struct net {
    int client, server; /* namespaces, by descriptor */
};

#define NET_LEFT      "left"  /* in the middle, towards the client */
#define NET_RIGHT     "right" /* towards the server */
#define NET_INTERFACE "uet0"  /* of each endpoint */

/* Enters a namespace of its own and makes the links. 0; or a negative errno and a line in err. */
int net_make(struct net *net, char *err, size_t errlen);
void net_close(struct net *net);

/* Can namespaces be made here? If not, why: one line. Forks; changes nothing. */
bool net_possible(char *err, size_t errlen);

#endif
