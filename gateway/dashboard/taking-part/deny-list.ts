import { html } from "hono/html";
import { type SentLine, sendList } from "../../../common/internal-api/send-list.ts";
import { fill } from "../../../common/platform/language/message.ts";
import { readWallets } from "../../../common/sale/csv/wallet-list.ts";
import { countText } from "../../../common/sale/words/number-text.ts";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { hiddenFields } from "../../web/pages/fields.ts";
import { type Html, showPage } from "../../web/pages/layout.ts";
import { pageLanguage } from "../../web/texts/page-language.ts";
import { selectField } from "../base/choice-fields.ts";
import { dashboardPage } from "../base/dashboard-page.ts";
import { permitted, requireRoleFor } from "../base/founder.ts";
import { carriedList, importPlace, listFields, piecesOf, uploadedList } from "../base/list-upload.ts";
import type { TakingPartDependencies } from "../base/taking-part-dependencies.ts";
import { texts } from "../base/texts.ts";
import { showImport } from "../files/list-import.ts";
import { type TakingPartSale, takingPartCrumbs, takingPartSaleOf } from "./taking-part-sale.ts";

const DENY_LIST_FORM = "deny list";
const PAGE_SIZE = 50;

/** `GET …/taking-part/deny-list` */
export async function showDenyList(c: AuthContext, dependencies: TakingPartDependencies) {
  const found = await takingPartSaleOf(c, dependencies);
  const { eligibility } = dependencies.entitiesUpstream;
  const saleUuid = found.sale.uuid;
  const request = { saleUuid, pageSize: PAGE_SIZE, pageToken: c.req.query("after") ?? "" };
  const [list, { denyListCount, rules }] = await permitted(() =>
    Promise.all([
      eligibility.listDenyList(request, found.atEntities),
      eligibility.getRules({ saleUuid }, found.atEntities),
    ]),
  );
  const { wallets, nextPageToken } = list;
  const counts = rules?.wallets?.denyList ?? false;
  return showPage(c, denyListPage({ found, wallets, count: denyListCount, nextPageToken, counts }));
}

/** `POST …/taking-part/deny-list/change`: checks a list of wallets, adds it or removes it. */
export async function changeDenyList(c: AuthContext, dependencies: TakingPartDependencies) {
  // Checked first, so that the files of strangers aren't even read.
  const found = await takingPartSaleOf(c, dependencies, c.req.path.replace(/\/change$/, ""));
  await requireRoleFor(found, Role.EDITOR, dependencies);
  const leave = importPlace(dependencies, found.founder.account.uuid);
  try {
    return await shownChange(c, dependencies, found, leave);
  } catch (error) {
    leave();
    throw error;
  }
}

async function shownChange(
  c: AuthContext,
  dependencies: TakingPartDependencies,
  found: TakingPartSale,
  leave: () => void,
) {
  const { sale, atEntities, paths, founder } = found;
  const { form, bytes } = await uploadedList(c, dependencies, DENY_LIST_FORM);
  const remove = form.text("change-kind") === "remove";
  const dryRun = form.text("do") !== "import";
  const ending = new AbortController();
  const options = { ...atEntities, signal: ending.signal };
  const send = async (wallets: readonly string[]) => {
    const request = { saleUuid: sale.uuid, wallets: [...wallets], remove, dryRun };
    const { changed, unchanged, problems } = await dependencies.entitiesUpstream.eligibility.changeDenyList(
      request,
      options,
    );
    return { stored: changed, unchanged, problems };
  };
  const change = remove ? "remove" : "add";
  const hidden = hiddenFields(DENY_LIST_FORM, founder.sessionToken, { "change-kind": change });
  const { title, checkTitle, changeTitle } = texts().denyList;
  const shown = {
    title: dryRun ? checkTitle : changeTitle,
    crumbs: [...takingPartCrumbs(found), { href: paths.denyList, text: title }],
    progress: sendList(linesOf(bytes), send),
    isCheck: dryRun,
    kind: remove ? ("removed" as const) : ("added" as const),
    next: nextStep(bytes, hidden, { action: paths.changeDenyList, change }),
    back: paths.denyList,
    ending,
    leave,
  };
  return showImport(c, shown, dependencies);
}

/** Returns the form that changes the list as it was checked. */
function nextStep(
  bytes: Uint8Array,
  hidden: Html,
  { action, change }: { readonly action: string; readonly change: "add" | "remove" },
): Html {
  const carried = carriedList(bytes);
  const { goOn, add, remove } = texts().denyList;
  if (carried === undefined) return html`<p>${goOn}</p>`;
  return html`<form method="post" action="${action}" enctype="multipart/form-data">${hidden}${carried}
<div class="panel-foot"><button class="primary fit" name="do" value="import">${change === "add" ? add : remove}</button></div></form>`;
}

async function* linesOf(bytes: Uint8Array): AsyncGenerator<SentLine<string>, void> {
  for await (const read of readWallets(piecesOf(bytes))) {
    yield "wallet" in read ? { line: read.line, row: read.wallet } : read;
  }
}

interface DenyListView {
  readonly found: TakingPartSale;
  readonly wallets: readonly string[];
  /** Number of all wallets on the list. */
  readonly count: bigint;
  readonly nextPageToken: string;
  /** Whether the rules say that the list counts. */
  readonly counts: boolean;
}

function denyListPage({ found, wallets, count, nextPageToken, counts }: DenyListView) {
  const { paths, role } = found;
  const words = texts().denyList;
  const next = `${paths.denyList}?${new URLSearchParams({ after: nextPageToken })}`;
  return dashboardPage({
    title: words.title,
    crumbs: takingPartCrumbs(found),
    content: html`<div class="page-head"><h1>${words.title}</h1>
${count > 0n && html`<a class="button secondary" href="${paths.denyListCsv}" download>${words.csv}</a>`}</div>
${!counts && html`<p class="notice">${words.notCounting}</p>`}
<div class="panels two"><section class="panel" aria-labelledby="all"><h2 id="all">${fill(words.all, { count: countText(count, pageLanguage()) })}</h2>
<p>${words.text}</p>
${wallets.length > 0 && html`<ul class="list">${wallets.map((wallet) => html`<li><code>${wallet}</code></li>`)}</ul>`}
${nextPageToken !== "" && html`<div class="panel-foot"><a class="button secondary small" href="${next}">${words.nextPage}</a></div>`}</section>
<div class="column">${role >= Role.EDITOR && changePanel(found)}</div></div>`,
  });
}

function changePanel({ paths, founder }: TakingPartSale): Html {
  const { change, whatToDo, addWallets, removeWallets, linesHint, changeNow } = texts().denyList;
  const changes = [["add", addWallets] as const, ["remove", removeWallets] as const];
  return html`<section class="panel" aria-labelledby="change"><h2 id="change">${change}</h2>
<form method="post" action="${paths.changeDenyList}" enctype="multipart/form-data" novalidate>${hiddenFields(DENY_LIST_FORM, founder.sessionToken)}
${selectField({ id: "change-kind", label: whatToDo }, changes, "add")}
${listFields(linesHint)}
<div class="panel-foot"><button class="primary fit" name="do" value="check">${texts().listImport.checkFirst}</button>
<button class="secondary" name="do" value="import">${changeNow}</button></div></form></section>`;
}
