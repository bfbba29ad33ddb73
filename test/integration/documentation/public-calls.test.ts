import { beforeAll, describe, expect, it } from "vitest";
import { CALL_ERROR_CODES } from "../../../gateway/openapi/call-responses.ts";
import { ELIGIBILITIES, SETUP_STATES } from "../../../gateway/public-calls/entity-body.ts";
import { OPERATIONS } from "../../../gateway/public-calls/operations.ts";
import { FAILURE_REASONS } from "../../../gateway/public-calls/public-names.ts";
import { sampleGroup } from "../../../services/entities/testing/sample-rules.ts";
import { describeOneParticipationWeb } from "../../support/applications/taking-part-web.ts";
import { runShell } from "../../support/processes/shell.ts";
import { codeBlocks, codeSpans, tableRows } from "../../support/repository/markdown.ts";
import { readRepository } from "../../support/repository/repository.ts";
import { shapeOf } from "./json-shape.ts";

const document = readRepository("docs/public-calls.md");
const blocks = codeBlocks(document);
/** Each documented command with the answer that follows it. */
const exchanges = blocks.flatMap(({ language, code }, index) => {
  const answer = blocks[index + 1];
  return language === "sh" && answer !== undefined ? [{ command: code, answer: JSON.parse(answer.code) }] : [];
});
const DOCUMENTED_SALE = "11111111-1111-4111-8111-111111111111";
const DOCUMENTED_ENTITY = "7c1e3f4a-52d0-4b8e-9a61-2f0c5d7e8b93";
const WALLET = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/** Replaces texts that differ in each sale by their names, and the rest by what it is like. */
function formOf(answer: unknown): unknown {
  const text = JSON.stringify(answer)
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "uuid")
    .replaceAll(/[\w-]+@example\.com/g, "email")
    .replaceAll(/"(access|refresh)_token":"[^"]+"/g, '"$1_token":"token"');
  return shapeOf(JSON.parse(text));
}

describeOneParticipationWeb("docs/public-calls.md", (web) => {
  let here: (command: string) => string;
  let variables: Record<string, string>;
  beforeAll(async () => {
    const group = sampleGroup({ minAmount: 1_000_000_000n, maxAmount: 15_000_000_000n });
    const { saleUuid } = await web().openSale({ groups: [group] });
    const user = await web().user(saleUuid);
    await web().createEntity(user);
    const { sessionToken } = user.session;
    const { refreshToken } = await (await web().service.applicationOf(saleUuid)).tokens(sessionToken);
    const { body } = await web().call("/externalapi.MyProfile", {}, user.accessToken);
    variables = { ACCESS_TOKEN: user.accessToken, REFRESH_TOKEN: refreshToken };
    here = (command) =>
      command
        .replaceAll("http://localhost:8080", web().origin)
        .replaceAll(DOCUMENTED_SALE, saleUuid)
        .replaceAll(DOCUMENTED_ENTITY, body.EntityID);
  });

  it.each(exchanges)("shows what $command answers", async ({ command, answer }) => {
    const assignments = Object.entries(variables).map(([name, value]) => `${name}='${value}'`);
    const printed = await runShell([...assignments, here(command)].join("\n"));
    const withoutWallet = printed.replaceAll(new RegExp(WALLET, "gi"), WALLET);
    expect(formOf(JSON.parse(withoutWallet))).toEqual(formOf(answer));
  });

  it("shows how a permit is refused", async () => {
    const shown = codeBlocks(document, "json").map(({ code }) => JSON.parse(code));
    const { saleUuid: SaleUUID } = await web().openSale({ groups: [sampleGroup({ opensAt: 9_000_000_000n })] });
    const user = await web().user(SaleUUID);
    await web().createEntity(user);
    const { body: profile } = await web().call("/externalapi.MyProfile", {}, user.accessToken);
    const bid = { SaleUUID, EntityID: profile.EntityID, PurchasingWalletAddress: WALLET };
    const { status, body } = await web().call("/svc/v1/generate-purchase-permit", bid, user.accessToken);
    expect(status).toBe(400);
    expect(shown).toContainEqual(body);
  });
});

describe("the tables of docs/public-calls.md", () => {
  const firstColumn = (title: string) => tableRows(document, title).map(([cell = ""]) => codeSpans(cell)[0] ?? cell);

  it("name every call with its scope, and its other path", () => {
    const calls = OPERATIONS.flatMap((call) => ("scope" in call ? [[call.segment, call.scope]] : []));
    const documented = tableRows(document, "call").map((cells) => cells.slice(0, 2).flatMap(codeSpans));
    expect(documented).toEqual(calls);
    const others = tableRows(document, "path").map((cells) => cells.flatMap(codeSpans));
    expect(others).toEqual(
      OPERATIONS.map((call) => ("segment" in call ? [call.rootPath, call.segment] : [call.rootPath])),
    );
  });

  it("name every state and every reason in its order", () => {
    expect(firstColumn("`EntitySetupState`")).toEqual([...SETUP_STATES.values()]);
    expect(firstColumn("`SaleEligibility`")).toEqual([...ELIGIBILITIES.values()]);
    expect(firstColumn("reason")).toEqual([...FAILURE_REASONS.values()]);
  });

  it("name every error of the OpenAPI document, and those that it has as others", () => {
    const documented = tableRows(document, "status").map(([status, code = ""]) => `${status} ${codeSpans(code)[0]}`);
    const others = ["400 failed_precondition", "405 unimplemented", "501 unimplemented"];
    expect(documented.toSorted()).toEqual([...CALL_ERROR_CODES, ...others].toSorted());
  });
});
