import { IdentityProvider, SetupState } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { Texts } from "../../web/texts/en.ts";

interface SetupText {
  readonly title: string;
  readonly detail: string;
}

type TextNames = readonly [title: keyof Texts["setup"], detail: keyof Texts["setup"]];

/** The names of a state's texts: in a word or two, and what to do about it. */
const NAMES: Readonly<Partial<Record<SetupState, TextNames>>> = {
  [SetupState.NOT_STARTED]: ["notStarted", "notStartedDetail"],
  [SetupState.IN_PROGRESS]: ["inProgress", "inProgressDetail"],
  [SetupState.READY_FOR_REVIEW]: ["ready", "readyDetail"],
  [SetupState.IN_REVIEW]: ["inReview", "inReviewDetail"],
  [SetupState.FAILURE]: ["failure", "failureDetail"],
  [SetupState.FAILURE_FINAL]: ["final", "finalDetail"],
  [SetupState.TECHNICAL_ISSUE]: ["technical", "technicalDetail"],
  [SetupState.COMPLETE]: ["complete", "completeDetail"],
};
/** The names for a state of a newer entities service. */
const UNKNOWN: TextNames = ["unknown", "unknownDetail"];

/** Returns how far the identity check of an entity is, and what to do about it. */
export function setupText(state: SetupState, { setup }: Texts): SetupText {
  const [title, detail] = NAMES[state] ?? UNKNOWN;
  return { title: setup[title], detail: setup[detail] };
}

const MAY_BEGIN: ReadonlySet<SetupState> = new Set([
  SetupState.NOT_STARTED,
  SetupState.IN_PROGRESS,
  SetupState.FAILURE,
  SetupState.TECHNICAL_ISSUE,
]);

/** Whether the user can begin the identity check, or go on with it: a user of the demo can at any time. */
export function canBegin(state: SetupState, provider: IdentityProvider): boolean {
  return provider === IdentityProvider.DEMO || MAY_BEGIN.has(state);
}
