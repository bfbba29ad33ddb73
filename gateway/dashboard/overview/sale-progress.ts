import { html } from "hono/html";
import { untilAborted } from "../../../common/platform/concurrency/until-aborted.ts";
import type { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import type { Html } from "../../web/pages/layout.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import { salePaths } from "../base/dashboard-paths.ts";
import type { FounderSale } from "../base/founder.ts";
import { texts } from "../base/texts.ts";
import { draftFacts } from "./known-sale.ts";
import { mayDo } from "./next-step.ts";
import { stepsTowardsOpening } from "./next-steps.ts";
import { doneItems, doneOf, openingTitle, undoneItems } from "./opening-list.ts";
import type { SaleFacts } from "./sale-facts.ts";
import { hereMark, stepLink } from "./steps-list.ts";

/** The longest time that a page waits for what it is complete without. */
const WAIT_MS = 1_000;

/**
 * Returns a draft's checklist as a bar that unfolds, for the pages that don't show all of it; a link to it where it isn't known in time.
 * Nothing for sales that were opened. It never fails.
 */
export function saleProgress(found: FounderSale, dependencies: DashboardDependencies, path: string): Html {
  const { sale } = found;
  const paths = salePaths(sale.uuid);
  if (sale.status !== SaleStatus.DRAFT || path === paths.sale || path === paths.open) return html``;
  return html`${knownProgress(found, dependencies, path)}`;
}

async function knownProgress(found: FounderSale, dependencies: DashboardDependencies, path: string): Promise<Html> {
  const asked = draftFacts(found, dependencies, path);
  const facts = await untilAborted(asked, AbortSignal.timeout(WAIT_MS)).catch(() => undefined);
  if (facts !== undefined) return progressBar(facts, found.role, path);
  const { sale } = salePaths(found.sale.uuid);
  return html`<p class="checklist-bar"><a href="${sale}">${texts().saleOverview.beforeOpening}</a></p>`;
}

function progressBar(facts: SaleFacts, role: Role, path: string): Html {
  const title = openingTitle(facts);
  return html`<section class="checklist-bar" aria-label="${title}">
<details><summary><b>${title}</b> <span class="quiet">${doneOf(facts)}</span></summary>
<div>${undoneItems({ facts, role, path })}${doneItems(facts)}</div></details>
${nextLine(facts, role, path)}</section>
`;
}

/** Returns the first step that the reader may do, or the first one of others. */
function nextLine(facts: SaleFacts, role: Role, path: string): Html {
  const steps = stepsTowardsOpening(facts);
  const step = steps.find((one) => mayDo(one, role)) ?? steps[0];
  if (step === undefined) return html``;
  return html`<p class="bar-next">${fillHtml(texts().saleCard.next, { step: stepLink(step, role) })}${hereMark(step, path)}</p>`;
}
