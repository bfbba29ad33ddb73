import { randomUUID } from "node:crypto";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { type ClientSecuritySchema, LogoShape } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { pngImage } from "../../../services/auth/testing/images.ts";
import type { AuthClients } from "../processes/auth-clients.ts";

export const REDIRECT_URI = "https://app.example/callback";

export interface FitClientOptions {
  readonly clientUuid?: string;
  readonly redirectUris?: string[];
  /** The defaults if absent. */
  readonly security?: MessageInitShape<typeof ClientSecuritySchema>;
}

/**
 * Creates a client that may sign users in, and with which its sale may open.
 *
 * @returns its UUID
 */
export async function createFitClient(
  { clients }: Pick<AuthClients, "clients">,
  saleUuid: string,
  { clientUuid = randomUUID(), redirectUris = [REDIRECT_URI], security }: FitClientOptions = {},
): Promise<string> {
  const scopes = [
    { scope: "read_entities", required: true },
    { scope: "sale_eligibility_check", required: true },
    { scope: "contact_email", required: false },
  ];
  const definition = { name: "An application", redirectUris, scopes, ...(security && { security }) };
  await clients.createClient({ clientUuid, saleUuid, definition });
  await clients.setLogo({ clientUuid, shape: LogoShape.SQUARE, image: new Uint8Array(pngImage(64, 64)) });
  await clients.setLogo({ clientUuid, shape: LogoShape.WIDE, image: new Uint8Array(pngImage(192, 64)) });
  return clientUuid;
}
