import { ServiceError } from "../../shared/errors/service-error.ts";
import type { Client } from "./client.ts";

/** What the client of an open sale asks every user for. */
const REQUIRED_FOR_OPENING = ["read_entities", "sale_eligibility_check"];

/** What keeps a client from signing users in, in words for people that go on after "the client"; empty where nothing does. */
export function obstaclesOf({ status, definition, squareLogo, wideLogo }: Client): string[] {
  const obstacles = [
    { stands: status === "disabled", words: "is disabled" },
    { stands: definition.redirectUris.length === 0, words: "has no redirect URI" },
    { stands: definition.scopes.length === 0, words: "has no scope" },
    { stands: squareLogo === undefined, words: "has no square logo" },
    { stands: wideLogo === undefined, words: "has no wide logo" },
  ];
  return obstacles.filter(({ stands }) => stands).map(({ words }) => words);
}

/** Something that a client needs so that its sale may open. */
export interface OpeningRequirement {
  /** As `OpeningRequirement` of the contract names it. */
  readonly name: string;
  readonly met: boolean;
  /** What it means that it isn't met, in words that go on after "the client". */
  readonly lack: string;
}

/** All that a client needs so that its sale may open. */
export function openingRequirements({ status, definition, squareLogo, wideLogo }: Client): OpeningRequirement[] {
  const { redirectUris, scopes } = definition;
  const requires = (name: string) => scopes.some(({ scope, required }) => scope === name && required);
  return [
    { name: "active", met: status === "active", lack: "is disabled" },
    { name: "redirect_uri", met: redirectUris.length > 0, lack: "has no redirect URI" },
    { name: "square_logo", met: squareLogo !== undefined, lack: "has no square logo" },
    { name: "wide_logo", met: wideLogo !== undefined, lack: "has no wide logo" },
    ...REQUIRED_FOR_OPENING.map((name) => ({
      name: `scope:${name}`,
      met: requires(name),
      lack: `doesn't require the scope ${name}`,
    })),
  ];
}

/** What keeps a sale from being opened with a client, in words as those of `obstaclesOf`; empty where nothing does. */
export function obstaclesToOpening(client: Client): string[] {
  return openingRequirements(client)
    .filter(({ met }) => !met)
    .map(({ lack }) => lack);
}

/** Whether a sale that has these clients may be open. */
export function admitsOpening(clients: readonly Client[]): boolean {
  return clients.some((client) => obstaclesToOpening(client).length === 0);
}

/**
 * The client with which a sale may be opened.
 *
 * @throws ServiceError `failed_precondition` that says what each of its clients lacks
 */
export function requireOpenable(clients: readonly Client[]): Client {
  const fit = clients.find((client) => obstaclesToOpening(client).length === 0);
  if (fit !== undefined) return fit;
  const lacks = clients.map((client) => `${client.definition.name} ${obstaclesToOpening(client).join(" and ")}`);
  const words = lacks.length === 0 ? "it has none" : lacks.join("; ");
  throw new ServiceError("failed_precondition", `the sale can't be opened without a client that is ready: ${words}`);
}
