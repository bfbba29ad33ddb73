import type { TokenCheck } from "../../../common/chains/base/token-check.ts";
import type { ChainConnection } from "../../../common/contracts/chain-connection.ts";
import { decimalsProblems } from "../../../common/sale/definition/source-findings.ts";
import { sourceProblemClause } from "../../../common/sale/words/source-problem.ts";
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
      return differences(tokenDecimals, checks).join("; ");
    } catch {
      this.#definitionVersion = definitionVersion;
      this.#dueAt = performance.now() + TOKEN_COMPARISON_RETRY_MS;
      return undefined;
    } finally {
      this.#isRunning = false;
    }
  }
}

function differences(declared: SourceSale["tokenDecimals"], checks: readonly TokenCheck[]): readonly string[] {
  const tokens = Array.from(declared, ([address, decimals]) => ({ address, decimals }));
  const advice = "all amounts in it are wrong by that factor";
  return decimalsProblems(tokens, checks).map((problem) => `${sourceProblemClause(problem)}: ${advice}`);
}
