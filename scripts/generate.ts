import { generateCode } from "./generated-code.ts";

// `npm run generate`: writes proto/gen anew from the protos.
const error = await generateCode(".");
if (error !== undefined) {
  console.error(error);
  process.exitCode = 1;
}
