import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type ClientDefinition as ClientDefinitionMessage,
  type Client as ClientMessage,
  ClientSchema,
  ClientStatus,
  type ClientSummarySchema,
  LogoShape as LogoShapeMessage,
} from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import type { LogoShape } from "../../shared/images/logo-image.ts";
import { timestampOf } from "../base/timestamp-message.ts";
import type { Client, ClientDefinition } from "./client.ts";
import { obstaclesOf, openingRequirements } from "./client-readiness.ts";

export function clientMessage(client: Client): ClientMessage {
  const { definition } = client;
  return create(ClientSchema, {
    uuid: client.uuid,
    saleUuid: client.saleUuid,
    testTenancy: client.tenancy === "test",
    status: client.status === "active" ? ClientStatus.ACTIVE : ClientStatus.DISABLED,
    definition: { name: definition.name, redirectUris: [...definition.redirectUris], scopes: [...definition.scopes] },
    squareLogo: client.squareLogo ?? "",
    wideLogo: client.wideLogo ?? "",
    version: client.version,
    createdAt: timestampOf(client.createdAtMs),
    obstacles: obstaclesOf(client),
    openingRequirements: openingRequirements(client).map(({ name, met }) => ({ name, met })),
  });
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
export function definitionOf(request: { readonly definition?: ClientDefinitionMessage | undefined }): ClientDefinition {
  const { name = "", redirectUris = [], scopes = [] } = request.definition ?? {};
  return { name, redirectUris, scopes: scopes.map(({ scope, required }) => ({ scope, required })) };
}

/** The shape of a request. Protovalidate refuses an unspecified one. */
export function shapeOf(shape: LogoShapeMessage): LogoShape {
  return shape === LogoShapeMessage.WIDE ? "wide" : "square";
}
