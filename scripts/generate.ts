import { generateCode } from "./generated-code.ts";

// `npm run generate` generates proto/gen from the protos.
const error = await generateCode(".");
if (error !== undefined) {
  console.error(error);
  process.exitCode = 1;
}
