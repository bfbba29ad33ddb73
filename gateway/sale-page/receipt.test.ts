import "../testing/english-words.ts";
import { expect, it } from "vitest";
import type { PositionView } from "./browser/position-view.js";
import { positionCsv } from "./browser/receipt.js";

const figure = (exact: string) => ({ text: `about ${exact}`, exact });

it("has each commitment and what came of them, exactly, and quotes what would end a field", () => {
  const bid = {
    ...{ state: "accepted", badge: 'Accepted, "all"', detail: "", moment: "" },
    ...{ amount: figure("1390.970001"), price: figure("0.629"), id: figure("0x01"), time: "2026-01-31T12:00:00Z" },
  };
  const view = { wallet: figure("0xab"), bids: [bid], outcomes: [{ label: "Accepted", figure: figure("300") }] };
  expect(positionCsv(view as unknown as PositionView)).toBe(
    '"Address of the wallet","Commitment","Time","Amount","Price","State"\r\n' +
      '"0xab","0x01","2026-01-31T12:00:00Z","1390.970001","0.629","Accepted, ""all"""\r\n' +
      '"0xab","Accepted","","300","",""\r\n',
  );
});
