import { LogoShape } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { isEmailLike } from "../../web/pages/email-entry.ts";
import { peerOf } from "../../web/sessions/request-peer.ts";
import { SCOPES } from "../application/application-fields.ts";
import { definitionOf } from "../application/application-form-values.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import { type FormErrors, refusalErrors } from "../base/form-errors.ts";
import { contractErrorField, errorField } from "../base/form-table.ts";
import { type Founder, isRecentSession, requireRecent, resultOrRefusal } from "../base/founder.ts";
import { pageTexts, texts } from "../base/texts.ts";
import { hasApplication, type NewSaleValues, START_TABLE } from "./new-sale-values.ts";

/** The logos that were chosen for the first application. The sale shows the square one, too. */
export interface FirstFiles {
  readonly square?: Uint8Array<ArrayBuffer>;
  readonly wide?: Uint8Array<ArrayBuffer>;
}

/** A sale that was just created, and what its founder wants to begin with. */
export interface StartedSale {
  readonly founder: Founder;
  readonly saleUuid: string;
  readonly values: NewSaleValues;
  readonly files: FirstFiles;
}

/** The bound of the contract. */
const MAX_NAME_CHARACTERS = 100;

/** Returns the errors of the last step that the services would refuse in any case. */
export function startErrors({ start }: NewSaleValues): FormErrors {
  if (start.invite === "" || isEmailLike(start.invite)) return [];
  return [{ ...errorField(START_TABLE.invite), text: pageTexts().signIn.emailError }];
}

/** The time that the last step may take somebody, with files to choose. */
const LAST_STEP_MS = 5 * 60_000;

/**
 * Requires, before the last step is shown, a sign-in that stays recent while it is filled in: no browser sends chosen files again
 * after another sign-in.
 *
 * @throws SignInRequired, which leads back to `next`
 */
export function requireRecentForLastStep(founder: Founder, next: string): void {
  requireRecent({ isRecent: isRecentSession(founder, LAST_STEP_MS) }, next);
}

/**
 * Requires, before the sale is created, the recent sign-in that redirect URIs and invitations need.
 *
 * @throws SignInRequired, which leads back to `next`
 */
export function requireRecentToStart(founder: Founder, { start }: NewSaleValues, next: string): void {
  if (start.redirectUri !== "" || start.invite !== "") requireRecent(founder, next);
}

/**
 * Adds to a new sale its first application with redirect URI and logos, and invites somebody to it. May be repeated: what is there
 * already isn't added again.
 *
 * @returns what was refused; the rest is done
 */
export async function startSale(
  c: AuthContext,
  dependencies: DashboardDependencies,
  started: StartedSale,
): Promise<FormErrors> {
  const { values, files } = started;
  const wantsApplication = hasApplication(values, Object.keys(files));
  const application = wantsApplication ? await addApplication(c, dependencies, started) : [];
  const invitation = values.start.invite === "" ? [] : await invite(c, dependencies, started);
  const errors = [...application, ...invitation];
  if (errors.length === 0 && files.square !== undefined) await setSaleLogo(dependencies, started, files.square);
  return errors;
}

async function addApplication(
  c: AuthContext,
  dependencies: DashboardDependencies,
  { founder, saleUuid, values, files }: StartedSale,
): Promise<FormErrors> {
  const { clients } = dependencies.clients;
  const existing = await clients.listClients({ saleUuid }, founder.atAuth);
  let clientUuid = existing.clients[0]?.uuid;
  if (clientUuid === undefined) {
    const definition = definitionOf(applicationValues(values), redirectUris(values));
    const request = { saleUuid, definition, peer: peerOf(c, dependencies) };
    const created = await resultOrRefusal(() => clients.createClient(request, founder.atAuth));
    if ("refusal" in created) return refusalErrors(created.refusal, fieldOfStart);
    clientUuid = created.done.client?.uuid ?? "";
  }
  const errors: FormErrors[number][] = [];
  for (const { shape, field, label, image } of chosenLogos(files)) {
    const request = { clientUuid, shape, image, peer: peerOf(c, dependencies) };
    const set = await resultOrRefusal(() => clients.setLogo(request, founder.atAuth));
    if ("refusal" in set) errors.push(...refusalErrors(set.refusal, () => ({ field, label })));
  }
  return errors;
}

function chosenLogos({ square, wide }: FirstFiles) {
  const { squareLogo, wideLogo } = texts().application;
  return [
    { shape: LogoShape.SQUARE, field: "square", label: squareLogo, image: square },
    { shape: LogoShape.WIDE, field: "wide", label: wideLogo, image: wide },
  ].flatMap(({ image, ...logo }) => (image === undefined ? [] : [{ ...logo, image }]));
}

/** An application without a name of its own has that of its sale, as far as it may be long. */
function applicationValues({ sale, start }: NewSaleValues) {
  const name = start.application.trim() === "" ? shortened(sale.name) : start.application;
  return { name, scopes: new Map(SCOPES.map(({ scope, usual }): [string, string] => [scope, usual])) };
}

function shortened(name: string): string {
  return Array.from(name).slice(0, MAX_NAME_CHARACTERS).join("");
}

function redirectUris({ start: { redirectUri } }: NewSaleValues): readonly string[] {
  return redirectUri === "" ? [] : [redirectUri];
}

function fieldOfStart(contractField: string) {
  const [, name = ""] = /^(?:definition\.)?(\w+)/.exec(contractField) ?? [];
  return contractErrorField(START_TABLE, name);
}

async function invite(
  c: AuthContext,
  dependencies: DashboardDependencies,
  { founder, saleUuid, values }: StartedSale,
): Promise<FormErrors> {
  const request = { saleUuid, email: values.start.invite, role: Role.EDITOR, peer: peerOf(c, dependencies) };
  const set = await resultOrRefusal(() => dependencies.clients.memberships.setMember(request, founder.atAuth));
  return "refusal" in set ? refusalErrors(set.refusal, fieldOfStart) : [];
}

/** Never fails: the founder sees that the logo is missing, and uploads it. It comes last, as it changes the sale. */
async function setSaleLogo(
  { dashboard, logger }: DashboardDependencies,
  { founder, saleUuid }: StartedSale,
  image: Uint8Array<ArrayBuffer>,
): Promise<void> {
  try {
    await dashboard.sales.setSaleLogo({ saleUuid, image }, founder.atCommitments);
  } catch (error) {
    logger.warn({ err: error, saleUuid }, "logo of a new sale not set");
  }
}
