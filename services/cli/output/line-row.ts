import type { DefinitionLine } from "../../../common/sale/words/definition-lines.ts";
import { plainText } from "./plain-text.ts";

/** Returns a line of a sale or its rules as a label and a text. */
export function lineRow({ label, text, detail }: DefinitionLine): readonly [label: string, text: string] {
  return [plainText(label), plainText(detail === undefined ? text : `${text}; ${detail}`)];
}
