import { html } from "hono/html";
import { type Sale, SaleStatus, Tenancy } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { Html } from "../../web/pages/layout.ts";

const STATUS_NAMES: Readonly<Partial<Record<SaleStatus, string>>> = {
  [SaleStatus.DRAFT]: "Draft",
  [SaleStatus.OPEN]: "Open",
  [SaleStatus.SETTLED]: "Settled",
  [SaleStatus.WITHDRAWN]: "Withdrawn",
};

/** Returns short labels of a sale's state. */
export function saleTags({ status, tenancy }: Sale): Html {
  const isOpen = status === SaleStatus.OPEN;
  return html`<span class="tag${isOpen ? " tag-open" : ""}">${STATUS_NAMES[status] ?? "Unknown"}</span>
${tenancy === Tenancy.TEST ? html`<span class="tag tag-test">Test</span>` : html`<span class="tag">Live</span>`}`;
}
