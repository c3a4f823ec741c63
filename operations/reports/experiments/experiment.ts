/** Compares an experiment's variants with the control: tests the engine's counts for significance, and converts them to the form of the API. */
import { failWith } from '../../../runtime/table/errors.ts'
import { iso, type Static } from '../../../runtime/table/schema.ts'
import { type Applied, periodOf, queryOf, type Report, spanOf, withNotes, type Note } from '../stats/index.ts'
import { dimensionOf, labelOf } from '../../../storage/engine/vocabulary/dimensions.ts'
import type { Goal } from '../../../storage/engine/vocabulary/scope.ts'
import type { Arm, Engine, Experiment as Found, Variant } from '../../../storage/engine/index.ts'
import { change, percentOf } from '../../../storage/engine/vocabulary/metrics.ts'
import type { Experiment } from './records.ts'
import { unevenSplit } from './wording.ts'
import { fieldTerm } from '../../../runtime/texts/message.ts'
import { m } from './messages.ts'

type Answer = Static<typeof Experiment>

export interface ExperimentInput {
  readonly property: string
  readonly control?: string | undefined
  /** Percent. */
  readonly wished_uplift: number
}

const MAX_VARIANTS = 20
const USUAL_CONTROL = 'control'

interface ExperimentGiven {
  readonly applied: Applied
  readonly goal: Goal
  readonly experimentInput: ExperimentInput
  readonly engine: Engine
}

/** @throws Failure 422 if the property never had the value `control` */
export async function experiment({
  applied,
  goal,
  experimentInput: { property, control, wished_uplift: uplift },
  engine,
}: ExperimentGiven): Promise<Report<Answer>> {
  const {
    range,
    comparison,
    site: { timezone },
    meta,
  } = applied
  const found = await engine.query({
    ...queryOf(applied),
    asked: {
      report: 'experiment',
      property,
      goal,
      control: control ?? USUAL_CONTROL,
      limit: MAX_VARIANTS,
      span: spanOf(timezone, range, range),
      compared: comparison && spanOf(timezone, comparison, comparison),
    },
  })
  failWith(unknownControl(control, found))
  const { conclude, compiled, durationOf, splitOf } = await import('./conclusion.ts')
  await compiled

  // A requested control is shown even without visitors; the default one only with visitors.
  const variants = found.variants.filter(({ value, now }) => now.visits > 0 || value === control)
  const chosen = variants.find(({ value }) => value === (control ?? USUAL_CONTROL)) ?? variants[0]
  const visitors = variants.map(({ now }) => now.visitors)
  const split = splitOf(visitors)
  const first = firstOf(variants)
  return {
    data: {
      period: periodOf(range),
      property,
      goal: { id: goal.id, name: goal.name },
      first_shown_at: iso(first),
      control: chosen?.value ?? null,
      rows: conclude(chosen ?? null, variants).map(({ value, now, compared, conclusion }) => ({
        value,
        label: labelIn(property, value),
        ...countsOf(now),
        first_shown_at: iso(now.firstShownAt),
        ...conclusion,
        ...(compared ? { comparison: comparisonOf(now, compared) } : {}),
      })),
      sample_ratio: split,
      duration: chosen && first !== null ? durationOf({ control: chosen.now, visitors, uplift, since: range.to - first }) : null,
      ...(comparison ? { comparison: { period: periodOf(comparison) } } : {}),
    },
    meta: withNotes(meta, [...found.notes, ...notesOn({ property, found, variants, split })]),
  }
}

/** Returns the time at which the first visitor was shown any variant, epoch ms. */
function firstOf(variants: readonly Variant[]): number | null {
  const times = variants.flatMap(({ now }) => now.firstShownAt ?? [])
  return times.length > 0 ? Math.min(...times) : null
}

function unknownControl(control: string | undefined, { everSeen, controlEverSeen }: Found) {
  if (control === undefined || controlEverSeen || everSeen.length === 0) return []
  const known = everSeen.map(value => JSON.stringify(value.slice(0, 80)))
  const message = m.unknown_control({ field: fieldTerm('control'), known, received: JSON.stringify(control) })
  return [{ pointer: '/control', code: 'not_found' as const, message }]
}

function labelIn(property: string, value: string): string {
  const dimension = dimensionOf(`property:${property}`)
  return dimension ? labelOf(dimension, value) : value
}

const countsOf = ({ visitors, visits, conversions, converters }: Arm) => ({
  visitors,
  visits,
  conversions,
  converters,
  conversion_rate: percentOf(converters, visitors),
})

function comparisonOf(now: Arm, before: Arm) {
  const [to, from] = [countsOf(now), countsOf(before)]
  return {
    ...from,
    change: {
      visitors: change(to.visitors, from.visitors),
      visits: change(to.visits, from.visits),
      conversions: change(to.conversions, from.conversions),
      converters: change(to.converters, from.converters),
      // Without visitors before, there was no rate.
      conversion_rate: from.visitors === 0 ? null : change(to.conversion_rate, from.conversion_rate, 'percent'),
    },
  }
}

interface NotesOn {
  readonly property: string
  readonly found: Found
  readonly variants: readonly Variant[]
  readonly split: Answer['sample_ratio']
}

function notesOn({ property, found: { everSeen, mixed, more }, variants, split }: NotesOn): Note[] {
  const notes: (Note | false)[] = [
    everSeen.length === 0 && {
      code: 'no_such_property',
      message: m.no_such_property({ property: JSON.stringify(property.slice(0, 80)) }),
    },
    mixed > 0 && {
      code: 'several_variants',
      message: m.several_variants({ count: mixed }),
    },
    more > 0 && { code: 'more_variants', message: m.more_variants({ count: more }) },
    split.result === 'uneven' && {
      code: 'uneven_split',
      message: unevenSplit(
        variants.map(({ value, now }) => [value, now.visitors]),
        split.p_value,
      ),
    },
    variants.length > 2 && {
      code: 'several_comparisons',
      message: m.several_comparisons(),
    },
  ]
  return notes.filter(note => note !== false)
}
