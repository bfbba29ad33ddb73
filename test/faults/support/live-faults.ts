import type { Random } from "../../../services/demo/bidders/random.ts";
import type { RestartableCommitments } from "../../support/processes/restartable-commitments.ts";
import { kill, pause, processOf, type Span, serverOf } from "./component-faults.ts";
import type { Fault } from "./fault-injector.ts";
import { linkFaults } from "./links.ts";
import type { LiveDeployment } from "./live-deployment.ts";

/** Durations beyond the leases of the outbox, which last six seconds. */
const PAST_LEASE: Span = [6_500, 8_000];

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

/** Faults of the commitments services, each of which publishes a part of the outbox. */
export function commitmentsFaults(
  services: readonly [RestartableCommitments, ...RestartableCommitments[]],
  random: Random,
): Fault[] {
  const service = () => processOf(random.pick(services));
  return [
    kill("service killed", service, random),
    pause("service paused", service, random),
    pause("service paused past its leases", service, random, PAST_LEASE),
  ];
}
