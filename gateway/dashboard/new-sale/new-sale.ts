import { parseUuid } from "../../../common/platform/encoding/uuid.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { showPage } from "../../web/pages/layout.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import { NEW_SALE_PATH } from "../base/dashboard-paths.ts";
import { founderOf } from "../base/founder.ts";
import { type KnownChains, knownChains, type SourceCheck } from "../definition/check-source.ts";
import { checkEntered, parseDefinition } from "../definition/parsed-definition.ts";
import { findTokens } from "../definition/token-check.ts";
import { begunSale } from "./begun-sale.ts";
import { showCopy } from "./copied-sale.ts";
import { requireRecentForLastStep } from "./first-application.ts";
import { type NewSaleView, newSalePage } from "./new-sale-page.ts";
import { FIRST_NEW_SALE, type NewSaleValues } from "./new-sale-values.ts";
import { LAST_STEP, namedFor, readStep, type Step, stepPath } from "./steps.ts";

/** `GET /dashboard/new-sale`. With `from` it offers a copy of another sale in live tenancy; with `step` it begins at that step. */
export async function showNewSale(c: AuthContext, dependencies: DashboardDependencies) {
  const from = parseUuid(c.req.query("from") ?? "") ?? "";
  const step = readStep(c.req.query("step") ?? "");
  const ownPath = step === 1 ? NEW_SALE_PATH : stepPath(step);
  const next = from === "" ? ownPath : copyPath(from);
  const founder = await founderOf(c, dependencies, next);
  if (from !== "") return showCopy(c, dependencies, founder, from);
  const known = await knownChains(dependencies.dashboard.indexer);
  const { saleUuid, values: kept } = await begunSale(founder, dependencies, "");
  if (kept === undefined) return showPage(c, emptyPage({ founder, saleUuid, known }));
  // The last step has what only a recent sign-in may add, and files, which no browser sends again.
  if (step === LAST_STEP) requireRecentForLastStep(founder, stepPath(LAST_STEP));
  const { dashboard } = dependencies;
  const { account } = founder;
  const { source, chain } = kept.sale;
  const [listed, found, check] = await Promise.all([
    dashboard.listedTokens.on(source === "chain" ? chain : ""),
    findTokens(kept.sale, dashboard, account.uuid),
    checkAt(step, kept, dependencies, { accountUuid: account.uuid, saleUuid }),
  ]);
  const meaning = parseDefinition(namedFor(step, kept.sale), { ...known, found });
  const view = { founder, saleUuid, values: kept, step, known, listed, found, meaning, check };
  return showPage(c, newSalePage({ ...view, isKept: c.req.query("step") === undefined }));
}

/** Checks the contract where its check is shown. An account has few: one after it was entered, and one before the sale is created. */
export async function checkAt(
  step: Step,
  { sale }: NewSaleValues,
  { dashboard }: DashboardDependencies,
  who: { readonly accountUuid: string; readonly saleUuid: string },
): Promise<SourceCheck | undefined> {
  return step === 2 || step === LAST_STEP ? checkEntered(sale, dashboard, who) : undefined;
}

/** Returns the page of a new sale for which nothing has been entered. */
export function emptyPage(begun: Pick<NewSaleView, "founder" | "saleUuid" | "known">) {
  return newSalePage({ ...begun, values: firstValuesOn(begun.known), step: 1 });
}

function copyPath(from: string): string {
  return `${NEW_SALE_PATH}?${new URLSearchParams({ from })}`;
}

/** Returns the values of a new sale: one that is read from the only chain, where there is one. */
function firstValuesOn({ chains }: KnownChains): NewSaleValues {
  if (chains.length === 0) return FIRST_NEW_SALE;
  const chain = chains.length === 1 ? (chains[0]?.name ?? "") : "";
  return { ...FIRST_NEW_SALE, sale: { ...FIRST_NEW_SALE.sale, source: "chain", chain } };
}
