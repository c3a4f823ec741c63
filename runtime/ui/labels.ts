/** Values of dimensions as people call them in their language. What sites and visitors named stays as it is. */
import { labelSaid } from '../texts/code-names.ts'
import { say } from './languages/index.ts'
import type { Viewer } from './format.ts'
import { type Row, text } from '../../adapters/pages/views/read.ts'

export { unnamedIn } from '../texts/code-names.ts'

/** @param row with the value, and with how it is called in English */
export function labelIn(dimension: string, row: Row, viewer: Viewer): string {
  const label = text(row.label)
  return label === '' ? say(viewer, 'unnamed') : labelSaid(dimension, text(row.value) || text(row.key), label, viewer)
}
