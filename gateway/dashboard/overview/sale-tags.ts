import { html } from "hono/html";
import { statusOf } from "../../../common/sale/state/status.ts";
import { type Sale, SaleStatus, Tenancy } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { Html } from "../../web/pages/layout.ts";
import { texts } from "../base/texts.ts";

/** Returns short labels of a sale's state. */
export function saleTags({ status, tenancy }: Sale): Html {
  const isOpen = status === SaleStatus.OPEN;
  const { test, live, ...words } = texts().saleStatus;
  return html`<span class="tag${isOpen ? " tag-open" : ""}">${words[statusOf(status) ?? "unknown"]}</span>
${tenancy === Tenancy.TEST ? html`<span class="tag tag-test">${test}</span>` : html`<span class="tag">${live}</span>`}`;
}
