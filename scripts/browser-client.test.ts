import { expect } from "vitest";
import { itOnNode } from "../services/shared/testing/it-on-node.ts";
import { readRepository } from "../test/support/repository.ts";

itOnNode("only Node takes types out of a text")("browsers run the client's present code", async () => {
  const { BROWSER_CLIENT, browserClient } = await import("./browser-client.ts");
  expect(readRepository(BROWSER_CLIENT)).toBe(browserClient());
});
