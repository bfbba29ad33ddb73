import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import {
  type GroupMember,
  GroupMemberSchema,
  type ImportMembersRequest,
} from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { formEntries } from "../../testing/form-entries.ts";
import type { PageBrowser } from "../../testing/page-browser.ts";
import { fakeGroup, GROUP, OTHER_GROUP, TAKING_PART, TakingPartSite } from "../../testing/taking-part-site.ts";

const { groupMembers, importGroupMembers, removeGroupMembers, groupMembersCsv } = TAKING_PART;
const { denyList, changeDenyList, denyListCsv } = TAKING_PART;
const WALLET = `0x${"a1".repeat(20)}`;
const MANY = 100_000;

let site: TakingPartSite;
let browser: PageBrowser;
beforeEach(async () => {
  site = await TakingPartSite.start();
  site.participation.rules.groups = [fakeGroup(), fakeGroup({ uuid: OTHER_GROUP, name: "Public" })];
  browser = site.browser();
});
afterEach(() => site.gateway.stop());

function member(
  email: string,
  changes: Partial<Pick<GroupMember, "groupUuid" | "key" | "minAmount" | "maxAmount">> = {},
): GroupMember {
  const uuid = crypto.randomUUID();
  return create(GroupMemberSchema, { uuid, groupUuid: GROUP, key: { case: "email", value: email }, ...changes });
}

/** Sends the form of a list with a file. */
async function send(form: string, file: string | Uint8Array<ArrayBuffer>, fields: Readonly<Record<string, string>>) {
  const data = new FormData();
  const page = form === importGroupMembers ? groupMembers : denyList;
  const shown = formEntries((await browser.open(page)).html, form);
  delete shown["file"];
  for (const [name, value] of Object.entries({ ...shown, ...fields })) data.append(name, value);
  data.append("file", new File([file], "list.csv"));
  return browser.post(form, data);
}

function importList(file: string | Uint8Array<ArrayBuffer>, fields: Readonly<Record<string, string>> = {}) {
  return send(importGroupMembers, file, { do: "import", group: GROUP, ...fields });
}

describe("members of groups", () => {
  it("are checked first, with an error for each line, and imported from the page that says so", async () => {
    site.participation.refusedRows.set("bob@example.org", { field: "email", message: "is no address" });
    const text = 'email,max_amount\nann@example.org,"1,000"\nbob@example.org,\ncid@example.org,much\n';
    const checked = await importList(text, { do: "check" });
    expect(checked.html).toContain("Checked, and nothing stored yet");
    expect(checked.html).toContain("<li>3 lines were read.</li>");
    expect(checked.html).toContain("<li>One line would be stored.</li>");
    expect(checked.html).toContain('<th scope="row">3</th><td>email</td><td>Is no address.</td>');
    expect(checked.html).toContain('<th scope="row">4</th><td>max_amount</td><td>Must be an amount in whole tokens');
    expect(site.participation.members).toEqual([]);
    const data = new FormData();
    for (const [name, value] of Object.entries({ ...formEntries(checked.html, importGroupMembers), do: "import" })) {
      data.append(name, value);
    }
    const imported = await browser.post(importGroupMembers, data);
    expect(imported.html).toContain('<h2 id="result">Done</h2>');
    expect(site.participation.members).toMatchObject([
      { groupUuid: GROUP, key: { case: "email", value: "ann@example.org" }, maxAmount: "1000000000" },
    ]);
  });

  it("are offered for import after a check only if a line would be stored", async () => {
    expect((await importList("email\nann@example.org\n", { do: "check" })).html).toContain("Import the good lines");
    const { html } = await importList("email,max_amount\nann@example.org,much\n", { do: "check" });
    expect(html).toContain("<li>0 lines would be stored.</li>");
    expect(html).not.toContain("Import the good lines");
  });

  it("come as text as well as in a file, and a second time change nothing", async () => {
    const fields = { list: `group,wallet\nPublic,${WALLET}`, group: "" };
    await importList("", fields);
    const again = await importList("", fields);
    expect(again.html).toContain("<li>One line changes nothing.</li>");
    expect(site.participation.members).toMatchObject([
      { groupUuid: OTHER_GROUP, key: { case: "wallet", value: WALLET } },
    ]);
  });

  it(`are imported ${MANY} at once, in parts of 500`, async () => {
    site.participation.acceptsAll = true;
    const lines = Array.from({ length: MANY }, (_, index) => `person${index}@example.org`);
    const { html } = await importList(`email\n${lines.join("\n")}\n`);
    expect(html).toContain("<li>100,000 lines were stored.</li>");
    const requests = site.participation.asked("ImportMembers") as ImportMembersRequest[];
    expect(requests.map(({ members }) => members.length)).toEqual(Array.from({ length: 200 }, () => 500));
    expect(requests.at(-1)?.members.at(-1)?.key.value).toBe(`person${MANY - 1}@example.org`);
  });

  it("say how far they are while the page goes on, and what is stored by then when the reader leaves", async () => {
    const { participation } = site;
    participation.acceptsAll = true;
    const lines = Array.from({ length: 2_000 }, (_, index) => `person${index}@example.org`);
    const data = new FormData();
    const shown = formEntries((await browser.open(groupMembers)).html, importGroupMembers);
    for (const [name, value] of Object.entries({ ...shown, do: "import", group: GROUP, file: "" })) {
      if (name !== "file" && name !== "list") data.append(name, value);
    }
    data.append("list", `email\n${lines.join("\n")}`);
    const leaving = new AbortController();
    const held = participation.hold("ImportMembers", 3);
    const cookie = Array.from(browser.cookies, ([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(site.gateway.origin + importGroupMembers, {
      method: "POST",
      body: data,
      headers: { cookie, "sec-fetch-site": "same-origin" },
      signal: leaving.signal,
    });
    const { value } = (await answer.body?.getReader().read()) ?? {};
    expect(Buffer.from(value ?? []).toString()).toContain("<h1>Import of a list</h1>");
    await held.reached;
    leaving.abort();
    await held.aborted;
    expect(participation.asked("ImportMembers")).toHaveLength(3);
    // The place of the import is free again.
    await expect.poll(async () => (await importList("email\nann@example.org\n")).html).toContain("Done");
  });

  it("are asked for again as a file where the checked one was large", async () => {
    site.participation.acceptsAll = true;
    const lines = Array.from({ length: 20_000 }, (_, index) => `person${index}@example.org`);
    const { html } = await importList(`email\n${lines.join("\n")}\n`, { do: "check" });
    expect(html).toContain("To import it, choose the file once more");
    expect(html.length).toBeLessThan(20_000);
  });

  it.each([
    ["other columns", "name\nAnn\n", "Line 1: the first line must name the columns"],
    ["another encoding", Uint8Array.from([0xff, 0xfe, 0x61, 0]), "The file is UTF-16: "],
    ["an endless line", `email\n${"x".repeat(10_000)}`, "Line 2: a line may have at most 4096 bytes."],
  ])("say why a list is none: %s", async (_, file, text) => {
    const { html } = await importList(file);
    expect(html).toContain("Nothing was stored");
    expect(html).toContain(text);
  });

  it("are asked for where there is no list", async () => {
    const { status, html } = await importList("");
    expect(status).toBe(400);
    expect(html).toContain("There is no list");
  });

  it.each([
    [Code.Unavailable, "We can’t store more at the moment."],
    [Code.PermissionDenied, "You may not change this list any more."],
    [Code.FailedPrecondition, "Too many members."],
    [Code.Internal, "Something went wrong on our side (error ID"],
  ])("say what is stored when the service fails with code %d", async (code, text) => {
    site.participation.failures.set("ImportMembers", new ConnectError("too many members", code));
    const { html } = await importList("email\nann@example.org\n");
    expect(html).toContain("It broke off");
    expect(html).toContain(text);
    expect(html).toContain("nothing is stored twice");
    site.participation.failures.clear();
    expect((await importList("email\nann@example.org\n")).html).toContain("Done");
  });

  it("show no mark-up of a list, and none of it in a carried one", async () => {
    const hostile = `</textarea><script>alert(1)</script>`;
    const { html } = await importList(`email\n${hostile}\n`, { do: "check" });
    expect(html).toContain("&lt;script&gt;");
    expect(html).not.toContain("<script>alert");
  });

  it("are found by exactly what is entered, by POST, as an address doesn't belong into a log of URLs", async () => {
    site.participation.members = [member("ann@example.org"), member("bob@example.org")];
    const page = await browser.open(groupMembers);
    const found = await browser.send(page, { action: groupMembers, fields: { search: "bob@example.org" } });
    expect(found.path).toBe(groupMembers);
    expect(found.html).toContain("<bdi>bob@example.org</bdi>");
    expect(found.html).not.toContain("ann@example.org");
    const none = await browser.send(page, { action: groupMembers, fields: { search: "x" } });
    expect(none.html).toContain("No member has exactly this");
  });

  it("are listed in pages, of all groups or of one, with their own bounds", async () => {
    site.participation.members = [
      ...Array.from({ length: 35 }, (_, index) => member(`p${index}@example.org`, { maxAmount: "1000000" })),
      member("last@example.org", { groupUuid: OTHER_GROUP }),
    ];
    const first = await browser.open(groupMembers);
    expect(first.html).toContain("36 in all");
    expect(first.html.match(/type="checkbox"/g)).toHaveLength(25);
    expect(first.html).toContain("<bdi>Early supporters</bdi>, at most 1 USDC");
    const [, next = ""] = /href="([^"]+)">Next page</.exec(first.html) ?? [];
    expect((await browser.open(next.replaceAll("&amp;", "&"))).html.match(/type="checkbox"/g)).toHaveLength(11);
    const one = await browser.open(`${groupMembers}?group=${OTHER_GROUP}`);
    expect(one.html.match(/type="checkbox"/g)).toHaveLength(1);
  });

  it("are removed where they are ticked", async () => {
    const [ann, bob] = [member("ann@example.org"), member("bob@example.org")];
    site.participation.members = [ann, bob];
    const page = await browser.open(groupMembers);
    const nobody = await browser.send(page, { action: removeGroupMembers });
    expect(nobody.html).toContain("Tick the members to remove.");
    const removed = await browser.send(page, { action: removeGroupMembers, fields: { member: ann.uuid } });
    expect(removed.html).toContain("One member was removed.");
    expect(site.participation.members.map(({ uuid }) => uuid)).toEqual([bob.uuid]);
  });

  it("are downloaded as a file that can be imported again without a difference", async () => {
    site.participation.members = [
      member("=1+1@example.org", { minAmount: "1", maxAmount: "5000500000" }),
      member("", { key: { case: "wallet", value: WALLET }, groupUuid: OTHER_GROUP }),
      member("", { key: { case: "saleSpecificEntityId", value: new Uint8Array(16).fill(7) } }),
    ];
    const before = site.participation.members.map(({ uuid: _, ...others }) => others);
    const file = await browser.open(groupMembersCsv);
    expect(file.headers.get("content-disposition")).toMatch(/^attachment; filename="members-[0-9a-f-]+\.csv"$/);
    expect(file.html).toContain("'=1+1@example.org");
    site.participation.members = [];
    await importList(file.html, { group: "" });
    expect(site.participation.members.map(({ uuid: _, ...others }) => others)).toEqual(before);
  });

  it("are changed by editors alone, and seen by viewers", async () => {
    site.participation.members = [member("ann@example.org")];
    const data = new FormData();
    data.append("file", new File(["email\nx@example.org\n"], "list.csv"));
    await site.setRole(Role.VIEWER);
    const { html } = await browser.open(groupMembers);
    expect(html).toContain("ann@example.org");
    expect(html).not.toContain(importGroupMembers);
    expect(await browser.post(importGroupMembers, data)).toMatchObject({ status: 403 });
    await site.setRole(Role.EDITOR);
    expect(await browser.post(importGroupMembers, data)).toMatchObject({ status: 403 });
    expect(site.participation.asked("ImportMembers")).toEqual([]);
  });

  it("are never sent in too large a list", async () => {
    const { status, html } = await importList(new Uint8Array(13 * 2 ** 20));
    expect(status).toBe(413);
    expect(html).toContain("Here a list may have 12 MB at most.");
  });

  it("need a group first", async () => {
    site.participation.rules.groups = [];
    expect((await browser.open(groupMembers)).html).toContain("an owner adds groups in the rules first");
  });
});

describe("the deny list", () => {
  it("is checked, added to, downloaded and removed from", async () => {
    const checked = await send(changeDenyList, `wallet\n${WALLET}\nnonsense\n`, { do: "check" });
    expect(checked.html).toContain("<li>One line would be added.</li>");
    expect(checked.html).toContain('<th scope="row">3</th><td>wallet</td>');
    expect(site.participation.denyList).toEqual([]);
    const added = await send(changeDenyList, `${WALLET}\n`, { do: "import" });
    expect(added.html).toContain("<li>One line was added.</li>");
    expect((await browser.open(denyList)).html).toContain(`<code>${WALLET}</code>`);
    expect((await browser.open(denyListCsv)).html).toBe(`wallet\r\n${WALLET}\r\n`);
    await send(changeDenyList, `${WALLET}\n`, { do: "import", "change-kind": "remove" });
    expect(site.participation.denyList).toEqual([]);
  });

  it("is listed in pages, and downloaded whole", async () => {
    site.participation.denyList = Array.from({ length: 1_100 }, (_, index) => `0x${String(index).padStart(40, "0")}`);
    const { html } = await browser.open(denyList);
    expect(html).toContain("1,100 in all");
    expect(html.match(/<li><code>/g)).toHaveLength(50);
    expect((await browser.open(denyListCsv)).html.trim().split("\r\n")).toHaveLength(1_101);
  });

  it("that doesn't count says so", async () => {
    Object.assign(site.participation.rules.wallets ?? {}, { denyList: false });
    expect((await browser.open(denyList)).html).toContain("The rules say that this list doesn’t count.");
  });
});
