import { html } from "hono/html";
import type { Client } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { type Sale, SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { Html } from "../../web/pages/layout.ts";
import { GUIDE_PATH } from "../../web/sessions/auth-paths.ts";
import { copyable, copyableBlock } from "../base/dashboard-page.ts";
import type { Known } from "./sale-facts.ts";

/** The part of a sale's page that its panel for developers needs. */
export interface DeveloperView {
  readonly sale: Sale;
  readonly clients: Known<readonly Client[]>;
  readonly publicUrl: string;
  readonly readUrl: string;
  /** Address of the custom element's script. */
  readonly scriptUrl: string;
  readonly docsUrl: string;
}

/** Returns what a founder gives to developers: IDs, calls and code. */
export function developerPanel(view: DeveloperView): Html {
  const { sale, clients = [] } = view;
  return html`<section class="panel" aria-labelledby="use"><h2 id="use">For your developers</h2>
${copyable("Sale ID", sale.uuid)}
${clients.map(({ uuid, definition }) => copyable(`client_id of ${definition?.name}`, uuid))}
${sale.status !== SaleStatus.WITHDRAWN && publicCalls(view)}</section>`;
}

/** Calls and code that show a sale's public figures. A withdrawn sale has none. */
function publicCalls(view: DeveloperView): Html {
  const { sale, readUrl, docsUrl } = view;
  const body = JSON.stringify({ SaleUUID: sale.uuid });
  const curl = `curl -s ${readUrl} \\\n  -H 'content-type: application/json' \\\n  -d '${body}'`;
  return html`${copyableBlock("Read the figures", curl)}
${copyableBlock("Show them on your own page", embedSnippet(view))}
${sale.status === SaleStatus.DRAFT && html`<p class="quiet">Both work once the sale is open.</p>`}
<p class="links"><a href="${docsUrl}">All calls</a><a href="${GUIDE_PATH}/embed">More about your own page</a></p>`;
}

/** Returns the HTML that shows a sale on a founder's own page, as docs/embed.md explains it. */
function embedSnippet({ sale, scriptUrl, publicUrl }: DeveloperView): string {
  return `<script type="module" src="${scriptUrl}"></script>
<tidemark-sale sale="${sale.uuid}">
  <a href="${publicUrl}">See the sale live</a>
</tidemark-sale>`;
}
