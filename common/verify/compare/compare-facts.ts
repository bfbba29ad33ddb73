import type { SaleStage } from "../../sale/state/stage.ts";
import type { ChainSale } from "./chain-sale.ts";
import type { Checks } from "./checks.ts";
import type { ShownSale } from "./shown-sale.ts";

/** Compares everything besides the commitments: whose contract it is, its stage, and its tokens. */
export function compareFacts(shown: ShownSale, chain: ChainSale, checks: Checks): void {
  compareUuid(shown, chain, checks);
  compareStage(shown, chain, checks);
  compareSigner(shown, chain, checks);
  comparePaymentTokens(shown, chain, checks);
  compareTokens(shown, chain, checks);
}

function compareUuid({ saleUuid }: ShownSale, chain: ChainSale, checks: Checks): void {
  if (chain.saleUuid === undefined) {
    checks.skipped("sale UUID", "the contract doesn't say whose it is");
    return;
  }
  checks.covers("sale UUID", saleUuid);
  checks.compare("sale UUID", "sale UUID", saleUuid, chain.saleUuid);
}

function compareStage({ stage, settled }: ShownSale, chain: ChainSale, checks: Checks): void {
  const actual: SaleStage | undefined = chain.stage;
  if (actual === undefined) {
    checks.skipped("stage", "the contract has no stage, or one of unknown number");
    checks.skipped("status", "without a stage, whether the sale is settled is the founder's word");
    return;
  }
  checks.covers("stage", `${stage}`);
  checks.compare("stage", "stage", stage, actual);
  checks.covers("status", settled ? "settled" : "open");
  checks.compare("status", "status", settled ? "settled" : "open", actual === "done" ? "settled" : "open");
}

function compareSigner({ signer }: ShownSale, { acceptsSigner }: ChainSale, checks: Checks): void {
  if (signer === undefined) return;
  if (acceptsSigner === undefined) {
    checks.skipped("permit signer", "the contract can't be asked whom it accepts");
    return;
  }
  checks.covers("permit signer", signer);
  if (!acceptsSigner) checks.differs("permit signer", signer, "signs purchase permits", "not accepted by the contract");
}

function comparePaymentTokens({ definition }: ShownSale, { paymentTokens }: ChainSale, checks: Checks): void {
  if (paymentTokens === undefined) {
    checks.skipped("payment tokens", "the contract doesn't list the tokens that it takes");
    return;
  }
  const shown = new Set(definition.paymentTokens.map(({ address }) => address));
  for (const token of paymentTokens) {
    if (!shown.has(token)) checks.differs("payment tokens", token, "not a payment token", "taken by the contract");
  }
  // A sale may list tokens beforehand that its contract is to take later.
  const others = [...shown].filter((token) => !paymentTokens.includes(token)).length;
  const rest = others === 0 ? "" : `; ${others} that Tidemark lists aren't taken by the contract`;
  checks.covers("payment tokens", `${paymentTokens.length} that the contract takes${rest}`);
}

function compareTokens({ definition }: ShownSale, { tokens }: ChainSale, checks: Checks): void {
  const byAddress = new Map(tokens.map((token) => [token.address, token]));
  let [decimalsRead, symbolsRead] = [0, 0];
  for (const { address, decimals, symbol } of definition.paymentTokens) {
    const actual = byAddress.get(address);
    if (actual?.decimals !== undefined) {
      decimalsRead += 1;
      checks.compare("token decimals", address, decimals, actual.decimals);
    }
    // A symbol that only one of both has proves nothing: the token may have none that can be shown.
    if (actual?.symbol === undefined || symbol === undefined) continue;
    symbolsRead += 1;
    checks.compare("token symbols", address, symbol, actual.symbol);
  }
  const all = definition.paymentTokens.length;
  if (decimalsRead > 0) checks.covers("token decimals", `${decimalsRead} of ${all} tokens`);
  else checks.skipped("token decimals", "no token says its decimals");
  if (symbolsRead > 0) checks.covers("token symbols", `${symbolsRead} of ${all} tokens`);
  else checks.skipped("token symbols", "no token has a symbol both here and on its chain");
}
