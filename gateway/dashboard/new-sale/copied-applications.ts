import { type Client, type ClientSecurity, LogoShape } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { peerOf } from "../../web/sessions/request-peer.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import { type FormErrors, refusalErrors } from "../base/form-errors.ts";
import { resultOrRefusal } from "../base/founder.ts";
import { fieldOfStart, redirectUris, type StartedSale } from "./started-sale.ts";

/** The outcome of copying applications. */
export interface CopiedApplications {
  /** The refusals of entries about the first application. */
  readonly errors: FormErrors;
  /** Whether all are there; the founder adds those that aren't. */
  readonly areThere: boolean;
}

/**
 * Copies the applications of a sale to its copy: names, scopes, logos and demands, the first one with what was entered for it. Redirect
 * URIs, post-logout URIs and keys aren't copied, since they belong to the site of the other sale. May be repeated.
 */
export async function copyApplications(
  c: AuthContext,
  dependencies: DashboardDependencies,
  started: StartedSale,
): Promise<CopiedApplications> {
  const { founder, saleUuid, from } = started;
  const { clients } = dependencies.clients;
  try {
    const [before, there] = await Promise.all([
      clients.listClients({ saleUuid: from }, founder.atAuth),
      clients.listClients({ saleUuid }, founder.atAuth),
    ]);
    const [first, ...others] = before.clients;
    if (first === undefined || there.clients.length > 0) {
      return { errors: [], areThere: there.clients.length >= before.clients.length };
    }
    const errors = await copyApplication(c, dependencies, started, first, enteredForFirst(started));
    if (errors.length > 0) return { errors, areThere: false };
    let areThere = true;
    for (const other of others) {
      const refused = await copyApplication(c, dependencies, started, other, {});
      areThere &&= refused.length === 0;
    }
    return { errors: [], areThere };
  } catch (error) {
    dependencies.logger.warn({ err: error, saleUuid }, "applications not copied");
    return { errors: [], areThere: false };
  }
}

interface Entered {
  readonly name?: string;
  readonly redirectUris?: string[];
}

function enteredForFirst({ values }: StartedSale): Entered {
  const { application } = values.start;
  return { ...(application.trim() !== "" && { name: application }), redirectUris: [...redirectUris(values)] };
}

async function copyApplication(
  c: AuthContext,
  dependencies: DashboardDependencies,
  { founder, saleUuid }: StartedSale,
  { definition, squareLogo, wideLogo }: Client,
  entered: Entered,
): Promise<FormErrors> {
  const { clients } = dependencies.clients;
  const { name = "", scopes = [], security } = definition ?? {};
  const copy = { name, scopes, ...(security && { security: demandsOf(security) }), ...entered };
  const request = { saleUuid, definition: copy, peer: peerOf(c, dependencies) };
  const created = await resultOrRefusal(() => clients.createClient(request, founder.atAuth));
  if ("refusal" in created) return refusalErrors(created.refusal, fieldOfStart);
  const clientUuid = created.done.client?.uuid ?? "";
  const logos = [
    [LogoShape.SQUARE, squareLogo],
    [LogoShape.WIDE, wideLogo],
  ] as const;
  for (const [shape, logo] of logos.filter(([, hash]) => hash !== "")) {
    const { image } = await clients.getLogo({ logo });
    await clients.setLogo({ clientUuid, shape, image }, founder.atAuth);
  }
  return [];
}

function demandsOf({
  requirePushedAuthorizationRequests,
  dpopBoundAccessTokens,
  idTokenSignedResponseAlg,
}: ClientSecurity) {
  return { requirePushedAuthorizationRequests, dpopBoundAccessTokens, idTokenSignedResponseAlg };
}
