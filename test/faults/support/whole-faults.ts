import { setTimeout as delay } from "node:timers/promises";
import type { KeyedMutex } from "../../../common/platform/concurrency/keyed-mutex.ts";
import type { Random } from "../../../services/demo/bidders/random.ts";
import type { MariaDb } from "../../support/databases/mariadb.ts";
import type { SmallDisk } from "../../support/databases/small-disk.ts";
import {
  type Component,
  isRunning,
  kill,
  pause,
  processOf,
  type Span,
  serverOf,
  startIfEnded,
  wait,
} from "./component-faults.ts";
import type { Fault } from "./fault-injector.ts";
import { linkFaults } from "./links.ts";
import { commitmentsFaults } from "./live-faults.ts";
import type { WholeDeployment } from "./whole-deployment.ts";

/** Durations beyond the lease of a sale. */
const PAST_LEASE: Span = [3_500, 5_000];
/** Messages of MariaDB about a full disk, and the longest time until a table needs more space. */
const NO_ROOM = /No space left|Errcode: 28|error 28|is full/g;
const NO_ROOM_TIMEOUT_MS = 60_000;
/** MariaDB's message about an error after which it ends, once it has written its stack. */
const FATAL = /\[FATAL\]/;
const LOOK_INTERVAL_MS = 100;

/** The key under which work has the chain's node to itself. */
export const CHAIN = "chain";

const LINKS = [
  /^people to the gateways$/,
  /^service .* to MariaDB$/,
  /^auth .* to MariaDB$/,
  /^entities .* to MariaDB$/,
  /^service .* to NATS$/,
  /^gateway .* to NATS$/,
  /^gateway .* to the services$/,
  /^indexer .* to the services$/,
  /^gateway .* to auth$/,
  /^gateway .* to entities$/,
  /^auth .* to entities$/,
  /^entities .* to auth$/,
  /^entities .* to the services$/,
  /^service .* to entities$/,
  /^auth .* to the mail server$/,
  /^indexer .* to the chain$/,
];

/**
 * The faults, in lists. Faults of one list never happen at the same time, but those of different lists do.
 *
 * @param chainMutex work under the key `CHAIN` has the chain's node to itself
 */
export function wholeFaults(
  deployment: WholeDeployment,
  chainMutex: KeyedMutex,
  random: Random,
): readonly (readonly Fault[])[] {
  const { services, auths, entities, indexers, gateways, links } = deployment;
  return [
    [
      ...commitmentsFaults(services, random),
      ...componentFaults("indexer", indexers, random),
      pause("indexer paused past its leases", () => random.pick(indexers).process, random, PAST_LEASE),
    ],
    [
      ...componentFaults("auth", auths, random),
      ...componentFaults("entities", entities, random),
      ...componentFaults("gateway", gateways, random),
    ],
    serverFaults(deployment, chainMutex, random),
    LINKS.flatMap((pattern) => linkFaults(links.all, pattern, random)),
  ];
}

function componentFaults(name: string, copies: readonly [Component, ...Component[]], random: Random): Fault[] {
  const victim = () => processOf(random.pick(copies));
  return [kill(`${name} killed`, victim, random), pause(`${name} paused`, victim, random)];
}

function serverFaults(
  { disk, mariaDb, nats, anvil }: WholeDeployment,
  chainMutex: KeyedMutex,
  random: Random,
): Fault[] {
  const restartChain = () => chainMutex.runExclusive(CHAIN, () => anvil.restart());
  return [
    kill("MariaDB killed", () => serverOf(mariaDb), random),
    pause("MariaDB paused", () => mariaDb, random),
    kill("NATS killed", () => serverOf(nats), random),
    pause("NATS paused", () => nats, random),
    { name: "NATS's store deleted", inject: () => nats.loseStore() },
    pause("chain's node paused", () => anvil, random),
    // With its state, because a node without its blocks would be another chain.
    { name: "chain's node restarted", inject: restartChain },
    ...(disk === undefined ? [] : [fill(disk, mariaDb, random)]),
  ];
}

/** Fills the disk of the database until the database has noticed, and a while longer. */
function fill(disk: SmallDisk, mariaDb: MariaDb, random: Random): Fault {
  const complaints = () => mariaDb.output().match(NO_ROOM)?.length ?? 0;
  const inject = async () => {
    const before = complaints();
    await disk.fill();
    const deadline = performance.now() + NO_ROOM_TIMEOUT_MS;
    while (complaints() <= before && isRunning(mariaDb.pid)) {
      if (performance.now() > deadline) throw new Error("nothing was written to a full disk");
      await delay(LOOK_INTERVAL_MS);
    }
    await wait(random);
    await disk.free();
    while (FATAL.test(mariaDb.output()) && isRunning(mariaDb.pid)) await delay(LOOK_INTERVAL_MS);
    await startIfEnded(serverOf(mariaDb));
  };
  return { name: "MariaDB's disk full", inject };
}
