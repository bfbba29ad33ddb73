import type { ChainFamily } from "./base/chain-family.ts";
import { formatWallet, type Wallet } from "./wallet.ts";

/** The data of a text that a wallet has to sign. Times are milliseconds since 1970. */
export interface LinkRequest {
  readonly wallet: Wallet;
  /** The EIP-155 chain ID; 0 for an SVM wallet, whose key is the same on all clusters. */
  readonly chainId: bigint;
  /** Letters and digits, at least 8. */
  readonly nonce: string;
  /** The session for which the text is made. */
  readonly sessionUuid: string;
  readonly issuedAtMs: bigint;
  readonly expiresAtMs: bigint;
}

/** The parts of the text that differ between families of chains. */
interface LinkWording {
  /** The kind of account, as wallets of the family call it. */
  readonly account: string;
  chainLines(chainId: bigint): readonly string[];
}

const WORDINGS: Readonly<Record<ChainFamily, LinkWording>> = {
  evm: { account: "Ethereum", chainLines: (chainId) => [`Chain ID: ${chainId}`] },
  svm: { account: "Solana", chainLines: () => [] },
};

/**
 * Returns the text that a wallet has to sign to be linked: EIP-4361, or the same for an SVM wallet. Wallets show it, and warn if
 * the site that asks isn't the one named. It holds nothing that a user has chosen.
 *
 * @param site `AUTH_URL`: an origin without a trailing slash
 */
export function linkText(site: string, request: LinkRequest): string {
  const { wallet, chainId, nonce, sessionUuid, issuedAtMs, expiresAtMs } = request;
  const domain = domainOf(site);
  const wording = WORDINGS[wallet.kind];
  return [
    `${domain} wants you to sign in with your ${wording.account} account:`,
    formatWallet(wallet),
    "",
    `Link this wallet to your account at ${domain}. This sends no transaction and costs nothing.`,
    "",
    `URI: ${site}`,
    "Version: 1",
    ...wording.chainLines(chainId),
    `Nonce: ${nonce}`,
    `Issued At: ${isoTime(issuedAtMs)}`,
    `Expiration Time: ${isoTime(expiresAtMs)}`,
    `Request ID: ${sessionUuid}`,
  ].join("\n");
}

/** The authority of a site, with its scheme unless that is https. */
function domainOf(site: string): string {
  const { protocol, host } = new URL(site);
  return protocol === "https:" ? host : `${protocol}//${host}`;
}

function isoTime(atMs: bigint): string {
  return new Date(Number(atMs)).toISOString();
}
