import { globSync, readFileSync } from "node:fs";
import { access, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { startAuthGateway } from "../gateway/testing/auth-gateway.ts";
import { saleAt } from "../gateway/testing/fake-commitments.ts";
import { codeBlocks, codeSpans, onlyCodeBlock, tableRows, withoutCode } from "../test/support/repository/markdown.ts";
import { readRepository } from "../test/support/repository/repository.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const LINK = /\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)]*))?\)/g;
const NPM_SCRIPT = /\bnpm (?:run ([\w:-]+)|(start|test)\b)/g;

const documents: string[] = globSync("{README.md,CONTRIBUTING.md,docs/**/*.md}", { cwd: ROOT });
const { scripts } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));

it("includes a README", () => {
  expect(documents).toContain("README.md");
});

it("leads to every other document from the README", () => {
  const linked = ["README.md", "docs/README.md"].flatMap((from) =>
    Array.from(readRepository(from).matchAll(LINK), ([, path = ""]) => join(dirname(from), path)),
  );
  expect(documents.filter((document) => !["README.md", ...linked].includes(document))).toEqual([]);
});

describe.each(documents)("%s", (document) => {
  it("links to files and headings that exist", async () => {
    for (const [, path = "", heading] of withoutCode(readRepository(document)).matchAll(LINK)) {
      const target = path === "" ? document : join(dirname(document), path);
      await expect(access(join(ROOT, target)), target).resolves.toBeUndefined();
      if (heading !== undefined) expect(headingsOf(readRepository(target))).toContain(heading);
    }
  });

  it("names npm scripts that exist", () => {
    for (const [, run, other] of readRepository(document).matchAll(NPM_SCRIPT)) {
      expect(scripts).toHaveProperty([run ?? other ?? ""]);
    }
  });
});

describe("docs/operating.md", () => {
  const operating = readRepository("docs/operating.md");
  const settings = tableRows(operating, "variable").map(([name = "", standard = "", range = ""]) => ({
    name: codeSpans(name).join(),
    standard: codeSpans(standard)[0],
    range,
  }));

  it("names every setting that the source reads, once, and no other", () => {
    expect(settings.map(({ name }) => name).toSorted()).toEqual([...readSettings().keys()].toSorted());
  });

  it("gives each setting the default and the range that the source gives it", () => {
    const found = readSettings();
    for (const { name, standard, range } of settings) {
      const { min, max, ...read } = found.get(name) ?? {};
      if (read.standard !== undefined) expect(standard, name).toBe(read.standard);
      if (min !== undefined) expect(range, name).toBe(`${min} to ${max}`);
    }
  });

  it("says of each secret whether its file is read again while the process runs, as the source does", () => {
    const rows = tableRows(operating, "secret");
    const namesOf = (from: typeof rows) => from.flatMap(([names = ""]) => codeSpans(names));
    const read = (method: string) => {
      const call = new RegExp(`\\.${method}\\("([A-Z_]+)"`, "g");
      return productionSource().flatMap((text) => [...text.matchAll(call)].map(([, name = ""]) => name));
    };
    expect(namesOf(rows)).toEqual(expect.arrayContaining([...read("secret"), ...read("optionalSecret")]));
    const again = rows.filter(([, answer = ""]) => !answer.startsWith("no"));
    expect(read("optionalRenewable").length).toBeGreaterThan(1);
    expect(namesOf(again)).toEqual(expect.arrayContaining(read("optionalRenewable")));
  });

  it("names every metric that the source exports, and no other", () => {
    const documented = tableRows(operating, "metric").flatMap(([name = ""]) => codeSpans(name));
    expect(documented.toSorted()).toEqual(exportedMetrics().toSorted());
  });
});

describe("docs/embed.md", () => {
  it("names the script, the element and the page as a gateway serves them", async () => {
    const page = onlyCodeBlock(readRepository("docs/embed.md"), "html");
    const [, script = ""] = /<script type="module" src="([^"]+)">/.exec(page) ?? [];
    const [, element = "", saleUuid = ""] = /<([\w-]+) sale="([^"]+)">/.exec(page) ?? [];
    const [, link = ""] = /<a href="([^"]+)">/.exec(page) ?? [];
    const gateway = await startAuthGateway();
    onTestFinished(() => gateway.stop());
    gateway.commitments.sales.set(saleUuid, saleAt(1n));
    const served = await fetch(gateway.origin + new URL(script).pathname);
    expect([served.status, served.headers.get("content-type")]).toEqual([200, expect.stringContaining("javascript")]);
    expect(await served.text()).toContain(`customElements.define("${element}"`);
    expect((await fetch(gateway.origin + new URL(link).pathname)).status).toBe(200);
  });
});

describe("code in documents", () => {
  /** Kinds of code that a test can't run, each with the reason. */
  const EXCEPTIONS: Readonly<Record<string, string>> = {
    console:
      "sessions with Docker, a cluster or an operator's shell; charts, images and the command have tests of their own",
    ini: "fragments of configuration, with values that only a deployment has; every setting in them is checked",
    mermaid: "diagrams",
    "CONTRIBUTING.md sh": "its paths and commands are checked by documentation-paths.test.ts",
    "docs/embed.md html": "compared with what a gateway serves, below",
    "docs/embed.md css": "shows a selector of the element's parts",
    "docs/embed.md text": "shows a policy for the example's origin",
    "docs/public-read.md text": "shows a stream shortened",
  };
  const tests = globSync("{test,scripts}/**/*.test.ts", { cwd: ROOT })
    .filter((path) => path !== "scripts/documentation.test.ts")
    .map((path) => readFileSync(join(ROOT, path), "utf8"));
  const kinds = documents.flatMap((document) =>
    [...new Set(codeBlocks(readRepository(document)).map(({ language }) => language))].map((language) => ({
      document,
      language,
    })),
  );

  it.each(kinds)("$document: its $language is run or compared by a test, or is an exception with a reason", (kind) => {
    const { document, language } = kind;
    const isTested = tests.some((text) => text.includes(`"${document}"`) && text.includes(`"${language}"`));
    const isExcepted = language in EXCEPTIONS || `${document} ${language}` in EXCEPTIONS;
    expect(isTested || isExcepted).toBe(true);
  });
});

/** Anchors of a document's headings, made as GitHub makes them. */
function headingsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );
}

interface ReadSetting {
  readonly standard?: string;
  readonly min?: string;
  readonly max?: string;
}

/** Reading a variable: `env.duration("NAME", { default: "1s", min: "0ms", max: "60s" })`, with `url`, `port` and the like. */
const ENV_READ = /\benv\.\w+(?:<[^>]*>)?\(\s*"([A-Z][A-Z0-9_]*)"(?:,\s*([^;]*?))?\)/g;
const BOUNDS = /^\{ (?:default: ([^,]+), )?min: ([^,]+), max: ([^,]+) \}$/;
/** `kept("NAME", default, least)` of the commitments service. */
const KEPT = /\bkept\("([A-Z_]+)", "(\w+)", "(\w+)"\)/g;
const KEPT_AT_MOST = "100000h";
const PORT_BOUNDS = { min: "0", max: "65535" };

/** The variables that the source reads, with the default and the bounds if they are literals beside the name. */
function readSettings(): ReadonlyMap<string, ReadSetting> {
  const found = new Map<string, ReadSetting>();
  for (const text of productionSource()) {
    for (const [call, name = "", argument = ""] of text.matchAll(ENV_READ)) found.set(name, settingOf(call, argument));
    for (const [, name = "", standard = "", min = ""] of text.matchAll(KEPT)) {
      found.set(name, { standard, min, max: KEPT_AT_MOST });
    }
  }
  return found;
}

function settingOf(call: string, argument: string): ReadSetting {
  const bounds = BOUNDS.exec(argument);
  if (bounds !== null) {
    const [standard, min, max] = bounds.slice(1).map((text) => (text === undefined ? text : literal(text)));
    return { ...(standard && { standard }), ...(min && { min }), ...(max && { max }) };
  }
  if (call.startsWith("env.port(")) return { standard: literal(argument), ...PORT_BOUNDS };
  return /^"[^"]*"$/.test(argument) ? { standard: literal(argument) } : {};
}

/** A literal of the source as the document writes it. */
function literal(text: string): string {
  return text.replaceAll(/["_]/g, "");
}

/** Names of our metrics: whole ones, and those that the gateway's counters put their prefix before. */
function exportedMetrics(): string[] {
  const whole = productionSource().flatMap((text) => [...text.matchAll(/"(tidemark_[a-z_]+)"/g)]);
  const counters = readFileSync(join(ROOT, "gateway/web/http/counters.ts"), "utf8");
  const prefixed = [...counters.matchAll(/\b(?:counter|gauge)\("([a-z_]+)"/g)];
  return [
    ...new Set(whole.map(([, name = ""]) => name)),
    ...prefixed.map(([, name = ""]) => `tidemark_gateway_${name}`),
  ];
}

/** The gateway, `common/`, and the services that can be started. */
function productionSource(): string[] {
  const startable = globSync("services/*/main.ts", { cwd: ROOT }).map(dirname);
  const folders = ["gateway", "common", "services/embedded", "services/demo", ...startable];
  return folders
    .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: ROOT }))
    .filter((path) => !path.endsWith(".test.ts") && !path.includes("/testing/"))
    .map((path) => readFileSync(join(ROOT, path), "utf8"));
}
