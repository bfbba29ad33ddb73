import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { LogoShape } from "../../../common/platform/images/logo-image.ts";
import {
  type ClientDefinition as ClientDefinitionMessage,
  type Client as ClientMessage,
  ClientSchema,
  type ClientSecurity as ClientSecurityMessage,
  ClientStatus,
  type ClientSummarySchema,
  LogoShape as LogoShapeMessage,
} from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { timestampOf } from "../base/timestamp-message.ts";
import type { Client } from "./application.ts";
import { obstaclesOf, openingRequirements } from "./application-readiness.ts";
import type { EnteredDefinition } from "./definition/application-definition.ts";
import type { ClientSecurity, EnteredSecurity } from "./definition/application-security.ts";

export function clientMessage(client: Client): ClientMessage {
  const { definition } = client;
  return create(ClientSchema, {
    uuid: client.uuid,
    saleUuid: client.saleUuid,
    testTenancy: client.tenancy === "test",
    status: client.status === "active" ? ClientStatus.ACTIVE : ClientStatus.DISABLED,
    definition: {
      name: definition.name,
      redirectUris: [...definition.redirectUris],
      scopes: [...definition.scopes],
      security: securityMessage(definition.security),
    },
    squareLogo: client.squareLogo ?? "",
    wideLogo: client.wideLogo ?? "",
    version: client.version,
    createdAt: timestampOf(client.createdAtMs),
    obstacles: obstaclesOf(client),
    openingRequirements: openingRequirements(client).map(({ name, met }) => ({ name, met })),
  });
}

/** Returns security settings as messages have them. */
export function securityMessage({ jwks, postLogoutRedirectUris, ...settings }: ClientSecurity) {
  return {
    ...settings,
    jwks: jwks.length === 0 ? "" : JSON.stringify({ keys: jwks }),
    postLogoutRedirectUris: [...postLogoutRedirectUris],
  };
}

/** Returns what lists of sales show of a client. */
export function clientSummaryMessage(client: Client): MessageInitShape<typeof ClientSummarySchema> {
  return {
    clientUuid: client.uuid,
    name: client.definition.name,
    obstacles: obstaclesOf(client),
    openingRequirements: openingRequirements(client).map(({ name, met }) => ({ name, met })),
  };
}

/** The definition of a request. Protovalidate refuses a request without one. */
export function definitionOf(request: {
  readonly definition?: ClientDefinitionMessage | undefined;
}): EnteredDefinition {
  const { name = "", redirectUris = [], scopes = [], security } = request.definition ?? {};
  return {
    name,
    redirectUris,
    scopes: scopes.map(({ scope, required }) => ({ scope, required })),
    security: security === undefined ? undefined : enteredSecurity(security),
  };
}

/** Protovalidate refuses other names of algorithms and methods. */
function enteredSecurity(message: ClientSecurityMessage): EnteredSecurity {
  return {
    requirePushedAuthorizationRequests: message.requirePushedAuthorizationRequests,
    dpopBoundAccessTokens: message.dpopBoundAccessTokens,
    idTokenSignedResponseAlg: message.idTokenSignedResponseAlg === "ES256" ? "ES256" : "RS256",
    tokenEndpointAuthMethod: message.tokenEndpointAuthMethod === "private_key_jwt" ? "private_key_jwt" : "none",
    jwks: message.jwks,
    postLogoutRedirectUris: message.postLogoutRedirectUris,
  };
}

/** The shape of a request. Protovalidate refuses an unspecified one. */
export function shapeOf(shape: LogoShapeMessage): LogoShape {
  return shape === LogoShapeMessage.WIDE ? "wide" : "square";
}
