/** A payment token, as far as it names money. */
export interface PaidToken {
  /** Empty where it isn't known. */
  readonly symbol: string;
  readonly usdStablecoin: boolean;
}

/** The money in which amounts and prices of a sale are written. */
export interface Currency {
  readonly dollars: boolean;
  /** Symbol of the payment token; empty or absent where it isn't known, or tokens have different ones. */
  readonly symbol?: string;
}

/** Returns the currency of payment tokens: dollars where each of them is a dollar stablecoin, and the symbol that all have. */
export function commonCurrency(tokens: readonly PaidToken[]): { readonly dollars: boolean; readonly symbol: string } {
  const [first, ...others] = tokens;
  return {
    dollars: tokens.length > 0 && tokens.every(({ usdStablecoin }) => usdStablecoin),
    symbol: others.every(({ symbol }) => symbol === first?.symbol) ? (first?.symbol ?? "") : "",
  };
}
