import { expect, it } from "vitest";
import { ImageDrawer } from "./image-drawer.ts";
import type { ShareFacts } from "./share-image.ts";

const FACTS: ShareFacts = { name: "Harbour", logo: undefined, kind: "Token sale", figures: [], asOf: "Now" };
/** Facts that break the drawing. */
const BROKEN = { ...FACTS, figures: undefined } as unknown as ShareFacts;

it("draws several images one after another, and goes on after one that fails", async () => {
  const drawer = new ImageDrawer();
  const [first, broken, second] = await Promise.allSettled([FACTS, BROKEN, FACTS].map((facts) => drawer.draw(facts)));
  expect(broken).toMatchObject({ status: "rejected", reason: { message: expect.stringContaining("TypeError") } });
  expect(first).toMatchObject({ status: "fulfilled" });
  expect(second).toStrictEqual(first);
  expect(drawer.threadsStarted).toBe(2);
}, 60_000);

it("gives up an image that takes too long", async () => {
  await expect(new ImageDrawer({ timeoutMs: 0 }).draw(FACTS)).rejects.toThrow("the image took too long");
}, 60_000);

it("ends its thread when there is nothing to draw, and starts another one for the next image", async () => {
  const drawer = new ImageDrawer({ idleMs: 0 });
  const first = await drawer.draw(FACTS);
  await expect.poll(() => drawer.isRunning, { timeout: 30_000 }).toBe(false);
  expect(await drawer.draw(FACTS)).toStrictEqual(first);
}, 60_000);
