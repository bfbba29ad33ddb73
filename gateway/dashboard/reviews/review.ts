import { Code } from "@connectrpc/connect";
import { parseUuid } from "../../../common/platform/encoding/uuid.ts";
import { countryName } from "../../../common/platform/names/country-name.ts";
import type { Review } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { showPage } from "../../web/pages/layout.ts";
import { PageError, type PageLink } from "../../web/pages/page-error.ts";
import { isRefused } from "../../web/sessions/auth-failure.ts";
import { pageLanguage } from "../../web/texts/page-language.ts";
import { founderForm } from "../base/dashboard-page.ts";
import { REVIEWS_PATH } from "../base/dashboard-paths.ts";
import { type FormErrors, refusalErrors } from "../base/form-errors.ts";
import { formValues } from "../base/form-table.ts";
import { requireRecent, resultOrRefusal } from "../base/founder.ts";
import type { TakingPartDependencies } from "../base/taking-part-dependencies.ts";
import { texts } from "../base/texts.ts";
import {
  DECISION_TABLE,
  type DecisionFormValues,
  fieldOfDecision,
  fieldOfNote,
  noteEntryErrors,
  questionEntryErrors,
  readApproval,
  refusalEntryErrors,
} from "./decision-form-values.ts";
import { REVIEW_FORM, type ReviewView, reviewPage } from "./review-page.ts";
import { type Reviewer, reviewerOf } from "./reviewer.ts";

/** `GET /dashboard/reviews/{uuid}`: requires a recent sign-in before anything is entered. */
export async function showReview(c: AuthContext, dependencies: TakingPartDependencies) {
  const reviewer = await reviewerOf(c, dependencies);
  requireRecent(reviewer, c.req.path);
  const review = await reviewOf(c, reviewer, dependencies);
  const country = countryName(review.entity?.country ?? "", pageLanguage());
  const blank = { reference: "", country, expires: "", reason: "", question: "", note: "", isFinal: false };
  return showPage(c, reviewPage({ reviewer, review, formValues: blank }));
}

/** `POST /dashboard/reviews/{uuid}`: approves or refuses the entity, asks its user, or adds a note. */
export async function decideReview(c: AuthContext, dependencies: TakingPartDependencies) {
  const form = await founderForm(c, dependencies, REVIEW_FORM);
  const reviewer = await reviewerOf(c, dependencies);
  requireRecent(reviewer, c.req.path);
  const values = formValues(DECISION_TABLE, form);
  const step = form.text("do");
  const expectedVersion = BigInt(/^\d{1,19}$/.exec(form.text("version"))?.[0] ?? "0");
  const show = async (shown: Partial<ReviewView>, wasChanged = false) => {
    const review = await reviewOf(c, reviewer, dependencies);
    // The page is about the entity as it is now, so the next decision passes the check of the version: it says first that this isn't
    // the entity that the reviewer saw before.
    const isChanged = review.entity?.version !== expectedVersion || wasChanged;
    const errors = [...(isChanged ? [{ text: texts().reviews.changed }] : []), ...(shown.errors ?? [])];
    return showPage(c, reviewPage({ reviewer, review, formValues: values, ...shown, errors }));
  };
  const refuse = (errors: FormErrors) => show({ errors });
  const entityUuid = parseUuid(c.req.param("entity") ?? "") ?? "";
  if (step === "note") {
    const errors = await addNote(dependencies, reviewer, entityUuid, values);
    // Answered here, as a step keeps less than what may have been entered. The same note twice in a row is one, so a reload adds none.
    return errors === undefined ? show({ formValues: { ...values, note: "" }, isNoted: true }) : refuse(errors);
  }
  const decision = decisionOf(step, values);
  if ("errors" in decision) return refuse(decision.errors);
  const request = { entityUuid, expectedVersion, decision };
  const { entities } = dependencies.entitiesUpstream;
  const decided = await resultOrRefusal(() => entities.decideReview(request, reviewer.atEntities).catch(asPage));
  if (!("refusal" in decided)) {
    return c.redirect(`${REVIEWS_PATH}?done=${DONE[decision.case]}`, 303);
  }
  if (decided.refusal.code === "aborted") return show({}, true);
  return refuse(refusalErrors(decided.refusal, fieldOfDecision));
}

/** Names of decisions in the address of the next page. */
const DONE = { approval: "approved", refusal: "refused", question: "asked" } as const;

/** Adds a note for the other reviewers. @returns the errors, if it is refused */
async function addNote(
  { entitiesUpstream }: TakingPartDependencies,
  { atEntities }: Reviewer,
  entityUuid: string,
  values: DecisionFormValues,
): Promise<FormErrors | undefined> {
  const errors = noteEntryErrors(values);
  if (errors.length > 0) return errors;
  const request = { entityUuid, text: values.note };
  const added = await resultOrRefusal(() => entitiesUpstream.entities.addReviewNote(request, atEntities).catch(asPage));
  return "refusal" in added ? refusalErrors(added.refusal, fieldOfNote) : undefined;
}

function decisionOf(step: string, values: DecisionFormValues) {
  if (step === "approve") {
    const read = readApproval(values);
    return read.approval === undefined ? read : { case: "approval" as const, value: read.approval };
  }
  if (step === "ask") {
    const errors = questionEntryErrors(values);
    if (errors.length > 0) return { errors };
    return { case: "question" as const, value: { text: values.question } };
  }
  const errors = refusalEntryErrors(values);
  if (errors.length > 0) return { errors };
  return { case: "refusal" as const, value: { reason: values.reason, final: values.isFinal } };
}

async function reviewOf(
  c: AuthContext,
  { atEntities }: Reviewer,
  { entitiesUpstream }: TakingPartDependencies,
): Promise<Review> {
  const entityUuid = parseUuid(c.req.param("entity") ?? "");
  if (entityUuid === undefined) throw notWaiting();
  const { reviews } = await entitiesUpstream.entities.listReviews({ entityUuid, pageSize: 1 }, atEntities);
  const found = reviews.find(({ entity }) => entity?.uuid === entityUuid);
  if (found === undefined) throw notWaiting();
  return found;
}

/** Throws what a page can show in place of a refusal that names neither a field nor a version. */
function asPage(error: unknown): never {
  if (isRefused(error, Code.PermissionDenied)) throw ownEntity();
  throw isRefused(error, Code.NotFound) ? notWaiting() : error;
}

const REVIEWS_LINK: PageLink = { href: REVIEWS_PATH, text: ({ dashboard }) => dashboard.reviews.title };

function ownEntity(): PageError {
  return new PageError(
    403,
    ({ dashboard }) => dashboard.reviews.ownTitle,
    ({ dashboard }) => dashboard.reviews.ownText,
    { link: REVIEWS_LINK },
  );
}

function notWaiting(): PageError {
  return new PageError(
    404,
    ({ dashboard }) => dashboard.reviews.goneTitle,
    ({ dashboard }) => dashboard.reviews.goneText,
    { link: REVIEWS_LINK },
  );
}
