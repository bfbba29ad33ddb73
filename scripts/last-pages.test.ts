import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "./test/run-command.ts";

/** The lists whose pages are also bounded by bytes; their stores read one row more themselves. */
const BOUNDED_BY_BYTES = [
  "services/commitments/allocations/list-wallet-allocations-rpc.ts",
  "services/commitments/positions/get-position-rpc.ts",
];

/** Whether code answers with a page of a list that `readPage` hasn't read, and that may so name another page after the last. */
function pagesItself(code: string): boolean {
  return /\bnextPageToken\b/.test(code) && !code.includes("readPage(");
}

it("every list of a service is read by readPage, which knows whether a full page is the last one", () => {
  const files = globSync("services/{auth,commitments,entities}/**/*.ts", {
    cwd: ROOT,
    exclude: ["**/*.test.ts", "**/testing/**"],
  });
  const found = files.filter((path) => pagesItself(readFileSync(join(ROOT, path), "utf8")));
  expect(found.toSorted()).toEqual(BOUNDED_BY_BYTES);
});

it("a list that makes its token itself is noticed", () => {
  expect(pagesItself("return { rows, nextPageToken: rows.length < limit ? last : '' };")).toBe(true);
  expect(pagesItself("const { items, nextPageToken } = await readPage(size, read, token);")).toBe(false);
});
