import { expect } from "vitest";
import { itOnNode } from "../common/platform/testing/it-on-node.ts";
import { readRepository } from "../test/support/repository/repository.ts";

itOnNode("only Node takes types out of a text")("browsers run the present code of what they share", async () => {
  const { BROWSER_MODULES, browserModuleOf } = await import("./browser-client.ts");
  for (const module of Object.keys(BROWSER_MODULES)) expect(readRepository(module)).toBe(browserModuleOf(module));
});
