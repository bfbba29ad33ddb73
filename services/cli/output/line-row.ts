import type { DefinitionLine } from "../../../common/sale/words/definition-lines.ts";
import { terminalText } from "./terminal-text.ts";

/** Returns a line of a sale or its rules as a label and a text. Its detail, if it is a sentence, is one here as well. */
export function lineRow({ label, text, detail }: DefinitionLine): readonly [label: string, text: string] {
  if (detail === undefined) return [terminalText(label), terminalText(text)];
  const separator = /^\p{Lu}/u.test(detail) ? ". " : "; ";
  return [terminalText(label), terminalText(`${text}${separator}${detail}`)];
}
