import { LogoShape } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { peerOf } from "../../web/sessions/request-peer.ts";
import { SCOPES } from "../application/application-fields.ts";
import { definitionOf } from "../application/application-form-values.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import { type FormErrors, refusalErrors } from "../base/form-errors.ts";
import { resultOrRefusal } from "../base/founder.ts";
import { texts } from "../base/texts.ts";
import type { NewSaleValues } from "./new-sale-values.ts";
import { type FirstFiles, fieldOfStart, redirectUris, type StartedSale } from "./started-sale.ts";

/** The bound of the contract. */
const MAX_NAME_CHARACTERS = 100;

/** Creates the first application of a sale, if it has none, and sets its chosen logos. @returns what was refused */
export async function addApplication(
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
