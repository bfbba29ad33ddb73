import { type PhaseFacts, type SaleState, saleState } from "./phase.ts";

/** The steps of a sale, in their order. */
export type StepName = "announced" | "opens" | "closes" | "cancelUntil" | "settles" | "claims";

/** The facts of a sale, by their names in public JSON, of which its timeline is made: times of ISO 8601, in UTC. */
export interface TimelineFacts extends PhaseFacts {
  readonly AnnouncedAt?: string;
  /** When the founder means to end the time in which bids can be cancelled. */
  readonly CancelUntil?: string;
  readonly SettlesAt?: string;
  readonly ClaimsAt?: string;
}

/** A step whose time the founder has entered. */
export interface Step {
  readonly name: StepName;
  readonly time: string;
  readonly isReached: boolean;
}

/** The steps of a sale, and where it is among them. */
export interface Timeline {
  readonly steps: readonly Step[];
  /** The step that readers wait for; the contract may be late, so that its time can be over. Undefined for none. */
  readonly awaited: { readonly name: StepName; readonly time: string } | undefined;
}

const TIMES = {
  announced: "AnnouncedAt",
  opens: "OpensAt",
  closes: "ClosesAt",
  cancelUntil: "CancelUntil",
  settles: "SettlesAt",
  claims: "ClaimsAt",
} as const satisfies Readonly<Record<StepName, keyof TimelineFacts>>;

/** The steps that readers can wait for in a phase, the first one that isn't reached. */
const AWAITED: Readonly<Partial<Record<SaleState["phase"], readonly StepName[]>>> = {
  upcoming: ["opens"],
  open: ["closes"],
  closed: ["cancelUntil", "settles"],
  settled: ["claims"],
};

/**
 * Returns the steps of a sale whose times are known. Its phase decides which are reached, so that no time contradicts a contract; a
 * time counts by itself only where nothing else says it.
 *
 * @param now in milliseconds since 1970
 */
export function timeline(facts: TimelineFacts, now: number): Timeline {
  const { phase } = saleState(facts, now);
  const steps = (Object.keys(TIMES) as StepName[]).flatMap((name) => {
    const time = facts[TIMES[name]];
    return time === undefined
      ? []
      : [{ name, time, isReached: isReached(name, Date.parse(time) <= now, phase, facts) }];
  });
  const awaited = steps.find(({ name, isReached }) => !isReached && AWAITED[phase]?.includes(name));
  return { steps, awaited: awaited && { name: awaited.name, time: awaited.time } };
}

/** @param isPast whether its time has come */
function isReached(name: StepName, isPast: boolean, phase: SaleState["phase"], { Stage }: PhaseFacts): boolean {
  const isOver = phase === "closed" || phase === "settled";
  switch (name) {
    case "announced":
      return isPast || (phase !== "upcoming" && phase !== "unknown");
    case "opens":
      return phase === "unknown" ? isPast : phase !== "upcoming";
    case "closes":
      return phase === "unknown" ? isPast : isOver;
    case "cancelUntil":
      return isOver && (phase === "settled" || Stage === "settlement" || (Stage === undefined && isPast));
    case "settles":
      return phase === "settled";
    case "claims":
      return phase === "settled" && isPast;
  }
}
