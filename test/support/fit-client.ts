import { randomUUID } from "node:crypto";
import { LogoShape } from "../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { pngImage } from "../../services/auth/testing/images.ts";
import type { AuthClients } from "./auth-clients.ts";

export const REDIRECT_URI = "https://app.example/callback";

/**
 * Creates a client that may sign users in, and with which its sale may open.
 *
 * @returns its UUID
 */
export async function createFitClient(
  { clients }: Pick<AuthClients, "clients">,
  saleUuid: string,
  { clientUuid = randomUUID(), redirectUris = [REDIRECT_URI] } = {},
): Promise<string> {
  const scopes = [
    { scope: "read_entities", required: true },
    { scope: "sale_eligibility_check", required: true },
    { scope: "contact_email", required: false },
  ];
  await clients.createClient({ clientUuid, saleUuid, definition: { name: "An application", redirectUris, scopes } });
  await clients.setLogo({ clientUuid, shape: LogoShape.SQUARE, image: new Uint8Array(pngImage(64, 64)) });
  await clients.setLogo({ clientUuid, shape: LogoShape.WIDE, image: new Uint8Array(pngImage(192, 64)) });
  return clientUuid;
}
