import { type JsonObject, toJson } from "@bufbuild/protobuf";
import { type Client, ClientSchema } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { statusName } from "./application-text.ts";

/** A client for programs: the JSON form of `Client`, with its status as a name. */
export function clientJson(client: Client): JsonObject {
  const json = toJson(ClientSchema, client, { alwaysEmitImplicit: true }) as JsonObject;
  return { ...json, status: statusName(client) };
}
