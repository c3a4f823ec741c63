/** The values of a dimension that begin with or contain a text. */
import { best } from '../scan/best.ts'
import { bounceBasisUnder } from '../scan/bounce-basis.ts'
import { countOver, groupingOf, type Grouping, type GroupingOptions } from '../scan/breakdown.ts'
import { groupingByKey } from '../scan/key-counts.ts'
import { resolveAll, silent } from '../scan/resolve.ts'
import { Tally } from '../days/tally.ts'
import { dimensionOf, labelOf, PROPERTY_KEYS } from '../vocabulary/dimensions.ts'
import type { Span } from '../vocabulary/scope.ts'
import { composed } from '../../values/composed.ts'
import type { Report } from './report.ts'

export interface SuggestQuestion {
  readonly report: 'suggest'
  /** A dimension, or `property` for the keys of properties. */
  readonly dimension: string
  readonly span: Span
  /** Part of the value or of its label, in any case; '' for all values. */
  readonly text: string
  readonly limit: number
}
export interface Suggest {
  readonly report: 'suggest'
  /** Those that begin with the text come first, then most visitors first. */
  readonly rows: { readonly value: string; readonly visitors: number }[]
}

export const suggestReport: Report<SuggestQuestion, Suggest> = async ({ where, goals }, { dimension, span, text, limit }, context) => {
  const conditions = await resolveAll(where, context)
  const narrowing = context.workspace.narrowings.by(conditions)
  const basis = bounceBasisUnder(narrowing, silent(context))
  const { grouping, labelled } = await groupsOf(dimension, { narrowing, goals, basis, texts: context.texts, known: context.known })
  const counting = countOver(span, conditions, [grouping], context)
  return {
    spans: [span],
    ...counting,
    answer() {
      const tally = counting.tallies[0] ?? new Tally(0)
      const wanted = composed(text).toLowerCase()
      const found: { readonly value: string; readonly visitors: number; readonly begins: boolean }[] = []
      for (let group = 0; group < tally.groups; group++) {
        if (tally.figure(group, 'visits') === 0) continue
        const value = grouping.name(group)
        const names = [value, labelled(value)].map(name => composed(name).toLowerCase())
        if (!names.some(name => name.includes(wanted))) continue
        found.push({ value, visitors: tally.figure(group, 'visitors'), begins: names.some(name => name.startsWith(wanted)) })
      }
      const rows = best(
        found,
        (a, b) => Number(b.begins) - Number(a.begins) || b.visitors - a.visitors || (a.value < b.value ? -1 : a.value > b.value ? 1 : 0),
        limit,
      )
      return { report: 'suggest', rows: rows.map(({ value, visitors }) => ({ value, visitors })) }
    },
  }
}

interface Groups {
  readonly grouping: Grouping
  labelled(value: string): string
}

async function groupsOf(name: string, options: GroupingOptions): Promise<Groups> {
  if (name === PROPERTY_KEYS) return { grouping: await groupingByKey(options), labelled: value => value }
  const dimension = dimensionOf(name)
  if (!dimension) throw new Error(`no dimension ${name}`)
  return { grouping: await groupingOf(dimension, options), labelled: value => labelOf(dimension, value) }
}
