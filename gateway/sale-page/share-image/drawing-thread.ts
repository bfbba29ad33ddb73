// The thread that draws images of sales, one after another. A message is a `DrawingRequest`; its answer a `DrawingAnswer`.

import { parentPort } from "node:worker_threads";
import { loadSkia } from "./drawing.ts";
import type { DrawingAnswer, DrawingRequest } from "./image-drawer.ts";
import { shareImage } from "./share-image.ts";

const skia = loadSkia();

parentPort?.on("message", async ({ id, facts }: DrawingRequest) => {
  const { answer, moved } = await drawn(id, facts);
  parentPort?.postMessage(answer, moved);
});

async function drawn(
  id: number,
  facts: DrawingRequest["facts"],
): Promise<{ answer: DrawingAnswer; moved: ArrayBuffer[] }> {
  try {
    const png = shareImage(await skia, facts);
    return { answer: { id, png }, moved: [png.buffer] };
  } catch (error) {
    return { answer: { id, error: String(error) }, moved: [] };
  }
}
