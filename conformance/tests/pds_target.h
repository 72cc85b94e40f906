/* SPDX-License-Identifier: BSD-2-Clause */
/* What the PDS tests share whose FEP is the target. */
#ifndef UET_CONFORMANCE_TESTS_PDS_TARGET_H
#define UET_CONFORMANCE_TESTS_PDS_TARGET_H

#include <string.h>

#include "conformance/harness/steps/answers.h"
#include "conformance/harness/steps/target.h"

#endif
