/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * uetinterop drive: an endpoint of the interop contract made of any FEP that has an upper tester,
 * without code: it starts the FEP, and speaks the verbs of docs/upper-tester.md.
 */
#ifndef UET_INTEROP_DRIVE_H
#define UET_INTEROP_DRIVE_H

/* argv[0] is "drive". Returns the exit status of an endpoint, or 2 for wrong usage. */
int uet_interop_drive(int argc, char **argv);

#endif
