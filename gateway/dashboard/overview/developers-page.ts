import { html } from "hono/html";
import { fill } from "../../../common/platform/language/message.ts";
import type { Client } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import { type Html, showPage } from "../../web/pages/layout.ts";
import { GUIDE_PATH } from "../../web/sessions/auth-paths.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import { copyable, copyableBlock, dashboardPage } from "../base/dashboard-page.ts";
import { applicationPaths, publicSalePath } from "../base/dashboard-paths.ts";
import { type FounderSale, founderSaleOf } from "../base/founder.ts";
import { saleCrumbs } from "../base/sale-crumbs.ts";
import { texts } from "../base/texts.ts";
import { clientsOf } from "./known-sale.ts";
import type { Known } from "./sale-facts.ts";

interface DevelopersView extends FounderSale {
  readonly clients: Known<readonly Client[]>;
  readonly publicUrl: string;
  readonly readUrl: string;
  /** Address of the custom element's script. */
  readonly scriptUrl: string;
  readonly docsUrl: string;
}

/** `GET /dashboard/sales/{uuid}/developers`: what a founder gives to developers: IDs, calls and code. */
export async function showDevelopers(c: AuthContext, dependencies: DashboardDependencies) {
  const found = await founderSaleOf(c, dependencies);
  const { publicBaseUrl } = dependencies.config;
  const { publicReadPath, saleScriptPath, docsPath } = dependencies.dashboard;
  const view: DevelopersView = {
    ...found,
    clients: await clientsOf(found, dependencies),
    publicUrl: publicBaseUrl + publicSalePath(found.sale.uuid),
    readUrl: publicBaseUrl + publicReadPath,
    scriptUrl: publicBaseUrl + saleScriptPath,
    docsUrl: publicBaseUrl + docsPath,
  };
  return showPage(c, developersPage(view));
}

function developersPage(view: DevelopersView) {
  const { sale } = view;
  const { developers: title } = texts().menu;
  return dashboardPage({
    title,
    crumbs: saleCrumbs(sale),
    content: html`<div class="page-head"><div><h1>${title}</h1><p class="quiet">${texts().developers.lead}</p></div></div>
<div class="panels two"><div class="column">${idsPanel(view)}</div><div class="column">${sale.status !== SaleStatus.WITHDRAWN && callsPanel(view)}</div></div>`,
  });
}

function idsPanel({ sale, clients }: DevelopersView): Html {
  const { ids, clientId, signIn } = texts().developers;
  const link = (uuid: string, name: string) => {
    const text = fillHtml(signIn, { name: html`<bdi>${name}</bdi>` });
    return html`<p class="links"><a href="${applicationPaths(sale.uuid, uuid).application}#use">${text}</a></p>`;
  };
  return html`<section class="panel" aria-labelledby="ids"><h2 id="ids">${ids}</h2>
${copyable(texts().application.saleId, sale.uuid)}
${clients === undefined && html`<p class="quiet">${texts().checklist.noApplications}</p>`}
${clients?.map(
  ({ uuid, definition: { name = "" } = {} }) => html`${copyable(fill(clientId, { name }), uuid)}
${link(uuid, name)}`,
)}</section>`;
}

/** Calls and code that show a sale's public figures. A withdrawn sale has none. */
function callsPanel(view: DevelopersView): Html {
  const { sale, readUrl, docsUrl } = view;
  const body = JSON.stringify({ SaleUUID: sale.uuid });
  const curl = `curl -s ${readUrl} \\\n  -H 'content-type: application/json' \\\n  -d '${body}'`;
  const { figures, read, show, onceOpen, allCalls, more } = texts().developers;
  return html`<section class="panel" aria-labelledby="use"><h2 id="use">${figures}</h2>
${copyableBlock(read, curl)}
${copyableBlock(show, embedSnippet(view))}
${sale.status === SaleStatus.DRAFT && html`<p class="quiet">${onceOpen}</p>`}
<p class="links"><a href="${docsUrl}">${allCalls}</a><a href="${GUIDE_PATH}/embed">${more}</a></p></section>`;
}

/** Returns the HTML that shows a sale on a founder's own page, as docs/embed.md explains it. */
function embedSnippet({ sale, scriptUrl, publicUrl }: DevelopersView): string {
  return `<script type="module" src="${scriptUrl}"></script>
<tidemark-sale sale="${sale.uuid}">
  <a href="${publicUrl}">${texts().developers.seeLive}</a>
</tidemark-sale>`;
}
