import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { isEmailLike } from "../../web/pages/email-entry.ts";
import { peerOf } from "../../web/sessions/request-peer.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import { type FormErrors, refusalErrors } from "../base/form-errors.ts";
import { errorField } from "../base/form-table.ts";
import { type Founder, isRecentSession, requireRecent, resultOrRefusal } from "../base/founder.ts";
import { pageTexts } from "../base/texts.ts";
import { type CopiedApplications, copyApplications } from "./copied-applications.ts";
import { copiedDefinition } from "./copied-values.ts";
import { addApplication } from "./first-application.ts";
import { hasApplication, type NewSaleValues, START_TABLE } from "./new-sale-values.ts";
import { fieldOfStart, type StartedSale } from "./started-sale.ts";

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

/** The outcome of starting a sale. */
export interface StartResult {
  /** The refusals; the rest is done. */
  readonly errors: FormErrors;
  /** Name of the text about it on the sale's page. */
  readonly done: "created" | "copied" | "copied-sale-only";
}

/**
 * Adds to a new sale its first application with redirect URI and logos, to a copy those of the other sale, and invites somebody to it.
 * May be repeated: what is there already isn't added again.
 */
export async function startSale(
  c: AuthContext,
  dependencies: DashboardDependencies,
  started: StartedSale,
): Promise<StartResult> {
  const { values, files, from } = started;
  const copied = from === "" ? undefined : await copyApplications(c, dependencies, started);
  const refused = copied?.errors ?? [];
  const wantsApplication = refused.length === 0 && hasApplication(values, Object.keys(files));
  const application = wantsApplication ? await addApplication(c, dependencies, started) : refused;
  const invitation = values.start.invite === "" ? [] : await invite(c, dependencies, started);
  const errors = [...application, ...invitation];
  if (errors.length === 0) await setSaleLogo(dependencies, started);
  return { errors, done: doneWith(copied) };
}

function doneWith(copied: CopiedApplications | undefined): StartResult["done"] {
  if (copied === undefined) return "created";
  return copied.areThere ? "copied" : "copied-sale-only";
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

/**
 * Gives the sale the chosen logo, or a copy that of the other sale. Never fails: the founder sees that it is missing, and uploads it. It
 * comes last, as it changes the sale.
 */
async function setSaleLogo(dependencies: DashboardDependencies, started: StartedSale): Promise<void> {
  const { founder, saleUuid, files } = started;
  const { dashboard, logger } = dependencies;
  try {
    const image = files.square ?? (await copiedLogo(dependencies, started));
    if (image !== undefined) await dashboard.sales.setSaleLogo({ saleUuid, image }, founder.atCommitments);
  } catch (error) {
    logger.warn({ err: error, saleUuid }, "logo of a new sale not set");
  }
}

async function copiedLogo(
  dependencies: DashboardDependencies,
  { founder, from }: StartedSale,
): Promise<Uint8Array | undefined> {
  if (from === "") return undefined;
  const { presentation: { logo = "" } = {} } = await copiedDefinition(founder, dependencies, from);
  if (logo === "") return undefined;
  const { image } = await dependencies.dashboard.saleLogos.getSaleLogo({ logo });
  return image;
}
