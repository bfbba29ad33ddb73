import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { invalidArgument } from "../../../common/platform/errors/service-error.ts";
import { toConnectError } from "../../../common/platform/rpc/errors.ts";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { ApplyCommitmentsRequest } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SALE } from "../../testing/fake-commitments.ts";
import { formEntries } from "../../testing/form-entries.ts";
import { FounderSite, harbourAuction } from "../../testing/founder-site.ts";
import type { PageBrowser } from "../../testing/page-browser.ts";
import { salePaths } from "../base/dashboard-paths.ts";

const { importCommitments: action, sale: salePath } = salePaths(SALE);
const TOKEN = `0x${"a1".repeat(20)}`;
const HEADER = "commitment_id,entity_id,created_at,wallet,token,amount\n";

const DRAFT = "55555555-5555-4555-8555-555555555555";
const READ_FROM_CONTRACT = "55555555-5555-4555-8555-555555555556";
const FED_BY_FILES = harbourAuction({ source: { case: undefined } });

let site: FounderSite;
let browser: PageBrowser;
beforeEach(async () => {
  site = await FounderSite.start(FED_BY_FILES);
  await site.open();
  browser = site.browser();
});
afterEach(() => site.stop());

/** The requests that applied commitments, the last one last. */
const applies = () =>
  (site.gateway.sales.faults.asked("ApplyCommitments") as readonly ApplyCommitmentsRequest[]).toReversed();
const stored = async () => {
  const { commitments } = await site.gateway.sales.as("operator").commitments.listCommitments({ saleUuid: SALE });
  return commitments.map(({ amount }) => amount);
};

function line(number: number, { amount = "1000000", token = TOKEN } = {}): string {
  const id = `0x${number.toString(16).padStart(64, "0")}`;
  return `${id},0x${"0e".repeat(16)},2026-01-31T12:00:00Z,0x${"b1".repeat(20)},${token},${amount}\n`;
}

async function send(file: string | Uint8Array<ArrayBuffer>, step = "import") {
  const data = new FormData();
  const shown = formEntries((await browser.open(action)).html, action);
  delete shown["file"];
  for (const [name, value] of Object.entries({ ...shown, do: step })) data.append(name, value);
  data.append("file", new File([file], "commitments.csv"));
  return browser.post(action, data);
}

describe("the import of commitments", () => {
  it("is offered to owners of a sale that no contract feeds", async () => {
    expect((await browser.open(salePath)).html).toContain(`href="${action}"`);
    await site.setRole(Role.EDITOR);
    expect((await browser.open(salePath)).html).not.toContain(`href="${action}"`);
    expect((await browser.open(action)).status).toBe(403);
  });

  it("checks a file, says what is in it, and imports it from that page", async () => {
    const text = HEADER + line(1) + line(2, { amount: "500000" });
    const checked = await send(text, "check");
    expect(checked.html).toContain("Checked, and nothing stored yet");
    expect(checked.html).toContain("<li>2 commitments of one entity.</li><li>1.5 <bdi>USDC</bdi> in all.</li>");
    expect(applies()).toEqual([]);

    const data = new FormData();
    for (const [name, value] of Object.entries({ ...formEntries(checked.html, action), do: "import" })) {
      data.append(name, value);
    }
    const done = await browser.post(action, data);
    expect(done.html).toContain(">Done</h2>");
    expect(applies()).toHaveLength(1);
    expect(applies()[0]?.upserts.map(({ amounts }) => amounts[0]?.amount)).toEqual(["1000000", "500000"]);
    expect(applies()[0]).toMatchObject({ saleUuid: SALE, removals: [] });
    expect(applies()[0]?.changeSet).toBeUndefined();
    expect(await stored()).toEqual(["1000000", "500000"]);
  });

  it("sends a long file in parts that become visible together, and the same file under the same IDs", async () => {
    const text = HEADER + Array.from({ length: 2_500 }, (_, number) => line(number)).join("");
    expect((await send(text)).html).toContain("2,500 commitments");
    expect(applies().map(({ upserts, changeSet }) => [upserts.length, changeSet?.part, changeSet?.last])).toEqual([
      [1_000, 0, false],
      [1_000, 1, false],
      [500, 2, true],
    ]);
    const again = await send(text);
    expect(again.html).toContain("This file was imported within the last day");
    const ids = applies().map(({ requestId }) => requestId);
    expect(ids.slice(3)).toEqual(ids.slice(0, 3));
  });

  it("names each wrong line, and imports nothing of the file", async () => {
    const other = `0x${"ff".repeat(20)}`;
    const text = `${HEADER}${line(1)}${line(2, { amount: "'=1+1" })}${line(3, { token: other })}${line(1)}`;
    for (const step of ["check", "import"]) {
      const { html } = await send(text, step);
      expect(html).toContain("Nothing was imported");
      expect(html).toContain('<th scope="row">3</th><td>amount</td><td>Must be a whole number');
      expect(html).toContain(`The sale has no payment token`);
      expect(html).toContain("The commitment_id is that of line 2.");
    }
    const strange = await send('email\n"<script>alert(1)</script>"\n');
    expect(strange.html).toContain("Line 1: the header lacks commitment_id");
    expect(strange.html).not.toContain("<script>alert");
    expect((await send(HEADER)).html).toContain("The file has no commitments.");
    expect(applies()).toEqual([]);
  });

  it("reads what spreadsheets write: with semicolons, a mark of the byte order, and a sign before what they would run", async () => {
    const text = `\ufeff${HEADER}${line(1)}`.replaceAll(",", ";").replaceAll("\n", "\r\n");
    expect((await send(text)).html).toContain(">Done</h2>");
    const { html } = await send(HEADER + line(2, { amount: "'=1+1" }));
    expect(html).toContain("not &quot;=1+1&quot;");
  });

  it("says at which line the service refuses a record, and that it can go on after a failure", async () => {
    const problem = invalidArgument([
      { field: "upserts[1].amounts[0].wallet", rule: "wallet", message: "must be an address" },
    ]);
    const { failures } = site.gateway.sales.faults;
    failures.set(
      "ApplyCommitments",
      toConnectError(problem, () => undefined),
    );
    expect((await send(HEADER + line(1) + line(2))).html).toContain("Line 3: amounts[0].wallet: must be an address.");
    failures.set("ApplyCommitments", new ConnectError("sign in again", Code.FailedPrecondition));
    const { html } = await send(HEADER + line(1));
    expect(html).toContain("Sign in again.");
    expect(html).toContain("Send the same file again to go on");
    failures.clear();
    expect((await send(HEADER + line(1))).html).toContain(">Done</h2>");
    expect(await stored()).toEqual(["1000000"]);
  });

  it("isn't there for a sale that a contract feeds, for a draft, and after an old sign-in", async () => {
    expect((await site.browser("long ago").open(action)).html).toContain("Confirm");
    await site.addSale(DRAFT, FED_BY_FILES);
    expect((await browser.open(salePaths(DRAFT).importCommitments)).html).toContain("The sale is a draft.");
    await site.addSale(READ_FROM_CONTRACT);
    const page = await browser.open(salePaths(READ_FROM_CONTRACT).importCommitments);
    expect([page.status, page.html]).toEqual([409, expect.stringContaining("read from its contract")]);
    // It is one of the sale's pages, and none of sign-in.
    expect(page.html).toContain(`<a href="${salePaths(READ_FROM_CONTRACT).settings}">`);
    expect(page.html).not.toContain("Secure sign-in");
  });

  it("refuses a file that is too large, and one by a form of another page", async () => {
    const large = await send(new Uint8Array(13 * 2 ** 20));
    expect([large.status, large.html]).toEqual([413, expect.stringContaining("12 MB")]);
    const form = await browser.open(action);
    const forged = await browser.send(form, { action, headers: { "sec-fetch-site": "cross-site" } });
    expect(forged.status).toBeGreaterThanOrEqual(403);
    expect(applies()).toEqual([]);
  });
});
