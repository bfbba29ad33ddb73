import { once } from "node:events";
import { globSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ChecksOf } from "../../../common/platform/checks/check-task.ts";
import { runProbes } from "../../../common/platform/checks/run-probes.ts";
import { Env } from "../../../common/platform/config/env.ts";
import { generateCallerKey } from "../../../common/platform/rpc/identity/caller-keys.ts";
import { gatewayChecks } from "../../../gateway/checks.ts";
import { authChecks } from "../../../services/auth/checks.ts";
import { commitmentsChecks } from "../../../services/commitments/checks.ts";
import { embeddedChecks } from "../../../services/embedded/checks.ts";
import { entitiesChecks } from "../../../services/entities/checks.ts";
import { indexerChecks } from "../../../services/indexer/checks.ts";
import { temporaryFolder } from "../../support/processes/temporary-folder.ts";
import { codeSpans, tableRows } from "../../support/repository/markdown.ts";
import { REPOSITORY_ROOT, readRepository } from "../../support/repository/repository.ts";

const CHECKS: Readonly<Record<string, ChecksOf>> = {
  commitments: commitmentsChecks,
  gateway: gatewayChecks,
  auth: authChecks,
  indexer: indexerChecks,
  entities: entitiesChecks,
  "npm start": embeddedChecks,
};

/** Addresses that no check asks, each with the reason. */
const NOT_ASKED: Readonly<Record<string, string>> = {
  AUTH_URL: "browsers' address of the gateway: from inside, its name may lead nowhere",
  PUBLIC_BASE_URL: "browsers' address of the gateway, likewise",
  IDENTITY_START_URL: "people's browsers are sent there; no process calls it",
  REVIEW_CHECK_URL: "a link for reviewers; no process calls it",
};

const documented = tableRows(readRepository("docs/operating.md"), "variable").flatMap(([name = ""]) => codeSpans(name));
/** Settings of processes with addresses: by their names, and the one whose JSON has some. Only the operator's command reads the last. */
const ADDRESSES = documented.filter(
  (name) => (/_(URL|ENDPOINT)$/.test(name) || name === "CHAINS") && name !== "GATEWAY_RPC_URL",
);
const FOLDERS = documented.filter((name) => name.endsWith("_DIR"));

const key = generateCallerKey().text;

/** Valid settings of every service at once, each address at a listener of its own. @param at returns a setting's host and port */
function settingsAt(at: (name: string) => string): Readonly<Record<string, string>> {
  const urls = ADDRESSES.map((name) => [name, `http://${at(name)}`]);
  const chain = {
    kind: "evm",
    chainId: 1,
    urls: [`http://${at("CHAINS urls")}`],
    webSocketUrl: `ws://${at("CHAINS webSocketUrl")}`,
  };
  return {
    ...Object.fromEntries(urls),
    NATS_URL: `nats://${at("NATS_URL")}`,
    MYSQL_URL: `mysql://somebody@${at("MYSQL_URL")}/tidemark`,
    SMTP_URL: `smtp://${at("SMTP_URL")}`,
    MAIL_FROM: "sale@example.com",
    REVIEW_CHECK_URL: `https://${at("REVIEW_CHECK_URL")}`,
    CALLER_TOKEN_JWKS_URL: `https://${at("CALLER_TOKEN_JWKS_URL")}`,
    CALLER_TOKEN_ISSUER: "https://issuer.example",
    CALLER_SUBJECTS: "gateway=system:gateway",
    GATEWAY_RPC_PORT: "0",
    CALLER_NAME: "any",
    CALLER_KEY: key,
    KEY_ENCRYPTION_KEY: key,
    CHAINS: JSON.stringify({ here: chain }),
    IDENTITY_PROVIDER: "webhook",
    IDENTITY_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString("base64")}`,
    PERMIT_SIGNER_SECRET: Buffer.alloc(32, 7).toString("base64"),
  };
}

/** Notes which settings are read. */
function recorded(
  variables: Readonly<Record<string, string>>,
  read: Set<string>,
): ConstructorParameters<typeof Env>[0] {
  return new Proxy(variables, {
    get: (all, name: string) => {
      if (name in all) read.add(name);
      return all[name];
    },
  });
}

/** Listens at a port for each name, and closes what comes. @returns the address of a name, and the names that were called */
async function listeners(names: readonly string[]) {
  const ports = new Map<string, number>();
  const called = new Set<string>();
  for (const name of names) {
    const server = createServer((socket) => {
      called.add(name);
      socket.on("error", () => {}).destroy();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    ports.set(name, (server.address() as AddressInfo).port);
  }
  return { at: (name: string) => `127.0.0.1:${ports.get(name)}`, called };
}

const PARTS_OF_CHAINS = ["CHAINS urls", "CHAINS webSocketUrl"];
const allRead = new Set<string>();

describe.each(Object.entries(CHECKS))("the check of %s", (_, checksOf) => {
  it("calls every address that its settings name", async () => {
    const { at, called } = await listeners([...ADDRESSES, ...PARTS_OF_CHAINS]);
    const read = new Set<string>();
    const settings = settingsAt(at);
    // The one of these two replaces the other.
    for (const other of [{}, { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "" }]) {
      const found = await runProbes(checksOf(new Env(recorded({ ...settings, ...other }, read))));
      expect(found.find(({ subject }) => subject === "settings")).toMatchObject({ level: "ok" });
    }
    const addresses = ADDRESSES.filter((name) => read.has(name));
    for (const name of addresses) allRead.add(name);
    const toCall = addresses.flatMap((name) => (name === "CHAINS" ? PARTS_OF_CHAINS : [name]));
    expect([...called].toSorted()).toEqual(toCall.filter((name) => !(name in NOT_ASKED)).toSorted());
  });

  it.each(FOLDERS)("says that the folder of %s can't be used, where the process uses it", async (name) => {
    const folder = await temporaryFolder();
    onTestFinished(() => folder.remove());
    const file = join(folder.path, "file");
    await writeFile(file, "no folder");
    const read = new Set<string>();
    const variables = { ...settingsAt(() => "127.0.0.1:1"), MYSQL_URL: "", NATS_URL: "", [name]: join(file, "below") };
    const found = await runProbes(checksOf(new Env(recorded(variables, read))));
    const named = found.filter(({ level, text }) => level === "failed" && text.startsWith(`${name}:`));
    expect(named.length > 0).toBe(read.has(name));
    if (read.has(name)) allRead.add(name);
  });
});

it("every address and folder of docs/operating.md was read by a check, or stands in a list of none", () => {
  expect([...ADDRESSES, ...FOLDERS].filter((name) => !allRead.has(name))).toEqual([]);
  expect(Object.keys(NOT_ASKED).filter((name) => !allRead.has(name))).toEqual([]);
});

it("every setting that the code reads as an address is one of these", () => {
  const sources = globSync("{common,gateway,services}/**/*.ts", { cwd: REPOSITORY_ROOT, exclude: ["**/*.test.ts"] });
  const read = sources.flatMap((path) => [
    ...readRepository(path).matchAll(/env\.(?:optionalUrls?|urls?)\(\s*"(\w+)"/g),
  ]);
  expect(read.length).toBeGreaterThan(10);
  expect(read.map(([, name = ""]) => name).filter((name) => !ADDRESSES.includes(name))).toEqual(["GATEWAY_RPC_URL"]);
});
