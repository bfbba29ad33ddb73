// Loaded before `npm start` (`node --import`): our modules name each other by their exact paths, so nothing has to be looked for. Node
// would ask the disk, and the package.json files above, at each of 7,000 imports, which is a tenth of a start. In plain JavaScript,
// as Node would load its TypeScript compiler for it.
import { registerHooks } from "node:module";

registerHooks({
  resolve(specifier, context, next) {
    if (!specifier.startsWith(".") || !specifier.endsWith(".ts")) return next(specifier, context);
    return { url: new URL(specifier, context.parentURL).href, format: "module-typescript", shortCircuit: true };
  },
});
