import { concatHex, encodeAbiParameters, type Hex, numberToHex, size, toFunctionSelector } from "viem";

const DISPATCH_BYTES = 11;
const ANSWER_BYTES = 14;

/** Returns the runtime code of a token that answers `decimals()` and `symbol()`, and nothing else. */
export function tokenCode({ decimals, symbol }: { readonly decimals: number; readonly symbol: string }): Hex {
  const answers = [
    { selector: toFunctionSelector("decimals()"), data: encodeAbiParameters([{ type: "uint8" }], [decimals]) },
    { selector: toFunctionSelector("symbol()"), data: encodeAbiParameters([{ type: "string" }], [symbol]) },
  ];
  // PUSH1 0 CALLDATALOAD PUSH1 224 SHR
  const head: Hex = "0x60003560e01c";
  const firstAnswer = size(head) + answers.length * DISPATCH_BYTES + 1;
  const firstData = firstAnswer + answers.length * ANSWER_BYTES;
  const place = (number: number) => numberToHex(number, { size: 2 });
  // DUP1 PUSH4 selector EQ PUSH2 place JUMPI
  const dispatch = answers.map(({ selector }, index) =>
    concatHex(["0x8063", selector, "0x1461", place(firstAnswer + index * ANSWER_BYTES), "0x57"]),
  );
  // JUMPDEST PUSH2 length DUP1 PUSH2 place PUSH1 0 CODECOPY PUSH1 0 RETURN
  const answer = answers.map(({ data }, index) => {
    const before = answers.slice(0, index).reduce((bytes, one) => bytes + size(one.data), 0);
    return concatHex(["0x5b61", place(size(data)), "0x8061", place(firstData + before), "0x6000396000f3"]);
  });
  // INVALID for any other call
  return concatHex([head, ...dispatch, "0xfe", ...answer, ...answers.map(({ data }) => data)]);
}
