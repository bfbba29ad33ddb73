import { html } from "hono/html";
import type { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { Html } from "../../web/pages/layout.ts";
import { metChecklist, nearestApplication } from "./application-requirements.ts";
import type { KnownSale } from "./known-sale.ts";
import { stepsBeforeOpening } from "./next-steps.ts";
import { stepsList } from "./steps-list.ts";

/** Returns what is missing before a draft can open, as steps, and below what is done. */
export function openingList({
  facts,
  clients,
  role,
}: Pick<KnownSale, "facts" | "clients"> & { readonly role: Role }): Html {
  const client = clients && nearestApplication(clients);
  return html`${clients === undefined && html`<p class="quiet">Its applications aren’t known now. Please reload the page in a moment.</p>`}
${stepsList(stepsBeforeOpening(facts), role)}${client && metChecklist(client)}`;
}
