/** `isValidSignature(bytes32,bytes)`, which is also what a smart account answers for a signature of its own (EIP-1271). */
const IS_VALID_SIGNATURE = "1626ba7e";
const MAGIC_WORD = `0x${IS_VALID_SIGNATURE.padEnd(64, "0")}`;
const WORD_DIGITS = 64;

/** The call data of `isValidSignature`. @param digest, signature `0x` and hexadecimal digits */
export function isValidSignatureData(digest: string, signature: string): string {
  const bytes = signature.slice(2);
  const words = [digest.slice(2), wordOf(2 * (WORD_DIGITS / 2)), wordOf(bytes.length / 2)];
  const padded = bytes.padEnd(Math.ceil(bytes.length / WORD_DIGITS) * WORD_DIGITS, "0");
  return `0x${IS_VALID_SIGNATURE}${words.join("")}${padded}`;
}

/** Whether a call was answered by the magic value, as one word and nothing else. */
export function isMagicValue(answer: unknown): boolean {
  return typeof answer === "string" && answer.toLowerCase() === MAGIC_WORD;
}

function wordOf(number: number): string {
  return number.toString(16).padStart(WORD_DIGITS, "0");
}
