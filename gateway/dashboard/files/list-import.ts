import { randomUUID } from "node:crypto";
import { html } from "hono/html";
import type { ListProgress } from "../../../common/internal-api/send-list.ts";
import { toServiceError } from "../../../common/platform/rpc/errors.ts";
import { ListFileError } from "../../../common/sale/csv/list-file-error.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import type { Html } from "../../web/pages/layout.ts";
import { showStreamedPage } from "../../web/pages/streamed-page.ts";
import { type Crumb, dashboardPage } from "../base/dashboard-page.ts";
import { sentence } from "../base/form-errors.ts";
import type { TakingPartDependencies } from "../base/taking-part-dependencies.ts";

/** An import of a list that is to be shown while it goes on. */
export interface ShownImport {
  readonly title: string;
  readonly crumbs: readonly Crumb[];
  readonly progress: AsyncIterable<ListProgress>;
  /** Whether the list is only checked. */
  readonly isCheck: boolean;
  /** The word for lines that were stored, or would be, such as `added`. */
  readonly verb: string;
  /** The next step after a check. */
  readonly next: Html;
  /** Page of the list. */
  readonly back: string;
  /** Aborted when the reader goes. */
  readonly ending: AbortController;
  /** Called when the import is over, in whatever way. */
  readonly leave: () => void;
}

/** Time after which the page says how far the import is. */
const REPORT_MS = 1_000;

/** Answers with a page that says how far an import is, and what came of it in the end. */
export function showImport(c: AuthContext, shown: ShownImport, dependencies: TakingPartDependencies) {
  const { title, crumbs, ending } = shown;
  const page = dashboardPage({
    title,
    crumbs,
    content: html`<div class="page-head"><h1>${title}</h1></div>`,
  });
  return showStreamedPage(c, page, contentOf(shown, dependencies), ending);
}

async function* contentOf(shown: ShownImport, dependencies: TakingPartDependencies): AsyncGenerator<Html, void> {
  const { progress, leave, ending } = shown;
  let last: ListProgress | undefined;
  let reportedAt = performance.now();
  yield html`<div class="progress" role="status"><p>Keep this page open until it says what came of it.</p>`;
  try {
    for await (const state of progress) {
      last = state;
      if (performance.now() - reportedAt < REPORT_MS) continue;
      reportedAt = performance.now();
      yield html`<p>${count(state.lines)} so far. Keep this page open until it says what came of it.</p>`;
    }
    yield html`</div>${resultPanel(shown, last)}`;
  } catch (error) {
    if (!ending.signal.aborted) yield html`</div>${brokenPanel(shown, last, error, dependencies)}`;
  } finally {
    leave();
  }
}

function resultPanel(shown: ShownImport, last: ListProgress | undefined): Html {
  const { isCheck, back, next } = shown;
  const isWorthwhile = isCheck && last !== undefined && last.stored > 0;
  return html`<section class="panel" aria-labelledby="result"><h2 id="result">${isCheck ? "Checked, and nothing stored yet" : "Done"}</h2>
${last && summary(shown, last)}${isWorthwhile && next}
<div class="panel-foot"><a class="button secondary small" href="${back}">Back to the list</a></div></section>${last && problemTable(last)}`;
}

function brokenPanel(
  shown: ShownImport,
  last: ListProgress | undefined,
  error: unknown,
  dependencies: TakingPartDependencies,
): Html {
  // A service that fails may have stored the part of which it says nothing.
  const isUnread = last === undefined && error instanceof ListFileError;
  return html`<section class="panel" aria-labelledby="result"><h2 id="result">${isUnread ? "Nothing was stored" : "It broke off"}</h2><p class="state-bad">${failureText(error, dependencies)}</p>
${last && summary(shown, last)}${!shown.isCheck && html`<p>Send the list again when that is put right: nothing is stored twice.</p>`}
<div class="panel-foot"><a class="button secondary small" href="${shown.back}">Back to the list</a></div></section>${last && problemTable(last)}`;
}

function summary({ isCheck, verb }: ShownImport, { lines, stored, unchanged, refused }: ListProgress): Html {
  const be = (number: number) => (isCheck ? "would be" : was(number));
  return html`<ul><li>${count(lines)} ${was(lines)} read.</li>
<li>${count(stored)} ${be(stored)} ${verb}.</li>
${unchanged > 0 && html`<li>${count(unchanged)} ${unchanged === 1 ? "changes" : "change"} nothing.</li>`}
${refused > 0 && html`<li class="state-bad">${count(refused)} ${be(refused)} refused, as below.</li>`}</ul>`;
}

function was(number: number): string {
  return number === 1 ? "was" : "were";
}

/** Returns the table of the lines that were refused; nothing without any. */
export function problemTable({ refused, problems }: Pick<ListProgress, "refused" | "problems">): Html {
  if (problems.length === 0) return html``;
  const more = refused - problems.length;
  return html`<section class="panel" aria-labelledby="refused"><h2 id="refused">Refused lines</h2>
<div class="scroller" tabindex="0" role="region" aria-label="Table of refused lines"><table class="figures"><thead><tr><th scope="col">Line</th><th scope="col">Column</th><th scope="col">What is wrong</th></tr></thead>
<tbody>${problems.map(
    ({ line, field, problem }) =>
      html`<tr><th scope="row">${line}</th><td>${field}</td><td>${sentence(problem)}</td></tr>`,
  )}</tbody></table></div>${more > 0 && html`<p class="quiet">And ${count(more)} more.</p>`}</section>`;
}

function count(lines: number): string {
  return lines === 1 ? "One line" : `${lines.toLocaleString("en")} lines`;
}

/** Returns why an import broke off. A defect of Tidemark goes to the log under an ID that the page shows. */
export function failureText(error: unknown, { logger }: Pick<TakingPartDependencies, "logger">): string {
  if (error instanceof ListFileError) {
    return error.line === undefined ? sentence(error.message) : `Line ${error.line}: ${error.message}.`;
  }
  const refusal = toServiceError(error);
  switch (refusal?.code) {
    case "permission_denied":
    case "not_found":
    case "unauthenticated":
      return "You may not change this list any more.";
    case "failed_precondition":
    case "invalid_argument":
      return sentence(refusal.message);
    case "unavailable":
    case "deadline_exceeded":
    case "aborted":
    case "resource_exhausted":
      return "We can’t store more at the moment. Please try again in a minute.";
    default: {
      const errorId = randomUUID();
      logger.error({ err: error, errorId }, "import failed");
      return `Something went wrong on our side (error ID ${errorId}).`;
    }
  }
}
