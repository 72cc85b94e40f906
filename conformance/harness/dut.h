/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The FEP under test: what it claims (PICS) and what the tester must know of it (PIXIT). Read from
 * a fep.yaml, or filled in by the program that starts the reference FEP.
 */
#ifndef UET_CONFORMANCE_DUT_H
#define UET_CONFORMANCE_DUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "conformance/harness/atomics.h"
#include "wire/addr.h"

#define UET_DUT_MAX_MEMORY 16
#define UET_DUT_MAX_PARAMS 64
#define UET_DUT_MAX_KNOWN  256
#define UET_DUT_TESTERS    2
#define UET_DUT_MAX_ALIKE  31
#define UET_DUT_SDI_ANY    UINT32_MAX

/* A memory region that stands ready at a FEP without upper tester. */
struct uet_dut_memory {
    uint32_t job_id;
    uint16_t pid_on_fep;
    uint16_t resource_index;
    uint8_t ri_generation;
    bool relative; /* addressed with ses.rel = 1 */
    uint64_t key;
    uint32_t length; /* bytes */
    bool no_write;   /* writes are refused */
    unsigned line;   /* of the fep.yaml */
};

/* A send resource with receive buffers that stand posted and are posted anew when used. */
struct uet_dut_receive {
    uint32_t job_id;
    uint16_t pid_on_fep;
    uint16_t resource_index;
    uint8_t ri_generation;
    bool relative;
    uint32_t length; /* bytes of each buffer */
    unsigned line;   /* of the fep.yaml */
};

struct uet_dut_param {
    char name[32];
    uint64_t value; /* times in nanoseconds, sizes in bytes */
};

/* A parameter of fep.yaml that Table 3-28 does not have. */
struct uet_dut_param_info {
    const char *name;
    const char *unit;   /* as in struct uet_param; "DSCP" is a code point */
    uint64_t low, high; /* what it may be told to be */
    const char *meaning;
};

extern const struct uet_dut_param_info uet_dut_own_params[];
extern const size_t uet_dut_n_own_params;

/* Which key of fep.yaml, and where ("udp_port: outside 'parameters'"), tells this parameter in the
 * place of `parameters`; NULL: none does. */
const char *uet_dut_param_elsewhere(const char *name);

/*
 * A deviation that the vendor knows: reported as known-fail, never counted as conforming. It
 * names tests or a requirement; the other is "".
 */
struct uet_dut_known {
    char test[96];        /* an id, or a pattern of ids as a shell matches file names */
    char requirement[16]; /* "PDS-105" */
    char reason[160];
    char date[16];
    unsigned line; /* of the fep.yaml */
};

/* In which order the CRC trailer's bytes stand (3.5.25). */
enum uet_dut_crc_order { UET_DUT_CRC_AUTO, UET_DUT_CRC_BIG, UET_DUT_CRC_LITTLE };

/* PICS items by name; a test names those it needs. Keep uet_pics in step. */
enum uet_pics_item {
    UET_PICS_RUD,
    UET_PICS_WRITE,
    UET_PICS_WRITE_IMMEDIATE,
    UET_PICS_READ,
    UET_PICS_SEND,
    UET_PICS_NO_OP,
    UET_PICS_SMALL_HEADER,
    UET_PICS_MEDIUM_HEADER,
    UET_PICS_GENERATIONS,
    UET_PICS_ACK_CC,
    UET_PICS_PROBE,
    UET_PICS_NOOP_OPENS,
    UET_PICS_NEGOTIATION,
    UET_PICS_MULTI_PACKET_SEND,
    UET_PICS_TRUNCATION,
    UET_PICS_MSG_ERROR,
    UET_PICS_COALESCING,
    UET_PICS_INFINITE_RETRIES,
    UET_PICS_ROD,
    UET_PICS_RUDI,
    UET_PICS_UUD,
    UET_PICS_TRIMMING,
    UET_PICS_RESERVED_PDCS,
    UET_PICS_TAIL_LOSS,
    UET_PICS_EXPERIMENTAL_NACKS,
    UET_PICS_MPR_ZERO_OVERRIDE,
    UET_PICS_CP_NOOP,
    UET_PICS_RETURN_CODES,
    UET_PICS_TAGGED,
    UET_PICS_WILDCARD_TAGS,
    UET_PICS_DEFERRAL,
    UET_PICS_RENDEZVOUS,
    UET_PICS_KEEPS_UNEXPECTED,
    UET_PICS_TAGGED_ATOMICS,
    UET_PICS_NSCC,
    UET_PICS_OBLIVIOUS,
    UET_PICS_PATH_AWARE,
    UET_PICS_RCCC,
    UET_PICS_COUNT
};

struct uet_pics_info {
    const char *name;    /* "write-immediate" */
    const char *meaning; /* one line, for a vendor who fills in fep.yaml */
    bool by_default;     /* claimed when fep.yaml has no `claims` */
};

extern const struct uet_pics_info uet_pics[UET_PICS_COUNT];

struct uet_dut {
    char name[64];
    char path[256]; /* of the fep.yaml, or "ref" */
    struct uet_ip address;
    struct uet_ip tester[UET_DUT_TESTERS]; /* the tester's own addresses; version 0: not given */
    char interface[32];                    /* AF_PACKET */
    char control[256];                     /* where the upper tester is (ut/ut.h), or "" */
    char spec[16];                         /* "1.0.3", or "" when it is not told */
    char profile[16];                      /* one of uet_profile_names */
    uint8_t protect;                       /* enum uet_protect, NONE, CRC or TSS */
    uint8_t crc_order;                     /* enum uet_dut_crc_order */
    uint16_t payload_mtu;
    uint16_t udp_port;         /* 0 stands for 4793 */
    bool native;               /* native IP instead of UDP (3.5.10.1) */
    uint8_t ip_protocol;       /* of native IP; 0 stands for 253 */
    uint64_t response_time_ns; /* the longest that an answer may take */
    uint64_t quiet_time_ns;    /* when so long nothing came, nothing comes; 0: not told */
    char restart[256];         /* shell command that starts the FEP anew, or "" */
    uint64_t restart_time_ns;  /* after it the FEP is there again */
    bool restart_each_test;    /* before each test and point, in the place of the verb `reset` */
    bool ack_cc;               /* the tester acknowledges with ACK_CC instead of ACK */
    bool claims[UET_PICS_COUNT];
    struct uet_atomics atomics; /* claimed pairs */
    struct uet_dut_memory memory[UET_DUT_MAX_MEMORY];
    size_t n_memory;
    struct uet_dut_receive receives[UET_DUT_MAX_MEMORY];
    size_t n_receives;
    struct uet_dut_param params[UET_DUT_MAX_PARAMS];
    size_t n_params;
    struct uet_dut_known known[UET_DUT_MAX_KNOWN];
    size_t n_known;
    char keys[256];                /* with protect tss: the key file (wire/keyfile.h) */
    uint32_t sdi;                  /* the domain in which tests run; ANY: of its first key */
    struct uet_security *security; /* with protect tss: its domains (security.h). Not owned */
    uint16_t setups; /* bit p: the file tells of place p of UET_OVER_SETUP (point.h), too */
    uint8_t alike;   /* of so many others that are set up just so */
};

/* "none", "crc", "tss": an enum uet_protect in fep.yaml and in `hello`; NULL ends them. */
extern const char *const uet_dut_protections[];

/* Fills in what holds when nothing is said. */
void uet_dut_default(struct uet_dut *dut);

/* Versions of the specification, in the order of enum uet_spec_version; NULL at the end. */
extern const char *const uet_dut_specs[];

#define UET_DUT_ERRORS 4096 /* bytes for the errors of one file */

/*
 * Reads a fep.yaml. 0; or a negative errno and in err a line for each error (ten at most, without
 * a newline at the end): file, line, column, what is wrong and how to mend it. Unknown keys,
 * parameters, claims and tests, and values of the wrong type, are errors. Tests are known when the
 * program has some.
 */
int uet_dut_read(struct uet_dut *dut, const char *path, char *err, size_t errlen);

/*
 * The same FEP as `setups` of the file describes it at that place of UET_OVER_SETUP (its bit is set
 * in dut->setups); 0: as the file begins, which is uet_dut_read.
 */
int uet_dut_read_setup(struct uet_dut *dut, const char *path, size_t place, char *err,
                       size_t errlen);

/* The FEP of an entry of the file's `alike`, counted from 1: elsewhere, and else as the file says.
 */
int uet_dut_read_alike(struct uet_dut *dut, const char *path, size_t which, char *err,
                       size_t errlen);

/* The value of a parameter; false when it is not known. */
bool uet_dut_param(const struct uet_dut *dut, const char *name, uint64_t *value);

/* Parameters that only tests of some features read: `claims` are their words in `needs`, with
 * spaces between them; a FEP that claims none of them tells the parameter for nothing. "": no test
 * reads it, and a report alone tells it. */
struct uet_dut_param_use {
    const char *name, *claims;
};

extern const struct uet_dut_param_use uet_dut_param_uses[];
extern const size_t uet_dut_n_param_uses;

/* Is the parameter told, and none of the claims made that would make use of it? */
bool uet_dut_is_unused(const struct uet_dut *dut, const struct uet_dut_param_use *use);

/*
 * The parameters that are told for nothing, as "alpha (nscc), max-reads (read)": each with the
 * claims of which one would make use of it, or that there is none. How many.
 */
#define UET_DUT_UNUSED    2048 /* bytes for all of them */
#define UET_DUT_NO_READER "no test reads it"
size_t uet_dut_unused(const struct uet_dut *dut, char *out, size_t size);

/* The largest of the pools that are told (max-pdcs, ...), and its parameter; 0: none is. */
uint64_t uet_dut_largest_pool(const struct uet_dut *dut, const char **name);

/* Is that one of the tester's addresses? */
bool uet_dut_is_tester(const struct uet_dut *dut, const struct uet_ip *ip);

/*
 * The address from which strangers speak (point.h: amid), neither the tester's nor the FEP's: the
 * tester's first with bit 0x40 of the last byte turned and, where it is set or the other is taken
 * by one of these, bit 0x01, too.
 */
struct uet_ip uet_dut_stranger(const struct uet_dut *dut);

/* Sets or replaces a parameter; false when there is no room. */
bool uet_dut_param_set(struct uet_dut *dut, const char *name, uint64_t value);

/* A code point of the operator's (4.1.4.1) as a set of one: bit d stands for DSCP d; 0: untold. */
uint64_t uet_dut_dscp(const struct uet_dut *dut, const char *name);

/*
 * For so long, in ns, one must listen before nothing has come: as fep.yaml says (quiet_time), else
 * 50 ms, and at least the twentieth part of response_time.
 */
uint64_t uet_dut_quiet(const struct uet_dut *dut);

/* In which order the FEP's CRC trailers stand, as an enum uet_crc_order: big-endian if untold. */
uint8_t uet_dut_order(const struct uet_dut *dut);

/* The feature (enum uet_profile_feature) that has the item's name; -1: no profile speaks of it. */
int uet_pics_feature(size_t item);

/*
 * The features that the FEP's profile must have and that it does not claim, with spaces between
 * them; how many. What no item claims is not asked for.
 */
size_t uet_dut_lacks(const struct uet_dut *dut, char *out, size_t size);

/* The number of a PICS item, or -1. name need not end after its n bytes. */
int uet_pics_find(const char *name, size_t n);

/* The deviation noted for a test, or NULL. */
const struct uet_dut_known *uet_dut_known(const struct uet_dut *dut, const char *test);

#endif
