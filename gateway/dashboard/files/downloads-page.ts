import { html } from "hono/html";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { type Html, showPage } from "../../web/pages/layout.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import { dashboardPage } from "../base/dashboard-page.ts";
import { salePaths, ZONE_PARAMETER } from "../base/dashboard-paths.ts";
import { founderSaleOf } from "../base/founder.ts";
import { saleCrumbs } from "../base/sale-crumbs.ts";

const UTC = "UTC";
/** The names that JavaScript knows, without those that mean UTC. */
const ZONES = Intl.supportedValuesOf("timeZone").filter((name) => name.includes("/") && !name.startsWith("Etc/"));

/** `GET /dashboard/sales/{uuid}/downloads` */
export async function showDownloads(c: AuthContext, dependencies: DashboardDependencies) {
  const { sale } = await founderSaleOf(c, dependencies);
  const title = "Download all commitments";
  return showPage(
    c,
    dashboardPage({
      title,
      crumbs: saleCrumbs(sale),
      content: html`<div class="page-head"><h1>${title}</h1></div>
<p class="quiet">All commitments as of one moment, also those that don’t count, a line for each wallet and token. A file that
breaks off is incomplete: download it again.</p>
<div class="panels two"><div class="column">${peoplePanel(sale.uuid)}</div><div class="column">${exactPanel(sale.uuid)}</div></div>`,
    }),
  );
}

/** The browser's own zone is chosen by the page's script. */
function peoplePanel(saleUuid: string): Html {
  return html`<section class="panel" aria-labelledby="people"><h2 id="people">For people</h2>
<p>For spreadsheets: amounts and prices in whole tokens with their symbols, and times of your time zone.</p>
<form method="get" action="${salePaths(saleUuid).peopleExport}">
<div class="field"><label for="zone">Time zone</label>
<select id="zone" name="${ZONE_PARAMETER}" data-zone><option value="${UTC}">${UTC}</option>
${ZONES.map((name) => html`<option value="${name}">${name.replaceAll("_", " ")}</option>`)}</select></div>
<div class="panel-foot"><button class="primary fit">Download for people</button></div></form></section>`;
}

function exactPanel(saleUuid: string): Html {
  return html`<section class="panel" aria-labelledby="exact-file"><h2 id="exact-file">Exact</h2>
<p>For programs: every field as it is stored, amounts in the smallest units of their token, times in UTC.</p>
<div class="panel-foot"><a class="button secondary" href="${salePaths(saleUuid).export}" download>Download exactly</a></div></section>`;
}
