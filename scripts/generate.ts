import { writeFileSync } from "node:fs";
import { BROWSER_CLIENT, browserClient } from "./browser-client.ts";
import { generateCode } from "./generated-code.ts";

// `npm run generate` generates proto/gen from the protos, and the client for browsers from its source.
const error = await generateCode(".");
if (error !== undefined) {
  console.error(error);
  process.exitCode = 1;
} else {
  writeFileSync(BROWSER_CLIENT, browserClient());
}
