import { type JsonObject, toJson } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { enumName } from "../../../common/platform/encoding/enum-name.ts";
import { utcTime } from "../../../common/platform/encoding/utc-time.ts";
import {
  APPLICATION_LISTS,
  requirementText,
  SECURITY_WORDS,
  type SecuritySettings,
} from "../../../common/sale/words/application-words.ts";
import {
  type Client,
  ClientSchema,
  type ClientSecurity,
  ClientStatus,
  ClientStatusSchema,
} from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { alignColumns } from "../output/align-columns.ts";
import type { Paint } from "../output/paint.ts";
import { terminalText } from "../output/terminal-text.ts";

type Row = readonly [string, string];

/** The settings of a new application. */
const NEW_SECURITY: SecuritySettings = {
  requirePushedAuthorizationRequests: false,
  dpopBoundAccessTokens: false,
  idTokenSignedResponseAlg: "RS256",
  tokenEndpointAuthMethod: "none",
};

/** The details of an application, one per line. */
export function applicationText(application: Client): string {
  const { name = "", redirectUris = [], scopes = [] } = application.definition ?? {};
  const rows: Row[] = [
    ["UUID", application.uuid],
    ["Name", terminalText(name)],
    ["Sale", application.saleUuid],
    ["Status", `${statusName(application)}, ${tenancyName(application)} tenancy`],
    ...redirectUris.map((uri): Row => [APPLICATION_LISTS.redirectUri, terminalText(uri)]),
    ...scopes.map(({ scope, required }): Row => ["Scope", `${terminalText(scope)}, ${requirementText(required)}`]),
    ...securityRows(application.definition?.security),
    ["Square logo", application.squareLogo || "none"],
    ["Wide logo", application.wideLogo || "none"],
    ["Version", application.version.toString()],
    ["Created", application.createdAt === undefined ? "" : utcTime(timestampDate(application.createdAt))],
    [
      "Signs users in",
      application.obstacles.length === 0 ? "yes" : `no: it ${application.obstacles.map(terminalText).join(", ")}`,
    ],
  ];
  return alignColumns(rows);
}

/** The security settings that differ from those of a new application. */
function securityRows(security: ClientSecurity | undefined): readonly Row[] {
  if (security === undefined) return [];
  const { publicKey, postLogoutUri } = APPLICATION_LISTS;
  return [
    ...SECURITY_WORDS.filter(({ text }) => text(security) !== text(NEW_SECURITY)).map(
      ({ name, text }): Row => [name, terminalText(text(security))],
    ),
    ...keyIds(security.jwks).map((kid): Row => [publicKey, terminalText(kid)]),
    ...security.postLogoutRedirectUris.map((uri): Row => [postLogoutUri, terminalText(uri)]),
  ];
}

/** The `kid` of each key of a JWK set. */
function keyIds(jwks: string): readonly string[] {
  const { keys } = JSON.parse(jwks || '{"keys":[]}') as { keys: { kid: string }[] };
  return keys.map(({ kid }) => kid);
}

/** A table of applications. */
export function applicationTable(applications: readonly Client[], paint: Paint): string {
  const rows = applications.map((application) => [
    application.uuid,
    paint(application.status === ClientStatus.DISABLED ? "red" : "green", statusName(application)),
    tenancyName(application),
    application.obstacles.length === 0 ? "yes" : "no",
    terminalText(application.definition?.name ?? ""),
  ]);
  const header = ["UUID", "STATUS", "TENANCY", "READY", "NAME"].map((name) => paint("bold", name));
  return alignColumns([header, ...rows]);
}

export function statusName({ status }: Pick<Client, "status">): string {
  return enumName(ClientStatusSchema, status) ?? "unknown";
}

function tenancyName({ testTenancy }: Pick<Client, "testTenancy">): string {
  return testTenancy ? "test" : "live";
}

/** An application for programs: the JSON form of `Client`, with its status as a name. */
export function applicationJson(application: Client): JsonObject {
  const json = toJson(ClientSchema, application, { alwaysEmitImplicit: true }) as JsonObject;
  return { ...json, status: statusName(application) };
}
