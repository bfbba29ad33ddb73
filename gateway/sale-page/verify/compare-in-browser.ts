import { CannotVerify } from "../../../common/verify/compare/cannot-verify.ts";
import { type PublicAddress, publicAddress } from "../../../common/verify/shown/public-address.ts";
import { publicFigures } from "../../../common/verify/shown/public-figures.ts";
import type { Verdict } from "../../../common/verify/verdict.ts";
import { verifySale } from "../../../common/verify/verify.ts";
import { WALLET_URL, type WalletRead, walletFetch } from "./wallet-fetch.ts";

/** A sale to compare, as a reader of the page names it. */
export interface ComparedSale {
  /** Address of the sale's page. */
  readonly address: string;
  /** URL of a node of its chain, or what asks a wallet's node. */
  readonly node: string | WalletRead;
  /** The contract that it must have; undefined to take the one that the page names. */
  readonly contract: string | undefined;
  readonly signal: AbortSignal;
  /** Called with the number of the chain's commitments that were read so far, and of all. */
  readonly onProgress: (read: number, all: number) => void;
}

/** An outcome, or why there is none: a text for people, in English. */
export type Comparison = { readonly verdict: Verdict } | { readonly problem: string };

/**
 * Compares a sale with its contract by the code of the operator's command. Only the node and the site of the sale are asked.
 *
 * @throws the signal's reason once that is aborted
 */
export async function compareInBrowser({ address, node, ...sale }: ComparedSale): Promise<Comparison> {
  const shownAt = publicAddress(address);
  if (shownAt === undefined) throw new TypeError("no address of a sale");
  try {
    return { verdict: await verdictOf(shownAt, node, sale) };
  } catch (error) {
    sale.signal.throwIfAborted();
    if (error instanceof CannotVerify) return { problem: error.message };
    throw error;
  }
}

function verdictOf(
  shownAt: PublicAddress,
  node: string | WalletRead,
  { contract, signal, onProgress }: Pick<ComparedSale, "contract" | "signal" | "onProgress">,
): Promise<Verdict> {
  return verifySale({
    readShown: (attempt) => publicFigures(shownAt, attempt),
    ...(typeof node === "string" ? { nodes: [node] } : { nodes: [WALLET_URL], nodeFetch: walletFetch(node) }),
    ...(contract !== undefined && { contract }),
    signal,
    onProgress: async (read, all) => onProgress(Number(read), Number(all)),
  });
}
