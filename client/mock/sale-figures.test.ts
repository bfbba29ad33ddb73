import { expect, it } from "vitest";
import { LIST_LIMIT } from "../../common/sale/figures/public-list.ts";
import { mockFiles } from "../../scripts/client-package.ts";
import { MockDocument } from "./document.ts";
import { SaleFigures } from "./sale-figures.ts";

it("lists as many commitments as the service, and takes the oldest out for each later one", () => {
  const figures = new SaleFigures(new MockDocument(mockFiles().document, "svc"), () => 1_764_000_000_000);
  const idsOf = () =>
    (figures.body(new Map())["Commitments"] as { CommitmentID: string }[]).map((one) => one.CommitmentID);
  while (figures.count < LIST_LIMIT) figures.grow();
  expect(figures.difference(new Map(), "a-1")).toMatchObject({ Removed: [] });
  const full = idsOf();
  figures.grow();
  expect([full.length, idsOf().length]).toEqual([LIST_LIMIT, LIST_LIMIT]);
  expect(figures.difference(new Map(), "a-1")).toMatchObject({ Removed: [full.at(-1)] });
});
