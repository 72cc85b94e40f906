/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests on reads share whose FEP is the initiator. */
#ifndef UET_CONFORMANCE_TESTS_FEP_READS_H
#define UET_CONFORMANCE_TESTS_FEP_READS_H

#include <string.h>

#include "conformance/harness/steps/fep_reads.h"
#include "conformance/tests/pds.h"
#include "conformance/tests/pds_target.h"

#endif
