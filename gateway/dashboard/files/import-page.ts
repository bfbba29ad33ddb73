import { html } from "hono/html";
import { hiddenFields } from "../../web/pages/fields.ts";
import type { Html, Page } from "../../web/pages/layout.ts";
import { type Crumb, dashboardPage } from "../base/dashboard-page.ts";
import { salePaths } from "../base/dashboard-paths.ts";
import type { FounderSale } from "../base/founder.ts";
import { carriedList, listFields } from "../base/list-upload.ts";
import { saleCrumbs } from "../base/sale-crumbs.ts";
import { texts } from "../base/texts.ts";

export const IMPORT_FORM = "import commitments";

/** Returns the links from the list of sales to the page that shows an import. */
export function importCrumbs({ sale }: FounderSale): readonly Crumb[] {
  return [...saleCrumbs(sale), { href: salePaths(sale.uuid).importCommitments, text: texts().commitmentImport.title }];
}

/** Returns the heading of a page. */
export function heading(title: string): Html {
  return html`<div class="page-head"><h1>${title}</h1></div>`;
}

/** Returns the page with the form for a file of commitments. */
export function importPage({ sale, founder }: FounderSale): Page {
  const action = salePaths(sale.uuid).importCommitments;
  const { title, formTitle, text, linesHint } = texts().commitmentImport;
  const { checkFirst, importNow } = texts().listImport;
  return dashboardPage({
    title,
    crumbs: saleCrumbs(sale),
    content: html`${heading(title)}
<section class="panel" aria-labelledby="file-form"><h2 id="file-form">${formTitle}</h2>
<p>${text}</p>
<form method="post" action="${action}" enctype="multipart/form-data" novalidate>${hiddenFields(IMPORT_FORM, founder.sessionToken)}
${listFields(linesHint)}
<div class="panel-foot"><button class="primary fit" name="do" value="check">${checkFirst}</button>
<button class="secondary" name="do" value="import">${importNow}</button></div></form></section>`,
  });
}

/** Returns the form that imports what was checked. */
export function importStep(bytes: Uint8Array, { sale, founder }: FounderSale): Html {
  const carried = carriedList(bytes);
  const { goOn, importThem } = texts().commitmentImport;
  if (carried === undefined) return html`<p>${goOn}</p>`;
  return html`<form method="post" action="${salePaths(sale.uuid).importCommitments}" enctype="multipart/form-data">${hiddenFields(IMPORT_FORM, founder.sessionToken)}${carried}
<div class="panel-foot"><button class="primary fit" name="do" value="import">${importThem}</button></div></form>`;
}
