import { Code } from "@connectrpc/connect";
import { html } from "hono/html";
import { parseUuid } from "../../../common/platform/encoding/uuid.ts";
import type { Language } from "../../../common/platform/language/language.ts";
import { fill } from "../../../common/platform/language/message.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { ACCOUNT_LINK } from "../../web/pages/account-link.ts";
import { failureText } from "../../web/pages/failure.ts";
import { errorSummary, hiddenFields, titleWith } from "../../web/pages/fields.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import { type Page, showPage } from "../../web/pages/layout.ts";
import { PageError } from "../../web/pages/page-error.ts";
import type { PageForm } from "../../web/pages/page-form.ts";
import { sessionForm } from "../../web/pages/session-form.ts";
import { atEntities } from "../../web/sessions/at-entities.ts";
import { isRefused } from "../../web/sessions/auth-failure.ts";
import { AUTH_PATHS } from "../../web/sessions/auth-paths.ts";
import { shownRefusal } from "../../web/sessions/refused-steps.ts";
import { requireRecentSession } from "../../web/sessions/session.ts";
import { requestLanguage } from "../../web/texts/request-language.ts";
import { TEXTS } from "../../web/texts/texts.ts";
import { backToApplication, type SendingApplication, sendingApplicationOf } from "../base/sending-application.ts";
import type { EntityDependencies } from "./entity-dependencies.ts";

/** `GET /account/liveness`: where a sale sends a person who has to prove to be present. */
export async function showLiveness(c: AuthContext, dependencies: EntityDependencies) {
  const subject = subjectOf(c.req.query("sale"), c.req.query("entity"));
  const { sessionToken, account } = await requireRecentSession(c, dependencies, pathOf(subject));
  const language = requestLanguage(c.env.incoming);
  const failure = failureText(shownRefusal(c, dependencies, sessionToken), language);
  return showPage(c, livenessPage({ ...subject, sessionToken, email: account.email, failure }, language));
}

/** `POST /account/liveness` */
export async function confirmLiveness(c: AuthContext, dependencies: EntityDependencies) {
  const subjectIn = (sent: PageForm) => subjectOf(sent.text("sale"), sent.text("entity"));
  const { form } = await sessionForm(c, dependencies, LIVENESS_FORM, (sent) => pathOf(subjectIn(sent)));
  const subject = subjectIn(form);
  const current = await requireRecentSession(c, dependencies, pathOf(subject));
  const options = await atEntities(current, dependencies, pathOf(subject));
  const of = { saleUuid: subject.saleUuid, sessionToken: current.sessionToken };
  const application = await sendingApplicationOf(c, dependencies, of);
  try {
    await dependencies.entitiesUpstream.entities.confirmLiveness(subject, options);
  } catch (error) {
    throw asPage(error, current.account.email);
  }
  return showPage(c, livenessConfirmedPage(application, requestLanguage(c.env.incoming)));
}

function subjectOf(sale = "", entity = ""): LivenessSubject {
  const [saleUuid, entityUuid] = [parseUuid(sale), parseUuid(entity)];
  if (saleUuid !== undefined && entityUuid !== undefined) return { saleUuid, entityUuid };
  throw new PageError(
    400,
    ({ liveness }) => liveness.incompleteTitle,
    ({ liveness }) => liveness.incompleteText,
    { link: ACCOUNT_LINK },
  );
}

/** Returns the page's address, as `nextPath` knows it. */
function pathOf({ saleUuid, entityUuid }: LivenessSubject): string {
  return `${AUTH_PATHS.liveness}?sale=${saleUuid}&entity=${entityUuid}`;
}

/** Returns what a page can say about a refusal; the error itself for any other. */
function asPage(error: unknown, email: string): unknown {
  if (isRefused(error, Code.NotFound)) {
    return new PageError(
      404,
      ({ liveness }) => liveness.otherAccountTitle,
      ({ liveness }) => fill(liveness.otherAccountText, { address: email }),
      { link: ACCOUNT_LINK },
    );
  }
  if (isRefused(error, Code.FailedPrecondition)) {
    return new PageError(
      409,
      ({ liveness }) => liveness.elsewhereTitle,
      ({ liveness }) => liveness.elsewhereText,
      { link: ACCOUNT_LINK },
    );
  }
  return error;
}

const LIVENESS_FORM = "liveness";

/** The sale and the entity that a proof of presence is for, as the page's address names them. */
interface LivenessSubject {
  readonly saleUuid: string;
  /** `SaleEntity.entity_uuid` */
  readonly entityUuid: string;
}

interface LivenessView extends LivenessSubject {
  readonly sessionToken: string;
  readonly email: string;
  readonly failure: string | undefined;
}

/** Returns the page on which a person confirms to be present. */
function livenessPage(view: LivenessView, language: Language): Page {
  const { saleUuid, entityUuid, sessionToken, email, failure } = view;
  const texts = TEXTS[language];
  const { liveness } = texts;
  const { title } = liveness;
  const address = html`<strong><bdi>${email}</bdi></strong>`;
  return {
    title: titleWith(title, failure, texts),
    language,
    status: failure === undefined ? 200 : 422,
    content: html`${errorSummary(failure, undefined, texts)}
<h1>${title}</h1>
<p>${fillHtml(liveness.text, { address })}</p>
<p class="quiet">${liveness.warning}</p>
<form method="post" action="${AUTH_PATHS.liveness}">
${hiddenFields(LIVENESS_FORM, sessionToken, { sale: saleUuid, entity: entityUuid })}
<div class="actions"><button class="primary">${liveness.confirm}</button><a class="button secondary" href="${AUTH_PATHS.account}">${liveness.notNow}</a></div>
</form>`,
  };
}

/** Returns the page that says how to go on. */
function livenessConfirmedPage(application: SendingApplication | undefined, language: Language): Page {
  const texts = TEXTS[language];
  const { liveness, account } = texts;
  const title = liveness.doneTitle;
  return {
    title,
    language,
    content: html`<h1>${title}</h1>
<p>${liveness.doneText}</p>
${backToApplication(application, texts, true)}
<p><a class="button secondary" href="${AUTH_PATHS.account}">${account.title}</a></p>`,
  };
}
