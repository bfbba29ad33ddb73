import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { showPage } from "../../web/pages/layout.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import { type FounderSale, founderSaleOf, requireRoleFor } from "../base/founder.ts";
import { importPlace } from "../base/list-upload.ts";
import type { ImportDependencies } from "../base/taking-part-dependencies.ts";
import { type MadePlan, makePlan } from "./make-plan.ts";
import { ALL, PLAN, type PlanEntry, planEntry, planRequest } from "./plan-entry.ts";
import { planPage, sumsOf } from "./plan-page.ts";
import { settlementPage } from "./settlement-page.ts";
import { zipArchive } from "./zip-archive.ts";

/** `GET /dashboard/sales/{uuid}/settlement` */
export async function showSettlementPlan(c: AuthContext, dependencies: DashboardDependencies) {
  return showPage(c, settlementPage(await editorsSale(c, dependencies)));
}

/** `POST /dashboard/sales/{uuid}/settlement`: works out the plan of a settlement, and shows it or answers with a file of it. */
export async function makeSettlementPlan(c: AuthContext, dependencies: ImportDependencies) {
  // Checked first, so that the files of strangers aren't even read.
  const found = await editorsSale(c, dependencies);
  const leave = importPlace(dependencies, found.founder.account.uuid);
  try {
    return await answerPlan(c, found, dependencies);
  } finally {
    leave();
  }
}

async function answerPlan(c: AuthContext, found: FounderSale, dependencies: DashboardDependencies) {
  const entry = await planEntry(c, dependencies);
  const { batch, wanted } = entry;
  const request = await planRequest(entry);
  if (!("lists" in request)) return showPage(c, settlementPage(found, { errors: request, batch }));
  const made = await makePlan(found, request, dependencies);
  if ("reason" in made) {
    const sale = made.reason === "obstacles" ? made.sale : found.sale;
    return showPage(c, settlementPage({ ...found, sale }, { batch, noPlan: made }));
  }
  const isOther = wanted !== PLAN && entry.sums !== sumsOf(made);
  if (wanted === PLAN || isOther) return showPage(c, planPage({ found, made, entry, isOther }));
  return answerFile(c, found, made, entry);
}

async function editorsSale(c: AuthContext, dependencies: DashboardDependencies): Promise<FounderSale> {
  const found = await founderSaleOf(c, dependencies);
  await requireRoleFor(found, Role.EDITOR, dependencies);
  return found;
}

/** Answers with a file of a plan; with all of them where the form wants none of its files. */
function answerFile(c: AuthContext, { sale }: FounderSale, { files, settlement }: MadePlan, { wanted }: PlanEntry) {
  const file = wanted === ALL ? undefined : files.find(({ path }) => path === wanted);
  const { name, bytes } =
    file === undefined
      ? { name: `settlement-${sale.uuid}-${settlement.book.input.revision}.zip`, bytes: zipArchive(files) }
      : { name: file.path, bytes: Uint8Array.from(file.bytes) };
  return c.body(bytes, 200, {
    "Content-Type": contentTypeOf(name),
    "Content-Disposition": `attachment; filename="${name}"`,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  });
}

function contentTypeOf(name: string): string {
  if (name.endsWith(".zip")) return "application/zip";
  if (name.endsWith(".json")) return "application/json";
  return name.endsWith(".csv") ? "text/csv; charset=utf-8; header=present" : "text/plain; charset=utf-8";
}
