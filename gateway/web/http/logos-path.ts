/** Path of logos, up to the hash of the image. */
export const LOGOS_PREFIX = "/logos/";
