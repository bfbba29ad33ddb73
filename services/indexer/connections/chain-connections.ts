import type { Chain } from "../chains/chain.ts";
import type { ChainConnection } from "../source/source-reader.ts";
import { unknownChain } from "./unknown-chain.ts";

/** The ways to the configured chains; what a kind of chain needs is loaded only where one is configured. */
export class ChainConnections {
  readonly chains: readonly Chain[];
  readonly #connections: ReadonlyMap<string, ChainConnection>;

  private constructor(chains: readonly Chain[], connections: ReadonlyMap<string, ChainConnection>) {
    this.chains = chains;
    this.#connections = connections;
  }

  static async open(chains: readonly Chain[]): Promise<ChainConnections> {
    const connections = new Map<string, ChainConnection>();
    for (const chain of chains) connections.set(chain.name, await connect(chain));
    return new ChainConnections(chains, connections);
  }

  /** The configured chain of that name, or one on which nothing can be read. */
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

async function connect(chain: Chain): Promise<ChainConnection> {
  if (chain.kind === "evm") {
    const { connectEvmChain } = await import("../evm/evm-connection.ts");
    return connectEvmChain(chain);
  }
  const { connectSvm } = await import("../svm/svm-connection.ts");
  return connectSvm(chain);
}
