/** The icons of pages in one file, and each mark in a file of its own, which browsers load for the values that a page shows. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { icons } from '../../table/icons.ts'
import { markNames } from './marks.ts'

interface Collection {
  readonly icons: Readonly<Record<string, { readonly body: string } | undefined>>
}

const { resolve } = createRequire(import.meta.url)
const svg = (contents: string): string => `<svg xmlns="http://www.w3.org/2000/svg">${contents}</svg>`

/** @throws Error if the package has no icon of a name */
function bodiesOf(collection: string, names: readonly string[]): string[] {
  const found = (JSON.parse(readFileSync(resolve(`@iconify-json/${collection}/icons.json`), 'utf8')) as Collection).icons // as Iconify writes it
  return names.map(name => found[name]?.body ?? missing(collection, name))
}
const missing = (collection: string, name: string): never => {
  throw new Error(`${collection} has no icon ${name}`)
}

/** Draws all icons of pages as symbols of one SVG. */
export function makeSprite(): string {
  const bodies = bodiesOf('lucide', Object.values(icons))
  // Pages set the width of lines, so that icons of any size look equally bold.
  const symbols = Object.keys(icons).map(
    (id, i) => `<symbol id="${id}" viewBox="0 0 24 24">${bodies[i]?.replaceAll(' stroke-width="2"', '')}</symbol>`,
  )
  return svg(symbols.join(''))
}

/** Draws each mark as an SVG, by name. */
export function makeMarks(): ReadonlyMap<string, string> {
  const bodies = bodiesOf('simple-icons', markNames)
  return new Map(markNames.map((name, i) => [name, svg(`<symbol id="mark" viewBox="0 0 24 24">${bodies[i]}</symbol>`)]))
}

interface Sprite {
  readonly path: string
  readonly text: string
}
let loaded: Sprite | undefined
/** Returns the icons of pages, and their path, which contains a hash so that browsers may keep them. */
export function sprite(): Sprite {
  if (loaded) return loaded
  const text = import.meta.built ? readFileSync(resolve('#built/pages/icons.svg'), 'utf8') : makeSprite()
  const hash = createHash('sha256').update(text).digest('base64url').replace(/\W/g, '').slice(0, 10)
  return (loaded = { path: `/assets/icons-${hash}.svg`, text })
}

let marks: ReadonlyMap<string, string> | undefined
/** @returns the SVG of a mark; undefined if there is no mark of this name */
export function markFile(name: string): string | undefined {
  if (!markNames.includes(name)) return undefined
  return import.meta.built ? readFileSync(resolve(`#built/pages/marks/${name}.svg`), 'utf8') : (marks ??= makeMarks()).get(name)
}
