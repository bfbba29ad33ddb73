import type { DefinitionLine } from "../../../common/sale/words/definition-lines.ts";
import { plainText } from "./plain-text.ts";

/** Returns a line of a sale or its rules as a label and a text. Its detail, if it is a sentence, is one here as well. */
export function lineRow({ label, text, detail }: DefinitionLine): readonly [label: string, text: string] {
  if (detail === undefined) return [plainText(label), plainText(text)];
  const separator = /^\p{Lu}/u.test(detail) ? ". " : "; ";
  return [plainText(label), plainText(`${text}${separator}${detail}`)];
}
