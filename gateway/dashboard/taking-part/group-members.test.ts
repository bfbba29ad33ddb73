import type { MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type {
  GroupMemberSchema,
  ImportMembersRequest,
} from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { SALE } from "../../testing/fake-commitments.ts";
import { formEntries } from "../../testing/form-entries.ts";
import { FounderSite } from "../../testing/founder-site.ts";
import type { PageBrowser } from "../../testing/page-browser.ts";
import {
  addMembers,
  boundedGroup,
  denyWallets,
  GROUP,
  OTHER_GROUP,
  setRules,
  storedMembers,
  storedRules,
  TAKING_PART,
} from "../../testing/taking-part.ts";

const { groupMembers, importGroupMembers, removeGroupMembers, groupMembersCsv } = TAKING_PART;
const { denyList, changeDenyList, denyListCsv } = TAKING_PART;
const WALLET = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const MANY = 100_000;

let site: FounderSite;
let browser: PageBrowser;
beforeEach(async () => {
  site = await FounderSite.start();
  await setRules(site.gateway, { groups: [boundedGroup(), boundedGroup({ uuid: OTHER_GROUP, name: "Public" })] });
  browser = site.browser();
});
afterEach(() => site.stop());

type MemberInit = MessageInitShape<typeof GroupMemberSchema>;

function member(email: string, changes: Omit<Partial<MemberInit>, "$typeName"> = {}): MemberInit {
  return { groupUuid: GROUP, key: { case: "email", value: email }, ...changes };
}

const have = (...members: readonly MemberInit[]) => addMembers(site.gateway, members);
const stored = () => storedMembers(site.gateway);
const denied = async () =>
  (await site.gateway.entities.as("operator").eligibility.listDenyList({ saleUuid: SALE, pageSize: 100 })).wallets;

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
    const text = 'email,max_amount\nann@example.org,"1,000.0"\nbob@,\ncid@example.org,much\n';
    const checked = await importList(text, { do: "check" });
    expect(checked.html).toContain("Checked, and nothing stored yet");
    expect(checked.html).toContain("<li>3 lines were read.</li>");
    expect(checked.html).toContain("<li>One line would be stored.</li>");
    expect(checked.html).toContain(
      '<th scope="row">3</th><td>email</td><td>Expected a domain such as example.com after the @.</td>',
    );
    expect(checked.html).toContain('<th scope="row">4</th><td>max_amount</td><td>Must be an amount in whole tokens');
    expect(await stored()).toEqual([]);
    const data = new FormData();
    for (const [name, value] of Object.entries({ ...formEntries(checked.html, importGroupMembers), do: "import" })) {
      data.append(name, value);
    }
    const imported = await browser.post(importGroupMembers, data);
    expect(imported.html).toContain('<h2 id="result">Done</h2>');
    expect(await stored()).toMatchObject([
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
    expect(await stored()).toMatchObject([{ groupUuid: OTHER_GROUP, key: { case: "wallet", value: WALLET } }]);
  });

  it(`are imported ${MANY} at once, in parts of 500`, async () => {
    // What the service stores of so many rows takes seconds.
    site.gateway.entities.faults.answers.set("ImportMembers", { stored: 500 });
    const lines = Array.from({ length: MANY }, (_, index) => `person${index}@example.org`);
    const { html } = await importList(`email\n${lines.join("\n")}\n`);
    expect(html).toContain("<li>100,000 lines were stored.</li>");
    const requests = site.gateway.entities.faults.asked("ImportMembers") as ImportMembersRequest[];
    expect(requests.map(({ members }) => members.length)).toEqual(Array.from({ length: 200 }, () => 500));
    expect(requests[0]?.members.at(-1)?.key.value).toBe(`person${MANY - 1}@example.org`);
  });

  it("say how far they are while the page goes on, and what is stored by then when the reader leaves", async () => {
    const { faults } = site.gateway.entities;
    const lines = Array.from({ length: 2_000 }, (_, index) => `person${index}@example.org`);
    const data = new FormData();
    const shown = formEntries((await browser.open(groupMembers)).html, importGroupMembers);
    for (const [name, value] of Object.entries({ ...shown, do: "import", group: GROUP, file: "" })) {
      if (name !== "file" && name !== "list") data.append(name, value);
    }
    data.append("list", `email\n${lines.join("\n")}`);
    const leaving = new AbortController();
    const held = faults.hold("ImportMembers", 3);
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
    expect(faults.asked("ImportMembers")).toHaveLength(3);
    // The place of the import is free again.
    await expect.poll(async () => (await importList("email\nann@example.org\n")).html).toContain("Done");
  });

  it("are asked for again as a file where the checked one was large", async () => {
    site.gateway.entities.faults.answers.set("ImportMembers", { stored: 500 });
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
    site.gateway.entities.faults.failures.set("ImportMembers", new ConnectError("too many members", code));
    const { html } = await importList("email\nann@example.org\n");
    expect(html).toContain("It broke off");
    expect(html).toContain(text);
    expect(html).toContain("nothing is stored twice");
    site.gateway.entities.faults.failures.clear();
    expect((await importList("email\nann@example.org\n")).html).toContain("Done");
  });

  it("show no mark-up of a list, and none of it in a carried one", async () => {
    const hostile = `</textarea><script>alert(1)</script>`;
    const { html } = await importList(`email\nann@example.org\n${hostile}\n`, { do: "check" });
    expect(html).toContain("&lt;script&gt;");
    expect(html).not.toContain("<script>alert");
  });

  it("are found by exactly what is entered, by POST, as an address doesn't belong into a log of URLs", async () => {
    await have(member("ann@example.org"), member("bob@example.org"));
    const page = await browser.open(groupMembers);
    const found = await browser.send(page, { action: groupMembers, fields: { search: "bob@example.org" } });
    expect(found.path).toBe(groupMembers);
    expect(found.html).toContain("<bdi>bob@example.org</bdi>");
    expect(found.html).not.toContain("ann@example.org");
    const none = await browser.send(page, { action: groupMembers, fields: { search: "x" } });
    expect(none.html).toContain("No member has exactly this");
  });

  it("are listed in pages, of all groups or of one, with their own bounds", async () => {
    await have(
      ...Array.from({ length: 35 }, (_, index) => member(`p${index}@example.org`, { maxAmount: "1000000" })),
      member("last@example.org", { groupUuid: OTHER_GROUP }),
    );
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
    await have(member("ann@example.org"), member("bob@example.org"));
    const ann = (await stored()).find(({ key }) => key.value === "ann@example.org");
    const page = await browser.open(groupMembers);
    const nobody = await browser.send(page, { action: removeGroupMembers });
    expect(nobody.html).toContain("Tick the members to remove.");
    const removed = await browser.send(page, { action: removeGroupMembers, fields: { member: ann?.uuid ?? "" } });
    expect(removed.html).toContain("One member was removed.");
    expect((await stored()).map(({ key }) => key.value)).toEqual(["bob@example.org"]);
  });

  it("are downloaded as a file that can be imported again without a difference", async () => {
    await have(
      member("=1+1@example.org", { minAmount: "1", maxAmount: "5000500000" }),
      member("", { key: { case: "wallet", value: WALLET }, groupUuid: OTHER_GROUP }),
      member("", { key: { case: "saleSpecificEntityId", value: new Uint8Array(16).fill(7) } }),
    );
    const before = await stored();
    const file = await browser.open(groupMembersCsv);
    expect(file.headers.get("content-disposition")).toMatch(/^attachment; filename="members-[0-9a-f-]+\.csv"$/);
    expect(file.html).toContain("'=1+1@example.org");
    const { eligibility } = site.gateway.entities.as("operator");
    await eligibility.removeMembers({ saleUuid: SALE, memberUuids: before.map(({ uuid }) => uuid) });
    expect(await stored()).toEqual([]);
    await importList(file.html, { group: "" });
    expect(await stored()).toEqual(before);
  });

  it("are changed by editors alone, and seen by viewers", async () => {
    await have(member("ann@example.org"));
    const data = new FormData();
    data.append("file", new File(["email\nx@example.org\n"], "list.csv"));
    await site.setRole(Role.VIEWER);
    const { html } = await browser.open(groupMembers);
    expect(html).toContain("ann@example.org");
    expect(html).not.toContain(importGroupMembers);
    expect(await browser.post(importGroupMembers, data)).toMatchObject({ status: 403 });
    await site.setRole(Role.EDITOR);
    expect(await browser.post(importGroupMembers, data)).toMatchObject({ status: 403 });
    expect(site.gateway.entities.faults.asked("ImportMembers")).toEqual([]);
  });

  it("are never sent in too large a list", async () => {
    const { status, html } = await importList(new Uint8Array(13 * 2 ** 20));
    expect(status).toBe(413);
    expect(html).toContain("Here a list may have 12 MB at most.");
  });

  it("need a group first", async () => {
    await setRules(site.gateway, { groups: [] });
    expect((await browser.open(groupMembers)).html).toContain("an owner adds groups in the rules first");
  });
});

describe("the deny list", () => {
  it("is checked, added to, downloaded and removed from", async () => {
    const checked = await send(changeDenyList, `wallet\n${WALLET}\nnonsense\n`, { do: "check" });
    expect(checked.html).toContain("<li>One line would be added.</li>");
    expect(checked.html).toContain('<th scope="row">3</th><td>wallet</td>');
    expect(await denied()).toEqual([]);
    const added = await send(changeDenyList, `${WALLET}\n`, { do: "import" });
    expect(added.html).toContain("<li>One line was added.</li>");
    expect((await browser.open(denyList)).html).toContain(`<code>${WALLET}</code>`);
    expect((await browser.open(denyListCsv)).html).toBe(`wallet\r\n${WALLET}\r\n`);
    await send(changeDenyList, `${WALLET}\n`, { do: "import", "change-kind": "remove" });
    expect(await denied()).toEqual([]);
  });

  it("is listed in pages, and downloaded whole", async () => {
    const wallets = Array.from({ length: 1_100 }, (_, index) => `0x${String(index).padStart(40, "0")}`);
    for (const from of [0, 500, 1_000]) await denyWallets(site.gateway, wallets.slice(from, from + 500));
    const { html } = await browser.open(denyList);
    expect(html).toContain("1,100 in all");
    expect(html.match(/<li><code>/g)).toHaveLength(50);
    expect((await browser.open(denyListCsv)).html.trim().split("\r\n")).toHaveLength(1_101);
  });

  it("that doesn't count says so", async () => {
    const { rules } = await storedRules(site.gateway);
    if (rules.wallets !== undefined) await setRules(site.gateway, { wallets: { ...rules.wallets, denyList: false } });
    expect((await browser.open(denyList)).html).toContain("The rules say that this list doesn’t count.");
  });
});
