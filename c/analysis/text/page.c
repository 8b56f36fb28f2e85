/* SPDX-License-Identifier: BSD-3-Clause */
#include "page.h"

#include <math.h>
#include <string.h>

#include "markup.h"
#include "text.h"

/* Wide tables scroll by themselves, so that the page does not. */
static const char style[] =
    ":root{color-scheme:light dark;--ink:#222;--paper:#fff;--soft:#555;"
    "--rule:#ddd;--bar:#888;--differs:#fff3cd;--faster:#d9f2e3;"
    "--slower:#fbdcdc;--c0:#0072b2;--c1:#d55e00;--c2:#008060;--c3:#b0478a;"
    "--c4:#806000;--c5:#2f8fc7;--c6:#6a51a3;--c7:#555}"
    "@media(prefers-color-scheme:dark){:root{--ink:#ddd;--paper:#181a1b;"
    "--soft:#aaa;--rule:#3a3d3f;--bar:#777;--differs:#4a3f14;--faster:#17442c;"
    "--slower:#5c2323;--c0:#5ab4f0;--c1:#ff9248;--c2:#3fcf9f;--c3:#ea95c8;"
    "--c4:#e0c04a;--c5:#9fd0ee;--c6:#b9a6f0;--c7:#bbb}}"
    "body{font:16px/1.45 system-ui,sans-serif;color:var(--ink);"
    "background:var(--paper);max-width:70em;margin:0 auto;padding:1em;"
    "overflow-wrap:anywhere}"
    "h1{font-size:1.5em}h2{font-size:1.2em;margin-top:2em;border-top:1px solid "
    "var(--bar);padding-top:.6em}"
    "ul{margin:.2em 0}.note,figcaption{color:var(--soft);font-size:.9em}"
    "abbr{text-decoration:underline dotted var(--bar);cursor:help}"
    ".wide{overflow-x:auto}"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums;"
    "font-size:.9em}small{color:var(--soft)}"
    "th,td{padding:.2em .7em;text-align:right;border-bottom:1px solid "
    "var(--rule);white-space:nowrap}"
    "th:first-child,td:first-child,.word{text-align:left}"
    "th:first-child,td:first-child{position:sticky;left:0;"
    "background:var(--paper)}"
    "thead th{border-bottom:2px solid var(--bar);vertical-align:bottom}"
    ".answer{font-weight:600}.first{display:flex;flex-wrap:wrap;gap:1em}"
    ".first>*{min-width:0;max-width:100%}.first>figure{flex:1 1 24em}"
    ".classes th,.classes td{padding:.1em .5em;vertical-align:top}"
    ".classes td:last-child,.classes td.of{white-space:normal;max-width:18em}"
    ".classes td:last-child{overflow-wrap:normal}"
    ".classes .more{color:var(--soft);font-size:.85em}"
    "code{font-size:.85em}"
    "ol.odd{padding-left:1.3em}ol.odd li{margin:.5em 0}"
    "td.differs{background:var(--differs)}"
    "td.faster{background:var(--faster)}td.slower{background:var(--slower)}"
    "td.undecided{color:var(--soft)}"
    "figure{margin:0 0 1em;max-width:40em}"
    "figcaption span{white-space:nowrap;margin-left:.7em}"
    "svg.chart{display:block;width:100%;height:auto;font-size:14px}"
    "svg.key{width:30px;height:8px;margin-right:.3em;vertical-align:middle}"
    ".chart text{fill:var(--soft)}.chart .grid{stroke:var(--rule)}"
    ".chart .margin{fill:var(--rule)}.band{fill:currentColor;opacity:.18}"
    ".line{fill:none;stroke:currentColor;stroke-width:2}"
    ".chart circle{fill:currentColor;stroke:transparent;stroke-width:8}"
    ".c0{color:var(--c0)}.c1{color:var(--c1)}.c2{color:var(--c2)}"
    ".c3{color:var(--c3)}.c4{color:var(--c4)}.c5{color:var(--c5)}"
    ".c6{color:var(--c6)}.c7{color:var(--c7)}.d1{stroke-dasharray:8 4}"
    ".d2{stroke-dasharray:2 3}.d3{stroke-dasharray:10 3 2 3}"
    ".d4{stroke-dasharray:14 6}"
    "table.heat{table-layout:fixed;width:100%;max-width:34em;margin:.6em 0;"
    "font-size:.75em}.heat th,.heat td{padding:0;border:0;text-align:center;"
    "position:static}.heat th{line-height:0;height:1.5em}.heat tr:first-child"
    ">:first-child{width:2.2em}.heat tr[style] th{height:auto}.heat .none{background:repeating-linear-"
    "gradient(45deg,var(--paper) 0 2px,var(--bar) 2px 3px)}"
    ".s0{background:#eef5fb;color:#000}.s1{background:#c9def1;color:#000}"
    ".s2{background:#a4c8e8;color:#000}.s3{background:#7fb2de;color:#000}"
    ".s4{background:#5a9bd4;color:#000}.s5{background:#467eb3;color:#fff}"
    ".s6{background:#316092;color:#fff}.s7{background:#1c4370;color:#fff}"
    ".s8{background:#08264f;color:#fff}"
    "@media(max-width:600px){body{padding:.6em}h1{font-size:1.2em;margin:.2em "
    "0}.answer,.advice{font-size:.85em;margin:.3em 0}table{font-size:.75em}th,td{"
    "padding:.1em .35em}.classes th,.classes td{padding:.05em .3em}"
    ".classes td.of{max-width:7em}"
    ".classes .more{display:none}svg.chart{font-size:17px}}"
    "@media print{body{max-width:none;font-size:11px}.wide{overflow:visible}"
    "h2,figure,tr{break-inside:avoid}"
    "*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}";

void page_begin(FILE *to, const char *title)
{
    markup_print(
        to,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, "
        "initial-scale=1\">\n<title>%s</title>\n<style>",
        title);
    fputs(style, to);
    markup_print(to, "</style>\n</head>\n<body>\n<h1>%s</h1>\n", title);
}

void page_end(FILE *to)
{
    fputs("</body>\n</html>\n", to);
}

/* The power of ten of the last digit of a value of which so many are known: two at least. */
static int last_digit(double value, int known)
{
    const int second = value > 0 ? (int)floor(log10(value)) - 1 : 0;

    return known < second ? known : second;
}

/* That of a value in the middle of an interval: two decimals if it has no width. */
static int last_known(double width)
{
    return width > 0 ? (int)fmax(floor(log10(2 * width)), -3) : -2;
}

/* Append the value with digits down to that one. */
static void add_digits(char text[PAGE_NUMBER], double value, int last)
{
    const double unit = last > 0 ? pow(10, last) : 1;

    text_add(text, PAGE_NUMBER, "%.*f", last < 0 ? -last : 0,
             last > 0 ? round(value / unit) * unit : value);
}

const char *page_number(char text[PAGE_NUMBER], double value, double width)
{
    text[0] = '\0';
    add_digits(text, value, last_digit(value, last_known(width)));
    return text;
}

const char *page_range(char text[PAGE_NUMBER], double value, double low,
                       double high)
{
    const int last = last_digit(value, last_known((high - low) / 2));

    text[0] = '\0';
    add_digits(text, low, last_digit(low, last));
    text_add(text, PAGE_NUMBER, "\xe2\x80\x93");
    add_digits(text, high, last_digit(high, last));
    return text;
}
