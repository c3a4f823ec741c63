import { fail, failWith } from '../../../runtime/table/errors.ts'
import { deleteFor, restoring } from '../../../runtime/table/restoring.ts'
import { list, operation } from '../../../runtime/table/operation.ts'
import { optional } from '../../../runtime/table/schema.ts'
import { pageOf } from '../../../storage/sql/page.ts'
import { isUniqueViolation } from '../../../storage/store.ts'
import { site } from '../sites/records.ts'
import { conditionFaults, segmentInput as fields } from './fields.ts'
import { Segment, segment, toSegment, ids } from './records.ts'
import { m } from './messages.ts'

export const segments_list = list({
  route: 'GET /sites/{site_id}/segments',
  summary: 'List the saved segments of a site',
  empty: {
    says: 'A segment is a filter with a name, for example visitors from one campaign. Choose it on any report, or compare two.',
    like: [
      ['utm_campaign = spring', '18 %'],
      ['DE, AT, CH', '34 %'],
    ],
  },
  description: 'Named filters that limit reports. Oldest first.',
  place: 'records',
  access: 'analytics.read',
  on: site,
  groups: true,
  effect: 'read',
  input: {},
  of: Segment,
  examples: [{ input: { site_id: '{{site}}' } }],
  async run({ db, site, page }) {
    const all = db.selectFrom('saved_segments').selectAll().where('site_id', '=', site.id)
    const { rows, total } = await pageOf(all.orderBy('created_at').orderBy('id'), page)
    return { rows: rows.map(toSegment), total }
  },
})

export const segments_create = operation({
  route: 'POST /sites/{site_id}/segments',
  summary: 'Save a segment: filters with a name',
  description: 'For visitors that you often analyze, for example mobile visitors from Germany. Reports can be limited to it.',
  access: 'content.write',
  on: site,
  groups: true,
  effect: 'create',
  input: fields,
  output: Segment,
  examples: [
    {
      input: {
        site_id: '{{site}}',
        name: 'Phones in France',
        filters: [
          ['country', 'is', 'FR'],
          ['device', 'is', 'mobile'],
        ],
      },
    },
    {
      summary: 'With a choice',
      input: {
        site_id: '{{site}}',
        name: 'Readers',
        filters: [
          {
            any: [
              ['page', 'starts_with', '/blog'],
              ['utm_medium', 'is', 'email'],
            ],
          },
        ],
      },
    },
  ],
  async run({ db, site, input, now, newId }) {
    const row = {
      id: newId(ids.segment),
      site_id: site.id,
      name: input.name,
      filters: checked(input.filters),
      created_at: now,
      updated_at: now,
    }
    await db.insertInto('saved_segments').values(row).execute().catch(refuseTaken)
    return toSegment(row)
  },
})

export const segments_get = operation({
  route: 'GET /sites/{site_id}/segments/{id}',
  summary: 'Get a segment',
  access: 'analytics.read',
  on: [site, segment],
  groups: true,
  effect: 'read',
  input: {},
  output: Segment,
  examples: [{ input: { site_id: '{{site}}', id: '{{segment}}' } }],
  run: ({ segment }) => toSegment(segment),
})

export const segments_update = operation({
  route: 'PATCH /sites/{site_id}/segments/{id}',
  summary: 'Change a segment',
  description: 'Requires `analytics.read`, because shared links may be limited to the segment.',
  help: 'Shared links that are limited to the segment show the change at once.',
  access: 'content.write',
  needs: ['analytics.read'],
  on: [site, segment],
  groups: true,
  effect: 'update',
  input: { name: optional(fields.name), filters: optional(fields.filters) },
  output: Segment,
  examples: [
    {
      input: { site_id: '{{site}}', id: '{{segment}}', filters: [['country', 'any_of', ['DE', 'AT', 'CH']]] },
    },
  ],
  async run({ db, segment, input, now }) {
    const changed = await db
      .updateTable('saved_segments')
      .set({ name: input.name, filters: input.filters && checked(input.filters), updated_at: now })
      .where('id', '=', segment.id)
      .returningAll()
      .executeTakeFirst()
      .catch(refuseTaken)
    return toSegment(changed ?? fail('not_found'))
  },
})

export const segments_delete = operation({
  route: 'DELETE /sites/{site_id}/segments/{id}',
  summary: 'Delete a segment',
  description: '`segments_restore` undoes it within 30 days.',
  access: 'content.write',
  on: [site, segment],
  groups: true,
  effect: 'delete',
  input: {},
  output: Segment,
  examples: [{ input: { site_id: '{{site}}', id: '{{segment}}' } }],
  async run({ site, segment: { id, name }, ...call }) {
    return toSegment(await deleteFor(call, { table: 'saved_segments', id, name, workspaceId: site.workspace_id, siteId: site.id }))
  },
})

export const segments_restore = restoring({
  route: 'POST /sites/{site_id}/segments/{id}/restore',
  undoes: 'segments_delete',
  table: 'saved_segments',
  of: segment,
  summary: 'Restore a deleted segment',
  description:
    'Brings it back with its id, within 30 days of its deletion. Shared links that show only this segment work again. Requires `analytics.read`, because of these.',
  help: 'Brings it back as it was. Shared links that show only this segment work again.',
  done: 'Segment restored.',
  access: 'content.write',
  needs: ['analytics.read'],
  on: site,
  groups: true,
  output: Segment,
  examples: [{ input: { site_id: '{{site}}', id: '{{deleted_segment}}' } }],
  answer: toSegment,
})

/** Returns the conditions for storage, unchanged. @throws Failure 422 with every fault */
function checked(conditions: readonly unknown[]): string {
  failWith(conditionFaults(conditions))
  return JSON.stringify(conditions)
}

function refuseTaken(error: unknown): never {
  if (isUniqueViolation(error)) fail('already_exists', m.name_taken())
  throw error
}
