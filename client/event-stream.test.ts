import { createParser, type EventSourceMessage } from "eventsource-parser";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventParser, type StreamEvent } from "./event-stream.ts";

const parse = (...chunks: readonly Uint8Array[]) => {
  const parser = new EventParser();
  return chunks.flatMap((chunk) => parser.push(chunk));
};
/** Returns the events that `eventsource-parser` reads. */
function eventsOf(text: string): StreamEvent[] {
  const events: StreamEvent[] = [];
  const onEvent = ({ event = "message", id = "", data }: EventSourceMessage) => void events.push({ event, id, data });
  createParser({ onEvent }).feed(text);
  return events;
}

const bytes = (text: string) => new TextEncoder().encode(text);

describe("EventParser", () => {
  it.each(["\n", "\r\n", "\r"])("reads fields, comments, several lines of data and %j as line break", (end) => {
    const lines = [
      "retry: 2000",
      "",
      ": comment",
      "event: body",
      "id: a-1",
      "data: {",
      "data:1}",
      "",
      "data",
      "",
      "",
      "x",
    ];
    expect(parse(bytes(lines.join(end)))).toEqual([
      { event: "body", id: "a-1", data: "{\n1}" },
      { event: "message", id: "", data: "" },
    ]);
  });

  it("reads what another parser reads, whatever the text is", () => {
    const piece = fc.constantFrom(
      "data",
      "event",
      "id",
      "x",
      ":",
      " ",
      "\u2028",
      "\u2029",
      "\u0085",
      "\v",
      "\f",
      "{}",
      "😀",
    );
    const line = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
    const lines = fc.array(fc.oneof(line, fc.constantFrom("", "data: 1", "data:", "event: body", "id: a")), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(lines, fc.constantFrom("\n", "\r\n", "\r"), (texts, end) => {
        const text = `${texts.join(end)}${end}${end}x`;
        expect(parse(bytes(text))).toEqual(eventsOf(text));
      }),
    );
  });

  it("reads the same however the bytes are divided", () => {
    const text = bytes("event: body\r\nid: a-1\r\ndata: 1 € 😀\r\n\r\nevent: state\ndata: 2\n\n");
    const whole = parse(text);
    expect(whole).toHaveLength(2);
    const cuts = fc.array(fc.nat(text.length));
    fc.assert(
      fc.property(cuts, (places) => {
        const sorted = [0, ...places.toSorted((a, b) => a - b), text.length];
        const chunks = sorted.slice(1).map((end, index) => text.slice(sorted[index], end));
        expect(parse(...chunks)).toEqual(whole);
      }),
    );
  });
});
