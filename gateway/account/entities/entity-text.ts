import { html } from "hono/html";
import { setupReasonName } from "../../../common/sale/words/setup-reasons.ts";
import { type SetupName, setupName } from "../../../common/sale/words/setup-words.ts";
import { IdentityProvider, SetupState } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { Html } from "../../web/pages/layout.ts";
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

/**
 * Returns why the identity check is where it is: a reason of the service itself in the page's language, and what a reviewer or a
 * vendor has written as it is, in a language that nobody knows.
 */
export function setupReasonText(reason: string, { setupReason }: Texts): Html {
  switch (setupReasonName(reason)) {
    case "taken":
      return html`${setupReason.taken}`;
    case "unusable":
      return html`${setupReason.unusable}`;
    case "otherDocument":
      return html`${setupReason.otherDocument}`;
    case "presenceRefused":
      return html`${setupReason.presenceRefused}`;
    case "demo":
      return html`${setupReason.demo}`;
    case undefined:
      return html`<bdi lang="">${reason}</bdi>`;
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
