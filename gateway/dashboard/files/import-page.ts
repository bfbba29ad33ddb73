import { html } from "hono/html";
import { hiddenFields } from "../../web/pages/fields.ts";
import type { Html, Page } from "../../web/pages/layout.ts";
import { type Crumb, dashboardPage } from "../base/dashboard-page.ts";
import { salePaths } from "../base/dashboard-paths.ts";
import type { FounderSale } from "../base/founder.ts";
import { carriedList, listFields } from "../base/list-upload.ts";
import { saleCrumbs } from "../base/sale-crumbs.ts";

export const IMPORT_FORM = "import commitments";
const TITLE = "Import commitments";

/** Returns the links from the list of sales to the page that shows an import. */
export function importCrumbs({ sale }: FounderSale): readonly Crumb[] {
  return [...saleCrumbs(sale), { href: salePaths(sale.uuid).importCommitments, text: TITLE }];
}

/** Returns the heading of a page. */
export function heading(title: string): Html {
  return html`<div class="page-head"><h1>${title}</h1></div>`;
}

/** Returns the page with the form for a file of commitments. */
export function importPage({ sale, founder }: FounderSale): Page {
  const action = salePaths(sale.uuid).importCommitments;
  return dashboardPage({
    title: TITLE,
    crumbs: saleCrumbs(sale),
    content: html`${heading(TITLE)}
<section class="panel" aria-labelledby="file-form"><h2 id="file-form">A file of commitments</h2>
<p>A commitment of the file replaces the one with its ID; all others stay. The whole file is checked first, and people see all of it at once.</p>
<form method="post" action="${action}" enctype="multipart/form-data" novalidate>${hiddenFields(IMPORT_FORM, founder.sessionToken)}
${listFields("CSV with the columns of “All commitments as CSV”, at most 12 MB. Amounts are in the token’s smallest units.")}
<div class="panel-foot"><button class="primary fit" name="do" value="check">Check it first</button>
<button class="secondary" name="do" value="import">Import at once</button></div></form></section>`,
  });
}

/** Returns the form that imports what was checked. */
export function importStep(bytes: Uint8Array, { sale, founder }: FounderSale): Html {
  const carried = carriedList(bytes);
  if (carried === undefined) return html`<p>To import it, choose the file once more and press “Import at once”.</p>`;
  return html`<form method="post" action="${salePaths(sale.uuid).importCommitments}" enctype="multipart/form-data">${hiddenFields(IMPORT_FORM, founder.sessionToken)}${carried}
<div class="panel-foot"><button class="primary fit" name="do" value="import">Import them</button></div></form>`;
}
