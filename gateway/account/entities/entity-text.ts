import { IdentityProvider, SetupState } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { Texts } from "../../web/texts/en.ts";

interface SetupText {
  readonly title: string;
  readonly detail: string;
}

/** Returns how far the identity check of an entity is, and what to do about it. */
export function setupText(state: SetupState, { setup }: Texts): SetupText {
  switch (state) {
    case SetupState.NOT_STARTED:
      return { title: setup.notStarted, detail: setup.notStartedDetail };
    case SetupState.IN_PROGRESS:
      return { title: setup.inProgress, detail: setup.inProgressDetail };
    case SetupState.READY_FOR_REVIEW:
      return { title: setup.ready, detail: setup.readyDetail };
    case SetupState.IN_REVIEW:
      return { title: setup.inReview, detail: setup.inReviewDetail };
    case SetupState.FAILURE:
      return { title: setup.failure, detail: setup.failureDetail };
    case SetupState.FAILURE_FINAL:
      return { title: setup.final, detail: setup.finalDetail };
    case SetupState.TECHNICAL_ISSUE:
      return { title: setup.technical, detail: setup.technicalDetail };
    case SetupState.COMPLETE:
      return { title: setup.complete, detail: setup.completeDetail };
    default:
      // A state of a newer entities service.
      return { title: setup.unknown, detail: setup.unknownDetail };
  }
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
