import { html } from "hono/html";
import { type SentLine, sendList } from "../../../common/internal-api/send-list.ts";
import { parseUuid } from "../../../common/platform/encoding/uuid.ts";
import type { MemberInit } from "../../../common/sale/csv/member-init.ts";
import { type MemberFileOptions, readMembers } from "../../../common/sale/csv/read-members.ts";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { hiddenFields } from "../../web/pages/fields.ts";
import type { Html } from "../../web/pages/layout.ts";
import { permitted, requireRoleFor } from "../base/founder.ts";
import { carriedList, importPlace, piecesOf, uploadedList } from "../base/list-upload.ts";
import type { TakingPartDependencies } from "../base/taking-part-dependencies.ts";
import { texts } from "../base/texts.ts";
import { showImport } from "../files/list-import.ts";
import { IMPORT_FORM } from "./group-members-page.ts";
import { type TakingPartSale, takingPartCrumbs, takingPartSaleOf } from "./taking-part-sale.ts";

/** `POST …/taking-part/group-members/import`: checks a list, or imports it, and shows how far it is. */
export async function importGroupMembers(c: AuthContext, dependencies: TakingPartDependencies) {
  // Checked first, so that the files of strangers aren't even read.
  const found = await takingPartSaleOf(c, dependencies, c.req.path.replace(/\/import$/, ""));
  await requireRoleFor(found, Role.EDITOR, dependencies);
  const leave = importPlace(dependencies, found.founder.account.uuid);
  try {
    return await shownImport(c, dependencies, found, leave);
  } catch (error) {
    leave();
    throw error;
  }
}

async function shownImport(
  c: AuthContext,
  dependencies: TakingPartDependencies,
  found: TakingPartSale,
  leave: () => void,
) {
  const { form, bytes } = await uploadedList(c, dependencies, IMPORT_FORM);
  const { eligibility } = dependencies.entitiesUpstream;
  const { sale, atEntities, paths, units, founder } = found;
  const { rules } = await permitted(() => eligibility.getRules({ saleUuid: sale.uuid }, atEntities));
  const groups = rules?.groups ?? [];
  const groupUuid = groups.find(({ uuid }) => uuid === parseUuid(form.text("group")))?.uuid;
  const dryRun = form.text("do") !== "import";
  const ending = new AbortController();
  const options = { ...atEntities, signal: ending.signal };
  const send = async (members: readonly MemberInit[]) =>
    eligibility.importMembers({ saleUuid: sale.uuid, members: [...members], dryRun }, options);
  const lines = linesOf(bytes, { groups, decimals: units.decimals, groupUuid });
  const { checkTitle, importTitle } = texts().listImport;
  const shown = {
    title: dryRun ? checkTitle : importTitle,
    crumbs: [...takingPartCrumbs(found), { href: paths.groupMembers, text: texts().groupMembers.title }],
    progress: sendList(lines, send),
    isCheck: dryRun,
    kind: "stored" as const,
    next: nextStep(
      bytes,
      hiddenFields(IMPORT_FORM, founder.sessionToken, { group: groupUuid ?? "" }),
      paths.importGroupMembers,
    ),
    back: paths.groupMembers,
    ending,
    leave,
  };
  return showImport(c, shown, dependencies);
}

/** Returns the form that imports what was checked. */
function nextStep(bytes: Uint8Array, hidden: Html, action: string): Html {
  const carried = carriedList(bytes);
  const { goOn, importGood } = texts().groupMembers;
  if (carried === undefined) return html`<p>${goOn}</p>`;
  return html`<form method="post" action="${action}" enctype="multipart/form-data">${hidden}${carried}
<div class="panel-foot"><button class="primary fit" name="do" value="import">${importGood}</button></div></form>`;
}

async function* linesOf(bytes: Uint8Array, options: MemberFileOptions): AsyncGenerator<SentLine<MemberInit>, void> {
  for await (const read of readMembers(piecesOf(bytes), options)) {
    yield "member" in read ? { line: read.line, row: read.member } : read;
  }
}
