/* SPDX-License-Identifier: BSD-2-Clause */
/* The look of the HTML report: light, dark and paper. Nothing is fetched from anywhere. */
#ifndef UET_REPORT_HTML_STYLE_H
#define UET_REPORT_HTML_STYLE_H

extern const char uet_html_style[];

#endif
