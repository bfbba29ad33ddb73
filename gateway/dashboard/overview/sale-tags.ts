import { html } from "hono/html";
import { statusOf, statusText } from "../../../common/sale/state/status.ts";
import { type Sale, SaleStatus, Tenancy } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { Html } from "../../web/pages/layout.ts";

/** Returns short labels of a sale's state. */
export function saleTags({ status, tenancy }: Sale): Html {
  const isOpen = status === SaleStatus.OPEN;
  return html`<span class="tag${isOpen ? " tag-open" : ""}">${statusText(statusOf(status))}</span>
${tenancy === Tenancy.TEST ? html`<span class="tag tag-test">Test</span>` : html`<span class="tag">Live</span>`}`;
}
