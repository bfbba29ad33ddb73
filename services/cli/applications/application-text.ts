import { timestampDate } from "@bufbuild/protobuf/wkt";
import { enumName } from "../../../common/platform/encoding/enum-name.ts";
import { utcTime } from "../../../common/platform/encoding/utc-time.ts";
import {
  type Client,
  type ClientSecurity,
  ClientStatus,
  ClientStatusSchema,
} from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { alignColumns } from "../output/align-columns.ts";
import type { Paint } from "../output/paint.ts";
import { plainText } from "../output/plain-text.ts";

type Row = readonly [string, string];

/** The details of a client, one per line. */
export function clientText(client: Client): string {
  const { name = "", redirectUris = [], scopes = [] } = client.definition ?? {};
  const rows: Row[] = [
    ["UUID", client.uuid],
    ["Name", plainText(name)],
    ["Sale", client.saleUuid],
    ["Status", `${statusName(client)}, ${tenancyName(client)} tenancy`],
    ...redirectUris.map((uri): Row => ["Redirect URI", plainText(uri)]),
    ...scopes.map(
      ({ scope, required }): Row => ["Scope", `${plainText(scope)}, ${required ? "required" : "optional"}`],
    ),
    ...securityRows(client.definition?.security),
    ["Square logo", client.squareLogo || "none"],
    ["Wide logo", client.wideLogo || "none"],
    ["Version", client.version.toString()],
    ["Created", client.createdAt === undefined ? "" : utcTime(timestampDate(client.createdAt))],
    ["Signs users in", client.obstacles.length === 0 ? "yes" : `no: it ${client.obstacles.map(plainText).join(", ")}`],
  ];
  return alignColumns(rows);
}

/** The security settings that differ from those of a new client. */
function securityRows(security: ClientSecurity | undefined): readonly Row[] {
  if (security === undefined) return [];
  const { tokenEndpointAuthMethod: method, idTokenSignedResponseAlg: algorithm } = security;
  return [
    ...(security.requirePushedAuthorizationRequests ? [["Demands", "pushed authorization requests"] as const] : []),
    ...(security.dpopBoundAccessTokens ? [["Demands", "DPoP"] as const] : []),
    ...(method === "private_key_jwt" ? [["Authentication", method] as const] : []),
    ...keyIds(security.jwks).map((kid): Row => ["Public key", plainText(kid)]),
    ...(algorithm === "ES256" ? [["ID tokens", algorithm] as const] : []),
    ...security.postLogoutRedirectUris.map((uri): Row => ["Post-logout URI", plainText(uri)]),
  ];
}

/** The `kid` of each key of a JWK set. */
function keyIds(jwks: string): readonly string[] {
  const { keys } = JSON.parse(jwks || '{"keys":[]}') as { keys: { kid: string }[] };
  return keys.map(({ kid }) => kid);
}

/** A table of clients. */
export function clientTable(clients: readonly Client[], paint: Paint): string {
  const rows = clients.map((client) => [
    client.uuid,
    paint(client.status === ClientStatus.DISABLED ? "red" : "green", statusName(client)),
    tenancyName(client),
    client.obstacles.length === 0 ? "yes" : "no",
    plainText(client.definition?.name ?? ""),
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
