import { type SetupName, setupName } from "../../../common/sale/words/setup-words.ts";
import { IdentityProvider, SetupState } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { Texts } from "../../web/texts/en.ts";

interface SetupText {
  readonly title: string;
  readonly detail: string;
}

/** The names of what to do about a state. */
const DETAILS = {
  unknown: "unknownDetail",
  notStarted: "notStartedDetail",
  inProgress: "inProgressDetail",
  ready: "readyDetail",
  inReview: "inReviewDetail",
  failure: "failureDetail",
  final: "finalDetail",
  technical: "technicalDetail",
  complete: "completeDetail",
} as const satisfies Readonly<Record<SetupName, keyof Texts["setup"]>>;

/** Returns how far the identity check of an entity is, and what to do about it. */
export function setupText(state: SetupState, { setup }: Texts): SetupText {
  const name = setupName(state);
  return { title: setup[name], detail: setup[DETAILS[name]] };
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
