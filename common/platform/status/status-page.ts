import { escapeHtml } from "../encoding/escape-html.ts";
import type { ProcessStatus } from "./process-status.ts";
import { processLines, processName, type StatusLevel } from "./status-lines.ts";

/** Words before a fact, as colours alone don't say it to everybody. */
const LEVEL_WORDS: Readonly<Record<StatusLevel, string>> = { well: "Well", wrong: "Wrong", note: "Note" };

const STYLE = `:root{color-scheme:light dark;--wrong:light-dark(#a3122b,#ff8fa0);--well:light-dark(#0c6b3c,#67d79b)}
body{font:1rem/1.5 system-ui,sans-serif;margin:0 auto;max-width:48rem;padding:1rem}
h1{font-size:1.25rem;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%}
th,td{border-bottom:1px solid light-dark(#ccd,#445);overflow-wrap:anywhere;padding:.4rem .5rem .4rem 0;text-align:start;vertical-align:top}
th{white-space:nowrap}
.wrong{color:var(--wrong)}.well{color:var(--well)}`;

/** Headers of the page: it loads nothing, and runs no script. */
export const STATUS_PAGE_HEADERS = {
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
};

/** Returns the status of a process as a page, which loads itself again every ten seconds. */
export function statusPage(status: ProcessStatus): string {
  const lines = processLines(status);
  const title = escapeHtml(processName(status));
  const wrong = lines.filter(({ level }) => level === "wrong").length;
  const rows = lines.map(
    ({ level, text }) =>
      `<tr><th scope="row" class="${level}">${LEVEL_WORDS[level]}</th><td>${escapeHtml(text)}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="10">
<title>${wrong === 0 ? "Well" : `${wrong} wrong`}: ${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${wrong === 0 ? "All is well in this process." : `Wrong in this process: ${wrong}.`} <code>tidemark status</code> shows all processes.</p>
<table>
<thead><tr><th scope="col">State</th><th scope="col">Fact</th></tr></thead>
<tbody>
${rows.join("\n")}
</tbody>
</table>
</main>
</body>
</html>
`;
}
