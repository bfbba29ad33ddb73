export const OPENAPI_PATH = "/openapi.json";
export const DOCS_PATH = "/docs";
