import { stripTypeScriptTypes } from "node:module";
import { parseAst } from "vitest/node";
import { leavesOf } from "../../../gateway/testing/text-leaves.ts";
import { readRepository } from "../repository/repository.ts";

/** A sentence that a module holds. */
export interface Prose {
  /** Text in the source, with `…` for values that are inserted at run time. */
  readonly text: string;
  /** Pattern that finds it in the text of a page, in either case. */
  readonly pattern: RegExp;
}

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** A place of a text, such as `{name}`. */
const PLACE = /\{\w+\}/;

/** Words and not a name, a path or a type: letters, a space, letters. */
const WORDS = /[A-Za-z’',:;.)] [A-Za-z0-9(<“]/;
/** Errors that only developers read. */
const NOT_SAID = /^(?:TypeError|RangeError)$/;

/**
 * The sentences that a module can say: its texts with a space in them. Those of `html` templates are left out, as a page
 * that is shown at all has them, but not what is put into them.
 *
 * @param path from the repository's root
 */
export function proseOf(path: string): readonly Prose[] {
  const source = readRepository(path);
  const found = new Map<string, Prose>();
  collect(parseAst(stripTypeScriptTypes(source)) as unknown as Node, found);
  return [...found.values()];
}

/** The sentences of texts by language, each form of a count included. @param texts a section of them */
export function proseOfTexts(texts: object): readonly Prose[] {
  const found = new Map<string, Prose>();
  for (const text of leavesOf(texts).values()) {
    for (const form of typeof text === "string" ? [text] : Object.values(text)) add(form.split(PLACE), found);
  }
  return [...found.values()];
}

function collect(node: Node, found: Map<string, Prose>): void {
  if (node.type === "ImportDeclaration" || isUnsaid(node)) return;
  if (node.type === "Literal" && typeof node["value"] === "string") add([node["value"]], found);
  if (node.type === "TemplateLiteral") add(quasisOf(node), found);
  for (const [key, value] of Object.entries(node)) {
    if (node.type === "TaggedTemplateExpression" && key === "quasi") {
      for (const child of childrenOf((value as Node)["expressions"])) collect(child, found);
    } else for (const child of childrenOf(value)) collect(child, found);
  }
}

function isUnsaid(node: Node): boolean {
  const callee = node["callee"] as Node | undefined;
  return node.type === "NewExpression" && NOT_SAID.test(String(callee?.["name"]));
}

function childrenOf(value: unknown): readonly Node[] {
  const values = Array.isArray(value) ? value : [value];
  return values.filter((one): one is Node => typeof one === "object" && one !== null && "type" in one);
}

function quasisOf(node: Node): readonly string[] {
  return childrenOf(node["quasis"]).map((quasi) => (quasi["value"] as { cooked: string }).cooked);
}

function add(parts: readonly string[], found: Map<string, Prose>): void {
  const text = parts.join("…");
  if (!WORDS.test(text)) return;
  const spaced = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+"));
  found.set(text, { text, pattern: new RegExp(spaced.join("[^\\n]*?"), "i") });
}
