import { parseUuid } from "../../services/shared/encoding/uuid.ts";
import type { AuthContext } from "../web/http/hono-context.ts";
import { knownChains } from "./check-source.ts";
import type { DashboardDependencies } from "./dashboard-dependencies.ts";
import { founderForm } from "./dashboard-page.ts";
import { CHECK_PATH } from "./dashboard-paths.ts";
import { checkEntered, meaningOf } from "./entries-meaning.ts";
import { errorText } from "./form-errors.ts";
import { founderOf } from "./founder.ts";
import { saleEntriesOf } from "./sale-entries.ts";
import { SALE_FORM } from "./sale-form.ts";

/** `POST /dashboard/check`: checks the entries of a sale's form, for the script of its page. */
export async function checkEntries(c: AuthContext, dependencies: DashboardDependencies) {
  const form = await founderForm(c, dependencies, SALE_FORM);
  const { account } = await founderOf(c, dependencies, CHECK_PATH);
  const { dashboard } = dependencies;
  const entries = saleEntriesOf(form);
  const [known, check] = await Promise.all([
    knownChains(dashboard.indexer),
    checkEntered(entries, dashboard, { accountUuid: account.uuid, saleUuid: parseUuid(form.text("sale")) ?? "" }),
  ]);
  const { lines, errors } = meaningOf(entries, known);
  return c.json({
    lines,
    problems: errors.map(errorText),
    check: check ?? { state: "unknown", text: [] },
  });
}
