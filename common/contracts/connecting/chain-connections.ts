import type { Chain, Chains } from "../../chains/base/chain.ts";
import type { ChainFamily } from "../../chains/base/chain-family.ts";
import { SourceFault } from "../../chains/base/source-fault.ts";
import type { ChainConnection } from "../chain-connection.ts";
import type { SourceReader } from "../source-reader.ts";

/** Connections to the configured chains. The code for a family of chains is loaded only if one is configured. */
export class ChainConnections {
  readonly chains: readonly Chain[];
  readonly #connections: ReadonlyMap<string, ChainConnection>;

  private constructor(chains: readonly Chain[], connections: ReadonlyMap<string, ChainConnection>) {
    this.chains = chains;
    this.#connections = connections;
  }

  /** @param warn gets texts for the operator about the nodes of a chain. */
  static async open(
    chains: readonly Chain[],
    warn: (chain: string, problem: string) => void = () => undefined,
  ): Promise<ChainConnections> {
    const connections = new Map<string, ChainConnection>();
    for (const chain of chains) {
      const warnOfChain = (problem: string) => warn(chain.name, problem);
      connections.set(chain.name, await connect(chain.family, chain, warnOfChain));
    }
    return new ChainConnections(chains, connections);
  }

  /** The connection to the chain of that name, or one whose every read fails if there is none. */
  get(name: string): ChainConnection {
    return this.#connections.get(name) ?? unknownChain(name, this.names());
  }

  has(name: string): boolean {
    return this.#connections.has(name);
  }

  names(): readonly string[] {
    return this.chains.map((chain) => chain.name);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#connections.values()].map((connection) => connection.close()));
  }
}

type Connect<Family extends ChainFamily> = (
  chain: Chains[Family],
  warn: (problem: string) => void,
) => Promise<ChainConnection>;

/** Loads the code for a family of chains and connects to one of them. */
const CONNECT: { readonly [Family in ChainFamily]: Connect<Family> } = {
  evm: async (chain, warn) => (await import("./evm/connect-evm-chain.ts")).connectEvmChain(chain, { warn }),
  svm: async (chain, warn) => (await import("./svm/connect-svm-chain.ts")).connectSvmChain(chain, { warn }),
};

function connect<Family extends ChainFamily>(
  family: Family,
  ...options: Parameters<Connect<Family>>
): Promise<ChainConnection> {
  return CONNECT[family](...options);
}

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
    checkFinality: async () => {
      throw new SourceFault(message, { remedy: "mend" });
    },
    async close() {},
  };
}
