import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { runUntilDone } from "../../../faults/support/run-until-done.ts";
import { mixedWork } from "../../../load/support/mixed-work.ts";
import { createFitClient } from "../../../support/applications/fit-client.ts";
import { readRepository } from "../../../support/repository/repository.ts";
import { auction, openedSale } from "../../../support/sales/sale-messages.ts";
import { Load } from "../../../upgrade/support/load.ts";
import { commandsBelow } from "../../support/page-sections.ts";
import { containerMemory } from "../container-memory.ts";
import { componentOf, DistributedRelease, PORTS, PUBLIC_HOST } from "../distributed-release.ts";
import { FigureReaders } from "../figure-readers.ts";
import { HostFront } from "../host-front.ts";
import { operatorClients } from "../operator-clients.ts";
import { DATABASE_RIGHTS } from "../outside.ts";
import { PodSale } from "../pod-sale.ts";

const LOAD_MS = 60_000;
const MIB = 2 ** 20;
/** Milliseconds for which verifiers get to know a key before it signs, and more. */
const KEY_AGE_MS = 20 * 60_000;

const MIGRATIONS = "app.kubernetes.io/component=migrations";
const COMMITMENTS = "app.kubernetes.io/component=commitments";

/** A line of the doctor's list. */
interface Finding {
  readonly component: string;
  readonly level: string;
}

const page = readRepository("docs/kubernetes.md");
const [doctorThere = "", ...check] = commandsBelow(page, "What is wrong");
const doctor = doctorThere.replace("--namespace sale", "--namespace maintained");

describe("the components in pods of their own, in an operator's later days", () => {
  let release: DistributedRelease;
  let sale: PodSale;
  beforeAll(async () => {
    release = await DistributedRelease.prepare(inject("nodes"), "maintained");
    await release.install([
      "keyRotation.enabled=true",
      "migrations.backoffLimit=0",
      // The load is one address that signs in again and again.
      "auth.settings.AUTH_RATE_LIMITS=off",
    ]);
    sale = await PodSale.open(await operatorClients(release), release.outside);
    await sale.bid();
  });
  afterAll(() => release?.remove());

  const run = (script: string) => release.namespace.run(script);
  const query: DistributedRelease["outside"]["query"] = (...statement) => release.outside.query(...statement);
  const whileRead = (work: () => Promise<unknown>) => FigureReaders.during(release, sale, work);

  it("are found well by `tidemark doctor`, which leaves no Job behind", async () => {
    const findings: readonly Finding[] = JSON.parse(await run(`${doctor} --json`));
    expect(findings.filter(({ level }) => level === "failed")).toEqual([]);
    const components = new Set(findings.map(({ component }) => component));
    expect([...components].toSorted()).toEqual(Object.keys(PORTS).toSorted());
    expect(await run("kubectl get jobs --selector tidemark-check --output name")).toBe("");
  });

  it("check themselves by a Job that an operator makes of a CronJob", async () => {
    const output = await run(check.join("\n"));
    expect(output).toMatch(/^ok +database/m);
    expect(output).not.toMatch(/^failed/m);
  });

  it("rotate the signing keys by a Job of the CronJob, and a new key signs", async () => {
    const active = () => query("SELECT key_id FROM signing_key WHERE status = 'active'");
    await query("UPDATE signing_key SET created_at_ms = created_at_ms - ?", KEY_AGE_MS);
    await query("UPDATE rsa_signing_key SET created_at_ms = created_at_ms - ?", KEY_AGE_MS);
    const before = await active();
    await run("kubectl create job rotation --from=cronjob/tidemark-key-rotation");
    await run("kubectl wait job/rotation --for=condition=Complete --timeout=4m");
    expect(before).toHaveLength(1);
    expect(await active()).not.toEqual(before);
  });

  it("take another account of the database from its Secret at their next start, and lose no read", async () => {
    const password = randomBytes(12).toString("hex");
    await query(`CREATE USER tidemark_next IDENTIFIED BY '${password}'`);
    await query(`GRANT ${DATABASE_RIGHTS.rows} ON tidemark.* TO tidemark_next`);
    const failures = await whileRead(async () => {
      await replaceSecret("tidemark-database", `mysql://tidemark_next:${password}@host:3306/tidemark`);
      await run("kubectl rollout restart deployment --selector app.kubernetes.io/name=tidemark");
      await release.untilRolledOut();
    });
    await query("DROP USER tidemark");
    expect(failures).toEqual([]);
    expect(await whileRead(() => sale.bid())).toEqual([]);
  });

  it("serve on while migrations fail and new pods wait for them, which run once they are mended", async () => {
    // As if a run had ended between a change of a table and its record.
    const [last] = await query("SELECT name FROM kysely_migration ORDER BY name DESC LIMIT 1");
    await query("DELETE FROM kysely_migration WHERE name = ?", last?.["name"]);
    const old = await release.podNames();
    const [readLog = "", removeJob = ""] = commandsBelow(page, "Upgrades");
    const failures = await whileRead(async () => {
      await replaceSecret("tidemark-migrations", "mysql://tidemark_owner:wrong@host:3306/tidemark");
      expect(await release.failingUpgrade("90s", "logLevel=warn")).toMatch(/UPGRADE FAILED/);
      await run(`kubectl wait job --selector ${MIGRATIONS} --for=condition=Failed --timeout=4m`);
      expect(await run(readLog)).toMatch(/MYSQL_URL: .*it refuses them/);
      const ready = await release.readyPods("commitments");
      expect(ready.map(({ metadata }) => old.includes(metadata.name))).toEqual([true, true]);
      expect(await run(`kubectl get pods --selector ${COMMITMENTS} --output name | wc -l`)).toBe("3\n");
      await replaceSecret("tidemark-migrations", "mysql://tidemark_owner:password@host:3306/tidemark");
      await run(removeJob);
      await release.upgrade("logLevel=warn");
    });
    expect(failures).toEqual([]);
    expect((await release.podNames()).filter((name) => old.includes(name))).toEqual([]);
    expect(await query("SELECT name FROM kysely_migration WHERE name = ?", last?.["name"])).toHaveLength(1);
  });

  it("stay within their memory limits under the load of `npm run test:load`, and none is killed", async () => {
    const front = await HostFront.start(await release.gatewayUrl(), PUBLIC_HOST);
    try {
      const clients = await operatorClients(release);
      const { mail: smtp, chain } = release.outside;
      const beforeOpening = (saleUuid: string) => createFitClient(clients, saleUuid);
      const target = { gateway: { url: front.origin }, clients, smtp, beforeOpening };
      const load = new Load(target, await openedSale(clients, auction(), beforeOpening));
      const work = await mixedWork(target, load, chain);
      await runUntilDone(() => delay(LOAD_MS), work());
      console.log(load.summary);
    } finally {
      await front.stop();
    }
    const pods = await release.runningPods();
    const memory = pods.map((pod) => [componentOf(pod), containerMemory(pod)] as const);
    for (const [component, { peak, resident, limit }] of memory) {
      const [most, held, allowed] = [peak, resident, limit].map((bytes) => Math.round(bytes / MIB));
      console.log(`${component}: ${held} MiB resident, at most ${most} with the page cache, of ${allowed}`);
    }
    expect(memory).toHaveLength(2 * Object.keys(PORTS).length);
    expect(memory.filter(([, { kills }]) => kills > 0)).toEqual([]);
    expect(memory.filter(([, { resident, limit }]) => resident > limit / 2)).toEqual([]);
    const restarted = pods.filter(({ status }) => status.containerStatuses[0].restartCount > 0).map(componentOf);
    expect(restarted).toEqual([]);
  });

  it("are told by `tidemark doctor` what their Secrets lack", async () => {
    await replaceSecret("tidemark-database", "mysql://tidemark_next:wrong@host:3306/tidemark");
    await run("kubectl delete secret tidemark-mail");
    const output = await run(`${doctor} || test $? = 1`);
    expect(output).toMatch(/^failed +commitments +database +MYSQL_URL: .*it refuses them/m);
    expect(output).toMatch(/^failed +auth +check +.*tidemark-mail/m);
    expect(output).not.toMatch(/^failed +(gateway|indexer) /m);
  });

  async function replaceSecret(name: string, url: string): Promise<void> {
    await run(`kubectl create secret generic ${name} --from-literal=url=${url} --dry-run=client --output=yaml |
      kubectl apply --filename -`);
  }
});
