import { createServer } from "node:http";
import { text } from "node:stream/consumers";

/** A screener of wallets on this machine. */
export interface TestScreener {
  readonly url: string;
  /** The wallets that it was asked about, in their order. */
  readonly asked: string[];
  /** The answer about every wallet; undefined: none that is usable. */
  risk: boolean | undefined;
  stop(): void;
}

export async function startWalletScreener(): Promise<TestScreener> {
  const server = createServer(async (request, response) => {
    screener.asked.push(JSON.parse(await text(request)).wallet);
    response.setHeader("content-type", "application/json").end(JSON.stringify({ risk: screener.risk }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const screener: TestScreener = {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`,
    asked: [],
    risk: false,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return screener;
}
