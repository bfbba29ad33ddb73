import { writeFileSync } from "node:fs";
import { browserBundle } from "./browser-bundle.ts";
import { BROWSER_MODULES, BUNDLE, browserModuleOf } from "./browser-client.ts";
import { generateCode } from "./generated-code.ts";

// `npm run generate` generates proto/gen from the protos, and the modules for browsers from their sources.
const error = await generateCode(".");
if (error !== undefined) {
  console.error(error);
  process.exitCode = 1;
} else {
  for (const module of Object.keys(BROWSER_MODULES)) writeFileSync(module, browserModuleOf(module));
  writeFileSync(BUNDLE, await browserBundle());
}
