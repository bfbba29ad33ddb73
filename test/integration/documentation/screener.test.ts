import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { parseWallet } from "../../../common/chains/wallet.ts";
import { OutboundFetcher } from "../../../common/platform/outbound/outbound-fetcher.ts";
import { WalletScreener } from "../../../services/entities/screening/wallet-screener.ts";
import { onlyCodeBlock } from "../../support/repository/markdown.ts";
import { readRepository } from "../../support/repository/repository.ts";

const SALE = "00000000-0000-4000-8000-000000000001";
const WALLET = parseWallet("evm", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "wallet");

it("a screener is asked word for word as docs/wallets.md says, and its `risk` counts", async () => {
  const documented = onlyCodeBlock(readRepository("docs/wallets.md"), "http");
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    const { method, url, httpVersion, headers } = request;
    const body = await text(request);
    received.push(`${method} ${url} HTTP/${httpVersion}\ncontent-type: ${headers["content-type"]}\n\n${body}\n`);
    response.end('{"risk":true}');
  });
  server.listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/check`;
  const screener = new WalletScreener({ fetcher: new OutboundFetcher({ loopback: true }) });
  expect(await screener.isRisky(url, SALE, WALLET)).toBe(true);
  expect(received).toEqual([documented]);
});
