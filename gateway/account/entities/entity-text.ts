import { IdentityProvider, SetupState } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";

interface SetupText {
  readonly title: string;
  readonly detail: string;
}

/** A state of a newer entities service. */
const UNKNOWN_STATE: SetupText = { title: "Unknown", detail: "Please load this page again later." };

const SETUP_TEXTS: Readonly<Partial<Record<SetupState, SetupText>>> = {
  [SetupState.NOT_STARTED]: { title: "Not begun", detail: "An identity check is needed before you can take part." },
  [SetupState.IN_PROGRESS]: { title: "Begun", detail: "Go on with the identity check." },
  [SetupState.READY_FOR_REVIEW]: { title: "Sent", detail: "It waits for a reviewer. You get a mail with the result." },
  [SetupState.IN_REVIEW]: { title: "In review", detail: "It is being checked. You get a mail with the result." },
  [SetupState.FAILURE]: { title: "Refused", detail: "You may correct what was wrong, and begin again." },
  [SetupState.FAILURE_FINAL]: { title: "Refused for good", detail: "This entity can’t take part." },
  [SetupState.TECHNICAL_ISSUE]: {
    title: "Not finished",
    detail: "The check failed for technical reasons. Begin again.",
  },
  [SetupState.COMPLETE]: { title: "Approved", detail: "It can take part in sales whose rules allow it." },
};

/** Returns how far the identity check of an entity is, and what to do about it. */
export function setupText(state: SetupState): SetupText {
  return SETUP_TEXTS[state] ?? UNKNOWN_STATE;
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
