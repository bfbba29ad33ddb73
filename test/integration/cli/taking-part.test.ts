import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { entitiesCli } from "../../support/processes/entities-cli.ts";
import { describeEntities } from "../../support/processes/entities-fixture.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/processes/temporary-folder.ts";
import { codeBlocks } from "../../support/repository/markdown.ts";
import { readRepository } from "../../support/repository/repository.ts";
import { auction, draftSale, evmSource } from "../../support/sales/sale-messages.ts";
import { newAddress, PermitSale } from "../../support/sales/taking-part-sale.ts";

const ENTITY = `0x${"0a".repeat(16)}`;

describeEntities("the operator's command for taking part in a sale", (service) => {
  let folder: TemporaryFolder;
  beforeAll(async () => {
    folder = await temporaryFolder();
  });
  afterAll(() => folder?.remove());

  const run = (...args: string[]) => entitiesCli(service())(...args);
  const newSale = () => draftSale(service().auth.commitments, auction({ source: evmSource() }));

  async function fileOf(name: string, text: string): Promise<string> {
    const path = join(folder.path, name);
    await writeFile(path, text);
    return path;
  }

  /** A sale with the rules of docs/operating.md. */
  async function saleWithRules(): Promise<string> {
    const saleUuid = await newSale();
    const rules = codeBlocks(readRepository("docs/operating.md"), "json").find(({ code }) => code.includes("groups"));
    const set = await run("rules", "set", saleUuid, await fileOf("rules.json", rules?.code ?? ""));
    expect(set).toEqual({ code: 0, output: "taking part is off; version 1; no permit is valid\n", errors: "" });
    return saleUuid;
  }

  it("sets the rules of docs/operating.md, shows them, and sets what it shows", async () => {
    const saleUuid = await saleWithRules();
    const { output } = await run("rules", "show", saleUuid);
    expect(output).toMatch(/^Taking part +off$/m);
    expect(output).toMatch(/^Countries +all but North Korea$/m);
    expect(output).toMatch(/^Group “Friends” +from 2026-03-01 12:00 UTC; 100 dollars to 5,000 dollars; any price$/m);
    expect(output).toMatch(/^ID of “Friends” +22222222-2222-4222-8222-222222222222$/m);
    expect(await run("rules", "on", saleUuid)).toMatchObject({
      code: 0,
      output: "taking part is on; version 2; no permit is valid\n",
    });
    const shown = (await run("rules", "show", saleUuid, "--json")).output;
    expect(JSON.parse(shown)).toMatchObject({ version: "2", memberCount: "0", rules: { enabled: true } });
    const path = await fileOf("shown.json", shown);
    expect(await run("rules", "set", saleUuid, path, "--expected-version=1")).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^aborted: /),
    });
    expect((await run("rules", "set", saleUuid, path, "--expected-version=2")).output).toMatch(/^taking part is on;/);
    expect((await run("rules", "off", saleUuid)).output).toMatch(/^taking part is off; version 4;/);
    const wrong = await fileOf("wrong.json", '{"enabled": "yes"}');
    expect(await run("rules", "set", saleUuid, wrong)).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^cannot decode .*ParticipationRules/),
    });
  });

  it("imports, lists, exports and removes members", async () => {
    const saleUuid = await saleWithRules();
    const [wallet, table] = [newAddress(), /^GROUP +MEMBER +AT LEAST +AT MOST\n/];
    const header = "group,email,wallet,entity,min_amount,max_amount";
    const lines = [header, "Friends,ada@example.com,,,,2500.5", `Friends,,${wallet},,,`, `Friends,,,${ENTITY},,`];
    const path = await fileOf("members.csv", lines.join("\n"));
    const stored = "3 lines: 3 changes, 0 as they were, 0 refused\n";
    expect(await run("member", "import", saleUuid, path, "--dry-run")).toEqual({ code: 0, output: stored, errors: "" });
    expect((await run("member", "list", saleUuid)).output).toBe("GROUP  MEMBER  AT LEAST  AT MOST\n");
    expect((await run("member", "import", saleUuid, path)).output).toBe(`${stored}done: ${stored}`);

    const listed = await run("member", "list", saleUuid, "--search=Ada@example.com", "--group=Friends");
    expect(listed.output).toMatch(/^Friends +ada@example\.com +- +2,500\.5$/m);
    expect(await run("member", "list", saleUuid, "--limit=1")).toMatchObject({
      output: expect.stringMatching(table),
      errors: "there are more than 1: --limit NUMBER lists more\n",
    });

    const exported = join(folder.path, "exported.csv");
    expect(await run("member", "export", saleUuid, `--output=${exported}`)).toMatchObject({ code: 0, errors: "" });
    expect((await run("member", "import", saleUuid, exported)).output).toBe(
      "3 lines: 0 changes, 3 as they were, 0 refused\n",
    );
    expect((await run("member", "remove", saleUuid, ENTITY)).output).toBe("removed from 1 group\n");
    expect(await run("member", "remove", saleUuid, ENTITY)).toEqual({
      code: 1,
      output: "",
      errors: "there is no such member\n",
    });
    expect((await run("member", "export", saleUuid)).output.trim().split("\r\n")).toHaveLength(3);
    expect(await run("member", "list", saleUuid, "--group=Foes")).toMatchObject({
      code: 64,
      errors: expect.stringMatching(/^--group: the sale has no such group; see /),
    });
  });

  it("imports the members of docs/operating.md", async () => {
    const saleUuid = await saleWithRules();
    const documented = codeBlocks(readRepository("docs/operating.md"), "csv").find(({ code }) =>
      code.includes("group"),
    );
    const path = await fileOf("documented.csv", documented?.code ?? "");
    expect(await run("member", "import", saleUuid, path, "--dry-run")).toEqual({
      code: 0,
      output: "2 lines: 2 changes, 0 as they were, 0 refused\n",
      errors: "",
    });
  });

  it("keeps the deny list and freezes", async () => {
    const saleUuid = await newSale();
    const [first, second] = [newAddress(), newAddress()];
    const path = await fileOf("wallets.csv", `wallet\n${first}\n${second}\n0x1\n`);
    expect(await run("deny-list", "import", saleUuid, path)).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/wallets\.csv: line 4: wallet: .*\nnothing was changed\n$/),
    });
    expect(await run("deny-list", "import", saleUuid, path, "--skip-refused")).toMatchObject({ code: 0 });
    const listed = (await run("deny-list", "list", saleUuid)).output;
    expect(listed.toLowerCase().trim().split("\n").toSorted()).toEqual([first, second].toSorted());
    expect((await run("deny-list", "remove", saleUuid, first)).output).toBe(`${first} is off the list\n`);
    expect((await run("deny-list", "remove", saleUuid, first)).output).toBe("the wallet wasn't on the list\n");
    const rest = await fileOf("rest.csv", listed);
    expect((await run("deny-list", "import", saleUuid, rest, "--remove")).output).toMatch(/^done: 2 lines: 1 change/m);
    expect((await run("deny-list", "list", saleUuid)).output).toBe("");

    expect((await run("freeze", "add", saleUuid, ENTITY, "--note=Asked us to")).output).toBe(
      `${ENTITY} is frozen; no permit is valid\n`,
    );
    expect((await run("freeze", "list", saleUuid)).output).toMatch(
      new RegExp(`^${ENTITY} +20\\S+Z +Asked us to$`, "m"),
    );
    expect((await run("freeze", "remove", saleUuid, ENTITY)).output).toBe(`${ENTITY} may have permits again\n`);
    expect(JSON.parse((await run("freeze", "list", saleUuid, "--json")).output)).toEqual([]);
    expect(await run("freeze", "add", saleUuid, "0x0a")).toMatchObject({
      code: 64,
      errors: expect.stringMatching(/^ENTITY-ID expects 0x and 32 hexadecimal digits; see /),
    });
  });

  it("creates, activates and retires keys, and says what to do next", async () => {
    const saleUuid = await newSale();
    expect((await run("permit-key", "list", saleUuid)).output).toMatch(/\n\nnext: Create a key\.\n$/);
    const created = (await run("permit-key", "create", saleUuid)).output;
    expect(created).toMatch(/next: Have an admin of the contract make this call:\n {2}grantRole\(0x[0-9a-f]{64}, 0x/);
    const [key] = JSON.parse((await run("permit-key", "list", saleUuid, "--json")).output);
    expect(key).toMatchObject({ status: "next", kind: "evm", contract: "unspecified" });
    expect(await run("permit-key", "activate", saleUuid, key.keyUuid)).toMatchObject({ code: 1 });
    const activated = await run("permit-key", "activate", saleUuid, key.keyUuid, "--override");
    expect(activated.output).toMatch(new RegExp(`^${key.keyUuid} +active +${key.address} .* can't be asked`, "m"));
    expect(await run("permit-key", "retire", saleUuid, key.keyUuid)).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^failed_precondition: /),
    });
    await run("permit-key", "create", saleUuid);
    const [next] = JSON.parse((await run("permit-key", "list", saleUuid, "--json")).output);
    expect((await run("permit-key", "retire", saleUuid, next.keyUuid)).output).not.toContain(next.keyUuid);
  });

  it("lists and counts permits", async () => {
    const sale = await PermitSale.open(service());
    const participant = await sale.participant("grace@x.example");
    const wallet = newAddress();
    await sale.issue(participant, wallet);
    const id = `0x${Buffer.from(participant.saleEntity.saleSpecificId).toString("hex")}`;
    const { output } = await run("permit", "list", sale.saleUuid, `--entity=${id}`);
    expect(output.toLowerCase()).toMatch(new RegExp(`^\\S+z +\\S+z +${id} +${wallet} +0 +- +`, "m"));
    const [permit] = JSON.parse((await run("permit", "list", sale.saleUuid, "--json")).output);
    expect(permit).toMatchObject({ saleSpecificEntityId: id, minAmount: "0", forcedLockup: false });
    const none = await run("permit", "list", sale.saleUuid, `--entity=${ENTITY}`);
    expect(none.output.trim().split("\n")).toHaveLength(1);
    expect((await run("permit", "count", sale.saleUuid)).output).toMatch(/^Issued +1\nValid now +1\nEntities +1\n/);
    expect((await run("rules", "off", sale.saleUuid)).output).toMatch(
      /1 permit stays valid, for ten minutes at most$/m,
    );
  });
});
