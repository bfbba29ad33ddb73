import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { openApiDocument } from "../gateway/openapi/openapi-document.ts";
import { extraScript, saleScript } from "../gateway/sale-page/sale-script.ts";
import { ROOT } from "./test/run-command.ts";

/** The document's own origin, which the mock replaces by the one at which it is called. */
const DOCUMENT_ORIGIN = "https://tidemark.example";

/** The texts that the mock answers from. */
interface MockFiles {
  /** OpenAPI document of everything public. */
  readonly document: string;
  /** Script of `<tidemark-sale>`. */
  readonly element: string;
  /** Its second part. */
  readonly elementExtras: string;
}

export function mockFiles(): MockFiles {
  const auth = { authUrl: DOCUMENT_ORIGIN, publicBaseUrl: DOCUMENT_ORIGIN };
  const document = JSON.stringify(openApiDocument({ pathPrefix: "svc", auth, hasPublicCalls: true }));
  return { document, element: saleScript(), elementExtras: extraScript() };
}

/**
 * Lays out the client's npm package in a folder: `.js` and `.d.ts` of its sources, the mock with its files, package.json and
 * licence. Then packs it there.
 *
 * @returns path of the packed file
 */
export function packClient(folder: string): string {
  const target = resolve(folder);
  mkdirSync(target, { recursive: true });
  for (const project of ["client", "client/mock"]) {
    execFileSync("tsc", ["-p", project, "--outDir", target], { cwd: ROOT, stdio: "inherit" });
  }
  const { document, element, elementExtras } = mockFiles();
  writeFileSync(join(target, "mock/openapi.json"), document);
  writeFileSync(join(target, "mock/tidemark-sale.js"), element);
  writeFileSync(join(target, "mock/tidemark-sale-extras.js"), elementExtras);
  copyFileSync(join(ROOT, "client/package.json"), join(target, "package.json"));
  copyFileSync(join(ROOT, "LICENSE"), join(target, "LICENSE"));
  const packed = execFileSync("npm", ["pack", "--json", "--ignore-scripts"], { cwd: target, encoding: "utf8" });
  const [{ filename }] = Object.values<{ filename: string }>(JSON.parse(packed)) as [{ filename: string }];
  return join(target, filename);
}

if (import.meta.main) console.log(packClient(process.argv[2] ?? join(ROOT, "data/client-package")));
