// message.js is made of these files, and has their types.
export { countedForm, fill, fillCounted } from "../../../common/platform/language/message.ts";
export { numberFormat, perLanguage } from "../../../common/platform/language/per-language.ts";
