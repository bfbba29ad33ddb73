import { parseUuid } from "../../../common/platform/encoding/uuid.ts";
import { fillCounted } from "../../../common/platform/language/message.ts";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { showPage } from "../../web/pages/layout.ts";
import { pageLanguage } from "../../web/texts/page-language.ts";
import { founderForm } from "../base/dashboard-page.ts";
import { type FormErrors, refusalErrors } from "../base/form-errors.ts";
import { permitted, requireRoleFor, resultOrRefusal } from "../base/founder.ts";
import type { TakingPartDependencies } from "../base/taking-part-dependencies.ts";
import { texts } from "../base/texts.ts";
import { type GroupMembersView, groupMembersPage, REMOVAL_FORM, SEARCH_FORM } from "./group-members-page.ts";
import { type TakingPartSale, takingPartSaleOf } from "./taking-part-sale.ts";

const PAGE_SIZE = 25;

interface Wanted {
  readonly pageToken?: string;
  readonly groupUuid?: string;
  readonly search?: string;
}

/** `GET …/taking-part/group-members` */
export async function showGroupMembers(c: AuthContext, dependencies: TakingPartDependencies) {
  const found = await takingPartSaleOf(c, dependencies);
  const groupUuid = parseUuid(c.req.query("group") ?? "") ?? "";
  const view = await viewOf(found, dependencies, { pageToken: c.req.query("after") ?? "", groupUuid });
  return showPage(c, groupMembersPage({ ...view, done: doneText(c.req.query("done") ?? "") }));
}

/** `POST …/taking-part/group-members`: searches. By POST, as URLs get into logs and what is searched may be an address. */
export async function searchGroupMembers(c: AuthContext, dependencies: TakingPartDependencies) {
  const form = await founderForm(c, dependencies, SEARCH_FORM);
  const found = await takingPartSaleOf(c, dependencies);
  const search = form.text("search").trim();
  if (search === "") return c.redirect(found.paths.groupMembers, 303);
  return showPage(c, groupMembersPage(await viewOf(found, dependencies, { search })));
}

/** `POST …/taking-part/group-members/remove` */
export async function removeGroupMembers(c: AuthContext, dependencies: TakingPartDependencies) {
  const form = await founderForm(c, dependencies, REMOVAL_FORM);
  const found = await takingPartSaleOf(c, dependencies, c.req.path.replace(/\/remove$/, ""));
  await requireRoleFor(found, Role.EDITOR, dependencies);
  const memberUuids = form.all("member").flatMap((uuid) => parseUuid(uuid) ?? []);
  const refuse = async (errors: FormErrors) =>
    showPage(c, groupMembersPage({ ...(await viewOf(found, dependencies, {})), errors }));
  if (memberUuids.length === 0) return refuse([{ text: texts().groupMembers.noneTicked }]);
  const request = { saleUuid: found.sale.uuid, memberUuids };
  const removed = await resultOrRefusal(() =>
    dependencies.entitiesUpstream.eligibility.removeMembers(request, found.atEntities),
  );
  if ("refusal" in removed) return refuse(refusalErrors(removed.refusal, () => undefined));
  return c.redirect(`${found.paths.groupMembers}?done=${removed.done.removed}`, 303);
}

/** Returns the message about the change that was just made. @param done the number of members that were removed */
function doneText(done: string): string | undefined {
  if (!/^\d{1,3}$/.test(done)) return undefined;
  return fillCounted(texts().groupMembers.removed, BigInt(done), pageLanguage(), {});
}

async function viewOf(
  found: TakingPartSale,
  { entitiesUpstream: { eligibility } }: TakingPartDependencies,
  { pageToken = "", groupUuid = "", search = "" }: Wanted,
): Promise<GroupMembersView> {
  const saleUuid = found.sale.uuid;
  const request = { saleUuid, pageSize: PAGE_SIZE, pageToken, groupUuid, search };
  const [{ members, nextPageToken }, { rules, memberCount }] = await permitted(() =>
    Promise.all([
      eligibility.listMembers(request, found.atEntities),
      eligibility.getRules({ saleUuid }, found.atEntities),
    ]),
  );
  return { found, members, memberCount, groups: rules?.groups ?? [], nextPageToken, groupUuid, search };
}
