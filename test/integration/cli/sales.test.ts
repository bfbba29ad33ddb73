import { randomUUID } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { create as createMessage, toJson } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateCallerKey } from "../../../common/platform/rpc/identity/caller-keys.ts";
import { SalePresentationSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { runCliProcess } from "../../support/processes/cli.ts";
import { type CommitmentsProcess, startCommitmentsProcess } from "../../support/processes/commitments-process.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/processes/temporary-folder.ts";
import { codeBlocks } from "../../support/repository/markdown.ts";
import { readRepository } from "../../support/repository/repository.ts";
import { amountOf, apply, idBytes, openedSale, record, USDX } from "../../support/sales/sale-messages.ts";

const ROWS = 450;
/** Texts and times of a sale for which none are entered, as `--json` shows them. */
const EMPTY_PRESENTATION = Object(
  toJson(SalePresentationSchema, createMessage(SalePresentationSchema), { alwaysEmitImplicit: true }),
);

describe("the operator's command, against a commitments process", () => {
  const key = generateCallerKey();
  let folder: TemporaryFolder;
  let service: CommitmentsProcess;

  beforeAll(async () => {
    folder = await temporaryFolder();
    service = await startCommitmentsProcess({ DATA_DIR: folder.path }, { key });
  });
  afterAll(async () => {
    await service?.process.kill();
    await folder?.remove();
  });

  const run = (...args: string[]) => runCliProcess(args, { COMMITMENTS_URL: service.url, CALLER_KEY: key.text });
  const create = (...args: string[]) => run("sale", "create", `--token=${USDX}:6:usd`, "--price-tick=1/1000", ...args);

  it("creates, shows, lists, opens and settles a sale", async () => {
    const created = await create("--name=By flags", "--price-ticks=100");
    expect(created).toMatchObject({ code: 0, errors: "" });
    const uuid = created.output.trim();
    expect((await run("sale", "show", uuid)).output).toMatch(
      /^Price +0\.0000001 dollars per smallest unit of the token; 100 price ticks of 0\.000000001 dollars$/m,
    );
    expect((await run("sale", "open", uuid)).output).toBe(`${uuid} is open\n`);
    expect((await run("sale", "list", "--status", "open")).output).toContain(uuid);
    expect((await run("sale", "list", "--status", "draft")).output).not.toContain(uuid);
    const unconfirmed = await run("sale", "settle", uuid);
    expect(unconfirmed).toMatchObject({ code: 64, errors: expect.stringContaining("--confirm NAME is missing") });
    const otherName = await run("sale", "settle", uuid, "--confirm=By files");
    expect(otherName).toMatchObject({
      code: 1,
      errors: expect.stringContaining('must be the sale\'s name, "By flags"'),
    });
    const settle = () => run("sale", "settle", uuid, "--confirm=By flags");
    expect(await settle()).toMatchObject({ code: 0, output: `${uuid} is settled\n` });
    const again = await settle();
    expect(again).toMatchObject({ code: 1, output: "" });
    expect(again.errors).toMatch(/^failed_precondition: /);
  });

  it("changes what people read about a sale, and nothing else", async () => {
    const offered = ["--offered-decimals=18", "--offered-amount=1"];
    const uuid = (await create("--name=Described", "--price-ticks=100", ...offered)).output.trim();
    const describeSale = (...options: string[]) => run("sale", "describe", uuid, ...options);
    const logo = "services/demo/logos/square.png";
    const times = ["--opens=2027-01-15T08:00:00Z", "--closes=2027-02-15T08:00:00Z"];
    const texts = ["--description=One\nTwo", "--website=https://a.example", "--symbol=TIDE"];
    const all = [...texts, `--logo=${logo}`, "--total-supply=10,000,000", ...times];
    expect(await describeSale(...all)).toEqual({ code: 0, output: `${uuid} is changed\n`, errors: "" });
    const shown = async () => JSON.parse((await run("sale", "show", uuid, "--json")).output).definition;
    const { presentation, name, fixed } = await shown();
    expect([name, fixed.priceTicks, fixed.offeredAmount]).toEqual(["Described", "100", "1"]);
    expect(presentation).toEqual({
      ...EMPTY_PRESENTATION,
      description: "One\nTwo",
      website: "https://a.example/",
      offeredTokenSymbol: "TIDE",
      opensAtSeconds: "1800000000",
      closesAtSeconds: "1802678400",
      logo: expect.stringMatching(/^[0-9a-f]{64}$/),
      totalSupply: (10n ** 25n).toString(),
    });
    expect((await run("sale", "show", uuid)).output).toMatch(/^Closes +2027-02-15 08:00 UTC$/m);
    expect((await describeSale("--website=", "--opens=", "--logo=", "--total-supply=")).code).toBe(0);
    expect((await shown()).presentation).toEqual({
      ...EMPTY_PRESENTATION,
      description: "One\nTwo",
      website: "",
      logo: "",
      totalSupply: "",
      offeredTokenSymbol: "TIDE",
      closesAtSeconds: "1802678400",
    });
    expect((await describeSale("--total-supply=0.0000000000000000001")).errors).toContain("--total-supply has more");
    const refused = await describeSale("--website=javascript:alert(1)", "--symbol=<b>");
    expect([refused.code, refused.errors]).toEqual([1, expect.stringMatching(/^--website: .*\n--symbol: /m)]);
    expect((await describeSale("--logo=package.json")).errors).toContain("--logo: must be a PNG, JPEG or WebP image");
    expect((await describeSale("--opens=tomorrow")).errors).toContain("--opens");
    expect((await describeSale()).errors).toContain("expected an option");
  });

  it("opens by an override, withdraws and deletes only by the sale's name", async () => {
    const name = "Harbour Token";
    const contract = `--contract=0x${"c1".repeat(20)}`;
    const uuid = (await create(`--name=${name}`, "--price-ticks=100", "--chain=nowhere", contract)).output.trim();
    // This service has no indexer, so that no contract passes.
    const unchecked = await run("sale", "open", uuid);
    expect([unchecked.code, unchecked.errors.split(":")[0]]).toEqual([1, "failed_precondition"]);
    const misnamed = await run("sale", "open", uuid, "--override", "--confirm", "Harbour");
    expect([misnamed.code, misnamed.errors]).toEqual([1, expect.stringMatching(/^--confirm: /m)]);
    const opened = await run("sale", "open", uuid, "--override", "--confirm", name);
    expect(opened).toEqual({ code: 0, output: `${uuid} is open\n`, errors: "" });

    const withdrawn = await run("sale", "withdraw", uuid, "--confirm", name);
    expect(withdrawn).toEqual({ code: 0, output: `${uuid} is withdrawn\n`, errors: "" });
    expect((await run("sale", "list", "--status", "withdrawn")).output).toContain(uuid);

    const draft = (await create(`--name=${name}`, "--price-ticks=100")).output.trim();
    const other = await run("sale", "delete", draft, "--confirm", "Pier");
    expect([other.code, other.errors]).toEqual([1, expect.stringMatching(/^--confirm: /m)]);
    expect(await run("sale", "delete", draft, "--confirm", name)).toMatchObject({ code: 0, errors: "" });
  });

  it("creates an auction from prices as people write them, and names options in errors", async () => {
    const args = ["--name=Auction", `--token=${USDX}:6:usd`, "--offered-decimals=18", "--increment=0.005"];
    const created = await run("sale", "create", ...args, "--offer=1,000,000", "--floor=0.10", "--tick=0.001");
    expect(created).toMatchObject({ code: 0, errors: "" });
    const shown = JSON.parse((await run("sale", "show", created.output.trim(), "--json")).output);
    expect(shown.definition).toMatchObject({
      priceTick: { numerator: "1", denominator: "1000000000000000" },
      auction: { offeredAmount: `${10n ** 24n}`, floorTicks: "100", incrementTicks: "5" },
    });
    const refused = await run("sale", "create", "--name=<b>", "--token=0xa1:6", "--offered-decimals=18", "--price=1");
    expect(refused).toMatchObject({ code: 1, output: "" });
    expect(refused.errors).toMatch(/^--name: /m);
    expect(refused.errors).toMatch(/^--token: /m);
  });

  it("creates the auction of docs/operating.md, as its command says", async () => {
    const commands = codeBlocks(readRepository("docs/operating.md"), "bash").map(({ code }) => code);
    const documented = commands.find((code) => code.includes("sale create"))?.replaceAll("\\\n", " ") ?? "";
    const [, words = ""] = documented.split("tidemark --silent -- ");
    const args = Array.from(words.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, plain = ""]) => quoted ?? plain);
    const created = await run(...args);
    expect(created).toMatchObject({ code: 0, errors: "" });
    expect((await run("sale", "show", created.output.trim())).output).toMatch(/^Name +An auction$/m);
  });

  it("lists sales as JSON, and prints its version without settings", async () => {
    const uuid = (await create("--name=Listed", "--price-ticks=100")).output.trim();
    const listed: { uuid: string }[] = JSON.parse((await run("sale", "list", "--json")).output);
    expect(listed.find((sale) => sale.uuid === uuid)).toMatchObject({
      status: "draft",
      definition: { name: "Listed" },
    });
    const { version } = JSON.parse(readRepository("package.json"));
    expect(await runCliProcess(["--version"], {})).toEqual({ code: 0, output: `${version}\n`, errors: "" });
  });

  it("starts a new generation of sales", async () => {
    const uuid = await openedSale(service);
    const shown = async () => JSON.parse((await run("sale", "show", uuid, "--json")).output).generation;
    const before = await shown();
    const one = await run("generation", "renew", "--sale", uuid);
    expect(one).toMatchObject({ code: 0, output: "1 sale has a new generation\n" });
    expect(await shown()).not.toBe(before);
    expect((await run("generation", "renew", "--all")).output).toMatch(/^\d+ sales? ha(?:s|ve) a new generation\n$/);
    expect(await run("generation", "renew")).toMatchObject({ code: 64, output: "" });
  });

  it("creates a sale from the definition of another one", async () => {
    const first = (await create("--offered-amount=9", "--increment-ticks=5", "--name=First")).output.trim();
    const shown = JSON.parse((await run("sale", "show", first, "--json")).output);
    const file = join(folder.path, "sale.json");
    await writeFile(file, JSON.stringify(shown.definition));
    const uuid = randomUUID();
    const args = ["--file", file, "--name", "Second", "--tenancy", "live", "--uuid", uuid];
    expect(await run("sale", "create", ...args)).toEqual({ code: 0, output: `${uuid}\n`, errors: "" });
    const second = JSON.parse((await run("sale", "show", uuid, "--json")).output);
    expect(second).toMatchObject({ tenancy: "live", definition: { ...shown.definition, name: "Second" } });
  });

  it("creates a sale from the file that docs/operating.md shows", async () => {
    const file = join(folder.path, "documented.json");
    const documented = codeBlocks(readRepository("docs/operating.md"), "json").find(({ code }) =>
      code.includes("priceTick"),
    );
    await writeFile(file, documented?.code ?? "");
    const { output } = await run("sale", "create", "--file", file);
    expect((await run("sale", "show", output.trim())).output).toMatch(/^Name +A sale at 10 cents$/m);
  });

  it("exports every commitment, including those that don't count, page by page", async () => {
    const uuid = await openedSale(service);
    const upserts = Array.from({ length: ROWS }, (_, number) => record(number));
    const other = `0x${"b2".repeat(20)}`;
    upserts.push(record(ROWS, { amounts: [amountOf(1n), { ...amountOf(2n), wallet: other }] }));
    upserts.push(record(ROWS + 1, { amounts: [] }), record(ROWS + 2, { refunded: true, extraData: idBytes(7, 4) }));
    await apply(service, uuid, { upserts });
    const { output, code } = await run("sale", "export", uuid, "--csv");
    const lines = output.split("\r\n");
    expect([code, lines.length]).toEqual([0, 1 + ROWS + 2 + 1 + 1 + 1]);
    const ids = lines.slice(1, -1).map((line) => line.split(",")[3]);
    expect(new Set(ids).size).toBe(ROWS + 3);
    expect(lines.at(-2)).toMatch(
      /^0x0{24}000001c4,0x(b1){20},0x(a1){20},0x0{56}000001c4,2026-01-31T12:00:00Z,10,false,1000,true,false,0x00000007,,$/,
    );
    const file = join(folder.path, "export.csv");
    expect(await run("sale", "export", uuid, "--output", file)).toEqual({ code: 0, output: "", errors: "" });
    expect(await readFile(file, "utf8")).toBe(output);
    const people = await run("sale", "export", uuid, "--for-people", "--time-zone", "Asia/Tokyo");
    const forPeople = people.output.split("\r\n");
    expect([people.code, forPeople.length]).toEqual([0, lines.length]);
    expect(forPeople.at(-2)).toMatch(/^2026-01-31 21:00:00,UTC\+09:00,0x(b1){20},0\.001,,\d+,no,yes,no,0x/);
    for (const wrong of [
      ["--time-zone", "UTC"],
      ["--for-people", "--time-zone", "Mars/Base"],
    ]) {
      const { code: refused, output: nothing } = await run("sale", "export", uuid, ...wrong);
      expect([refused, nothing]).toEqual([64, ""]);
    }
  });

  it("leaves no file after an export that failed", async () => {
    const file = join(folder.path, "none.csv");
    const { code, errors } = await run("sale", "export", randomUUID(), "--output", file);
    expect([code, errors.split(":")[0]]).toEqual([1, "not_found"]);
    expect((await readdir(folder.path)).filter((name) => name.startsWith("none"))).toEqual([]);
    const nowhere = join(folder.path, "nowhere", "a.csv");
    const uuid = await openedSale(service);
    expect(await run("sale", "export", uuid, "--output", nowhere)).toMatchObject({
      code: 1,
      errors: expect.stringContaining("ENOENT"),
    });
  });

  it("shows the problems of a definition by field", async () => {
    const { code, output, errors } = await create("--name=Bad", "--price-ticks=0", "--offered-decimals=99");
    expect([code, output]).toEqual([1, ""]);
    expect(errors).toMatch(/^--price-ticks: /m);
    expect(errors).toMatch(/^--offered-decimals: /m);
  });

  it.each([
    [64, ["sale", "list", "--bogus"], /^Unknown option '--bogus'; see npm run tidemark -- sale list --help\n$/],
    [64, ["sale", "hide"], /^there is no command "sale hide"/],
    [1, ["sale", "show", "x"], /^UUID: must be a valid UUID\n$/],
    [1, ["sale", "show", randomUUID()], /^not_found: /],
  ])("ends with %s for %s", async (code, args, errors) => {
    expect(await run(...args)).toEqual({ code, output: "", errors: expect.stringMatching(errors) });
  });

  it("ends with 78 for a wrong setting, and with 1 if the service is away or has another key", async () => {
    const list = ["sale", "list"];
    const env = { COMMITMENTS_URL: service.url, CALLER_KEY: key.text };
    const [noKey, away, stranger] = await Promise.all([
      runCliProcess(list, { ...env, CALLER_KEY: "short" }),
      runCliProcess(list, { ...env, COMMITMENTS_URL: "http://127.0.0.1:1" }),
      runCliProcess(list, { ...env, CALLER_KEY: generateCallerKey().text }),
    ]);
    expect(noKey).toMatchObject({ code: 78, errors: expect.stringMatching(/^CALLER_KEY: expected/) });
    expect(away).toMatchObject({ code: 1, errors: expect.stringMatching(/^unavailable: /) });
    expect(stranger).toMatchObject({ code: 1, errors: expect.stringMatching(/^unauthenticated: /) });
  });
});
