import type { Random } from "../../../services/demo/random.ts";
import type { RestartableCommitments } from "../../support/restartable-commitments.ts";
import { kill, pause, processOf, type Span, serverOf } from "./component-faults.ts";
import type { Fault } from "./fault-injector.ts";
import { linkFaults } from "./links.ts";
import type { LiveDeployment } from "./live-deployment.ts";

/** Durations beyond the lease of the outbox relay, which lasts three seconds. */
const PAST_LEASE: Span = [3_500, 5_000];

/** The faults, in lists. Faults of one list never happen at the same time, but those of different lists do. */
export function liveFaults(deployment: LiveDeployment, random: Random): readonly (readonly Fault[])[] {
  const { mariaDb, nats, services, gateways, links } = deployment;
  const gateway = () => processOf(random.pick(gateways));
  return [
    [
      ...commitmentsFaults(services, random),
      kill("gateway killed", gateway, random),
      pause("gateway paused", gateway, random),
    ],
    [
      kill("MariaDB killed", () => serverOf(mariaDb), random),
      pause("MariaDB paused", () => mariaDb, random),
      kill("NATS killed", () => serverOf(nats), random),
      pause("NATS paused", () => nats, random),
    ],
    [/to MariaDB$/, /^service .* to NATS$/, /^gateway .* to NATS$/, /to the services$/].flatMap((pattern) =>
      linkFaults(links.all, pattern, random),
    ),
  ];
}

/** Faults of any commitments service, and of the one that holds the relay's lease and publishes for all. */
export function commitmentsFaults(
  services: readonly [RestartableCommitments, ...RestartableCommitments[]],
  random: Random,
): Fault[] {
  const service = () => processOf(random.pick(services));
  const holder = () => processOf(relayHolder(services) ?? random.pick(services));
  return [
    kill("service killed", service, random),
    pause("service paused", service, random),
    kill("relay's holder killed", holder, random),
    pause("relay's holder paused", holder, random, PAST_LEASE),
  ];
}

/** Returns the service that was the last to log that it publishes the outbox. */
function relayHolder(services: readonly RestartableCommitments[]): RestartableCommitments | undefined {
  const lastTaken = ({ process }: RestartableCommitments) => {
    const [line] =
      process
        .output()
        .match(/^.*"msg":"this process publishes the outbox".*$/gm)
        ?.slice(-1) ?? [];
    return line === undefined ? -Infinity : Date.parse(JSON.parse(line).time);
  };
  const taken = services.map((service) => ({ service, at: lastTaken(service) })).filter(({ at }) => at > -Infinity);
  return taken.toSorted((left, right) => right.at - left.at)[0]?.service;
}
