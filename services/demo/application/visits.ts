import { randomBytes } from "node:crypto";
import type { PreparedAuthorization, Tokens } from "./oauth-client.ts";
import type { TracedCall } from "./traced-fetch.ts";

/** Something that happened after the browser had come back. */
export interface Step {
  readonly title: string;
  readonly calls: readonly TracedCall[];
  /** Why it failed, for people. */
  readonly problem?: string;
}

/** What the application knows of one browser. */
export interface Visit {
  /** The next authorization, until its answer has come. */
  prepared?: PreparedAuthorization;
  /** Where the browser went. */
  requestUrl?: string;
  /** What it brought back. */
  callback?: readonly (readonly [name: string, value: string])[];
  tokens?: Tokens;
  readonly steps: Step[];
}

const MAX_VISITS = 100;
const MAX_STEPS = 12;
const ID_BYTES = 32;

/** Server-side sessions; the oldest unused ones go first. */
export class Visits {
  readonly #visits = new Map<string, Visit>();

  find(id: string | undefined): Visit | undefined {
    const visit = id === undefined ? undefined : this.#visits.get(id);
    if (id === undefined || visit === undefined) return undefined;
    this.#visits.delete(id);
    this.#visits.set(id, visit);
    return visit;
  }

  /** @returns its secret ID */
  add(visit: Visit): string {
    const id = randomBytes(ID_BYTES).toString("base64url");
    this.#visits.set(id, visit);
    const [oldest] = this.#visits.keys();
    if (this.#visits.size > MAX_VISITS && oldest !== undefined) this.#visits.delete(oldest);
    return id;
  }

  remove(id: string | undefined): void {
    if (id !== undefined) this.#visits.delete(id);
  }
}

/** Adds a step; the first two, which are the sign-in, stay. */
export function addStep({ steps }: Visit, step: Step): void {
  if (steps.length >= MAX_STEPS) steps.splice(2, 1);
  steps.push(step);
}
