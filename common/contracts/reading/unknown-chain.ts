import { SourceFault } from "../../chains/base/source-fault.ts";
import type { ChainConnection } from "../chain-connection.ts";
import type { SourceReader } from "../source-reader.ts";

const POLL_INTERVAL_MS = 30_000;

/** A connection to a chain that isn't configured: every read fails with a message that says what to do. */
export function unknownChain(name: string, configured: readonly string[]): ChainConnection {
  const known = configured.length === 0 ? "none is" : `configured are ${configured.join(", ")}`;
  const message = `chain ${name} isn't configured; ${known}. Ask the operator to add it`;
  const reader: SourceReader = {
    async next() {
      throw new SourceFault(message, { remedy: "mend" });
    },
    upToDateAt: () => undefined,
    restMs: () => 0,
    headHeight: () => 0n,
    applied() {},
    invalidate() {},
  };
  return {
    pollIntervalMs: POLL_INTERVAL_MS,
    createReader: () => reader,
    onHead: () => () => {},
    nodeHeads: () => [],
    check: async () => ({
      readable: false,
      problems: [message],
      commitmentCount: 0n,
      paymentTokens: [],
      height: 0n,
    }),
    checkTokens: async () => {
      throw new SourceFault(message, { remedy: "mend" });
    },
    checkSigner: async () => {
      throw new SourceFault(message, { remedy: "mend" });
    },
    async close() {},
  };
}
