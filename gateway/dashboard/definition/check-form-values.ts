import { parseUuid } from "../../../common/platform/encoding/uuid.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import { founderForm } from "../base/dashboard-page.ts";
import { CHECK_PATH } from "../base/dashboard-paths.ts";
import { saidError } from "../base/form-errors.ts";
import { founderOf } from "../base/founder.ts";
import { keepFormValues } from "./begun-sale.ts";
import { knownChains } from "./check-source.ts";
import { definitionErrors } from "./definition-errors.ts";
import { checkEntered, parseDefinition } from "./parsed-definition.ts";
import { SALE_FORM } from "./sale-form.ts";
import { saleFormValues } from "./sale-form-values.ts";
import { findTokens, tokenLine } from "./token-check.ts";

/** `POST /dashboard/check`: checks the form's values of a sale's form, and keeps those of a new sale, for the script of its page. */
export async function checkFormValues(c: AuthContext, dependencies: DashboardDependencies) {
  const form = await founderForm(c, dependencies, SALE_FORM);
  const founder = await founderOf(c, dependencies, CHECK_PATH);
  const { dashboard } = dependencies;
  const formValues = saleFormValues(form);
  const saleUuid = parseUuid(form.text("sale")) ?? "";
  const version = BigInt(/^[1-9]\d{0,18}$/.exec(form.text("version"))?.[0] ?? "0");
  const [known, check, found] = await Promise.all([
    knownChains(dashboard.indexer),
    checkEntered(formValues, dashboard, { accountUuid: founder.account.uuid, saleUuid }),
    findTokens(formValues, dashboard, founder.account.uuid),
    version === 0n && saleUuid !== "" ? keepFormValues(founder, dependencies, saleUuid, formValues) : undefined,
  ]);
  const frozenTokens = Number(/^\d{1,2}$/.exec(form.text("frozen"))?.[0] ?? "0");
  const { definition, lines, errors } = parseDefinition(formValues, { ...known, found, frozenTokens });
  const wanted = definition && { saleUuid, tenancy: formValues.tenancy, definition, version };
  const refused = wanted === undefined || saleUuid === "" ? [] : await definitionErrors(founder, dependencies, wanted);
  return c.json({
    lines,
    problems: [...errors, ...refused].map(saidError),
    tokens: found.map((token) => ({ decimals: token.decimals, line: tokenLine(token) })),
    check: check ?? { state: "unknown", text: [] },
  });
}
