import { concatHex, encodeAbiParameters, type Hex, numberToHex, padHex, size, stringToHex } from "viem";

/** `PUSH2` of a number. */
const push2 = (value: number): Hex => concatHex(["0x61", numberToHex(value, { size: 2 })]);
/** Jumps to `target` if the selector on the stack is this one. */
const jumpFor = (selector: Hex, target: number): Hex =>
  concatHex(["0x80", "0x63", selector, "0x14", push2(target), "0x57"]);

/** The answer of `symbol()` as a `string`. */
export function stringSymbol(symbol: string): Hex {
  return encodeAbiParameters([{ type: "string" }], [symbol]);
}

/** The answer of `symbol()` as `bytes32`, as some old tokens give it. */
export function bytes32Symbol(symbol: string): Hex {
  return padHex(stringToHex(symbol), { dir: "right", size: 32 });
}

/** Returns the creation code of a token that has `decimals()` and `symbol()` and nothing else. */
export function tokenCreationCode(decimals: number, symbolAnswer: Hex): Hex {
  const selector: Hex = "0x60003560e01c";
  const revert: Hex = "0x60006000fd";
  const decimalsAt = size(selector) + 2 * size(jumpFor("0x00000000", 0)) + size(revert);
  const answerDecimals = concatHex(["0x5b60", numberToHex(decimals, { size: 1 }), "0x60005260206000f3"]);
  const symbolAt = decimalsAt + size(answerDecimals);
  const length = size(symbolAnswer);
  const answerSymbol = (dataAt: number) =>
    concatHex(["0x5b", push2(length), push2(dataAt), "0x600039", push2(length), "0x6000f3"]);
  const dataAt = symbolAt + size(answerSymbol(0));
  const runtime = concatHex([
    selector,
    jumpFor("0x313ce567", decimalsAt),
    jumpFor("0x95d89b41", symbolAt),
    revert,
    answerDecimals,
    answerSymbol(dataAt),
    symbolAnswer,
  ]);
  const creation = (at: number) => concatHex([push2(size(runtime)), "0x80", push2(at), "0x6000396000f3"]);
  return concatHex([creation(size(creation(0))), runtime]);
}
