// timeline-rules.js is made of this file, and has its types.
export { timeline } from "../../../common/sale/state/timeline.ts";
