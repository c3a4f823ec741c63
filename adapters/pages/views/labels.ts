/** Values of dimensions as people call them in their language. What sites and visitors named stays as it is. */
import { nameOfCode } from '../../../runtime/languages/code-names.ts'
import { wordOfOurs } from '../dimension-values.ts'
import { inLanguage, languageTag, say } from '../languages/index.ts'
import type { Viewer } from '../format.ts'
import { type Row, text } from './read.ts'

/** @param row with the value, and with how it is called in English */
export function labelIn(dimension: string, row: Row, viewer: Viewer): string {
  const [label, code] = [text(row.label), text(row.value) || text(row.key)]
  if (label === '') return say(viewer, 'unnamed')
  const name = label !== code && languageTag(viewer) !== 'en' ? nameOfCode(dimension, code, viewer) : undefined
  if (name !== undefined) return name
  return code === '' ? inLanguage(viewer, label) : unnamedIn(wordOfOurs(dimension, label, viewer), viewer)
}

/** `(other)`, `(entrance)`: what the service puts where there is no value, also as steps of a path. */
export const unnamedIn = (label: string, viewer: Viewer): string =>
  label
    .split(' → ')
    .map(part => (/^\(.*\)$/.test(part) ? inLanguage(viewer, part) : part))
    .join(' → ')
