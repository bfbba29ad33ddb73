import type { SaleDefinition } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { type ExactNumber, groupedText, timesPowerOfTen } from "./exact-number.ts";
import { tokenPrice } from "./sale-definition-form.ts";

/** A setting, as users read it and as the services store it. */
export interface DefinitionLine {
  readonly label: string;
  readonly text: string;
  /** Line below the text, mostly the exact figure in smallest units; absent where the text is enough. */
  readonly exact?: string;
}

/** The fields of a definition that are shown. */
export type ShownDefinition = Pick<
  SaleDefinition,
  "paymentTokens" | "paymentTokenDecimals" | "offeredTokenDecimals" | "priceTick" | "pricing" | "source"
>;

/** Returns a definition as lines to read, each with its exact figure. */
export function definitionLines(definition: ShownDefinition): readonly DefinitionLine[] {
  return [...priceLines(definition), ...tokenLines(definition), sourceLine(definition)];
}

function priceLines(definition: ShownDefinition): readonly DefinitionLine[] {
  const { pricing, priceTick } = definition;
  const line = (label: string, ticks: bigint): DefinitionLine => ({
    label,
    text: priceText(definition, tokenPrice(definition, ticks)),
    exact: `${ticks} × ${priceTick?.numerator}/${priceTick?.denominator}, smallest payment units per smallest offered unit`,
  });
  const tick: DefinitionLine = {
    label: "Price tick",
    text: priceText(definition, tokenPrice(definition, 1n)),
    exact: `${priceTick?.numerator}/${priceTick?.denominator}`,
  };
  if (pricing.case !== "auction") return [line("Price", pricing.value?.priceTicks ?? 0n), tick];
  const { offeredAmount, floorTicks, incrementTicks } = pricing.value;
  return [
    offeredLine(definition, offeredAmount),
    line("Lowest price", floorTicks),
    line("Price step", incrementTicks),
    tick,
  ];
}

function offeredLine({ offeredTokenDecimals = 0 }: ShownDefinition, offeredAmount: string): DefinitionLine {
  const amount = timesPowerOfTen({ numerator: BigInt(offeredAmount), denominator: 1n }, -offeredTokenDecimals);
  return {
    label: "For sale",
    text: `${groupedText(amount)} ${offeredTokenDecimals === 0 ? "smallest units" : "tokens"}`,
    exact: `${offeredAmount} smallest offered units`,
  };
}

function priceText({ paymentTokens, offeredTokenDecimals }: ShownDefinition, price: ExactNumber): string {
  const isUsd = paymentTokens.length > 0 && paymentTokens.every(({ usdStablecoin }) => usdStablecoin);
  const per = offeredTokenDecimals === undefined ? "per smallest offered unit" : "per token";
  return `${groupedText(price)} ${isUsd ? "dollars" : "payment tokens"} ${per}`;
}

function tokenLines({
  paymentTokens,
  paymentTokenDecimals,
  offeredTokenDecimals,
}: ShownDefinition): readonly DefinitionLine[] {
  const tokens = paymentTokens.map(({ address, decimals, usdStablecoin }) => ({
    label: "Paid in",
    text: address,
    exact: `${decimals} decimals${usdStablecoin ? ", a dollar stablecoin" : ""}`,
  }));
  const common = new Set(paymentTokens.map(({ decimals }) => decimals)).size > 1;
  return [
    ...tokens,
    ...(common ? [{ label: "Added up in", text: `${paymentTokenDecimals ?? "?"} decimals` }] : []),
    {
      label: "Offered token",
      text: offeredTokenDecimals === undefined ? "decimals not set" : `${offeredTokenDecimals} decimals`,
    },
  ];
}

function sourceLine({ source }: ShownDefinition): DefinitionLine {
  const label = "Commitments";
  if (source.case === "evm") return { label, text: `read from ${source.value.contract} on ${source.value.chain}` };
  if (source.case === "svm") return { label, text: `read from ${source.value.saleAccount} on ${source.value.chain}` };
  return { label, text: "sent by one of your services" };
}
