import type { Random } from "../../../services/demo/bidders/random.ts";
import type { EntitiesProcess } from "../../support/processes/entities-process.ts";
import type { RestartableProcess } from "../../support/processes/restartable-process.ts";
import { EntitiesCaller, type PeopleServices } from "./entities-caller.ts";
import type { PermitServices } from "./permits/permit-services.ts";
import { sessionTokenOf, type WebSignIns } from "./web-sign-in.ts";
import type { WholeDeployment } from "./whole-deployment.ts";

/** Returns the clients of the processes of entities and auth. */
export function peopleServices({ entities, auths }: WholeDeployment): PeopleServices {
  const [firstAuth, ...otherAuths] = auths;
  const [first, ...others] = entities;
  return {
    entities: [clientsOf(first), ...others.map(clientsOf)],
    auths: [firstAuth.running.as("gateway"), ...otherAuths.map(({ running }) => running.as("gateway"))],
  };
}

/** Returns the services on which permits depend. People sign in on the pages. */
export function permitServices(deployment: WholeDeployment, signIns: WebSignIns, random: Random): PermitServices {
  const { services: commitments, authDatabase, entitiesDatabase } = deployment;
  return {
    caller: new EntitiesCaller(peopleServices(deployment), random),
    commitments,
    authDatabase,
    entitiesDatabase,
    onAsk: () => {},
    signIn: async () => sessionTokenOf(await signIns.signIn()),
  };
}

function clientsOf({ running }: RestartableProcess<EntitiesProcess>): PeopleServices["entities"][0] {
  return { gateway: running.as("gateway"), operator: running.as("operator") };
}
