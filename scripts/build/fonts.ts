/** Inter with the letters and weights that pages use: a third of the size of the whole font. */
import fs from 'node:fs'
import { createRequire } from 'node:module'
import subset from 'subset-font'

const { resolve } = createRequire(import.meta.url)
/** Weights of the stylesheets. */
const variationAxes = { wght: { min: 400, max: 650 } }
/** Code points, first and last of each range; the stylesheet names the same ones. */
const ranges = {
  'inter-latin': [
    [0x20, 0x7e],
    [0xa0, 0xff],
    [0x131, 0x131],
    [0x152, 0x153],
    [0x2010, 0x2027],
    [0x202f, 0x203a],
    [0x20ac, 0x20ac],
    [0x2122, 0x2122],
    [0x2190, 0x2193],
    [0x2212, 0x2212],
  ],
  'inter-latin-ext': [
    [0x100, 0x130],
    [0x132, 0x151],
    [0x154, 0x24f],
    [0x1e00, 0x1eff],
  ],
} as const

/** @returns files by name */
export async function fontFiles(): Promise<ReadonlyMap<string, Uint8Array>> {
  const files = Object.entries(ranges).map(async ([name, within]) => {
    const font = fs.readFileSync(resolve(`@fontsource-variable/inter/files/${name}-wght-normal.woff2`))
    const letters = within.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i)))
    return [`${name}.woff2`, await subset(font, letters.join(''), { targetFormat: 'woff2', variationAxes })] as const
  })
  return new Map(await Promise.all(files))
}
