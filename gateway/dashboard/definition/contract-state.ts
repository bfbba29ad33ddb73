import { html } from "hono/html";
import { repeatedTerms } from "../../../common/sale/definition/source-findings.ts";
import { type SourceLocation, sourceLocation } from "../../../common/sale/definition/source-location.ts";
import { type Sale, SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import type { Html } from "../../web/pages/layout.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import { type FounderSale, founderSaleOf } from "../base/founder.ts";
import { saidTexts } from "../base/said-text.ts";
import { texts } from "../base/texts.ts";
import { type CheckedSource, checkSource, type SourceCheck } from "./check-source.ts";
import { sourceReport } from "./source-report.ts";

/** The known state of a sale's contract. */
export interface ContractState extends SourceCheck {
  readonly chain: string;
  /** Its address, or the sale account's. */
  readonly address: string;
}

/**
 * Returns the state of a sale's contract: of a draft by a check, later as the indexer reports it; undefined for a sale
 * without one. Never fails.
 */
export async function contractState(
  found: FounderSale,
  dependencies: DashboardDependencies,
): Promise<ContractState | undefined> {
  const { sale } = found;
  if (sale.status === SaleStatus.DRAFT) return checkedContract(found, dependencies);
  const place = locationOf(sale);
  return place && { chain: place.chain, address: place.address, ...sourceReport(sale) };
}

/** Checks the contract of a sale, whatever its status; undefined for a sale without one. Never fails. */
export async function checkedContract(
  { sale, founder }: FounderSale,
  { dashboard }: DashboardDependencies,
): Promise<ContractState | undefined> {
  const checked = checkedSource(sale);
  if (checked === undefined) return undefined;
  const { chain, address } = checked;
  const check = checkSource(dashboard, founder.account.uuid, checked);
  void dashboard.recentChecks.keep(keyOf(checked), check);
  return { chain, address, ...(await check) };
}

/** Returns the state of a sale's contract by a check of the last half minute, or by a new one; undefined for a sale without one. */
export async function recentState(
  { sale, founder }: FounderSale,
  { dashboard }: DashboardDependencies,
): Promise<SourceCheck["state"] | undefined> {
  const checked = checkedSource(sale);
  if (checked === undefined) return undefined;
  const check = () => checkSource(dashboard, founder.account.uuid, checked);
  return dashboard.recentChecks.state(keyOf(checked), check);
}

/** Names a check: one of the same contract for the same settings has the same name. */
function keyOf(checked: CheckedSource): string {
  return JSON.stringify(checked, (_, value) => (typeof value === "bigint" ? value.toString() : value));
}

function checkedSource(sale: Sale): CheckedSource | undefined {
  const place = locationOf(sale);
  if (place === undefined) return undefined;
  const { chain, address, contractVersion = 0, contractFamily } = place;
  const { paymentTokens = [], cancelledKeepsAmounts = false, pricing } = sale.definition ?? {};
  return {
    ...{ chain, address },
    saleUuid: sale.uuid,
    paymentTokens: paymentTokens.map((token) => token.address),
    contractVersion,
    contractFamily,
    ...(pricing?.case === "auction" && { terms: repeatedTerms(pricing.value, sale.definition ?? {}) }),
    cancelledKeepsAmounts,
    decimals: paymentTokens.map(({ address, decimals }) => ({ address, decimals })),
  };
}

function locationOf({ definition }: Sale): SourceLocation | undefined {
  return definition && sourceLocation(definition.source);
}

/** `GET /dashboard/sales/{uuid}/contract/state`, for the script of the sale's page. */
export async function answerContractState(c: AuthContext, dependencies: DashboardDependencies) {
  const { state = "unknown", text = [] } =
    (await contractState(await founderSaleOf(c, dependencies), dependencies)) ?? {};
  return c.json({ state, text });
}

/**
 * Returns the name and state of a contract.
 *
 * @param watchedPath where the page's script asks for the state again and again; absent for a check that was made once
 */
export function contractLines({ chain, address, state, text }: ContractState, watchedPath?: string): Html {
  const watched = watchedPath && html` data-contract="${watchedPath}"`;
  const place = { address: html`<code dir="ltr">${address}</code>`, chain };
  return html`<p>${fillHtml(texts().check.contractOn, place)}</p>
<p class="source-check" role="status"${watched} data-state="${state}">${saidTexts(text)}</p>`;
}
