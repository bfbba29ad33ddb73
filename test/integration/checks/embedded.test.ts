import { readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { expect, it, onTestFinished } from "vitest";
import type { Finding } from "../../../common/platform/checks/finding.ts";
import { runProbes } from "../../../common/platform/checks/run-probes.ts";
import { Env } from "../../../common/platform/config/env.ts";
import { embeddedChecks } from "../../../services/embedded/checks.ts";
import { startProcess } from "../../support/processes/child-process.ts";
import { startEmbedded } from "../../support/processes/embedded.ts";
import { temporaryFolder } from "../../support/processes/temporary-folder.ts";

const linesOf = (findings: readonly Finding[]) =>
  findings.map(({ level, subject, text }) => `${level} ${subject}: ${text}`);

async function dataFolder() {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  return join(folder.path, "data");
}

it("checks all services before the first start of `npm start`, and makes nothing", async () => {
  const dataDir = await dataFolder();
  const check = await startProcess({
    command: process.execPath,
    args: ["services/embedded.ts", "--check", "--json"],
    env: { DATA_DIR: dataDir, MYSQL_URL: "", NATS_URL: "" },
  });
  expect(await check.exited).toEqual({ code: 0, signal: null });
  expect(linesOf(JSON.parse(check.output()))).toEqual([
    "ok settings: all can be read",
    `ok commitments: database: the start makes the file ${join(dataDir, "commitments.sqlite")}`,
    `ok auth: database: the start makes the file ${join(dataDir, "auth.sqlite")}`,
    `ok entities: database: the start makes the file ${join(dataDir, "entities.sqlite")}`,
    "ok NATS: isn't used, as NATS_URL isn't set",
    "ok mail: mails are written to the folder of MAIL_DIR",
    "ok chains: there are none, as CHAINS isn't set",
    "ok remote signer: isn't used, as PERMIT_SIGNER_URL isn't set",
    "ok receiver of traces: isn't used, as no OTEL_EXPORTER_OTLP_ENDPOINT is set",
  ]);
  expect(await readdir(join(dataDir, ".."))).toEqual([]);
});

it("checks beside a process that runs, and names a key that was lost", async () => {
  const dataDir = await dataFolder();
  const running = await startEmbedded("node", { DATA_DIR: dataDir, DEMO: "off" });
  onTestFinished(() => running.stop());
  const check = async () => linesOf(await runProbes(embeddedChecks(new Env({ DATA_DIR: dataDir }))));
  const found = await check();
  expect(found.filter((line) => !line.startsWith("ok "))).toEqual([]);
  expect(found).toContain("ok auth: stored keys: KEY_ENCRYPTION_KEY opens all of them");
  for (const part of ["commitments", "auth", "entities"]) {
    expect(found).toContain(`ok ${part}: database schema: has all migrations of this version`);
  }
  await rename(join(dataDir, "key-encryption.key"), join(dataDir, "elsewhere"));
  expect(await check()).toContainEqual(
    expect.stringMatching(/^failed auth: stored keys: KEY_ENCRYPTION_KEY doesn't open [12] of signing_key$/),
  );
});
