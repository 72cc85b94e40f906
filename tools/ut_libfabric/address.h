/* SPDX-License-Identifier: BSD-2-Clause */
/* Addresses of endpoints, as providers take them. */
#ifndef UT_LIBFABRIC_ADDRESS_H
#define UT_LIBFABRIC_ADDRESS_H

#include <stdint.h>
#include <sys/socket.h>

#include "wire/addr.h"

#define FABRIC_UET_ADDRESS 32

/*
 * The endpoint address of Table 2-10, in the portable form of 32 bytes of the one provider that has
 * one (contested: the table fixes no form): 0x55, version 1, flags, 0, capabilities, PIDonFEP,
 * start resource index, number of resource indices, initiator ID, fabric address; big endian.
 */
void fabric_uet_address(uint8_t out[FABRIC_UET_ADDRESS], const struct uet_ip *ip,
                        uint16_t pid_on_fep, uint16_t ri, uint32_t initiator);

/* IP address and port. */
void fabric_sockaddr(struct sockaddr_storage *out, const struct uet_ip *ip, uint16_t port);

#endif
