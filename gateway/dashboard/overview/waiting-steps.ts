import { countedForm } from "../../../common/platform/language/message.ts";
import { pageLanguage } from "../../web/texts/page-language.ts";
import { texts } from "../base/texts.ts";
import { isTakingPartKnown } from "./opening-problem-steps.ts";
import type { SaleFacts } from "./sale-facts.ts";

/** A step that nobody can take yet. */
export interface WaitingStep {
  readonly text: string;
  /** The object of its waiting, such as `waits for the application`. */
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
  const { complete, forApplication } = texts().checklist;
  return [{ text: complete, waitsFor: forApplication }];
}

function signerWaits({ permits, contract }: SaleFacts): readonly WaitingStep[] {
  if (!permits?.enabled) return [];
  const { announceKey: text } = texts().nextStep;
  const { forKey, forContract } = texts().checklist;
  if (!permits.hasActiveKey) return [{ text, waitsFor: forKey }];
  return contract === "bad" ? [{ text, waitsFor: forContract }] : [];
}

function openingWait(facts: SaleFacts, missing: number): WaitingStep | undefined {
  const { open: text } = texts().opening;
  const { forSteps, forApplications, forTakingPart } = texts().checklist;
  if (missing > 0) return { text, waitsFor: countedForm(forSteps, missing, pageLanguage()) };
  if (facts.applications === undefined) return { text, waitsFor: forApplications };
  return isTakingPartKnown(facts) ? undefined : { text, waitsFor: forTakingPart };
}
