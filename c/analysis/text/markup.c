/* SPDX-License-Identifier: BSD-3-Clause */
#include "markup.h"

#include <stdarg.h>
#include <string.h>

#include "base/utf8.h"

void markup_text(FILE *to, const char *text)
{
    static const char special[] = "&<>\"";
    static const char *const name[] = { "amp", "lt", "gt", "quot" };

    for (size_t n; *text != '\0'; text += n > 0 ? n : 1) {
        const char *found = strchr(special, *text);

        n = utf8_length(text);
        if (found != NULL)
            fprintf(to, "&%s;", name[found - special]);
        else if (n == 0)
            fputs(UTF8_UNKNOWN, to);
        else if (n == 1 && *text < ' ')
            fputc(' ', to);
        else
            fwrite(text, 1, n, to);
    }
}

void markup_print(FILE *to, const char *form, ...)
{
    va_list list;

    va_start(list, form);
    for (; *form != '\0'; form++)
        if (form[0] == '%' && form[1] == 's') {
            markup_text(to, va_arg(list, const char *));
            form++;
        } else {
            fputc(*form, to);
        }
    va_end(list);
}

/* Wide tables scroll by themselves, so that the page does not. */
static const char style[] =
    "body{font:16px/1.45 system-ui,sans-serif;color:#222;background:#fff;"
    "max-width:70em;margin:0 auto;padding:1em}"
    "h1{font-size:1.5em}h2{font-size:1.2em;margin-top:2em;border-top:1px solid "
    "#bbb;padding-top:.6em}"
    "figure{margin:0 0 1em}figure svg{width:100%;height:auto;max-width:60em}"
    "figure.heat svg{max-width:34em}ul{margin:.2em 0}"
    "figcaption,.note{color:#555;font-size:.9em}"
    ".wide{overflow-x:auto}"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums;"
    "font-size:.9em}"
    "th,td{padding:.2em .7em;text-align:right;border-bottom:1px solid #ddd;"
    "white-space:nowrap}"
    "th:first-child,td:first-child,.word{text-align:left}"
    "th:first-child,td:first-child{position:sticky;left:0;background:#fff}"
    "thead th{border-bottom:2px solid #888;vertical-align:bottom}"
    ".answer{font-weight:600}.first{display:flex;flex-wrap:wrap;gap:1em}"
    ".first>*{min-width:0;max-width:100%}"
    ".first>figure{flex:1 1 24em;max-width:38em}"
    ".classes th,.classes td{padding:.1em .5em;vertical-align:top}"
    ".classes td:last-child,.classes td.of{white-space:normal;max-width:18em}"
    ".classes td.of{overflow-wrap:anywhere}"
    ".classes .more{color:#666;font-size:.85em}"
    "code{overflow-wrap:anywhere;font-size:.85em}"
    "ol.odd{padding-left:1.3em}ol.odd li{margin:.5em 0}"
    ".values td:last-child,.values td.of{max-width:none}"
    "@media(max-width:600px){body{padding:.6em}h1{font-size:1.2em;margin:.2em "
    "0}.answer{font-size:.9em;margin:.4em 0}.classes{font-size:.75em}"
    ".classes th,.classes td{padding:.05em .3em}.classes td.of{max-width:8em}"
    ".classes .more{display:none}}"
    "tr.differs td{background:#fff3cd}"
    "td.faster{background:#d9f2e3}td.slower{background:#fbdcdc}"
    "td.undecided{color:#666}"
    "@media print{body{max-width:none;font-size:11px}.wide{overflow:visible}"
    "h2,figure,tr{break-inside:avoid}"
    "*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}";

void markup_begin(FILE *to, const char *title)
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

void markup_end(FILE *to)
{
    fputs("</body>\n</html>\n", to);
}
