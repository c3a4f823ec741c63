/** Flags of countries: one small picture each, loaded when it comes into view. */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const { resolve } = createRequire(import.meta.url)

/** Where the flags are before a build copies them. */
export function flagsFolder(): string {
  return path.join(path.dirname(resolve('country-flag-icons')), '3x2')
}

interface Flags {
  readonly folder: string
  readonly codes: ReadonlySet<string>
}
let known: Flags | undefined
function flags(): Flags {
  if (known) return known
  const folder = import.meta.built ? path.dirname(resolve('#built/pages/flags/DE.svg')) : flagsFolder()
  return (known = { folder, codes: new Set(readdirSync(folder).flatMap(name => /^([A-Z]{2})\.svg$/.exec(name)?.[1] ?? [])) })
}

/** Path of the flag of a country; undefined if there is none. @param code ISO 3166-1 alpha-2 */
export const flagPath = (code: string): string | undefined => (flags().codes.has(code) ? `/assets/flags/${code}.svg` : undefined)

/** The picture of a country; undefined if there is none. */
export const flagOf = (code: string): string | undefined =>
  flags().codes.has(code) ? readFileSync(path.join(flags().folder, `${code}.svg`), 'utf8') : undefined
