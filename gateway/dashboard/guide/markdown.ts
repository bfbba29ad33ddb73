import { html } from "hono/html";
import type { Html } from "../../web/pages/layout.ts";

/** Returns the address of a link's target; undefined for one that isn't served, which is shown as text. */
export type LinkTarget = (target: string) => string | undefined;

const HEADING = /^(#{1,4}) (.+)$/;
const ITEM = /^(?:[-*]|\d+\.) +/;
const FENCE = /^```/;
const TABLE_RULE = /^\|[-:| ]+\|$/;
/** Code, a link, bold or emphasised text; whatever is between them is text. */
const INLINE = /`([^`]+)`|\[([^\]]+)\]\(([^)\s]+)\)|\*\*(.+?)\*\*|(?<![A-Za-z0-9_])_([^_]+)_(?![A-Za-z0-9_])/g;

/**
 * Returns Markdown as HTML: headings, paragraphs, lists, tables, code, links and emphasis, which is what the pages below
 * `docs/` use. All text is escaped.
 */
export function markdownHtml(text: string, linkTo: LinkTarget): Html {
  const lines = text.split("\n");
  const blocks: Html[] = [];
  while (lines.length > 0) blocks.push(nextBlock(lines, linkTo));
  return html`${blocks}`;
}

/** Takes the lines of a block away. */
function nextBlock(lines: string[], linkTo: LinkTarget): Html {
  const [first = ""] = lines;
  if (first.trim() === "") return html`${lines.shift()?.trim()}`;
  const [, marks, title] = HEADING.exec(first) ?? [];
  if (marks !== undefined && title !== undefined) {
    lines.shift();
    return heading(marks.length, title, linkTo);
  }
  if (FENCE.test(first)) return codeBlock(lines);
  if (first.startsWith("|"))
    return table(
      linesWhile(lines, (line) => line.startsWith("|")),
      linkTo,
    );
  if (ITEM.test(first))
    return list(
      linesWhile(lines, (line) => line.trim() !== ""),
      linkTo,
    );
  const paragraph = linesWhile(lines, (line) => line.trim() !== "" && !FENCE.test(line) && !ITEM.test(line));
  return html`<p>${inline(paragraph.join(" "), linkTo)}</p>\n`;
}

function linesWhile(lines: string[], belongs: (line: string) => boolean): string[] {
  const end = lines.findIndex((line, index) => index > 0 && !belongs(line));
  return lines.splice(0, end < 0 ? lines.length : end);
}

function heading(level: number, title: string, linkTo: LinkTarget): Html {
  const text = inline(title, linkTo);
  const id = title
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, "")
    .replaceAll(" ", "-");
  if (level === 1) return html`<h1>${text}</h1>\n`;
  return level === 2 ? html`<h2 id="${id}">${text}</h2>\n` : html`<h3 id="${id}">${text}</h3>\n`;
}

function codeBlock(lines: string[]): Html {
  const end = lines.findIndex((line, index) => index > 0 && FENCE.test(line));
  const code = lines.splice(0, end < 0 ? lines.length : end + 1).slice(1, end < 0 ? undefined : -1);
  return html`<pre tabindex="0" role="group" aria-label="Example"><code>${code.join("\n")}</code></pre>\n`;
}

function list(lines: readonly string[], linkTo: LinkTarget): Html {
  const items = lines
    .join("\n")
    .split(/\n(?=(?:[-*]|\d+\.) )/)
    .map((item) => item.replace(ITEM, "").replaceAll(/\s*\n\s*/g, " "));
  const content = items.map((item) => html`<li>${inline(item, linkTo)}</li>`);
  return /^\d/.test(lines[0] ?? "") ? html`<ol>${content}</ol>\n` : html`<ul>${content}</ul>\n`;
}

function table(lines: readonly string[], linkTo: LinkTarget): Html {
  const [head = [], ...rows] = lines.filter((line) => !TABLE_RULE.test(line)).map(cellsOf);
  return html`<div class="wide" tabindex="0" role="group" aria-label="Table"><table>
<thead><tr>${head.map((cell) => html`<th scope="col">${inline(cell, linkTo)}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${inline(cell, linkTo)}</td>`)}</tr>`)}</tbody></table></div>\n`;
}

function cellsOf(line: string): string[] {
  return line
    .replace(/^\|/, "")
    .replace(/\|$/, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function inline(text: string, linkTo: LinkTarget): Html {
  const parts: (string | Html)[] = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, code, label, target, bold, emphasis] = match;
    parts.push(text.slice(end, match.index), inlinePart({ code, label, target, bold, emphasis }, linkTo));
    end = match.index + whole.length;
  }
  return html`${[...parts, text.slice(end)]}`;
}

interface InlinePart {
  readonly code: string | undefined;
  readonly label: string | undefined;
  readonly target: string | undefined;
  readonly bold: string | undefined;
  readonly emphasis: string | undefined;
}

function inlinePart({ code, label, target = "", bold, emphasis }: InlinePart, linkTo: LinkTarget): Html {
  if (code !== undefined) return html`<code>${code}</code>`;
  if (bold !== undefined) return html`<strong>${inline(bold, linkTo)}</strong>`;
  if (emphasis !== undefined) return html`<em>${inline(emphasis, linkTo)}</em>`;
  const href = linkTo(target);
  const text = inline(label ?? "", linkTo);
  return href === undefined ? text : html`<a href="${href}">${text}</a>`;
}
