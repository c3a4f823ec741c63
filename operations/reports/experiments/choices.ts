/** Offers choices for an experiment: properties that divide visitors into a few variants, and the goals of the site. */
import { operation } from '../../../runtime/table/operation.ts'
import { site } from '../../sites/sites/records.ts'
import { apply, engine, periodOf, queryOf, spanOf, statsInput } from '../stats/index.ts'
import { ExperimentChoices, MAX_VARIANTS } from './records.ts'

/** Largest number of properties that are examined, most frequent first. */
const MAX_PROPERTIES = 20

const { period, from, to, filters, segment_id } = statsInput

export const experiments_choices = operation({
  route: 'GET /sites/{site_id}/experiments/choices',
  summary: 'List properties that may contain variants, and goals',
  title: 'Choices for an experiment',
  place: 'aside',
  access: 'analytics.read',
  on: site,
  groups: true,
  effect: 'read',
  rate: 'costly',
  input: { period, from, to, filters, segment_id },
  output: ExperimentChoices,
  examples: [{ input: { site_id: '{{site}}' } }],
  async run({ site, input, db, now, use, caller }) {
    const applied = await apply(db, site, now, input)
    const { range, goals } = applied
    const span = spanOf(site.timezone, range, range)
    const { rows } = await use(engine).query({
      ...queryOf(applied),
      where: [],
      asked: { report: 'properties', span, event: null },
    })
    const shown = caller?.limits?.dimensions ?? null
    const keys = rows.map(({ key }) => key).filter(key => shown === null || shown.has(`property:${key}`))
    const [goal] = goals
    if (!goal) return { period: periodOf(range), properties: [], goals: [] }
    const found = []
    // Applies the conditions of the report, because a property outside of them has no values here.
    for (const property of keys.slice(0, MAX_PROPERTIES)) {
      const { variants, more } = await use(engine).query({
        ...queryOf(applied),
        asked: { report: 'experiment', property, goal, control: '', limit: MAX_VARIANTS, span, compared: null },
      })
      const seen = variants.filter(({ now }) => now.visits > 0)
      if (seen.length < 2 || more > 0) continue
      found.push({ property, variants: seen.map(({ value }) => value), visits: seen.reduce((sum, { now }) => sum + now.visits, 0) })
    }
    return {
      period: periodOf(range),
      properties: found.toSorted((a, b) => b.visits - a.visits),
      goals: goals.map(({ id, name }) => ({ id, name })),
    }
  },
})
