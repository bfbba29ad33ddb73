import { parseUuid } from "../../../common/platform/encoding/uuid.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { guardedFormOf } from "../../web/pages/form-guard.ts";
import { pageForm } from "../../web/pages/page-form.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import { guardOf } from "../base/dashboard-page.ts";
import { CHECK_PATH } from "../base/dashboard-paths.ts";
import { saidError } from "../base/form-errors.ts";
import { founderOf } from "../base/founder.ts";
import { knownChains } from "../definition/check-source.ts";
import { definitionErrors } from "../definition/definition-errors.ts";
import { checkEntered, parseDefinition } from "../definition/parsed-definition.ts";
import { SALE_FORM } from "../definition/sale-form.ts";
import { findTokens, tokenLine } from "../definition/token-check.ts";
import { keepFormValues } from "./begun-sale.ts";
import { tokenChoice, withChosenTokens } from "./chosen-tokens.ts";
import { heldNewSale, MAX_FORM_BYTES, newSaleValues } from "./new-sale-values.ts";
import { errorsUpTo, LAST_STEP, namedFor, readStep } from "./steps.ts";

/** `POST /dashboard/check`: checks the form's values of a sale's form, and keeps those of a new sale, for the script of its page. */
export async function checkFormValues(c: AuthContext, dependencies: DashboardDependencies) {
  const guard = guardOf(c, dependencies, SALE_FORM);
  const form = await guardedFormOf(c, dependencies, guard, (context) => pageForm(context, MAX_FORM_BYTES));
  const founder = await founderOf(c, dependencies, CHECK_PATH);
  const { dashboard } = dependencies;
  const values = newSaleValues(form);
  const step = form.has("step") ? readStep(form.text("step")) : LAST_STEP;
  const { listedTokens } = dashboard;
  const listed = await listedTokens.on(values.sale.source === "chain" ? values.sale.chain : "");
  const formValues = namedFor(step, withChosenTokens(values.sale, tokenChoice(form), listed, listedTokens));
  const saleUuid = parseUuid(form.text("sale")) ?? "";
  const version = BigInt(/^[1-9]\d{0,18}$/.exec(form.text("version"))?.[0] ?? "0");
  const [known, check, found] = await Promise.all([
    knownChains(dashboard.indexer),
    // The steps of a new sale after the first one show no check of the contract.
    !form.has("step") || step === 1
      ? checkEntered(formValues, dashboard, {
          accountUuid: founder.account.uuid,
          saleUuid,
          takesFamily: form.has("step"),
        })
      : undefined,
    findTokens(formValues, dashboard, founder.account.uuid),
    version === 0n && saleUuid !== ""
      ? keepFormValues(founder, dependencies, saleUuid, heldNewSale(values))
      : undefined,
  ]);
  const frozenTokens = Number(/^\d{1,2}$/.exec(form.text("frozen"))?.[0] ?? "0");
  const { definition, lines, errors } = parseDefinition(formValues, { ...known, found, frozenTokens });
  const wanted = definition && { saleUuid, tenancy: formValues.tenancy, definition, version };
  const refused = wanted === undefined || saleUuid === "" ? [] : await definitionErrors(founder, dependencies, wanted);
  return c.json({
    lines,
    problems: errorsUpTo([...errors, ...refused], step).map(saidError),
    tokens: values.sale.tokens.map(({ address }) => {
      const token = found[formValues.tokens.findIndex((one) => one.address === address)];
      return { decimals: token?.decimals ?? "", line: token === undefined ? "" : tokenLine(token) };
    }),
    check: { state: check?.state ?? "unknown", text: check?.text ?? [] },
  });
}
