/* SPDX-License-Identifier: BSD-2-Clause */
/* The commands of uetcat: a row each, in the file of that name; main.c lists them. */
#ifndef UETCAT_COMMAND_H
#define UETCAT_COMMAND_H

#include "tools/uetcat/options.h"

extern const struct uetcat_command uetcat_atomic;
extern const struct uetcat_command uetcat_craft;
extern const struct uetcat_command uetcat_decode;
extern const struct uetcat_command uetcat_listen;
extern const struct uetcat_command uetcat_ping;
extern const struct uetcat_command uetcat_probe;
extern const struct uetcat_command uetcat_read;
extern const struct uetcat_command uetcat_replay;
extern const struct uetcat_command uetcat_send;
extern const struct uetcat_command uetcat_tsend;
extern const struct uetcat_command uetcat_write;

#endif
