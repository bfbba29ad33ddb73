import { parseUuid } from "../../../common/platform/encoding/uuid.ts";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { showPage } from "../../web/pages/layout.ts";
import type { PageForm } from "../../web/pages/page-form.ts";
import { founderForm } from "../base/dashboard-page.ts";
import { refusalErrors } from "../base/form-errors.ts";
import { permitted, requireRecent, requireRoleFor, resultOrRefusal } from "../base/founder.ts";
import type { TakingPartDependencies } from "../base/taking-part-dependencies.ts";
import { texts } from "../base/texts.ts";
import { changeLink, requireRecentForChange } from "./owner-steps.ts";
import { SIGNER_FORM, signerPage } from "./signer-page.ts";
import { type TakingPartSale, takingPartSaleOf } from "./taking-part-sale.ts";

/** `GET …/taking-part/signer`. With `change` it requires a recent sign-in first. */
export async function showSigner(c: AuthContext, dependencies: TakingPartDependencies) {
  const found = await takingPartSaleOf(c, dependencies);
  requireRecentForChange(c, found);
  const keys = await keysOf(found, dependencies);
  return showPage(c, signerPage({ found, keys, done: doneText(c.req.query("done") ?? "") }));
}

/** Returns the message about the change that was just made. */
function doneText(step: string): string | undefined {
  const { created, activated, deleted } = texts().signer;
  return new Map(Object.entries({ create: created, activate: activated, delete: deleted })).get(step);
}

/** `POST …/taking-part/signer`: creates, activates or deletes a key. */
export async function changeSigner(c: AuthContext, dependencies: TakingPartDependencies) {
  const form = await founderForm(c, dependencies, SIGNER_FORM);
  const found = await takingPartSaleOf(c, dependencies, changeLink(c.req.path));
  await requireRoleFor(found, Role.OWNER, dependencies);
  requireRecent(found.founder, changeLink(c.req.path));
  const step = form.text("do");
  const done = await resultOrRefusal(() => changeOf(step, form, found, dependencies));
  if (!("refusal" in done)) return c.redirect(`${found.paths.signer}?done=${step}`, 303);
  const errors = refusalErrors(done.refusal, () => undefined);
  return showPage(c, signerPage({ found, keys: await keysOf(found, dependencies), errors }));
}

function changeOf(
  step: string,
  form: PageForm,
  { sale, atEntities }: TakingPartSale,
  { entitiesUpstream: { permits } }: TakingPartDependencies,
): Promise<unknown> {
  const saleUuid = sale.uuid;
  const keyUuid = parseUuid(form.text("key")) ?? "";
  if (step === "create") return permits.createKey({ saleUuid }, atEntities);
  if (step === "delete") return permits.retireKey({ saleUuid, keyUuid }, atEntities);
  const override = form.text(`override-${keyUuid}`) === "yes";
  return permits.activateKey({ saleUuid, keyUuid, override }, atEntities);
}

async function keysOf({ sale, atEntities }: TakingPartSale, { entitiesUpstream }: TakingPartDependencies) {
  return (await permitted(() => entitiesUpstream.permits.listKeys({ saleUuid: sale.uuid }, atEntities))).keys;
}
