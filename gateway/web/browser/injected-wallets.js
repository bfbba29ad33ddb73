/** Wallets that browser extensions put into a page, for every page that asks one of them. */

/** The person has refused (EIP-1193). */
const REFUSED = 4001;
/** The wallet waits for the person's answer to an earlier request (EIP-1474's range, as wallets use it). */
const PENDING = -32002;
/** Most characters of a name that an extension gives itself. */
const MAX_NAME = 40;

/**
 * @typedef {object} InjectedWallet
 * @property {string} name for people: what the extension calls itself
 * @property {() => Promise<{ accounts: readonly string[], chain?: string }>} connect asks for its accounts, and on EVM for the
 *   EIP-155 ID of its chain as digits
 * @property {(method: string, params?: readonly unknown[]) => Promise<any>} [read] asks its node about an EVM chain
 * @property {(text: string, address: string) => Promise<string>} sign signs a text; the signature is hex
 */

/**
 * Finds the wallets of this page: those that announce themselves by EIP-6963, else the one at `window.ethereum`; and the one at
 * `window.solana`.
 *
 * @param {{ evm?: string, svm?: string }} wanted the kinds that are wanted, each with the name of a wallet that has none of its own
 * @param {(wallet: InjectedWallet) => Element} offer shows a wallet; the element is removed where its wallet announces itself
 *   later under its own name
 */
export function findWallets({ evm, svm }, offer) {
  const { ethereum, solana } = /** @type {any} */ (globalThis);
  if (evm !== undefined) findAnnounced(ethereum && { name: evm, ...evmWallet(ethereum) }, offer);
  if (svm !== undefined && solana) offer({ name: svm, ...svmWallet(solana) });
}

/**
 * Finds the wallets of this page whose nodes can be asked about contracts.
 *
 * @param {string} name of a wallet that has none of its own
 * @param {(wallet: InjectedWallet) => Element} offer as in `findWallets`
 */
export function findReaders(name, offer) {
  findWallets({ evm: name }, offer);
}

/**
 * @param {InjectedWallet | undefined} unnamed the wallet at `window.ethereum`, if there is one
 * @param {(wallet: InjectedWallet) => Element} offer
 */
function findAnnounced(unnamed, offer) {
  const announced = new Set();
  /** @type {Element | undefined} */
  let shown;
  addEventListener("eip6963:announceProvider", (event) => {
    const { info, provider } = /** @type {CustomEvent} */ (event).detail;
    if (announced.has(info.uuid)) return;
    announced.add(info.uuid);
    shown?.remove();
    offer({ name: String(info.name).slice(0, MAX_NAME), ...evmWallet(provider) });
  });
  dispatchEvent(new Event("eip6963:requestProvider"));
  if (announced.size === 0 && unnamed) shown = offer(unnamed);
}

/**
 * Returns why a wallet hasn't done what it was asked.
 *
 * @param {unknown} error what it has thrown
 * @returns {"refused" | "pending" | "failed"}
 */
export function walletProblem(error) {
  const { code } = /** @type {{ code?: unknown }} */ (error ?? {});
  if (code === REFUSED) return "refused";
  return code === PENDING ? "pending" : "failed";
}

/** Returns a wallet by EIP-1193. @param {any} provider */
function evmWallet(provider) {
  const ask = (/** @type {string} */ method, /** @type {readonly unknown[]} */ params = []) =>
    provider.request({ method, params });
  return {
    connect: async () => ({
      accounts: await ask("eth_requestAccounts"),
      chain: String(BigInt(await ask("eth_chainId"))),
    }),
    read: ask,
    sign: (/** @type {string} */ text, /** @type {string} */ address) =>
      ask("personal_sign", [hexOf(new TextEncoder().encode(text)), address]),
  };
}

/** Returns a wallet as Phantom and others put it at `window.solana`. @param {any} provider */
function svmWallet(provider) {
  return {
    connect: async () => ({ accounts: [String((await provider.connect()).publicKey)] }),
    sign: async (/** @type {string} */ text) =>
      hexOf((await provider.signMessage(new TextEncoder().encode(text), "utf8")).signature),
  };
}

/** @param {Uint8Array} bytes */
function hexOf(bytes) {
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
