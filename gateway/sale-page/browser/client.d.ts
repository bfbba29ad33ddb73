// client.js is made of this file, and has its types.
export { isOlder, withDifference } from "../../../client/commitment-data.ts";
