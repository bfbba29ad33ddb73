import { describe, expect, it } from "vitest";
import { checkpointsAnswer, courseAnswer, ticksAnswer } from "../../../test/support/chains/auction-course-answers.ts";
import { decodeCheckpoints, decodeCourse, decodeTicks } from "./decode-course.ts";
import type { Checkpoint } from "./fills/checkpoint.ts";

const NO_TICK = 2n ** 256n - 1n;

const checkpointOf = (block: bigint): Checkpoint => ({
  block,
  price: 2n ** 160n - block,
  raisedAtPrice: 2n ** 255n + block,
  mpsPerPrice: 3n ** 100n + block,
  mps: 10_000_000n,
});
const tickOf = (price: bigint) => ({ price, demand: 2n ** 200n + price });

describe("the decoders of an auction's course", () => {
  it("take what they are asked for", () => {
    const course = { storedBlock: 5n, made: checkpointOf(8n), isGraduated: true, ancestor: "ef".repeat(32) };
    expect(decodeCourse(courseAnswer(course))).toEqual(course);
    const checkpoints = [9n, 7n, 4n].map(checkpointOf);
    expect(decodeCheckpoints(checkpointsAnswer(3n, checkpoints), 9n, 3n)).toEqual({ checkpoints, next: 3n });
    expect(decodeCheckpoints(checkpointsAnswer(0n, checkpoints), 9n, 4n)).toEqual({ checkpoints, next: 0n });
    const ticks = [4n, 7n, 9n].map(tickOf);
    expect(decodeTicks(ticksAnswer(10n, ticks), 4n, 3n)).toEqual({ ticks, next: 10n });
    expect(decodeTicks(ticksAnswer(NO_TICK, ticks), 4n, 4n)).toEqual({ ticks, next: undefined });
  });

  it("begin their answers with a number that no node takes for the code of another format", () => {
    const course = {
      storedBlock: 2n ** 64n - 1n,
      made: checkpointOf(8n),
      isGraduated: true,
      ancestor: "ef".repeat(32),
    };
    expect(courseAnswer(course).slice(2, 4)).toBe("00");
  });

  it.each<[string, bigint, readonly bigint[]]>([
    ["another first one", 0n, [8n, 7n]],
    ["one twice", 0n, [9n, 9n]],
    ["an ascending one", 0n, [9n, 10n]],
    ["a next one that was there", 7n, [9n, 8n, 7n]],
    ["fewer than follow", 6n, [9n, 8n]],
    ["none", 0n, []],
    ["too many", 0n, [9n, 8n, 7n, 6n]],
  ])("refuse checkpoints with %s", (_, next, blocks) => {
    const answer = checkpointsAnswer(next, blocks.map(checkpointOf));
    expect(() => decodeCheckpoints(answer, 9n, 3n)).toThrow(RangeError);
  });

  it.each<[string, bigint, readonly bigint[]]>([
    ["another first one", NO_TICK, [5n, 7n]],
    ["one twice", NO_TICK, [4n, 4n]],
    ["a descending one", NO_TICK, [4n, 3n]],
    ["a next one that was there", 6n, [4n, 5n, 6n]],
    ["fewer than follow", 6n, [4n, 5n]],
    ["none", NO_TICK, []],
    ["too many", NO_TICK, [4n, 5n, 6n, 7n]],
  ])("refuse ticks with %s", (_, next, prices) => {
    expect(() => decodeTicks(ticksAnswer(next, prices.map(tickOf)), 4n, 3n)).toThrow(RangeError);
  });

  it("refuse answers of another length", () => {
    const course = { storedBlock: 5n, made: checkpointOf(8n), isGraduated: true, ancestor: "ef".repeat(32) };
    expect(() => decodeCourse(`${courseAnswer(course)}${"0".repeat(64)}`)).toThrow("352 bytes instead of 320");
    const checkpoints = checkpointsAnswer(0n, [checkpointOf(9n)]);
    expect(() => decodeCheckpoints(`${checkpoints}${"0".repeat(64)}`, 9n, 3n)).toThrow("160 bytes aren't those of");
  });
});
