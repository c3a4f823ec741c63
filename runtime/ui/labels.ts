/** Values of dimensions in the reader's language. Names that sites and visitors gave stay as they are. */
import { labelSaid } from '../texts/code-names.ts'
import type { Viewer } from './format.ts'
import { ui } from './messages.ts'
import { say } from '../texts/say.ts'

export { unnamedIn } from '../texts/code-names.ts'

export interface Labelled {
  readonly value?: unknown
  /** The English label of the value. */
  readonly label?: unknown
}

export function labelIn(dimension: string, row: Labelled, viewer: Viewer): string {
  const label = text(row.label)
  return label === '' ? say(viewer, ui.unnamed) : labelSaid({ dimension, value: text(row.value), label, reader: viewer })
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
