/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading option values. What is wrong is said in one line on standard error. */
#ifndef UETCAT_ARGS_H
#define UETCAT_ARGS_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/crc.h"
#include "wire/packet.h"

/* A whole number, decimal or 0x..., from min to max; command and option are for the message. */
bool uetcat_number(const char *command, const char *option, const char *text, uint64_t min,
                   uint64_t max, uint64_t *value);

/* Seconds, "0.2", from min to max, as nanoseconds. */
bool uetcat_seconds(const char *command, const char *option, const char *text, double min,
                    double max, uint64_t *ns);

/* "auto" (where allowed), "none", "crc". */
bool uetcat_protect(const char *command, const char *text, bool allow_auto,
                    enum uet_protect *protect);

/* "big" or "little": the byte order of CRC trailers that are sent. */
bool uetcat_crc_order(const char *command, const char *text, uint8_t *order);

/* The Payload MTU (SES-042): 1024, 2048, 4096 or 8192. */
bool uetcat_mtu(const char *command, const char *text, uint16_t *mtu);

bool uetcat_address(const char *command, const char *option, const char *text, struct uet_ip *ip);

#endif
