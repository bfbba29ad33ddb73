import { readFile } from "node:fs/promises";
import { Code, ConnectError, type Client as RpcClient } from "@connectrpc/connect";
import { type Client, type ClientService, LogoShape } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import type { DemoSale } from "./demo-sales.ts";

type ClientsRpc = Pick<RpcClient<typeof ClientService>, "createClient" | "getClient" | "setLogo" | "updateClient">;

const SCOPES = [
  { scope: "read_entities", required: true },
  { scope: "sale_eligibility_check", required: true },
  { scope: "contact_email", required: false },
];

/**
 * Creates the OAuth client of a sale's application, or adds these redirect URIs to the existing one. Other changes that an
 * operator has made to it stay.
 */
export async function ensureClient(
  clients: ClientsRpc,
  { uuid: saleUuid, clientUuid }: Pick<DemoSale, "uuid" | "clientUuid">,
  redirectUris: readonly string[],
): Promise<void> {
  const existing = await existingClient(clients, clientUuid);
  if (existing === undefined) {
    const definition = { name: "Demo application", redirectUris: [...redirectUris], scopes: SCOPES };
    await clients.createClient({ clientUuid, saleUuid, definition });
  } else {
    await ensureRedirectUris(clients, existing, redirectUris);
  }
  if (!existing?.squareLogo) await setLogo(clients, clientUuid, LogoShape.SQUARE, "square.png");
  if (!existing?.wideLogo) await setLogo(clients, clientUuid, LogoShape.WIDE, "wide.png");
}

async function existingClient(clients: ClientsRpc, clientUuid: string): Promise<Client | undefined> {
  try {
    return (await clients.getClient({ clientUuid })).client;
  } catch (error) {
    if (error instanceof ConnectError && error.code === Code.NotFound) return undefined;
    throw error;
  }
}

async function ensureRedirectUris(
  clients: ClientsRpc,
  { uuid: clientUuid, definition, version: expectedVersion }: Client,
  redirectUris: readonly string[],
): Promise<void> {
  const registered = definition?.redirectUris ?? [];
  if (definition === undefined || redirectUris.every((uri) => registered.includes(uri))) return;
  // Drops those of earlier starts on other ports.
  const others = registered.filter((uri) => !uri.startsWith("http://localhost:"));
  const changed = { ...definition, redirectUris: [...others, ...redirectUris] };
  await clients.updateClient({ clientUuid, expectedVersion, definition: changed });
}

async function setLogo(clients: ClientsRpc, clientUuid: string, shape: LogoShape, file: string): Promise<void> {
  const image = new Uint8Array(await readFile(new URL(`../logos/${file}`, import.meta.url)));
  await clients.setLogo({ clientUuid, shape, image });
}
