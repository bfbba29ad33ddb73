/** A point, with y upwards. */
export type Point = readonly [x: number, y: number];

/** Degrees between the points of an arc, which is drawn as short lines. */
const ARC_STEP = 7.5;
/** Strokes by their path: there are as many paths as letters. */
const cache = new Map<string, readonly (readonly Point[])[]>();
const COMMAND = /([MLAO])([^MLAO]*)/g;

/** Returns the strokes of a path in the notation of `glyphs.ts`, each as the points that its lines connect. */
export function strokesOf(path: string): readonly (readonly Point[])[] {
  const strokes = cache.get(path) ?? parsed(path);
  cache.set(path, strokes);
  return strokes;
}

function parsed(path: string): readonly (readonly Point[])[] {
  const strokes: Point[][] = [];
  for (const [, command, parameters = ""] of path.matchAll(COMMAND)) {
    const [a = 0, b = 0, rx = 0, ry = 0, from = 0, to = 360] = parameters.split(",").map(Number);
    const isNew = command === "M" || command === "O" || strokes.length === 0;
    if (isNew) strokes.push([]);
    const isLine = command === "M" || command === "L";
    strokes.at(-1)?.push(...(isLine ? [[a, b] as const] : arc([a, b], [rx, ry], [from, to])));
  }
  return strokes;
}

function arc([x, y]: Point, [rx, ry]: Point, [from, to]: readonly [number, number]): Point[] {
  const steps = Math.ceil(Math.abs(to - from) / ARC_STEP);
  return Array.from({ length: steps + 1 }, (_, step) => {
    const angle = ((from + ((to - from) * step) / steps) * Math.PI) / 180;
    return [x + rx * Math.cos(angle), y + ry * Math.sin(angle)];
  });
}
