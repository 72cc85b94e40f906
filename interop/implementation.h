/* SPDX-License-Identifier: BSD-2-Clause */
/* Implementations: folders with a manifest (docs/interop.md). */
#ifndef UET_INTEROP_IMPLEMENTATION_H
#define UET_INTEROP_IMPLEMENTATION_H

#include "interop/case.h"

enum { FOLDER_MAX = 1024 };

struct implementation {
    char name[32];
    char description[200];
    char version[64];
    char folder[FOLDER_MAX];       /* of its manifest: its commands run there */
    char client[400], server[400]; /* shell commands; "": it has no such role */
    uint8_t spec;                  /* the version of the specification that it follows */
    uint8_t hub;                   /* 1: in the small matrix all others meet this one */
    uint8_t when_named;            /* 1: in the matrix only when it is named */
    /* What it claims; what it says nothing of it claims to have. */
    uint32_t operations, modes, directions, encapsulations, ips, protects, features;
    uint32_t max_length; /* of a message, in bytes; 0: any */
    uint32_t max_payload_mtu;
};

struct implementations {
    struct implementation *all;
    size_t n;
};

/*
 * Adds the manifest of each folder in the folder to the list (zeroed at first), in the order of
 * their names. 0; or a negative errno and one line in err. To be freed in either case.
 */
int implementations_read(struct implementations *list, const char *folder, char *err,
                         size_t errlen);
void implementations_free(struct implementations *list);

/* NULL: none has this name. */
const struct implementation *implementation_find(const struct implementations *list,
                                                 const char *name);

/* Why it does not claim this case in this role; NULL: it does. */
const char *implementation_lacks(const struct implementation *im, const struct interop_case *c,
                                 bool server);

#endif
