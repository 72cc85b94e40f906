/* SPDX-License-Identifier: BSD-2-Clause */
/* The words that manifests, cases and the environment of an endpoint share; each ends with NULL. */
#ifndef UET_INTEROP_WORDS_H
#define UET_INTEROP_WORDS_H

enum operation { OP_WRITE, OP_SEND, OP_TAGGED_SEND, OP_READ, OP_RENDEZVOUS_SEND };
extern const char *const word_operations[];

extern const char *const word_modes[]; /* enum uet_ut_mode */

enum direction { TO_SERVER, FROM_SERVER, BOTH_WAYS };
extern const char *const word_directions[];

enum encapsulation { OVER_UDP, OVER_IP };
extern const char *const word_encapsulations[];

enum ip_version { IP_4, IP_6 };
extern const char *const word_ips[];

enum protect { PROTECT_NONE, PROTECT_CRC };
extern const char *const word_protects[];

extern const char *const word_specs[];

enum restart { RESTART_NOBODY, RESTART_CLIENT, RESTART_SERVER };
extern const char *const word_restarts[];

/* What a case may ask of an endpoint beside these. */
enum feature { FEATURE_PARAMETERS, FEATURE_TRIM, FEATURE_RESTART, FEATURE_JOBS };
extern const char *const word_features[];

/* In the small matrix: not at all, of the hub with itself, or of each with the hub. */
enum small { SMALL_NO, SMALL_HUB, SMALL_PAIRS };
extern const char *const word_smalls[];

extern const char *const word_no_yes[];

#endif
