import { parseUuid } from "../../../common/platform/encoding/uuid.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { showPage } from "../../web/pages/layout.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import { founderOf } from "../base/founder.ts";
import { type KnownChains, knownChains, type SourceCheck } from "../definition/check-source.ts";
import { checkEntered, parseDefinition } from "../definition/parsed-definition.ts";
import { findTokens } from "../definition/token-check.ts";
import { begunSale } from "./begun-sale.ts";
import { copiedDefinition, copiedValues } from "./copied-values.ts";
import { copyableSales } from "./copyable-sales.ts";
import { type BegunView, newSalePage } from "./new-sale-page.ts";
import { FIRST_NEW_SALE, type NewSaleValues } from "./new-sale-values.ts";
import { requireRecentForLastStep } from "./start-sale.ts";
import { LAST_STEP, namedFor, newSalePath, readStep, type Step, stepPath } from "./steps.ts";

/** `GET /dashboard/new-sale`. With `from` it is a copy of another sale; with `step` it begins at that step. */
export async function showNewSale(c: AuthContext, dependencies: DashboardDependencies) {
  const from = copiedSaleOf(c);
  const step = readStep(c.req.query("step") ?? "");
  const founder = await founderOf(c, dependencies, step === 1 ? newSalePath(from) : stepPath(step, from));
  const known = await knownChains(dependencies.dashboard.indexer);
  const { saleUuid, values: kept } = await begunSale(founder, dependencies, from);
  const begun = { founder, saleUuid, from, known };
  if (kept === undefined) return showPage(c, await firstPage(begun, dependencies));
  // The last step has what only a recent sign-in may add, and files, which no browser sends again.
  if (step === LAST_STEP) requireRecentForLastStep(founder, stepPath(LAST_STEP, from));
  const { dashboard } = dependencies;
  const { account } = founder;
  const { source, chain } = kept.sale;
  const [listed, found, check] = await Promise.all([
    dashboard.listedTokens.on(source === "chain" ? chain : ""),
    findTokens(kept.sale, dashboard, account.uuid),
    checkAt(step, kept, dependencies, { accountUuid: account.uuid, saleUuid }),
  ]);
  const meaning = parseDefinition(namedFor(step, kept.sale), { ...known, found });
  const view = { ...begun, values: kept, step, listed, found, meaning, check };
  return showPage(c, newSalePage({ ...view, isKept: c.req.query("step") === undefined }));
}

/** Returns the UUID of the sale that a request's new sale copies; empty for none. */
export function copiedSaleOf(c: AuthContext): string {
  return parseUuid(c.req.query("from") ?? "") ?? "";
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

/** Returns the page of a new sale for which nothing has been entered. @throws PageError 404 for a sale that can't be copied */
export async function firstPage(begun: BegunView, dependencies: DashboardDependencies) {
  const { founder, from, known } = begun;
  const [values, copyable] =
    from === ""
      ? [firstValuesOn(known), await copyableSales(founder, dependencies)]
      : [copiedValues(await copiedDefinition(founder, dependencies, from)), []];
  return newSalePage({
    ...begun,
    values,
    step: 1,
    copyable,
    meaning: parseDefinition(namedFor(1, values.sale), known),
  });
}

/** Returns the values of a new sale: one that is read from the only chain, where there is one. */
function firstValuesOn({ chains }: KnownChains): NewSaleValues {
  if (chains.length === 0) return FIRST_NEW_SALE;
  const chain = chains.length === 1 ? (chains[0]?.name ?? "") : "";
  return { ...FIRST_NEW_SALE, sale: { ...FIRST_NEW_SALE.sale, source: "chain", chain } };
}
