import { type PageAsset, readScript } from "../../web/pages/page-assets.ts";

/** The script of the pages that link a wallet. */
export const WALLET_SCRIPT = readScript(
  new URL("../../web/browser/injected-wallets.js", import.meta.url),
  new URL("../../web/browser/message.js", import.meta.url),
  new URL("../entities/wallet-link.js", import.meta.url),
);

/** Files that the account's pages load besides those of every page. */
export const ACCOUNT_ASSETS: ReadonlyMap<string, PageAsset> = new Map([[WALLET_SCRIPT.path, WALLET_SCRIPT]]);
