import { randomBytes, randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { EntityType } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { entitiesCli } from "../../support/processes/entities-cli.ts";
import { describeEntities } from "../../support/processes/entities-fixture.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/processes/temporary-folder.ts";
import { codeBlocks } from "../../support/repository/markdown.ts";
import { readRepository } from "../../support/repository/repository.ts";
import { draftSale } from "../../support/sales/sale-messages.ts";

describeEntities("the operator's command for entities and reviews", (service) => {
  let folder: TemporaryFolder;
  beforeAll(async () => {
    folder = await temporaryFolder();
  });
  afterAll(() => folder?.remove());

  const run = (...args: string[]) => entitiesCli(service())(...args);

  /** Lets somebody submit an entity. @returns its UUID */
  async function submitted(email: string): Promise<string> {
    const person = await service().asPerson(await service().auth.signIn(email));
    const { entity } = await person.entities.createEntity({ type: EntityType.PERSON, label: "Me" });
    const entityUuid = entity?.uuid ?? "";
    await person.entities.beginSetup({ entityUuid, country: "DE" });
    return entityUuid;
  }

  it("lists reviews, approves and refuses", async () => {
    const [first, second] = [await submitted("first@x.example"), await submitted("second@x.example")];
    const list = (await run("review", "list")).output;
    expect(list).toMatch(/^UUID +VERSION +SUBMITTED +TYPE +COUNTRY +E-MAIL +LABEL$/m);
    expect(list).toMatch(new RegExp(`^${first} +\\d+ +20.*Z +person +DE +first@x\\.example +Me$`, "m"));

    const approved = await run("review", "approve", first, "--reference=R-1", "--country=fr", "--expires=30d");
    expect(approved).toMatchObject({ code: 0, errors: "" });
    expect(approved.output).toMatch(new RegExp(`^${first} is approved until 20`));
    const shown = (await run("entity", "show", first)).output;
    expect(shown).toMatch(/^Set-up +Approved$/m);
    expect(shown).toMatch(/^Country +FR$/m);

    expect(await run("review", "refuse", second, "--reason=It is blurred", "--final")).toMatchObject({
      code: 0,
      output: `${second} is refused for good\n`,
    });
    const json = JSON.parse((await run("entity", "show", second, "--json")).output);
    expect(json).toMatchObject({ setupState: "failure_final", setupReason: "It is blurred", wallets: [] });
    expect(JSON.parse((await run("review", "list", "--json")).output)).toEqual([]);
  });

  it("refuses in the words of its options", async () => {
    const uuid = await submitted("third@x.example");
    expect(await run("review", "approve", uuid, "--reference=R-2", "--country=Germany")).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^--country: /),
    });
    expect(await run("review", "refuse", uuid, "--reason=x", "--expected-version=999")).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^aborted: /),
    });
    expect(await run("review", "approve", uuid, "--country=DE")).toMatchObject({
      code: 64,
      errors: expect.stringMatching(/^--reference is missing; see /),
    });
    expect(await run("entity", "show", randomUUID())).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^not_found: /),
    });
  });

  it("imports IDs of a running sale, and names lines that are wrong", async () => {
    const saleUuid = await draftSale(service().auth.commitments);
    const path = join(folder.path, "ids.csv");
    const lineOf = (email: string) => `${email},person,0x${randomBytes(16).toString("hex")}`;
    const lines = ["email,type,sale_specific_entity_id", lineOf("a@x.example"), lineOf("b@x.example")];
    await writeFile(path, [...lines, lineOf("nobody"), ""].join("\n"));
    const refused = await run("entity", "import-ids", saleUuid, path);
    expect(refused).toEqual({
      code: 1,
      output: "3 lines: 2 changes, 0 as they were, 1 refused\n",
      errors: `${path}: line 4: email: must be an e-mail address such as name@example.com\nnothing was changed\n`,
    });
    await writeFile(path, lines.join("\n"));
    const stored = "2 lines: 2 changes, 0 as they were, 0 refused\n";
    expect(await run("entity", "import-ids", saleUuid, path, "--dry-run")).toMatchObject({ code: 0, output: stored });
    expect((await run("entity", "import-ids", saleUuid, path)).output).toBe(`${stored}done: ${stored}`);
    expect((await run("entity", "import-ids", saleUuid, path)).output).toBe(
      "2 lines: 0 changes, 2 as they were, 0 refused\n",
    );
    expect(await run("entity", "import-ids", randomUUID(), path)).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^not_found: /),
    });
  });

  it("imports the IDs of docs/operating.md", async () => {
    const saleUuid = await draftSale(service().auth.commitments);
    const documented = codeBlocks(readRepository("docs/operating.md"), "csv").find(({ code }) => code.includes("type"));
    const path = join(folder.path, "documented.csv");
    await writeFile(path, documented?.code ?? "");
    expect(await run("entity", "import-ids", saleUuid, path, "--dry-run")).toMatchObject({
      code: 0,
      output: "1 line: 1 change, 0 as they were, 0 refused\n",
    });
  });
});
