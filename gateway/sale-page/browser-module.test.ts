import { readdirSync, readFileSync } from "node:fs";
import { Script } from "node:vm";
import { expect, it } from "vitest";
import { browserModule, sharedModule } from "./browser-module.ts";

const scriptsIn = (folder: string) =>
  readdirSync(new URL(folder, import.meta.url)).filter((name) => name.endsWith(".js"));

it.each([
  ...scriptsIn("browser/").map((name) => [name, browserModule(name)] as const),
  ...scriptsIn("../web/browser/").map((name) => [name, sharedModule(name)] as const),
])("leaves %s a script without its comments, which loads others from its own folder", (_, source) => {
  expect(source).not.toMatch(/^ *(?:\/\*\*|\/\/)/m);
  for (const [, path] of source.matchAll(/^import [^;]*from "([^"]+)"/gm)) expect(path).toMatch(/^\.\/[\w-]+\.js$/);
  // A script has neither imports and exports nor `import.meta`.
  const script = source
    .replace(/^import [^;]*;\n/gm, "")
    .replace(/^export /gm, "")
    .replaceAll("import.meta", "meta");
  expect(() => new Script(script)).not.toThrow();
});

/** Returns the texts in a module, without the code within templates. */
function textsOf(source: string): readonly string[] {
  const code = source.replace(/^ *(?:\/\*\*[\s\S]*?\*\/|\/\/.*)\n/gm, "").replace(/^import .*;\n/gm, "");
  const texts = code.match(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g) ?? [];
  return texts.map((text) => text.replace(/\$\{[^}]*\}/g, ""));
}

it.each(scriptsIn("browser/"))("changes no text of %s", (name) => {
  const source = readFileSync(new URL(`browser/${name}`, import.meta.url), "utf8");
  expect(textsOf(browserModule(name))).toStrictEqual(textsOf(source));
});
