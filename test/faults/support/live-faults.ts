import { setTimeout as delay } from "node:timers/promises";
import type { Random } from "../../../services/demo/random.ts";
import type { RestartableCommitments } from "../../support/restartable-commitments.ts";
import type { Fault } from "./fault-injector.ts";
import type { Link, LiveDeployment } from "./live-deployment.ts";

/** How long something is away, in milliseconds. */
type Span = readonly [least: number, most: number];
const MOMENT: Span = [50, 1_500];
/** Longer than the lease of the outbox relay may last, three seconds. */
const PAST_LEASE: Span = [3_500, 5_000];
const SLOW = { leastMs: 5, mostMs: 150 };
/** A process that finds another part away when it starts ends, and is started again, as by Kubernetes. */
const START_ATTEMPTS = 120;
const START_PAUSE_MS = 250;

interface Restartable {
  readonly pid: number;
  kill(signal: NodeJS.Signals): Promise<unknown>;
  restart(): Promise<void>;
}

/** Faults by what they befall. Those of one list never happen at the same time, those of different lists do. */
export function liveFaults(deployment: LiveDeployment, random: Random): readonly (readonly Fault[])[] {
  const { mariaDb, nats, services, gateways, links } = deployment;
  const service = () => processOf(random.pick(services));
  const holder = () => processOf(relayHolder(services) ?? random.pick(services));
  const gateway = () => processOf(random.pick(gateways));
  return [
    [
      kill("service killed", service, random),
      pause("service paused", service, random),
      kill("relay's holder killed", holder, random),
      pause("relay's holder paused", holder, random, PAST_LEASE),
      kill("gateway killed", gateway, random),
      pause("gateway paused", gateway, random),
    ],
    [
      kill("MariaDB killed", () => mariaDb, random),
      pause("MariaDB paused", () => mariaDb, random),
      kill("NATS killed", () => nats, random),
      pause("NATS paused", () => nats, random),
    ],
    [/to MariaDB$/, /^service .* to NATS$/, /^gateway .* to NATS$/, /to the services$/].flatMap((pattern) =>
      linkFaults(
        links.filter(({ name }) => pattern.test(name)),
        random,
      ),
    ),
  ];
}

function processOf(part: { readonly process: { readonly pid: number } } & Omit<Restartable, "pid">): Restartable {
  return { pid: part.process.pid, kill: (signal) => part.kill(signal), restart: () => part.restart() };
}

/** The service that was the last one to say that it publishes the outbox. */
function relayHolder(services: readonly RestartableCommitments[]): RestartableCommitments | undefined {
  const lastTaken = ({ process }: RestartableCommitments) => {
    const [line] =
      process
        .output()
        .match(/^.*"msg":"publishes the outbox".*$/gm)
        ?.slice(-1) ?? [];
    return line === undefined ? -Infinity : Date.parse(JSON.parse(line).time);
  };
  const taken = services.map((service) => ({ service, at: lastTaken(service) })).filter(({ at }) => at > -Infinity);
  return taken.toSorted((left, right) => right.at - left.at)[0]?.service;
}

function kill(name: string, victim: () => Restartable, random: Random): Fault {
  const strike = async () => {
    const struck = victim();
    await struck.kill("SIGKILL");
    await wait(random);
    await startAgain(struck);
  };
  return { name, strike };
}

async function startAgain(struck: Restartable): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await struck.restart();
    } catch (error) {
      if (attempt === START_ATTEMPTS) throw error;
    }
    await delay(START_PAUSE_MS);
  }
}

/** It stands still, in the middle of whatever it does, and goes on as if nothing had happened. */
function pause(name: string, victim: () => Pick<Restartable, "pid">, random: Random, span: Span = MOMENT): Fault {
  const strike = async () => {
    const { pid } = victim();
    process.kill(pid, "SIGSTOP");
    await wait(random, span);
    process.kill(pid, "SIGCONT");
  };
  return { name, strike };
}

function linkFaults(links: readonly Link[], random: Random): Fault[] {
  const [first, ...others] = links;
  if (first === undefined) throw new Error("there is no such link");
  const fault = (verb: string, breakLink: (proxy: Link["proxy"]) => void): Fault => ({
    name: `${first.name.replace(/ \d/, "")} ${verb}`,
    strike: async () => {
      const { proxy } = random.pick([first, ...others]);
      breakLink(proxy);
      await wait(random);
      proxy.mend();
    },
  });
  return [
    fault("cut", (proxy) => proxy.cut()),
    fault("held up", (proxy) => proxy.hold()),
    fault("slow", (proxy) => proxy.slow(random.integer(SLOW.leastMs, SLOW.mostMs))),
  ];
}

function wait(random: Random, [least, most]: Span = MOMENT): Promise<void> {
  return delay(random.integer(least, most));
}
