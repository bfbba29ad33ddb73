import { randomInt } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, onTestFailed } from "vitest";
import { KeyedMutex } from "../../common/platform/concurrency/keyed-mutex.ts";
import type { AuthDatabase } from "../../services/auth/base/schema.ts";
import { seedClient } from "../../services/auth/testing/application.ts";
import { sampleClient } from "../../services/auth/testing/sample-application.ts";
import { readBacklog } from "../../services/commitments/outbox/unpublished-updates.ts";
import { Random } from "../../services/demo/bidders/random.ts";
import { findAnvil } from "../../services/demo/chain/find-anvil.ts";
import { WebApplication } from "../support/applications/web-application.ts";
import { findProgram } from "../support/processes/program.ts";
import { ChainSales } from "./support/chain-sales.ts";
import { ConcurrentFaults } from "./support/concurrent-faults.ts";
import { EntitiesCaller } from "./support/entities-caller.ts";
import { EntityOwners, expectEntitiesAgree } from "./support/entity-owners.ts";
import { fork } from "./support/fault-injector.ts";
import { LiveSales } from "./support/live-sales.ts";
import { PermitRun } from "./support/permits/permit-run.ts";
import { PublicReaders } from "./support/public-readers.ts";
import { runUntilDone, type Task } from "./support/run-until-done.ts";
import {
  expectAddedUp,
  expectFigures,
  expectGapless,
  expectServed,
  expectShown,
  SETTLED,
} from "./support/shown-everywhere.ts";
import { StreamAudience } from "./support/stream-audience.ts";
import { expectTokensAgree } from "./support/token-rows.ts";
import { TokenUser } from "./support/token-user.ts";
import { WebSignIns } from "./support/web-sign-in.ts";
import { WebTokenClient } from "./support/web-token-client.ts";
import { errorsLogged, startWholeDeployment, type WholeDeployment } from "./support/whole-deployment.ts";
import { wholeFaults } from "./support/whole-faults.ts";
import { peopleServices, permitServices } from "./support/whole-services.ts";

const MINUTE_MS = 60_000;
/** `FAULT_SEED` repeats the choices of a run that was printed. */
const SEED = Number(process.env["FAULT_SEED"] ?? randomInt(2 ** 31));
/** `npm run test:faults -- --all` sets `FAULT_MINUTES`. */
const MINUTES = process.env["FAULT_MINUTES"] ?? (process.env["TEST_LONG"] === "1" ? "0.5" : undefined);
const FAULTS_MS = Number(MINUTES ?? 0) * MINUTE_MS;
/** Includes the time until each kind of fault has been injected. */
const TIMEOUT_MS = 3 * FAULTS_MS + 20 * MINUTE_MS;
const CHAIN_SALES = 2;
const FED_SALES = { sales: 6, writers: 4 };
const TOKEN_USERS = 4;
const CODES_PER_DOUBLE = 6;
const NEWCOMERS = 2;
const PERMIT_LOAD = { salesAtOnce: 2, usersPerSale: 2 };

let stack: AsyncDisposableStack;
beforeEach(() => {
  stack = new AsyncDisposableStack();
});
afterEach(() => stack.disposeAsync());

const missing = ["mariadbd", "nats-server"].filter((name) => findProgram(name) === undefined);
if (findAnvil() === undefined) missing.push("anvil");
if (MINUTES === undefined) missing.push("the long run");

describe.skipIf(missing.length > 0)(
  `concurrent faults of all components (${missing.join(", ") || "nothing is missing"})`,
  () => {
    it(
      `leave every sum, revision, stream and token as it must be (FAULT_SEED=${SEED})`,
      async () => {
        const run = await begin(stack);
        onTestFailed(() => console.log(errorsLogged(run.deployment)));
        await runUntilDone(async (over) => {
          await runUntilDone((stop) => run.faults.run(FAULTS_MS, AbortSignal.any([over, stop])), run.load);
          console.log(summary(run));
          await expectAgreement(run, over);
        }, run.audience.followers);
        console.log(run.audience.summary);
      },
      TIMEOUT_MS,
    );
  },
);

interface Run {
  readonly deployment: WholeDeployment;
  readonly faults: ConcurrentFaults;
  readonly chainSales: ChainSales;
  readonly fedSales: LiveSales;
  readonly readers: PublicReaders;
  readonly signIns: WebSignIns;
  readonly users: readonly TokenUser[];
  readonly owners: EntityOwners;
  readonly permits: PermitRun;
  readonly audience: StreamAudience;
  readonly load: readonly Task[];
}

async function begin(stack: AsyncDisposableStack): Promise<Run> {
  const [random, chainMutex] = [new Random(SEED), new KeyedMutex()];
  const deployment = await startWholeDeployment(stack);
  const { gateways } = deployment;
  const chainSales = await ChainSales.open({ deployment, chainMutex, random, sales: CHAIN_SALES });
  const fedSales = await LiveSales.open(deployment, random, FED_SALES);
  const sales = [...chainSales.sales, ...fedSales.ledgers];
  const audience = new StreamAudience(gateways, sales, random);
  const readers = new PublicReaders(gateways, sales, random);
  const signIns = new WebSignIns(deployment);
  const users = await tokenUsers(deployment, signIns, random);
  const owners = new EntityOwners(new EntitiesCaller(peopleServices(deployment), fork(random)), signIns);
  const services = permitServices(deployment, signIns, fork(random));
  const permits = await PermitRun.open({ services, ...PERMIT_LOAD });
  const faults = new ConcurrentFaults(wholeFaults(deployment, chainMutex, random), random);
  const load = [
    chainSales.bidding,
    ...fedSales.writers,
    ...readers.tasks,
    ...users.map((user) => (over: AbortSignal) => user.workUntil(over)),
    ...Array.from({ length: NEWCOMERS }, () => signIns.newcomers),
    owners.newcomers,
    ...permits.tasks,
  ];
  return { deployment, faults, chainSales, fedSales, readers, signIns, users, owners, permits, audience, load };
}

async function expectAgreement(run: Run, over: AbortSignal): Promise<void> {
  const { deployment, chainSales, fedSales, signIns, users, owners, permits, audience } = run;
  const { gateways, database, authDatabase, entitiesDatabase } = deployment;
  await expectNobodyStuck(signIns, users);
  await owners.createAll();
  await expectTokensAgree(authDatabase, users);
  await expectEntitiesAgree(entitiesDatabase, owners);
  console.log(`${await permits.expectAgree()} permits as allowed`);
  await chainSales.untilRead();
  await expect.poll(async () => (await readBacklog(database)).rows, SETTLED).toBe(0);
  const lastRevisions = new Map([...fedSales.lastRevisions, ...(await chainSales.lastRevisions(database))]);
  await expectServed(gateways, lastRevisions, over);
  console.log(`${await chainSales.expectAsOnChain()} commitments as on the chain`);
  await expectFigures(gateways, fedSales.ledgers);
  await expectShown(gateways[0], audience, lastRevisions, over);
  await expectAddedUp(database, lastRevisions.keys());
  expectGapless(fedSales.ledgers);
  expectAlive(deployment);
}

/** Creates users of an application who have signed in on the pages. */
async function tokenUsers(
  { origin, authDatabase }: WholeDeployment,
  signIns: WebSignIns,
  random: Random,
): Promise<readonly TokenUser[]> {
  const application = new WebApplication(origin, await seededClient(authDatabase));
  return Promise.all(
    Array.from({ length: TOKEN_USERS }, async () => {
      const own = fork(random);
      const client = new WebTokenClient(application, await signIns.signIn());
      const options = { random: own, sessionToken: "", onSend: () => {}, codesPerDouble: CODES_PER_DOUBLE };
      return new TokenUser({ ...options, application: client });
    }),
  );
}

async function seededClient(database: AuthDatabase) {
  const client = sampleClient();
  await seedClient(database, client);
  return client;
}

/** Expects that, after the faults, everybody can sign in and get new tokens. */
async function expectNobodyStuck(signIns: WebSignIns, users: readonly TokenUser[]): Promise<void> {
  await signIns.signIn();
  const gotten = () =>
    users.map(({ exchanged, doubledCodes, lostCodes }) => exchanged.length + doubledCodes + lostCodes);
  const before = gotten();
  await Promise.all(users.map((user) => user.flow()));
  expect(gotten().every((count, index) => count > (before[index] ?? 0))).toBe(true);
}

/** Expects that all our processes are running. */
function expectAlive({ services, auths, entities, indexers, gateways }: WholeDeployment): void {
  const all = [...services, ...auths, ...entities, ...indexers, ...gateways];
  for (const { process: running } of all) process.kill(running.pid, 0);
}

/** A text about the run. */
function summary({ deployment, faults, fedSales, chainSales, readers, signIns, users, owners, permits }: Run): string {
  const left =
    deployment.disk === undefined ? ["MariaDB's disk was never full: users may make no namespaces here"] : [];
  return [
    `FAULT_SEED=${SEED}: ${faults.count} faults: ${faults.summary}`,
    ...left,
    `${fedSales.summary}; ${chainSales.blocks} blocks; ${readers.reads} public reads`,
    `${signIns.summary}; ${tokenSummary(users)}`,
    owners.summary,
    permits.summary,
  ].join("\n");
}

function tokenSummary(users: readonly TokenUser[]): string {
  const sum = (of: (user: TokenUser) => number) => users.reduce((total, user) => total + of(user), 0);
  const codes = `${sum((user) => user.exchanged.length)} codes exchanged`;
  const lost = `${sum((user) => user.doubledCodes)} sent twice at once, ${sum((user) => user.lostCodes)} lost with an answer`;
  const refreshes = sum((user) => user.refreshed.length);
  return `${codes} (${lost}), ${refreshes} refreshes (${sum((user) => user.repeatedRefreshes)} sent again)`;
}
