import { SetupState } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";

/** How far the identity check of an entity is, in a word or two. */
export const SETUP_WORDS = {
  unknown: "Unknown",
  notStarted: "Not begun",
  inProgress: "Begun",
  ready: "Sent",
  inReview: "In review",
  failure: "Refused",
  final: "Refused for good",
  technical: "Not finished",
  complete: "Approved",
} as const;

export type SetupName = keyof typeof SETUP_WORDS;

const NAMES: Readonly<Record<SetupState, SetupName>> = {
  [SetupState.UNSPECIFIED]: "unknown",
  [SetupState.NOT_STARTED]: "notStarted",
  [SetupState.IN_PROGRESS]: "inProgress",
  [SetupState.READY_FOR_REVIEW]: "ready",
  [SetupState.IN_REVIEW]: "inReview",
  [SetupState.FAILURE]: "failure",
  [SetupState.FAILURE_FINAL]: "final",
  [SetupState.TECHNICAL_ISSUE]: "technical",
  [SetupState.COMPLETE]: "complete",
};

/** Returns the name under which every language has the texts of a state; `unknown` for one of a newer entities service. */
export function setupName(state: SetupState): SetupName {
  return NAMES[state] ?? "unknown";
}

/** Returns a state in English, for operators. */
export function setupWord(state: SetupState): string {
  return SETUP_WORDS[setupName(state)];
}
