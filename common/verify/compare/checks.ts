/** The comparisons, in the order of the report. */
const CHECKS = [
  "contract",
  "block",
  "sale UUID",
  "stage",
  "status",
  "permit signer",
  "payment tokens",
  "token decimals",
  "token symbols",
  "commitments",
  "total",
  "count",
  "clearing price",
  "latest",
  "accepted",
  "wallet",
] as const;
export type CheckName = (typeof CHECKS)[number];

/** A value that Tidemark shows and its chain, or for `contract` the caller, has otherwise. */
export interface Finding {
  readonly check: CheckName;
  /** The value that differs, such as `commitment 0x… amounts`. */
  readonly subject: string;
  readonly shown: string;
  readonly chain: string;
}

/** The outcome of a comparison. */
export interface CheckOutcome {
  readonly name: CheckName;
  readonly outcome: "same" | "differs" | "not_compared";
  /** The value or the number of values that were compared, or why none were. */
  readonly detail: string;
}

/** Differences that are kept with their values. All are counted. */
const MAX_FINDINGS = 100;

/** Collects what was compared, and what differs. */
export class Checks {
  readonly #details = new Map<CheckName, string>();
  readonly #skipped = new Map<CheckName, string>();
  readonly #differing = new Set<CheckName>();
  readonly #findings: Finding[] = [];
  #differences = 0;

  /** The number of differences. */
  get differences(): number {
    return this.#differences;
  }

  /** The first differences. */
  get findings(): readonly Finding[] {
    return this.#findings;
  }

  get outcomes(): readonly CheckOutcome[] {
    return CHECKS.flatMap((name) => this.#outcome(name) ?? []);
  }

  /** Says what a comparison covers. */
  covers(name: CheckName, detail: string): void {
    this.#details.set(name, detail);
  }

  /** Says why something isn't compared. */
  skipped(name: CheckName, reason: string): void {
    this.#skipped.set(name, reason);
  }

  differs(name: CheckName, subject: string, shown: string, chain: string): void {
    this.#differences += 1;
    this.#differing.add(name);
    if (this.#findings.length < MAX_FINDINGS) this.#findings.push({ check: name, subject, shown, chain });
  }

  /** Compares a value that Tidemark shows with the chain's. Undefined means that there is none. */
  compare(name: CheckName, subject: string, shown: Shown, chain: Shown): void {
    const [one, other] = [textOf(shown), textOf(chain)];
    if (one !== other) this.differs(name, subject, one, other);
  }

  #outcome(name: CheckName): CheckOutcome | undefined {
    const [detail, reason] = [this.#details.get(name), this.#skipped.get(name)];
    if (this.#differing.has(name)) return { name, outcome: "differs", detail: detail ?? reason ?? "" };
    if (detail !== undefined) return { name, outcome: "same", detail };
    return reason === undefined ? undefined : { name, outcome: "not_compared", detail: reason };
  }
}

type Shown = string | bigint | number | boolean | undefined;

function textOf(value: Shown): string {
  return value === undefined ? "none" : `${value}`;
}
