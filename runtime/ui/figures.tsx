/** Figures of a report in a row, with their changes. */
import type { TSchema } from '@sinclair/typebox'
import { shortInUnit, type Viewer } from './format.ts'
import { fieldWords } from './words.ts'
import { Change } from './change.tsx'

type Row = Readonly<Record<string, unknown>>

interface FiguresProps {
  readonly label: string
  readonly figures: Row
  /** By their names. */
  readonly fields: Readonly<Record<string, TSchema | undefined>>
  /** Undefined without a comparison. */
  readonly change?: Row | undefined
  readonly viewer: Viewer
  /** Leaves out what says nothing here. */
  readonly without?: readonly string[]
}

export function Figures({ label, figures, fields, change, viewer, without = [] }: FiguresProps) {
  return (
    <ul class="headline" aria-label={label}>
      {Object.entries(figures)
        .filter(([name, value]) => !without.includes(name) && (typeof value === 'number' || value === null))
        .map(([name, value]) => (
          <li>
            <span class="still">
              <span class="name">{fieldWords(name, viewer)}</span>
              <span class="figure">{typeof value === 'number' ? shortInUnit(value, fields[name]?.unit, viewer) : '–'}</span>
              <Change
                value={change?.[name]}
                figure={typeof value === 'number' ? value : null}
                unit={fields[name]?.unit}
                isLessBetter={fields[name]?.better === 'less'}
                isCompared={change !== undefined}
                viewer={viewer}
              />
            </span>
          </li>
        ))}
    </ul>
  )
}
