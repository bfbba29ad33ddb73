/** The families that names are drawn in, in the order in which a character is looked for. */
export const FAMILIES = ["Noto Sans", "Noto Sans Arabic", "Noto Sans Devanagari"] as const;

export interface FontFile {
  readonly family: (typeof FAMILIES)[number];
  /** Package and path within it. */
  readonly file: string;
}

/** The fonts of images. Only labels, which are Latin, are written in the regular weight. */
export const FONT_FILES: readonly FontFile[] = [
  { family: "Noto Sans", file: "@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf" },
  { family: "Noto Sans", file: "@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf" },
  { family: "Noto Sans Arabic", file: "@expo-google-fonts/noto-sans-arabic/700Bold/NotoSansArabic_700Bold.ttf" },
  {
    family: "Noto Sans Devanagari",
    file: "@expo-google-fonts/noto-sans-devanagari/700Bold/NotoSansDevanagari_700Bold.ttf",
  },
];

/** Skia, which shapes and draws. */
export const SKIA_FILE = "canvaskit-wasm/bin/canvaskit.wasm";

/** All files of these packages that are read: the packages have ten times as much, which the container image goes without. */
export const DRAWING_FILES: readonly string[] = [
  "canvaskit-wasm/bin/canvaskit.js",
  SKIA_FILE,
  ...FONT_FILES.map(({ file }) => file),
];
