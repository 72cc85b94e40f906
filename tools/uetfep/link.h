/* SPDX-License-Identifier: BSD-2-Clause */
/* The link under uetfep: down, without carrier, gone, up again. */
#ifndef UET_TOOLS_UETFEP_LINK_H
#define UET_TOOLS_UETFEP_LINK_H

enum link_state { LINK_UP, LINK_NO_CARRIER, LINK_DOWN, LINK_GONE };

struct link {
    const char *interface;
    unsigned index; /* of the interface at the start: one of the same name later is another */
    enum link_state state; /* as it was told last */
    int fd;                /* readable when some link has changed; -1: the kernel does not tell */
};

/* Taken for up: what it is else, the first look tells. End it with link_close. */
struct link link_of(const char *interface);
void link_close(const struct link *link);

/*
 * A look at the link (struct uet_host_run): one line on stderr when it has changed. 0, or -ENODEV
 * when the interface is gone for good.
 */
int link_look(void *link, int rc);

#endif
