import { writeFile } from "node:fs/promises";
import { encodePng } from "../common/platform/images/encode-png.ts";
import { squareLogo, wideLogo } from "./demo-logos/draw.ts";

// `node scripts/draw-demo-logos.ts` draws the logos of the demo application.
const folder = new URL("../services/demo/logos/", import.meta.url);
await writeFile(new URL("square.png", folder), await encodePng(squareLogo()));
await writeFile(new URL("wide.png", folder), await encodePng(wideLogo()));
