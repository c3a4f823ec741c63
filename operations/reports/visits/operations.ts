import { Type } from '@sinclair/typebox'
import { fail } from '../../../runtime/table/errors.ts'
import { operation, report } from '../../../runtime/table/operation.ts'
import type { Fault } from '../../../runtime/table/errors.ts'
import { NEW_PERSON } from '../../../storage/engine/vocabulary/derived.ts'
import { leavesOf, type Test } from '../../../storage/engine/vocabulary/scope.ts'
import { optional } from '../../../runtime/table/schema.ts'
import { fieldTerm } from '../../../runtime/texts/message.ts'
import { type LiveSite, site } from '../../sites/sites/records.ts'
import { apply, engine, statsInput } from '../stats/index.ts'
import { ReportMeta } from '../stats/records.ts'
import { m } from './messages.ts'
import { placeIn, visitPlace } from '../stats/index.ts'
import { VisitList, VisitTimeline } from './records.ts'

const { period, from, to, filters, segment_id } = statsInput

/** Readers of a shared link do not learn which visits belong to people that the site knows. */
const isOfPeople = ({ dimension }: Test): boolean => dimension === NEW_PERSON
const tellsPeople = ({ pointer, dimension }: Test): Fault => ({
  pointer,
  code: 'not_in_enum',
  message: m.not_shared({ field: fieldTerm(dimension) }),
})

export const visits_list = report({
  route: 'GET /sites/{site_id}/visits',
  summary: 'List single visits, newest first',
  title: 'Visits',
  description:
    'Visits that began in the period and match the filters: source, place, device, first and last page, duration, goals and revenue. It has what exports have, and nothing that links the visits of a visitor over several days. A site may switch it off (`visit_list`). For counts, use `stats_aggregate`.',
  place: 'visitors',
  icon: 'visits',
  access: 'analytics.export',
  on: site,
  groups: false,
  effect: 'read',
  input: {
    period: { ...period, default: '7d' },
    from,
    to,
    filters,
    segment_id,
    cursor: optional(Type.String({ maxLength: 80, description: '`next_cursor` of the answer before, for older visits.' })),
    limit: Type.Integer({ unit: 'count', default: 25, minimum: 1, maximum: 100, description: 'Most visits.' }),
  },
  output: VisitList,
  meta: ReportMeta,
  examples: [
    { input: { site_id: '{{site}}' } },
    {
      summary: 'Visits with a purchase from Germany',
      input: {
        site_id: '{{site}}',
        filters: [
          ['country', 'is', 'DE'],
          ['event', 'is', 'Purchase'],
        ],
      },
    },
  ],
  async run({ site, input, db, now, use, caller }) {
    onlyIfListed(site)
    const after = input.cursor === undefined ? null : placeIn(input.cursor)
    const applied = await apply(db, site, now, { ...input, compare: 'none' }, (_, where) => [
      ...(after === undefined
        ? [{ pointer: '/cursor', code: 'invalid_format', message: m.no_place({ field: fieldTerm('cursor') }) } as const]
        : []),
      ...(caller.kind === 'share' ? where.flatMap(leavesOf).filter(isOfPeople).map(tellsPeople) : []),
    ])
    const { listed } = await import('./visits.ts')
    return listed(applied, { after: after ?? null, limit: input.limit, db, caller, engine: use(engine) })
  },
})

export const visits_get = operation({
  route: 'GET /sites/{site_id}/visits/{visit}',
  summary: 'Get a visit: its pages and events in order',
  title: 'Visit',
  description: 'Pages with how long they were read, events with properties, revenue. Properties are those that are marked `export_safe`.',
  access: 'analytics.export',
  on: site,
  path: { visit: Type.String({ maxLength: 80, description: 'Id of the visit, of `visits_list`.' }) },
  effect: 'read',
  input: {
    limit: Type.Integer({ unit: 'count', default: 200, minimum: 1, maximum: 1_000, description: 'Most steps.' }),
    page: Type.Integer({ default: 1, minimum: 1, maximum: 1_000_000, description: 'Number of the page of steps, from 1.' }),
  },
  output: VisitTimeline,
  examples: [{ input: { site_id: '{{site}}', visit: 'vis_mif1c000-74' } }],
  async run({ site, input, db, use, caller }) {
    onlyIfListed(site)
    const place = visitPlace(input.visit)
    if (!place) fail('not_found')
    const { timeline } = await import('./visits.ts')
    return (await timeline(site, { place, ...input, db, caller, engine: use(engine) })) ?? fail('not_found')
  },
})

function onlyIfListed({ visit_list }: LiveSite): void {
  if (visit_list === 0) fail('invalid_state', m.not_listed({ visit_list: fieldTerm('visit_list') }))
}
