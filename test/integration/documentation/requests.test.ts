import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Env } from "../../../common/platform/config/env.ts";
import { SALE_FIELDS } from "../../../common/sale/definition/sale-fields.ts";
import { AUCTION_CONTRACT } from "../../../services/demo/chain/deploy-auction.ts";
import { AUCTION, FIXED_PRICE } from "../../../services/demo/sales/demo-sales.ts";
import { embeddedConfig } from "../../../services/embedded/config.ts";
import { welcome } from "../../../services/embedded/welcome.ts";
import { type EmbeddedTidemark, startEmbedded } from "../../support/processes/embedded.ts";
import { runShell } from "../../support/processes/shell.ts";
import { codeBlocks, codeSpans, onlyCodeBlock, tableRows } from "../../support/repository/markdown.ts";
import { readRepository } from "../../support/repository/repository.ts";
import { shapeOf } from "./json-shape.ts";

const ORIGIN = "http://127.0.0.1:8080";
const DEFAULT_PORTS = { gateway: 8080, admin: 9090, rpc: 8081, indexer: 8082, auth: 8083, entities: 8084 };
const APPLICATION = "http://localhost:3000";
const SHOWN_DEMO = {
  application: { origin: APPLICATION, redirectUri: `${APPLICATION}/oauth/callback`, isRunning: true },
  auctionMoves: true,
  chain: { running: true, url: "http://127.0.0.1:40123", contract: AUCTION_CONTRACT, grantSigner: async () => {} },
} as const;

/** A documented request, and the answer where the next block shows it. */
interface Exchange {
  readonly command: string;
  readonly answer: string | undefined;
}

let tidemark: EmbeddedTidemark;
beforeAll(async () => {
  tidemark = await startEmbedded("node");
});
afterAll(() => tidemark?.stop());

/** Runs a documented command against the process of this test. */
function run(command: string): Promise<string> {
  return runShell(command.replaceAll(ORIGIN, new URL(tidemark.publicReadUrl).origin));
}

describe.each(["README.md", "docs/public-read.md"])("%s", (path) => {
  const exchanges = exchangesOf(path);

  it.each(exchanges.filter(({ answer }) => answer !== undefined))("shows what $command answers", async (exchange) => {
    const documented: unknown = JSON.parse(exchange.answer ?? "");
    expect(shapeOf(JSON.parse(await run(exchange.command)))).toEqual(shapeOf(documented));
  });

  it.each(exchanges.filter(({ answer }) => answer === undefined))(
    "has $command, which reads a sale",
    async (exchange) => {
      const [headers, body = headers] = (await run(exchange.command)).split("\r\n\r\n");
      expect(JSON.parse(body ?? "")).toHaveProperty("TotalCommitmentAmount");
      if (headers !== body) expect(headers).toMatch(/^HTTP\/1\.1 200 OK\r\n(.*\r\n)*ETag: W\/"/);
    },
  );
});

describe("README.md", () => {
  it("shows what `npm start` says", () => {
    const from = { name: "", address: "tidemark@localhost" };
    const auth = { issuer: "http://localhost:8080", mail: { from, folder: "data/mail" } };
    const shownOptions = { host: "127.0.0.1", isTerminal: false, auth, ports: DEFAULT_PORTS, runningDemo: SHOWN_DEMO };
    const text = welcome({ ...embeddedConfig(new Env({})), ...shownOptions });
    const shown = onlyCodeBlock(readRepository("README.md"), "text");
    expect(text.startsWith(shown)).toBe(true);
  });
});

describe("docs/public-read.md", () => {
  const document = readRepository("docs/public-read.md");
  const LARGE = "x".repeat(17 * 1024);
  const json = { "content-type": "application/json" };
  const post = (body: string, headers: Record<string, string> = json) => ({ method: "POST", headers, body });

  /** Errors that a healthy gateway answers at once; 408, 500, 503 and 504 have tests beside the gateway's source. */
  const provoked: readonly (readonly [status: string, code: string, init: RequestInit])[] = [
    ["400", "invalid_argument", post("[]")],
    ["404", "not_found", post('{"SaleUUID":"00000000-0000-4000-8000-000000000000"}')],
    ["405", "unimplemented", { method: "PUT" }],
    ["413", "invalid_argument", post(LARGE)],
    ["415", "invalid_argument", post("{}", { "content-type": "text/plain" })],
    ["431", "invalid_argument", post("{}", { ...json, "x-large": LARGE })],
  ];

  it.each(provoked)("names status %s with %s as it is answered", async (status, code, init) => {
    const response = await fetch(tidemark.publicReadUrl, init);
    expect([response.status, (await response.json()).code]).toEqual([Number(status), code]);
    expect(errorRows()).toContainEqual([status, code]);
  });

  it("names no other error than those, one that fetch can't provoke, too many streams, and a gateway in trouble", () => {
    const others = [
      ["408", "deadline_exceeded"],
      // `Expect` isn't a header that fetch sends; gateway/web/http/protocol-errors.test.ts does.
      ["417", "invalid_argument"],
      ["429", "resource_exhausted"],
      ["500", "internal"],
      ["503", "unavailable"],
      ["504", "deadline_exceeded"],
    ];
    const expected = [...provoked.map(([status, code]) => [status, code]), ...others];
    expect(errorRows()).toEqual(expected.toSorted());
  });

  it("names every field of an answer with its type", async () => {
    // Nothing is bid below the floor of the demo's auction.
    const found = new Map([["BelowFloorAmount", "string"]]);
    for (const uuid of [AUCTION.uuid, FIXED_PRICE.uuid]) {
      const body = await (await fetch(tidemark.publicReadUrl, post(JSON.stringify({ SaleUUID: uuid })))).json();
      for (const part of [body, body.Commitments[0], body.Commitments[0].Amounts[0]]) {
        for (const [name, value] of Object.entries(part)) found.set(name, typeof value);
      }
    }
    const documented = documentedFields().map(([name, type]) => [name, JSON_TYPES[type]]);
    expect(documented.toSorted()).toEqual([...found].toSorted());
  });

  it("names every field of what a sale is", async () => {
    const example = JSON.parse(exchangesOf("docs/public-read.md").at(2)?.answer ?? "{}");
    const documented = tableRows(document, "name").flatMap(([names = ""]) => codeSpans(names));
    expect(Object.keys(example)).toContain("PaymentTokens");
    const entered = SALE_FIELDS.filter(({ json }) => json.in === undefined).map(({ json }) => json.name);
    expect(entered).toEqual(expect.arrayContaining(["Website", "LogoURL"]));
    expect(documented).toEqual(
      expect.arrayContaining([...Object.keys(example), "Stage", "Contract", "Signer", ...entered]),
    );
  });

  it("names every field of a position", () => {
    const example = JSON.parse(exchangesOf("docs/public-read.md").at(3)?.answer ?? "{}");
    const documented = tableRows(document, "name").flatMap(([names = ""]) => codeSpans(names));
    const fields = [...Object.keys(example), ...Object.keys(example.Commitments[0])];
    expect(fields).toContain("Counted");
    const ofFigures = documentedFields().map(([name]) => name);
    expect([...documented, ...ofFigures]).toEqual(expect.arrayContaining(fields));
  });

  it("lists the headers that an answer carries", async () => {
    const url = new URL(codeBlocks(document, "sh")[1]?.code.match(/http\S+/)?.[0] ?? "");
    const response = await fetch(new URL(url.pathname, tidemark.publicReadUrl));
    expect(Object.fromEntries(response.headers)).toMatchObject({
      etag: expect.any(String),
      "cache-control": "no-cache",
      "content-encoding": "gzip",
      "access-control-allow-origin": "*",
      "access-control-expose-headers": "ETag, Age, Date, Retry-After, Tidemark-Changed-Block",
    });
    const documented = tableRows(document, "header").flatMap(([names = ""]) => codeSpans(names));
    expect(documented).toEqual(
      expect.arrayContaining(["ETag", "Cache-Control", "Content-Encoding", "Access-Control-Allow-Origin"]),
    );
  });

  function errorRows(): string[][] {
    return tableRows(document, "status").map(([status = "", code = ""]) => [status, code.replaceAll("`", "")]);
  }

  function documentedFields(): readonly (readonly [name: string, type: string])[] {
    return tableRows(document, "field").flatMap(([names = "", type = ""]) =>
      codeSpans(names).map((name) => [name, type] as const),
    );
  }
});

const JSON_TYPES: Readonly<Record<string, string>> = {
  array: "object",
  object: "object",
  digits: "string",
  hex: "string",
  text: "string",
  integer: "number",
};

/** The `curl` commands of a document, each with the JSON block that follows before the next of them. */
function exchangesOf(path: string): Exchange[] {
  const blocks = codeBlocks(readRepository(path)).filter(({ language }) => language === "sh" || language === "json");
  return blocks.flatMap(({ language, code }, index) => {
    if (language !== "sh" || !code.startsWith("curl")) return [];
    const next = blocks[index + 1];
    return [{ command: code, answer: next?.language === "json" ? next.code : undefined }];
  });
}
