declare module 'subset-font' {
  /** The font with only the letters of a text, and with its axes in these ranges. */
  export default function subset(
    font: Uint8Array,
    text: string,
    options: {
      readonly targetFormat: 'woff2'
      readonly variationAxes?: Readonly<Record<string, { readonly min: number; readonly max: number }>>
    },
  ): Promise<Uint8Array>
}
