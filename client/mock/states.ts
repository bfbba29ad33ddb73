import type { MockDocument, Schema } from "./document.ts";
import { invalidFields, type Violation } from "./mock-error.ts";

/** Chosen states by name; one that isn't there is as the document's examples are. */
export type States = ReadonlyMap<string, string>;

/** A state that can be chosen. */
export interface StateField {
  readonly name: string;
  /** In words, for people. */
  readonly meaning: string;
  /** The possible values … */
  readonly values?: readonly string[];
  /** … or the range of an integer, both ends included. */
  readonly range?: readonly [smallest: number, largest: number];
}

const MAX_DELAY_MS = 120_000;
/** The errors with which a sign-in can come back to the application. */
const SIGN_IN_ERRORS = [
  "access_denied",
  "login_required",
  "consent_required",
  "server_error",
  "temporarily_unavailable",
];

const BEHAVIOUR: readonly StateField[] = [
  { name: "entities", values: ["none", "one", "several"], meaning: "Entities that the application sees." },
  { name: "commitments", values: ["some", "none"], meaning: "Whether anybody has committed anything." },
  { name: "feed", values: ["current", "standing-still"], meaning: "Whether the sale's contract can be read." },
  {
    name: "stream",
    values: ["live", "still", "silent", "ends"],
    meaning: "A commitment a second; no change; not even heartbeats; an end after the first events.",
  },
  { name: "sign-in", values: ["allowed", ...SIGN_IN_ERRORS], meaning: "How a sign-in comes back to the application." },
  { name: "expires_in", range: [1, 3_600], meaning: "Seconds that access tokens are good for." },
];

/** Fields that can't be chosen: addresses in the examples are those of one kind of chain, and the mock binds no token to a key. */
const FIXED: readonly string[] = ["ChainKind", "Family", "token_type"];

/** Every state that can be chosen: fields of the API with the values of their schemas, and what the server does. */
export class StateFields {
  readonly all: readonly StateField[];
  readonly #byName: ReadonlyMap<string, StateField>;

  constructor(document: MockDocument) {
    this.all = [...enumerated(document), ...BEHAVIOUR, ...perCall(document)];
    this.#byName = new Map(this.all.map((field) => [field.name, field]));
  }

  /**
   * Reads chosen states. An empty value means: as the examples are.
   *
   * @throws MockError `invalid_argument`, which names each wrong field with its possible values
   */
  read(entries: Iterable<readonly [name: string, value: string]>): States {
    const chosen = [...entries];
    const violations = chosen.flatMap(([name, value]) => this.#violation(name, value) ?? []);
    if (violations.length > 0) throw invalidFields(violations);
    return new Map(chosen);
  }

  #violation(name: string, value: string): Violation | undefined {
    const field = this.#byName.get(name);
    if (field === undefined) {
      const names = [...this.#byName.keys()].filter((one) => !one.includes("."));
      const message = `is no state; there are ${names.join(", ")}, and status.CALL and delay.CALL of each call`;
      return { field: name, rule: "state.unknown", message };
    }
    const { values, range: [smallest, largest] = [0, 0] } = field;
    if (value === "" || values?.includes(value)) return undefined;
    if (values !== undefined) return { field: name, rule: "string.in", message: `must be one of ${values.join(", ")}` };
    const isInside = /^\d{1,9}$/.test(value) && Number(value) >= smallest && Number(value) <= largest;
    const message = `must be an integer from ${smallest} to ${largest}`;
    return isInside ? undefined : { field: name, rule: "int.range", message };
  }
}

/** Returns earlier states with later ones over them. Empty values of the later ones take states away. */
export function merged(earlier: States, later: States): States {
  return new Map([...earlier, ...later].filter(([name]) => (later.get(name) ?? "absent") !== ""));
}

/** Returns a choice of one call, such as `delay.limits`, or else that of all calls. */
export function ofCall(states: States, name: string, call: string): string | undefined {
  return states.get(`${name}.${call}`) ?? states.get(name);
}

/** Returns the enumerated fields of all schemas, by name. */
function enumerated(document: MockDocument): StateField[] {
  const fields = Object.values(document.schemas).flatMap(({ properties = {} }) => Object.entries(properties));
  const named = fields.flatMap(([name, schema]): (readonly [string, StateField])[] => {
    const values = (schema.enum ?? []).filter((value) => typeof value === "string" && value !== "") as string[];
    return values.length === 0 || FIXED.includes(name) ? [] : [[name, { name, values, meaning: meaningOf(schema) }]];
  });
  return [...new Map(named).values()];
}

function meaningOf(schema: Schema & { readonly description?: string }): string {
  return schema.description ?? "";
}

/** Returns statuses and delays, of all calls and of each. */
function perCall({ operations }: MockDocument): StateField[] {
  const statuses = new Map<string, Set<number>>();
  for (const { name, statuses: own } of operations) {
    for (const key of ["status", `status.${name}`]) {
      statuses.set(key, new Set([...(statuses.get(key) ?? []), ...own]));
    }
  }
  const delays = ["delay", ...new Set(operations.map(({ name }) => `delay.${name}`))];
  return [
    ...[...statuses].map(([name, values]) => ({
      name,
      values: [...values].toSorted((a, b) => a - b).map(String),
      meaning: name === "status" ? "The answer of every call that documents it." : "The answer of this call.",
    })),
    ...delays.map((name) => {
      const range = [0, MAX_DELAY_MS] as const;
      return { name, range, meaning: `Milliseconds before ${name === "delay" ? "each" : "this"} answer.` };
    }),
  ];
}
