import { writeFile } from "node:fs/promises";
import { squareLogo, wideLogo } from "./demo-logos/draw.ts";
import { encodePng } from "./demo-logos/encode-png.ts";

// `node scripts/draw-demo-logos.ts` draws the logos of the demo application.
const folder = new URL("../services/demo/logos/", import.meta.url);
await writeFile(new URL("square.png", folder), await encodePng(squareLogo()));
await writeFile(new URL("wide.png", folder), await encodePng(wideLogo()));
