import { randomUUID } from "node:crypto";
import { html } from "hono/html";
import type { ListProgress } from "../../../common/internal-api/send-list.ts";
import { type CountedMessage, fill, fillCounted } from "../../../common/platform/language/message.ts";
import { toServiceError } from "../../../common/platform/rpc/errors.ts";
import { ListFileError } from "../../../common/sale/csv/list-file-error.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import type { Html } from "../../web/pages/layout.ts";
import { showStreamedPage } from "../../web/pages/streamed-page.ts";
import { pageLanguage } from "../../web/texts/page-language.ts";
import { type Crumb, dashboardPage } from "../base/dashboard-page.ts";
import { englishText, sentence } from "../base/form-errors.ts";
import type { TakingPartDependencies } from "../base/taking-part-dependencies.ts";
import { texts } from "../base/texts.ts";

/** An import of a list that is to be shown while it goes on. */
export interface ShownImport {
  readonly title: string;
  readonly crumbs: readonly Crumb[];
  readonly progress: AsyncIterable<ListProgress>;
  /** Whether the list is only checked. */
  readonly isCheck: boolean;
  /** The change that lines make. */
  readonly kind: "stored" | "added" | "removed";
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
  return showStreamedPage(c, page, contentOf(shown, dependencies), ending, dependencies);
}

async function* contentOf(shown: ShownImport, dependencies: TakingPartDependencies): AsyncGenerator<Html, void> {
  const { progress, leave, ending } = shown;
  let last: ListProgress | undefined;
  let reportedAt = performance.now();
  const { keepOpen, soFar } = texts().listImport;
  yield html`<div class="progress" role="status"><p>${keepOpen}</p>`;
  try {
    for await (const state of progress) {
      last = state;
      if (performance.now() - reportedAt < REPORT_MS) continue;
      reportedAt = performance.now();
      yield html`<p>${counted(soFar, state.lines)}</p>`;
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
  const words = texts().listImport;
  const isWorthwhile = isCheck && last !== undefined && last.stored > 0;
  return html`<section class="panel" aria-labelledby="result"><h2 id="result">${isCheck ? words.checked : words.done}</h2>
${last && summary(shown, last)}${isWorthwhile && next}
<div class="panel-foot"><a class="button secondary small" href="${back}">${words.back}</a></div></section>${last && problemTable(last)}`;
}

function brokenPanel(
  shown: ShownImport,
  last: ListProgress | undefined,
  error: unknown,
  dependencies: TakingPartDependencies,
): Html {
  // A service that fails may have stored the part of which it says nothing.
  const words = texts().listImport;
  const isUnread = last === undefined && error instanceof ListFileError;
  return html`<section class="panel" aria-labelledby="result"><h2 id="result">${isUnread ? words.unread : words.broken}</h2><p class="state-bad">${failureText(error, dependencies)}</p>
${last && summary(shown, last)}${!shown.isCheck && html`<p>${words.sendAgain}</p>`}
<div class="panel-foot"><a class="button secondary small" href="${shown.back}">${words.back}</a></div></section>${last && problemTable(last)}`;
}

function summary({ isCheck, kind }: ShownImport, { lines, stored, unchanged, refused }: ListProgress): Html {
  const words = texts().listImport;
  const done = { stored: words.stored, added: words.added, removed: words.removed }[kind];
  const wouldDo = { stored: words.wouldStore, added: words.wouldAdd, removed: words.wouldRemove }[kind];
  return html`<ul><li>${counted(words.read, lines)}</li>
<li>${counted(isCheck ? wouldDo : done, stored)}</li>
${unchanged > 0 && html`<li>${counted(words.unchanged, unchanged)}</li>`}
${refused > 0 && html`<li class="state-bad">${counted(isCheck ? words.wouldRefuse : words.refused, refused)}</li>`}</ul>`;
}

/** Returns the table of the lines that were refused; nothing without any. */
export function problemTable({ refused, problems }: Pick<ListProgress, "refused" | "problems">): Html {
  if (problems.length === 0) return html``;
  const more = refused - problems.length;
  const words = texts().listImport;
  return html`<section class="panel" aria-labelledby="refused"><h2 id="refused">${words.refusedTitle}</h2>
<div class="scroller" tabindex="0" role="region" aria-label="${words.refusedTable}"><table class="figures"><thead><tr><th scope="col">${words.line}</th><th scope="col">${words.column}</th><th scope="col">${words.problem}</th></tr></thead>
<tbody>${problems.map(
    ({ line, field, problem }) =>
      html`<tr><th scope="row">${line}</th><td>${field}</td><td>${englishText(sentence(problem))}</td></tr>`,
  )}</tbody></table></div>${more > 0 && html`<p class="quiet">${counted(words.more, more)}</p>`}</section>`;
}

function counted(message: CountedMessage, count: number): string {
  return fillCounted(message, count, pageLanguage(), {});
}

/** Returns why an import broke off; in English where a service or the file's reader says it. A defect of Tidemark goes to the log under an ID that the page shows. */
export function failureText(error: unknown, { logger }: Pick<TakingPartDependencies, "logger">): Html | string {
  const words = texts().listImport;
  if (error instanceof ListFileError) {
    if (error.line === undefined) return englishText(sentence(error.message));
    return fillHtml(words.lineProblem, { line: String(error.line), problem: englishText(`${error.message}.`) });
  }
  const refusal = toServiceError(error);
  switch (refusal?.code) {
    case "permission_denied":
    case "not_found":
    case "unauthenticated":
      return words.notAllowed;
    case "failed_precondition":
    case "invalid_argument":
      return englishText(sentence(refusal.message));
    case "unavailable":
    case "deadline_exceeded":
    case "aborted":
    case "resource_exhausted":
      return words.busy;
    default: {
      const errorId = randomUUID();
      logger.error({ err: error, errorId }, "import failed");
      return fill(words.failed, { errorId });
    }
  }
}
