/** The part of a wallet that asks its node (EIP-1193). */
export type WalletRead = (method: string, params: readonly unknown[]) => Promise<unknown>;

interface Question {
  readonly id: unknown;
  readonly method: string;
  readonly params?: readonly unknown[];
}

/** The URL of a node that is asked through a wallet. Nothing is ever sent there. */
export const WALLET_URL = "https://wallet.invalid/";
const INTERNAL_ERROR = -32603;

/**
 * Returns a `fetch` for JSON-RPC that asks a wallet instead of a host, one question after the other in each batch, so that no reader
 * knows the difference. Errors of the wallet are answered as a node's.
 */
export function walletFetch(read: WalletRead): typeof fetch {
  return async (_url, init) => {
    const body: Question | readonly Question[] = JSON.parse(String(init?.body));
    if (!Array.isArray(body)) return answerOf(await answered(read, body as Question));
    const answers: object[] = [];
    for (const question of body as readonly Question[]) {
      init?.signal?.throwIfAborted();
      answers.push(await answered(read, question));
    }
    return answerOf(answers);
  };
}

async function answered(read: WalletRead, { id, method, params = [] }: Question): Promise<object> {
  try {
    return { jsonrpc: "2.0", id, result: (await read(method, params)) ?? null };
  } catch (error) {
    return { jsonrpc: "2.0", id, error: errorOf(error) };
  }
}

function errorOf(error: unknown): object {
  const { code, message, data } = (error ?? {}) as { code?: unknown; message?: unknown; data?: unknown };
  return { code: typeof code === "number" ? code : INTERNAL_ERROR, message: String(message ?? ""), data };
}

function answerOf(body: object): Response {
  return new Response(JSON.stringify(body), { headers: { "content-type": "application/json" } });
}
