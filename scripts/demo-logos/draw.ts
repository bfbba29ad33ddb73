import type { Picture } from "./encode-png.ts";

type Colour = readonly [red: number, green: number, blue: number];

/** A shape with its colours at the top and at the bottom of the picture. */
interface Layer {
  readonly shape: Shape;
  readonly colours: readonly [top: Colour, bottom: Colour];
}

const CORAL: Colour = [0xff, 0x7a, 0x59];
const PLUM: Colour = [0xa2, 0x2b, 0x6d];
const AMBER: Colour = [0xff, 0xd1, 0x66];
const WHITE: Colour = [0xff, 0xff, 0xff];
const INK: Colour = [0x35, 0x1c, 0x3f];

const MARK_SIZE = 224;
const WORD_LEFT = 268;
const WORD_TOP = 66;
const LETTER_HEIGHT = 92;
const PEN = 19;

/** Draws the square logo: rising bars, as a symbol of bids. */
export function squareLogo(): Picture {
  return paint(MARK_SIZE, MARK_SIZE, mark());
}

/** Draws the wide logo: the square one and the word DEMO. */
export function wideLogo(): Picture {
  return paint(724, MARK_SIZE, [...mark(), inOneColour(word(), INK)]);
}

function mark(): Layer[] {
  const bar = (left: number, top: number) => roundedBox([left, top], [34, 180 - top], 10);
  return [
    { shape: roundedBox([0, 0], [MARK_SIZE, MARK_SIZE], 52), colours: [CORAL, PLUM] },
    inOneColour(union(bar(45, 134), bar(95, 106), bar(145, 82)), WHITE),
    inOneColour(disc([162, 53], 17), AMBER),
  ];
}

function word(): Shape {
  const [top, bottom, middle] = [WORD_TOP, WORD_TOP + LETTER_HEIGHT, WORD_TOP + LETTER_HEIGHT / 2];
  const radius = LETTER_HEIGHT / 2;
  const [d, e, m, o] = [WORD_LEFT, WORD_LEFT + 112, WORD_LEFT + 204, WORD_LEFT + 394];
  return union(
    stroke([[d, top], ...arc([d + 30, middle], [46, radius], -90, 90), [d, bottom], [d, top]], PEN),
    stroke(
      [
        [e + 56, top],
        [e, top],
        [e, bottom],
        [e + 56, bottom],
      ],
      PEN,
    ),
    stroke(
      [
        [e, middle],
        [e + 46, middle],
      ],
      PEN,
    ),
    stroke(
      [
        [m, bottom],
        [m, top],
        [m + 50, top + 62],
        [m + 100, top],
        [m + 100, bottom],
      ],
      PEN,
    ),
    stroke(arc([o, middle], [radius + 2, radius], 0, 360), PEN),
  );
}

function inOneColour(shape: Shape, colour: Colour): Layer {
  return { shape, colours: [colour, colour] };
}

/** Paints the layers in order, with soft edges, on a transparent background. */
function paint(width: number, height: number, layers: readonly Layer[]): Picture {
  const pixels = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) pixels.set(pixelAt(x, y, height, layers), (y * width + x) * 4);
  }
  return { width, height, pixels };
}

function pixelAt(x: number, y: number, height: number, layers: readonly Layer[]): number[] {
  let [colour, opacity]: [readonly number[], number] = [[0, 0, 0], 0];
  for (const { shape, colours } of layers) {
    const cover = Math.min(Math.max(0.5 - shape(x + 0.5, y + 0.5), 0), 1);
    if (cover === 0) continue;
    const over = mixed(colours[0], colours[1], y / height);
    const total = cover + opacity * (1 - cover);
    colour = mixed(colour, over, cover / total);
    opacity = total;
  }
  return [...colour.map(Math.round), Math.round(opacity * 255)];
}

function mixed(from: readonly number[], to: readonly number[], share: number): number[] {
  return from.map((value, index) => value + ((to[index] ?? 0) - value) * share);
}

/** A signed distance function: the distance of a point from the edge of a shape, in pixels, negative inside. */
type Shape = (x: number, y: number) => number;

type Point = readonly [x: number, y: number];

/** A rectangle with round corners. */
function roundedBox([left, top]: Point, [width, height]: Point, radius: number): Shape {
  const [middleX, middleY] = [left + width / 2, top + height / 2];
  return (x, y) => {
    const [dx, dy] = [Math.abs(x - middleX) - width / 2 + radius, Math.abs(y - middleY) - height / 2 + radius];
    return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - radius;
  };
}

function disc([centreX, centreY]: Point, radius: number): Shape {
  return (x, y) => Math.hypot(x - centreX, y - centreY) - radius;
}

/** A line through points, with round ends. */
function stroke(points: readonly Point[], width: number): Shape {
  const segments = points.slice(1).map((end, index) => segment(points[index] ?? end, end));
  return (x, y) => Math.min(...segments.map((distance) => distance(x, y))) - width / 2;
}

/** Points on an arc of an ellipse. Angles are in degrees, clockwise from the right. */
function arc([centreX, centreY]: Point, [radiusX, radiusY]: Point, from: number, to: number): Point[] {
  const steps = 64;
  return Array.from({ length: steps + 1 }, (_, step) => {
    const angle = ((from + ((to - from) * step) / steps) * Math.PI) / 180;
    return [centreX + radiusX * Math.cos(angle), centreY + radiusY * Math.sin(angle)];
  });
}

function union(...shapes: readonly Shape[]): Shape {
  return (x, y) => Math.min(...shapes.map((shape) => shape(x, y)));
}

function segment([startX, startY]: Point, [endX, endY]: Point): Shape {
  const [spanX, spanY] = [endX - startX, endY - startY];
  const squared = spanX * spanX + spanY * spanY;
  return (x, y) => {
    const along = squared === 0 ? 0 : ((x - startX) * spanX + (y - startY) * spanY) / squared;
    const clamped = Math.min(Math.max(along, 0), 1);
    return Math.hypot(x - startX - clamped * spanX, y - startY - clamped * spanY);
  };
}
