import { gzipSync } from "node:zlib";
import { expect } from "vitest";
import { itOnNode } from "../common/platform/testing/it-on-node.ts";
import { readRepository } from "../test/support/repository/repository.ts";
import { BUNDLE } from "./browser-client.ts";

/** Bound of what the page of checks loads in all. */
const MOST_BYTES = 300_000;

itOnNode("only Node loads the bundler")(
  "the module that compares in a browser is what its sources make, and fits the page",
  async () => {
    const { browserBundle } = await import("./browser-bundle.ts");
    const bundle = await browserBundle();
    expect(bundle === readRepository(BUNDLE)).toBe(true);
    expect(gzipSync(bundle).length).toBeLessThan(MOST_BYTES);
    expect(bundle).not.toMatch(/\busing [a-zA-Z_$]+=/);
    // Browsers have no module of Node.
    expect(bundle).not.toMatch(/from\s*"node:/);
  },
);
