// message.js is made of these files, and has their types.
export { countedForm, fill, fillCounted } from "../../../services/shared/texts/message.ts";
export { numberFormat, perLanguage } from "../../../services/shared/texts/per-language.ts";
