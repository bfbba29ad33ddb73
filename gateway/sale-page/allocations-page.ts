import { html } from "hono/html";
import type { Language } from "../../common/platform/language/language.ts";
import { fill } from "../../common/platform/language/message.ts";
import type { Figure } from "../../common/sale/words/figure.ts";
import type { ListWalletAllocationsResponse } from "../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { fillHtml } from "../web/pages/fill-html.ts";
import type { Html } from "../web/pages/layout.ts";
import { TEXTS } from "../web/texts/texts.ts";
import { type AllocationRow, allocationRows } from "./allocations/allocation-row.ts";
import { allocationsFilePath, allocationsPath } from "./allocations/allocations-path.ts";
import { addressHint, type WalletKind } from "./browser/look-up-texts.js";
import { timeText } from "./browser/times.js";
import { pageFrame } from "./page-frame.ts";
import { saleFilePath } from "./sale-files.ts";
import type { PageFacts } from "./view/page-facts.ts";
import type { SaleView } from "./view/sale-view.ts";

/** The page that is asked for. */
export interface RequestedAllocations {
  readonly saleUuid: string;
  readonly language: Language;
  /** Empty for the first page. */
  readonly pageToken: string;
}

/** Longest address that fits into the field. */
const MAX_ENTRY = 80;
const UNKNOWN = "—";

/** Returns a page of the list of all allocations of a settled sale. */
export function allocationsPage(
  requested: RequestedAllocations,
  page: ListWalletAllocationsResponse,
  sale: Pick<SaleView, "name" | "units" | "facts">,
  walletKind: WalletKind,
): Buffer {
  const { saleUuid, language, pageToken } = requested;
  const { allocations, sale: words } = TEXTS[language];
  const { nextPageToken, saleAllocations } = page;
  const next = nextPageToken === "" ? undefined : allocationsPath(saleUuid, nextPageToken);
  const rows = allocationRows(page, sale);
  const head = html`<meta name="robots" content="noindex">
<link rel="stylesheet" href="${saleFilePath("later.css")}"><link rel="stylesheet" href="${saleFilePath("allocations.css")}">
${next && html`<link rel="next" href="${next}">`}`;
  const content = html`<main class="sale">
<header class="allocations-head"><p><a href="/sales/${saleUuid}">${sale.name}</a></p>
<h1>${allocations.title}</h1></header>
${searchForm(requested, walletKind)}
<section class="panel list" aria-labelledby="list-title">
<h2 id="list-title">${words.lookUp.results}</h2>
${saleAllocations?.differs && html`<p class="notice">${words.lookUp.differs}</p>`}
${rows.length === 0 ? html`<p>${pageToken === "" ? allocations.nobody : allocations.noMore}</p>` : tableOf(rows, requested)}
<nav class="ways" aria-label="${allocations.pages}">${pageToken !== "" && html`<a class="button secondary" href="${allocationsPath(saleUuid)}">${allocations.first}</a>`}
${next && html`<a class="button secondary" rel="next" href="${next}">${allocations.next}</a>`}</nav>
</section>
<p class="sources quiet"><a href="${allocationsFilePath(saleUuid)}" download>${allocations.file}</a> ${fill(allocations.revision, { revision: String(page.revision) })}</p>
</main>`;
  const address = allocationsPath(saleUuid, pageToken);
  return pageFrame({ title: titleOf(allocations.title, sale.name), head, content, language, address });
}

function titleOf(title: string, name: string): string {
  return `${title} · ${name}`;
}

/** Returns the form that leads to a wallet's position: that of the sale's page, so that the wallet is in no address and no log. */
function searchForm({ saleUuid, language }: RequestedAllocations, walletKind: WalletKind): Html {
  const { allocations, sale } = TEXTS[language];
  return html`<section class="panel look-up" aria-labelledby="search-title">
<h2 id="search-title">${allocations.search}</h2>
<form method="post" action="/sales/${saleUuid}#look-up">
<label for="wallet">${sale.lookUp.address}</label>
<p class="hint" id="wallet-hint">${fill(allocations.searchHint, { form: addressHint(walletKind) })}</p>
<div class="entry"><input id="wallet" name="wallet" maxlength="${MAX_ENTRY}" required aria-describedby="wallet-hint" autocomplete="off" autocapitalize="none" spellcheck="false">
<div class="with-wallets"><button class="secondary">${sale.lookUp.submit}</button></div></div>
</form>
</section>`;
}

function tableOf(rows: readonly AllocationRow[], { saleUuid, language }: RequestedAllocations): Html {
  const { allocations, sale } = TEXTS[language];
  const { accepted, repaid } = sale.lookUp;
  const names = [allocations.wallet, allocations.committed, accepted, repaid, allocations.tokens];
  const cell = (figure: Figure | undefined, name: string | undefined) =>
    html`<td data-label="${name}"${figure && html` title="${figure.exact}"`}><bdi dir="ltr">${figure?.text ?? UNKNOWN}</bdi></td>`;
  const figuresOf = ({ figures }: AllocationRow) =>
    figures === undefined
      ? html`<td colspan="4" class="quiet">${allocations.unsummed}</td>`
      : [figures.committed, figures.accepted, figures.refunded, figures.tokens].map((figure, index) =>
          cell(figure, names[index + 1]),
        );
  const rowOf = (row: AllocationRow) =>
    html`<tr><th scope="row"><a href="/sales/${saleUuid}#wallet=${row.wallet}"><code>${row.wallet}</code></a></th>${figuresOf(row)}</tr>
`;
  return html`<table id="allocations"><caption class="hidden">${allocations.order}</caption>
<thead><tr>${names.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map(rowOf)}</tbody></table>`;
}

/** Returns the page of a sale whose allocations aren't known: it says when they will be. */
export function noAllocationsPage({ saleUuid, language }: RequestedAllocations, facts: PageFacts): Buffer {
  const { allocations } = TEXTS[language];
  const isSettled = facts.Status === "settled";
  const title = isSettled ? allocations.unsaidTitle : allocations.laterTitle;
  const content = html`<main class="message panel">
<h1>${title}</h1>
<p>${isSettled ? allocations.unsaid : allocations.later}</p>
${!isSettled && html`<p>${whenOf(facts, language)}</p>`}
<p class="ways"><a class="button secondary" href="/sales/${saleUuid}">${allocations.back}</a></p>
</main>`;
  const head = html`<meta name="robots" content="noindex">`;
  const address = allocationsPath(saleUuid);
  return pageFrame({ title: titleOf(title, facts.Name), head, content, isMessage: true, language, address });
}

function whenOf({ SettlesAt, ClosesAt }: PageFacts, language: Language): Html | string {
  const { settlesAt, closesAt, noTime } = TEXTS[language].allocations;
  const time = (at: string) => html`<time datetime="${at}">${timeText(at, "minute")}&nbsp;UTC</time>`;
  if (SettlesAt !== undefined) return fillHtml(settlesAt, { time: time(SettlesAt) });
  return ClosesAt === undefined ? noTime : fillHtml(closesAt, { time: time(ClosesAt) });
}
