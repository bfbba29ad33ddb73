import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { privateKeyToAccount } from "viem/accounts";
import { toHex } from "viem/utils";
import type { RemoteSignerConfig } from "../../../services/entities/base/config.ts";

/** A remote signer of permits that does something before it signs: what happens between the check of a permit and its record. */
export interface PausingSigner {
  readonly config: RemoteSignerConfig;
  /** Done before the next signature, once, with the path of the request. */
  before: (path: string) => Promise<unknown>;
  /** The addresses that have signed, in their order. */
  readonly signed: string[];
  stop(): void;
}

export async function startPausingSigner(): Promise<PausingSigner> {
  const accounts = new Map<string, ReturnType<typeof privateKeyToAccount>>();
  const accountOf = (keyUuid: string) => {
    const account = accounts.get(keyUuid) ?? privateKeyToAccount(toHex(randomBytes(32)));
    accounts.set(keyUuid, account);
    return account;
  };
  const server = createServer(async (request, response) => {
    const { keyUuid, permit } = JSON.parse(await text(request));
    const account = accountOf(keyUuid);
    if (permit === undefined) return response.end(JSON.stringify({ address: account.address }));
    const work = signer.before;
    signer.before = nothing;
    await work(request.url ?? "");
    signer.signed.push(account.address);
    return response.end(JSON.stringify({ signature: await account.signMessage({ message: { raw: permit } }) }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const signer: PausingSigner = {
    config: { url: `http://127.0.0.1:${port}`, secret: randomBytes(32) },
    before: nothing,
    signed: [],
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return signer;
}

async function nothing(): Promise<void> {}
