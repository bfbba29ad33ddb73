// read-number.js is made of this file, and has its types.
export { isNumber, type NotANumber, readExactNumber } from "../../../common/sale/words/read-number.ts";
