import { report } from '../../../runtime/table/operation.ts'
import { storedPath } from '../../sites/collection/index.ts'
import { site } from '../../sites/sites/records.ts'
import { apply, engine, statsInput } from '../stats/index.ts'
import { ReportMeta } from '../stats/records.ts'
import { faultsOfJourney, journeyInput } from './input.ts'
import { journeys } from './journeys.ts'
import { Journeys } from './records.ts'

export const journeys_explore = report({
  route: 'GET /sites/{site_id}/journeys',
  summary: 'Find where visitors go next, or what they viewed before',
  description:
    'The most common paths: from an entrance, a page or an event (forward), or back from a page, goal or event (reverse). Repeated views of a page are one step. For the pages directly before and after one page, use `pages_detail`.',
  place: 'what_they_do',
  icon: 'journey',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: { ...statsInput, ...journeyInput },
  output: Journeys,
  meta: ReportMeta,
  examples: [
    { summary: 'From where visits come in', input: { site_id: '{{site}}' } },
    { summary: 'From a page', input: { site_id: '{{site}}', path: '/pricing', period: '90d', limit: 12 } },
    {
      summary: 'To a goal, against the month before',
      input: { site_id: '{{site}}', mode: 'reverse', goal_id: '{{goal}}', compare: 'previous_period' },
    },
    { summary: 'Six steps from an event on', input: { site_id: '{{site}}', event: 'Signup', steps: 6 } },
  ],
  async run({ site, input, db, now, use }) {
    const applied = await apply(db, site, now, input, goals => faultsOfJourney(input, goals))
    return journeys(applied, { ...input, path: storedPath(input.path ?? '') }, use(engine))
  },
})
