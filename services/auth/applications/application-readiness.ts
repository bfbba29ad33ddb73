import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { OBSTACLE_WORDS } from "../../../common/sale/words/obstacle-words.ts";
import type { Client } from "./application.ts";

/** The scopes that the client of an open sale must require. */
const REQUIRED_FOR_OPENING = ["read_entities", "sale_eligibility_check"];

/** Returns why a client can't sign users in, each reason as a continuation of "the client"; empty for a client that can. */
export function obstaclesOf({ status, definition, squareLogo, wideLogo }: Client): string[] {
  const obstacles = [
    { applies: status === "disabled", text: OBSTACLE_WORDS.disabled },
    { applies: definition.redirectUris.length === 0, text: OBSTACLE_WORDS.noRedirectUri },
    { applies: definition.scopes.length === 0, text: OBSTACLE_WORDS.noScope },
    { applies: squareLogo === undefined, text: OBSTACLE_WORDS.noSquareLogo },
    { applies: wideLogo === undefined, text: OBSTACLE_WORDS.noWideLogo },
  ];
  return obstacles.filter(({ applies }) => applies).map(({ text }) => text);
}

/** A requirement that a client must meet so that its sale may open. */
export interface OpeningRequirement {
  /** The name in the RPC message `OpeningRequirement`. */
  readonly name: string;
  readonly met: boolean;
  /** The text for an unmet requirement, as a continuation of "the client". */
  readonly lack: string;
}

/** Returns every requirement, met or not. */
export function openingRequirements({ status, definition, squareLogo, wideLogo }: Client): OpeningRequirement[] {
  const { redirectUris, scopes } = definition;
  const requires = (name: string) => scopes.some(({ scope, required }) => scope === name && required);
  return [
    { name: "active", met: status === "active", lack: OBSTACLE_WORDS.disabled },
    { name: "redirect_uri", met: redirectUris.length > 0, lack: OBSTACLE_WORDS.noRedirectUri },
    { name: "square_logo", met: squareLogo !== undefined, lack: OBSTACLE_WORDS.noSquareLogo },
    { name: "wide_logo", met: wideLogo !== undefined, lack: OBSTACLE_WORDS.noWideLogo },
    ...REQUIRED_FOR_OPENING.map((name) => ({
      name: `scope:${name}`,
      met: requires(name),
      lack: `doesn't require the scope ${name}`,
    })),
  ];
}

/** Returns why a sale can't be opened with a client, in the form of `obstaclesOf`; empty for a client that is ready. */
export function obstaclesToOpening(client: Client): string[] {
  return openingRequirements(client)
    .filter(({ met }) => !met)
    .map(({ lack }) => lack);
}

/** Whether a sale with these clients may be open. */
export function admitsOpening(clients: readonly Client[]): boolean {
  return clients.some((client) => obstaclesToOpening(client).length === 0);
}

/**
 * Returns a client with which a sale may be opened.
 *
 * @throws ServiceError `failed_precondition` that says what each client lacks
 */
export function requireOpenable(clients: readonly Client[]): Client {
  const ready = clients.find((client) => obstaclesToOpening(client).length === 0);
  if (ready !== undefined) return ready;
  const lacks = clients.map((client) => `${client.definition.name} ${obstaclesToOpening(client).join(" and ")}`);
  const reasons = lacks.length === 0 ? "it has none" : lacks.join("; ");
  throw new ServiceError("failed_precondition", `the sale can't be opened without a client that is ready: ${reasons}`);
}
