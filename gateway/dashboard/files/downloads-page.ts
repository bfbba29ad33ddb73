import { html } from "hono/html";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { type Html, showPage } from "../../web/pages/layout.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import { dashboardPage } from "../base/dashboard-page.ts";
import { salePaths, ZONE_PARAMETER } from "../base/dashboard-paths.ts";
import { founderSaleOf } from "../base/founder.ts";
import { saleCrumbs } from "../base/sale-crumbs.ts";
import { texts } from "../base/texts.ts";

const UTC = "UTC";
/** The names that JavaScript knows, without those that mean UTC. */
const ZONES = Intl.supportedValuesOf("timeZone").filter((name) => name.includes("/") && !name.startsWith("Etc/"));

/** `GET /dashboard/sales/{uuid}/downloads` */
export async function showDownloads(c: AuthContext, dependencies: DashboardDependencies) {
  const { sale } = await founderSaleOf(c, dependencies);
  const { title, text } = texts().downloads;
  return showPage(
    c,
    dashboardPage({
      title,
      crumbs: saleCrumbs(sale),
      content: html`<div class="page-head"><h1>${title}</h1></div>
<p class="quiet">${text}</p>
<div class="panels two"><div class="column">${peoplePanel(sale.uuid)}</div><div class="column">${exactPanel(sale.uuid)}</div></div>`,
    }),
  );
}

/** The browser's own zone is chosen by the page's script. */
function peoplePanel(saleUuid: string): Html {
  const { people, peopleText, zone, downloadPeople } = texts().downloads;
  return html`<section class="panel" aria-labelledby="people"><h2 id="people">${people}</h2>
<p>${peopleText}</p>
<form method="get" action="${salePaths(saleUuid).peopleExport}">
<div class="field"><label for="zone">${zone}</label>
<select id="zone" name="${ZONE_PARAMETER}" data-zone><option value="${UTC}">${UTC}</option>
${ZONES.map((name) => html`<option value="${name}">${name.replaceAll("_", " ")}</option>`)}</select></div>
<div class="panel-foot"><button class="primary fit">${downloadPeople}</button></div></form></section>`;
}

function exactPanel(saleUuid: string): Html {
  const { exact, exactText, downloadExact } = texts().downloads;
  return html`<section class="panel" aria-labelledby="exact-file"><h2 id="exact-file">${exact}</h2>
<p>${exactText}</p>
<div class="panel-foot"><a class="button secondary" href="${salePaths(saleUuid).export}" download>${downloadExact}</a></div></section>`;
}
