/** A signed distance function: the distance of a point from the edge of a shape, in pixels, negative inside. */
export type Shape = (x: number, y: number) => number;

type Point = readonly [x: number, y: number];

/** A rectangle with round corners. */
export function roundedBox([left, top]: Point, [width, height]: Point, radius: number): Shape {
  const [middleX, middleY] = [left + width / 2, top + height / 2];
  return (x, y) => {
    const [dx, dy] = [Math.abs(x - middleX) - width / 2 + radius, Math.abs(y - middleY) - height / 2 + radius];
    return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - radius;
  };
}

export function disc([centreX, centreY]: Point, radius: number): Shape {
  return (x, y) => Math.hypot(x - centreX, y - centreY) - radius;
}

/** A line through points, with round ends. */
export function stroke(points: readonly Point[], width: number): Shape {
  const segments = points.slice(1).map((end, index) => segment(points[index] ?? end, end));
  return (x, y) => Math.min(...segments.map((distance) => distance(x, y))) - width / 2;
}

/** Points on an arc of an ellipse. Angles are in degrees, clockwise from the right. */
export function arc([centreX, centreY]: Point, [radiusX, radiusY]: Point, from: number, to: number): Point[] {
  const steps = 64;
  return Array.from({ length: steps + 1 }, (_, step) => {
    const angle = ((from + ((to - from) * step) / steps) * Math.PI) / 180;
    return [centreX + radiusX * Math.cos(angle), centreY + radiusY * Math.sin(angle)];
  });
}

export function union(...shapes: readonly Shape[]): Shape {
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
