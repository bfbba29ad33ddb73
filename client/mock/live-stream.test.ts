import { expect, it } from "vitest";
import { mockFiles } from "../../scripts/client-package.ts";
import { MockDocument } from "./document.ts";
import { LiveStream } from "./live-stream.ts";
import { SaleFigures } from "./sale-figures.ts";
import { TokenStore } from "./tokens.ts";

const now = () => 1_764_000_000_000;

/** Opens a stream whose states can be changed. */
async function opened(states: Record<string, string>, lastId: (figures: SaleFigures) => string = () => "") {
  const document = new MockDocument(mockFiles().document, "svc");
  const figures = new SaleFigures(document, now);
  const sent: string[] = [];
  const target = {
    write: (text: string) => sent.push(/^event: (\w+)$/m.exec(text)?.[1] ?? "retry"),
    end: () => void sent.push("end"),
  };
  const call = {
    ...{ document, figures, now, tokens: await TokenStore.create(now), operation: document.named("stream") },
    ...{ states: new Map(), origin: "http://mock", query: new URLSearchParams(), headers: new Headers() },
    ...{ fields: { SaleUUID: "11111111-1111-4111-8111-111111111111" }, grant: undefined },
  };
  const stream = new LiveStream(call, () => new Map(Object.entries(states)), target);
  stream.open(lastId(figures));
  return {
    stream,
    states,
    figures,
    /** Returns the events since the last time. */
    events: () => sent.splice(0),
  };
}

const FIRST = ["retry", "state", "sale", "body"];

it("a live stream sends a difference for each commitment, and a body after several", async () => {
  const { stream, figures, events } = await opened({});
  expect(events()).toEqual(FIRST);
  figures.grow();
  stream.update();
  expect(events()).toEqual(["difference"]);
  figures.grow();
  figures.grow();
  stream.update();
  stream.heartbeat();
  expect(events()).toEqual(["body", "heartbeat"]);
});

it("sends what the sale is and how current it is only where that is new, and the figures in other states anew", async () => {
  const { stream, states, figures, events } = await opened({});
  events();
  Object.assign(states, { feed: "standing-still" });
  figures.change();
  stream.update();
  expect(events()).toEqual(["state", "body"]);
  Object.assign(states, { Stage: "closed" });
  figures.change();
  stream.update();
  expect(events()).toEqual(["sale", "body"]);
});

it("a still stream has heartbeats only, a silent one nothing, and one that ends its first events", async () => {
  const still = await opened({ stream: "still" });
  const silent = await opened({ stream: "silent" });
  for (const { stream, figures, events } of [still, silent]) {
    expect(events()).toEqual(FIRST);
    figures.grow();
    stream.update();
    stream.heartbeat();
  }
  expect([still.events(), silent.events()]).toEqual([["heartbeat"], []]);
  expect((await opened({ stream: "ends" })).events()).toEqual([...FIRST, "end"]);
});

it("goes on after the state that the client has", async () => {
  const { events } = await opened({}, (figures) => figures.id);
  expect(events()).toEqual(["retry", "state", "sale"]);
});
