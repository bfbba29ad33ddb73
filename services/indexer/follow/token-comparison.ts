import type { ChainConnection } from "../../../common/contracts/chain-connection.ts";
import { TOKEN_COMPARISON_INTERVAL_MS, TOKEN_COMPARISON_RETRY_MS } from "../base/lifetimes.ts";
import type { SourceSale } from "../sending/source-sale.ts";

/** Compares the declared decimals of a sale's payment tokens with those on its chain, now and then. */
export class TokenComparison {
  readonly #chain: Pick<ChainConnection, "checkTokens">;
  /** The monotonic time of the next comparison, in milliseconds. */
  #dueAt = -Infinity;
  #definitionVersion: bigint | undefined;
  #isRunning = false;

  constructor(chain: Pick<ChainConnection, "checkTokens">) {
    this.#chain = chain;
  }

  /**
   * Compares the tokens if that is due.
   *
   * @returns a text for people, empty if nothing differs; undefined if nothing was compared. Never rejects.
   */
  async warning(sale: SourceSale, signal: AbortSignal): Promise<string | undefined> {
    const { definitionVersion, tokenDecimals } = sale;
    const isDue = definitionVersion !== this.#definitionVersion || performance.now() >= this.#dueAt;
    if (this.#isRunning || !isDue) return undefined;
    this.#isRunning = true;
    try {
      const checks = await this.#chain.checkTokens([...tokenDecimals.keys()], signal);
      this.#definitionVersion = definitionVersion;
      this.#dueAt = performance.now() + TOKEN_COMPARISON_INTERVAL_MS;
      return checks.flatMap(({ address, decimals }) => differenceOf(address, tokenDecimals, decimals)).join("; ");
    } catch {
      this.#definitionVersion = definitionVersion;
      this.#dueAt = performance.now() + TOKEN_COMPARISON_RETRY_MS;
      return undefined;
    } finally {
      this.#isRunning = false;
    }
  }
}

function differenceOf(address: string, declared: SourceSale["tokenDecimals"], actual: number | undefined): string[] {
  const decimals = declared.get(address);
  if (actual === undefined || actual === decimals) return [];
  const advice = "all amounts in it are wrong by that factor";
  return [`the payment token ${address} has ${actual} decimals on its chain, and ${decimals} in the sale: ${advice}`];
}
