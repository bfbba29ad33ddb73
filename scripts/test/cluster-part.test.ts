import { expect, it } from "vitest";
import { readRepository } from "../../test/support/repository/repository.ts";
import { unseen } from "./cluster-part.ts";

it("reads the list of what isn't shown, with lines that go on", () => {
  const page =
    "# A\n\n- other\n\n### What the tests on a real API server don't show\n\nText:\n\n- one\n  and more\n- two\n\n## B\n\n- three\n";
  expect(unseen(page)).toEqual(["one and more", "two"]);
});

it.each(["network policies", "probes", "image"])("names what the documentation says isn't shown: %s", (name) => {
  const list = unseen(readRepository("docs/kubernetes.md"));
  expect(list.some((line) => line.includes(name))).toBe(true);
});
