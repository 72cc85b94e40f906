/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.1.3, 3.5.8.2: of two errors in one request the one that is judged first is told. */
#include "conformance/tests/request_errors.h"

/* Not on ROD: the other mode of a request is ROD, and would be none there. */
#define FIRST_WINS(name, test_id, rows, claims, words, what, due, check, carrier)                  \
    UET_TEST(name, .id = (test_id), .requirements = (rows), .role = UET_ROLE_TARGET,               \
             .needs = (claims), .contested = true, .not_over = "mode",                             \
             .purpose = "Of two errors in one request the first in order is told: " words ".",     \
             .preamble = "PDC open; a region, or a receive, that the request would fit.",          \
             .stimulus = what " that fail at this check, and each at one more that comes after "   \
                              "it in the order of spec-map/checks.csv.",                           \
             .expected = due " each time; the code of the other check is a finding where their "   \
                             "order is not sure, and so is the code of a known implementation.")   \
    {                                                                                              \
        first_wins(tc, check, carrier);                                                            \
    }

FIRST_WINS(unknown_dpdcid_write, "pds.3.5.8.2.unknown-dpdcid-first", "PDS-038", "rud write",
           "an unknown dpdcid", "WRITEs", "UET_INV_DPDCID", UET_CHECK_UNKNOWN_DPDCID, CARRIER_WRITE)

FIRST_WINS(unknown_dpdcid_send, "pds.3.5.8.2.unknown-dpdcid-first-send", "PDS-038", "rud send",
           "an unknown dpdcid", "SENDs", "UET_INV_DPDCID", UET_CHECK_UNKNOWN_DPDCID, CARRIER_SEND)

FIRST_WINS(other_peer_write, "pds.3.5.8.2.other-peer-first", "PDS-040", "rud write",
           "a spdcid that is not the peer's", "WRITEs", "UET_PDC_HDR_MISMATCH",
           UET_CHECK_OTHER_PEER, CARRIER_WRITE)

FIRST_WINS(other_peer_send, "pds.3.5.8.2.other-peer-first-send", "PDS-040", "rud send",
           "a spdcid that is not the peer's", "SENDs", "UET_PDC_HDR_MISMATCH", UET_CHECK_OTHER_PEER,
           CARRIER_SEND)

FIRST_WINS(other_mode_write, "pds.3.5.6.other-mode-first", "PDS-007", "rud rod write",
           "the other delivery mode", "WRITEs", "UET_PDC_MODE_MISMATCH", UET_CHECK_OTHER_MODE,
           CARRIER_WRITE)

FIRST_WINS(other_mode_send, "pds.3.5.6.other-mode-first-send", "PDS-007", "rud rod send",
           "the other delivery mode", "SENDs", "UET_PDC_MODE_MISMATCH", UET_CHECK_OTHER_MODE,
           CARRIER_SEND)

FIRST_WINS(job_write, "ses.3.4.1.3.1.unknown-job-first", "SES-052", "write", "an unknown JobID",
           "WRITEs", "RC_BAD_JOB_ID", UET_CHECK_JOB, CARRIER_WRITE)

FIRST_WINS(job_send, "ses.3.4.1.3.1.unknown-job-first-send", "SES-052", "send", "an unknown JobID",
           "SENDs", "RC_BAD_JOB_ID", UET_CHECK_JOB, CARRIER_SEND)

FIRST_WINS(pid_write, "ses.3.4.1.3.2.unknown-pid-first", "SES-053", "write", "an unknown PIDonFEP",
           "WRITEs", "RC_BAD_PID", UET_CHECK_PID, CARRIER_WRITE)

FIRST_WINS(pid_send, "ses.3.4.1.3.2.unknown-pid-first-send", "SES-053", "send",
           "an unknown PIDonFEP", "SENDs", "RC_BAD_PID", UET_CHECK_PID, CARRIER_SEND)

FIRST_WINS(index_write, "ses.3.4.1.3.3.unknown-index-first", "SES-054", "write", "an unknown RI",
           "WRITEs", "RC_BAD_INDEX", UET_CHECK_INDEX, CARRIER_WRITE)

FIRST_WINS(index_send, "ses.3.4.1.3.3.unknown-index-first-send", "SES-054", "send", "an unknown RI",
           "SENDs", "RC_BAD_INDEX", UET_CHECK_INDEX, CARRIER_SEND)

FIRST_WINS(disabled_send, "ses.3.4.6.3.disabled-first", "SES-100", "send", "a disabled RI", "SENDs",
           "RC_DISABLED", UET_CHECK_DISABLED, CARRIER_SEND)

FIRST_WINS(disabled_gen_send, "ses.3.4.6.3.disabled-gen-first", "SES-100", "send generations",
           "a disabled RI with generations", "SENDs", "RC_DISABLED_GEN", UET_CHECK_DISABLED_GEN,
           CARRIER_SEND)

FIRST_WINS(generation_send, "ses.3.4.3.6.3.generation-first", "SES-105", "send generations",
           "a wrong ri_generation", "SENDs", "RC_BAD_GENERATION", UET_CHECK_GENERATION,
           CARRIER_SEND)

FIRST_WINS(opcode_write, "ses.3.4.6.2.reserved-opcode-first", "SES-024", "write",
           "a reserved opcode", "WRITEs", "RC_UNSUPPORTED_OP", UET_CHECK_OPCODE, CARRIER_WRITE)

FIRST_WINS(opcode_send, "ses.3.4.6.2.reserved-opcode-first-send", "SES-024", "send",
           "a reserved opcode", "SENDs", "RC_UNSUPPORTED_OP", UET_CHECK_OPCODE, CARRIER_SEND)

FIRST_WINS(key_write, "ses.3.4.1.5.2.unknown-key-first", "SES-063", "write",
           "an unknown memory key", "WRITEs", "RC_BAD_MKEY", UET_CHECK_KEY, CARRIER_WRITE)

FIRST_WINS(authorization_write, "ses.3.4.1.4.authorization-first", "SES-059", "write",
           "a region of another JobID", "WRITEs", "RC_PERM_VIOLATION", UET_CHECK_AUTHORIZATION,
           CARRIER_WRITE)

FIRST_WINS(right_write, "ses.3.4.6.3.right-first", "SES-064", "write",
           "a region without write right", "WRITEs", "RC_OP_VIOLATION", UET_CHECK_RIGHT,
           CARRIER_WRITE)
