import { isTakingPartKnown } from "./opening-problem-steps.ts";
import type { SaleFacts } from "./sale-facts.ts";

/** A step that nobody can take yet. */
export interface WaitingStep {
  readonly text: string;
  /** Continuation of "waits for". */
  readonly waitsFor: string;
}

/**
 * Returns the steps towards the opening of a draft that can't be taken yet, in their order.
 *
 * @param missing the number of steps that can be taken now, without which the sale can't open
 */
export function waitingSteps(facts: SaleFacts, missing: number): readonly WaitingStep[] {
  const last = openingWait(facts, missing);
  return [...applicationWaits(facts), ...signerWaits(facts), ...(last === undefined ? [] : [last])];
}

function applicationWaits({ applications }: SaleFacts): readonly WaitingStep[] {
  if (applications === undefined || applications.length > 0) return [];
  return [{ text: "Give it a redirect URI and two logos", waitsFor: "the application" }];
}

function signerWaits({ permits, contract }: SaleFacts): readonly WaitingStep[] {
  if (!permits?.enabled) return [];
  const text = "Make the signer known to the contract";
  if (!permits.hasActiveKey) return [{ text, waitsFor: "an active key" }];
  return contract === "bad" ? [{ text, waitsFor: "the right contract" }] : [];
}

function openingWait(facts: SaleFacts, missing: number): WaitingStep | undefined {
  const text = "Open the sale";
  if (missing === 1) return { text, waitsFor: "the step above" };
  if (missing > 1) return { text, waitsFor: "the steps above" };
  if (facts.applications === undefined)
    return { text, waitsFor: "the list of its applications, which isn’t known now" };
  if (isTakingPartKnown(facts)) return undefined;
  return { text, waitsFor: "the answer whether people can take part, which isn’t known now" };
}
