import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { INDEXER_AUDIENCE } from "../../../common/platform/rpc/identity/audiences.ts";
import { generateCallerKey } from "../../../common/platform/rpc/identity/caller-keys.ts";
import { namedKeyAuthenticator } from "../../../common/platform/rpc/identity/named-key-authenticator.ts";
import { openHttpListener } from "../../../common/platform/rpc/server/http-listener.ts";
import { createRequestGate } from "../../../common/platform/rpc/server/request-gate.ts";
import { type RpcServer, startRpcServer } from "../../../common/platform/rpc/server/server.ts";
import { captureLog } from "../../../common/platform/testing/log-capture.ts";
import { SaleStage } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { ChainKind, IndexerService } from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import { runCliProcess } from "../../support/processes/cli.ts";

const READABLE = "0xc1";
const { key, text } = generateCallerKey();
const FIGURES = {
  commitmentCount: 1_200n,
  stage: 3,
  saleStage: SaleStage.CANCELLATION,
  contractVersion: 1,
  cancelledKeepsAmounts: true,
  height: 9_000n,
};

/** An indexer with two chains, and one readable sale. */
async function startIndexer(): Promise<RpcServer> {
  const keys = new Map([["operator", [key]]]);
  const allowed = {
    [IndexerService.typeName]: { ListChains: ["operator"], CheckSource: ["operator"], CheckTokens: ["operator"] },
  };
  const authenticator = namedKeyAuthenticator({ keys, audience: INDEXER_AUDIENCE });
  const { logger } = captureLog();
  return startRpcServer({
    listener: await openHttpListener({ host: "127.0.0.1", port: 0, logger }),
    gate: createRequestGate({ authenticator, allowed }),
    logger,
    routes: (router) =>
      router.service(IndexerService, {
        listChains: () => ({
          chains: [
            { name: "ethereum", kind: ChainKind.EVM, chainId: 1n },
            { name: "solana", kind: ChainKind.SVM },
          ],
        }),
        checkSource: ({ chain, address }) => {
          if (chain !== "ethereum") throw new ServiceError("not_found", `chain ${chain} isn't configured`);
          if (address !== READABLE) return { problems: ["there is no code at the address", "a\u001b[2Jb"] };
          return { readable: true, ...FIGURES, paymentTokens: ["0xa1", "0xa2"] };
        },
        checkTokens: ({ addresses }) => ({
          tokens: addresses.map((address) =>
            address === "0xa1" ? { address, decimals: 6, symbol: "USDX\u001b" } : { address, problem: "no token" },
          ),
        }),
      }),
  });
}

describe("sale check and chains", () => {
  let indexer: RpcServer;

  beforeAll(async () => {
    indexer = await startIndexer();
  });
  afterAll(() => indexer?.close(AbortSignal.abort()));

  const run = (...args: string[]) => runCliProcess(args, { INDEXER_URL: indexer.url, CALLER_KEY: text });

  it("shows the sale's own figures", async () => {
    expect(await run("sale", "check", "ethereum", READABLE)).toEqual({
      code: 0,
      output: `Readable               yes, at height 9,000
Commitments            1,200
Version                1
Stage                  cancellation (3)
Cancelled commitments  keep their amounts
Sale UUID              unknown
Paid in                USDX\ufffd, 0xa1; 6 decimals
Paid in                0xa2; unknown decimals
`,
      errors: "",
    });
  });

  it("shows the problems, and ends with 1", async () => {
    const errors = "not readable\nthere is no code at the address\na\ufffd[2Jb\n";
    expect(await run("sale", "check", "ethereum", "0xc2")).toEqual({ code: 1, output: "", errors });
    const unknown = { code: 1, output: "", errors: "not_found: chain base isn't configured\n" };
    expect(await run("sale", "check", "base", READABLE)).toEqual(unknown);
  });

  it("lists the chains", async () => {
    const output = "NAME      KIND  CHAIN ID\nethereum  evm   1\nsolana    svm\n";
    expect(await run("chains")).toEqual({ code: 0, output, errors: "" });
  });
});
