import { swapWords } from "../sale-page/browser/words.js";
import { EN } from "../web/texts/en.ts";

// For tests of modules that write texts: what a page's script does with its page's texts.
swapWords({ language: "en", texts: EN.sale });
