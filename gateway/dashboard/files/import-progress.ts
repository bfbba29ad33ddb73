import { html } from "hono/html";
import { type SentImport, sendImport } from "../../../common/internal-api/send-import.ts";
import { MAX_SHOWN, type RefusedLine } from "../../../common/internal-api/send-list.ts";
import { type CountedMessage, fillCounted } from "../../../common/platform/language/message.ts";
import { type CommitmentsSummary, checkCommitments } from "../../../common/sale/csv/check-commitments.ts";
import { csvCommitments } from "../../../common/sale/csv/csv-commitments.ts";
import { ImportError } from "../../../common/sale/csv/import-error.ts";
import { groupedText, timesPowerOfTen } from "../../../common/sale/words/exact-number.ts";
import { countText } from "../../../common/sale/words/number-text.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import type { Html } from "../../web/pages/layout.ts";
import { pageLanguage } from "../../web/texts/page-language.ts";
import { salePaths } from "../base/dashboard-paths.ts";
import { englishText, sentence } from "../base/form-errors.ts";
import type { FounderSale } from "../base/founder.ts";
import { piecesOf } from "../base/list-upload.ts";
import type { ImportDependencies } from "../base/taking-part-dependencies.ts";
import { texts } from "../base/texts.ts";
import { importStep } from "./import-page.ts";
import { failureText, problemTable } from "./list-import.ts";

/** Time after which the page says how far the import is. */
const REPORT_MS = 1_000;

/** A file of commitments that somebody has sent. */
export interface CommitmentFile {
  readonly bytes: Uint8Array;
  /** Names the import: the file's hash, so that the same file goes on where it broke off, and is applied once. */
  readonly importId: string;
  /** Whether it is only checked. */
  readonly isCheck: boolean;
}

export interface ShownCommitmentImport {
  readonly found: FounderSale;
  readonly file: CommitmentFile;
  readonly dependencies: ImportDependencies;
  /** Aborted when the reader goes. */
  readonly ending: AbortController;
  /** Called when the import is over, in whatever way. */
  readonly leave: () => void;
}

/** Yields what a page shows of the import while it goes on, and what came of it. */
export async function* importProgress(shown: ShownCommitmentImport): AsyncGenerator<Html, void> {
  const { file, dependencies, ending, leave } = shown;
  yield html`<div class="progress" role="status"><p>${texts().listImport.keepOpen}</p>`;
  try {
    const checked = await checkedFile(shown);
    if (file.isCheck || checked.refused > 0 || checked.summary.commitments === 0n) {
      yield html`</div>${checkPanel(checked, shown)}`;
    } else {
      const last = yield* sentParts(checked.summary, shown);
      yield html`</div>${donePanel(checked.summary, last, shown)}`;
    }
  } catch (error) {
    if (!ending.signal.aborted) yield html`</div>${brokenPanel(importFailure(error, dependencies), shown)}`;
  } finally {
    leave();
  }
}

interface CheckedFile {
  readonly summary: CommitmentsSummary;
  readonly refused: number;
  /** The first of the refused lines. */
  readonly problems: readonly RefusedLine[];
}

async function checkedFile({ found: { sale }, file: { bytes }, ending }: ShownCommitmentImport): Promise<CheckedFile> {
  const problems: RefusedLine[] = [];
  let refused = 0;
  const onProblem = ({ line, field, problem }: ImportError) => {
    refused++;
    if (problems.length < MAX_SHOWN) problems.push({ line, field, problem });
  };
  const paymentTokens = sale.definition?.paymentTokens.map(({ address }) => address) ?? [];
  const commitments = csvCommitments(piecesOf(bytes), onProblem);
  const summary = await checkCommitments(commitments, { paymentTokens, signal: ending.signal, onProblem });
  return { summary, refused, problems: problems.toSorted((a, b) => a.line - b.line) };
}

/** Sends a file that was checked. @returns the last state */
async function* sentParts(
  { commitments: all }: CommitmentsSummary,
  { found: { sale, founder }, file, dependencies, ending }: ShownCommitmentImport,
): AsyncGenerator<Html, SentImport | undefined> {
  const { signal } = ending;
  const client = dependencies.dashboard.commitments;
  const commitments: Pick<typeof client, "applyCommitments"> = {
    applyCommitments: (request, options) => client.applyCommitments(request, { ...founder.atCommitments, ...options }),
  };
  const target = { commitments, saleUuid: sale.uuid, importId: file.importId, signal };
  let last: SentImport | undefined;
  let reportedAt = performance.now();
  for await (const state of sendImport(csvCommitments(piecesOf(file.bytes)), target)) {
    last = state;
    if (performance.now() - reportedAt < REPORT_MS) continue;
    reportedAt = performance.now();
    yield html`<p>${counted(texts().commitmentImport.sent, state.sent, { all: countText(all, pageLanguage()) })}</p>`;
  }
  return last;
}

function checkPanel({ summary, refused, problems }: CheckedFile, { found, file }: ShownCommitmentImport): Html {
  const isGood = refused === 0 && summary.commitments > 0n;
  const isEmpty = refused === 0 && summary.commitments === 0n;
  const { nothing, empty, mend } = texts().commitmentImport;
  return html`<section class="panel" aria-labelledby="result"><h2 id="result">${isGood ? texts().listImport.checked : nothing}</h2>
${isEmpty ? html`<p>${empty}</p>` : summaryList(summary, found)}
${refused > 0 && html`<p class="state-bad">${mend}</p>`}
${isGood && importStep(file.bytes, found)}${backLink(found)}</section>${problemTable({ refused, problems })}`;
}

function donePanel(summary: CommitmentsSummary, last: SentImport | undefined, { found }: ShownCommitmentImport): Html {
  const wasApplied = last?.wasApplied ?? true;
  return html`<section class="panel" aria-labelledby="result"><h2 id="result">${texts().listImport.done}</h2>
${wasApplied && html`<p>${texts().commitmentImport.applied}</p>`}
${summaryList(summary, found)}${backLink(found)}</section>`;
}

function brokenPanel(text: Html | string, { found, file }: ShownCommitmentImport): Html {
  return html`<section class="panel" aria-labelledby="result"><h2 id="result">${texts().listImport.broken}</h2><p class="state-bad">${text}</p>
${!file.isCheck && html`<p>${texts().commitmentImport.again}</p>`}${backLink(found)}</section>`;
}

function summaryList({ commitments, entities, totals }: CommitmentsSummary, { sale }: FounderSale): Html {
  const words = texts().commitmentImport;
  const sums = Array.from(totals, ([address, sum]) => {
    const token = sale.definition?.paymentTokens.find((each) => each.address.toLowerCase() === address.toLowerCase());
    const amount = timesPowerOfTen({ numerator: sum, denominator: 1n }, -(token?.decimals ?? 0));
    const total = { amount: groupedText(amount, pageLanguage()), token: html`<bdi>${token?.symbol || address}</bdi>` };
    return html`<li>${fillHtml(words.total, total)}</li>`;
  });
  const all = counted(words.ofEntities, entities, { commitments: counted(words.commitments, commitments, {}) });
  return html`<ul><li>${all}</li>${sums}</ul>`;
}

function backLink({ sale }: FounderSale): Html {
  return html`<div class="panel-foot"><a class="button secondary small" href="${salePaths(sale.uuid).sale}">${texts().commitmentImport.back}</a></div>`;
}

function counted<Place extends string>(
  message: CountedMessage<Place | "count">,
  count: bigint,
  values: Readonly<Record<Exclude<Place, "count">, string>>,
): string {
  return fillCounted(message, count, pageLanguage(), values);
}

function importFailure(error: unknown, dependencies: ImportDependencies): Html | string {
  return error instanceof ImportError ? englishText(sentence(error.message)) : failureText(error, dependencies);
}
