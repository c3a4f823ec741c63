import { type Static, Type } from '@sinclair/typebox'
import type { Config } from '../../../runtime/settings/config.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { operation } from '../../../runtime/table/operation.ts'
import { among, DateTime, iso, Nullable, OneOf, record } from '../../../runtime/table/schema.ts'
import { percentOf } from '../../reports/availability/index.ts'
import { dayMs } from '../uptime/index.ts'
import { addressOf, incidentPath, StatusUpdate, toUpdate } from './records.ts'
import { conditions, type Day, pageBySlug, readStatus, type Shown, type ShownIncident } from './status.ts'
import { impacts, kinds, statuses } from './timeline.ts'

const ConditionField = (description: string) => OneOf(conditions, { description })

const PublicIncident = record(
  'PublicIncident',
  {
    id: Type.String({ description: 'Prefix `sti_`.' }),
    url: Type.String({ description: 'Where it is read.' }),
    kind: OneOf(kinds, { description: 'Something that happened, or planned work.' }),
    title: Type.String({ description: 'What it is, in a line.' }),
    impact: OneOf(impacts, { description: 'How much is affected.' }),
    status: OneOf(statuses, { description: 'How far it is.' }),
    affects: Type.Array(Type.String(), { description: 'Names of the checks that it affects.' }),
    starts_at: DateTime({ description: 'When it began or shall begin.' }),
    ends_at: Nullable(DateTime(), { description: 'When it was over or shall be.' }),
    updates: Type.Array(
      Type.Object(
        {
          id: StatusUpdate.properties.id,
          status: StatusUpdate.properties.status,
          body: StatusUpdate.properties.body,
          created_at: StatusUpdate.properties.created_at,
        },
        { description: 'Text of the update.' },
      ),
      { description: 'Its updates, newest first.' },
    ),
  },
  'An incident or maintenance as everybody may see it.',
)

export const PublicStatus = record(
  'PublicStatus',
  {
    name: Type.String({ description: 'Whose status it is.' }),
    description: Type.String({ description: 'A sentence about it.' }),
    url: Type.String({ description: 'Where people read it.' }),
    status: ConditionField('How all of it is.'),
    groups: Type.Array(
      Type.Object(
        {
          name: Type.String({ description: 'Heading of the group.' }),
          checks: Type.Array(
            Type.Object(
              {
                id: Type.String({ description: 'Id of the check.' }),
                name: Type.String({ description: 'What it is called here.' }),
                status: ConditionField('How it is.'),
                uptime_90d: Nullable(Type.Number(), {
                  unit: 'percent',
                  better: 'more',
                  description: 'Percent of 90 days that it was up, without maintenance.',
                }),
                days: Type.Array(
                  Type.Object(
                    {
                      date: Type.String({ format: 'date', description: 'Day, UTC.' }),
                      uptime: Nullable(Type.Number(), {
                        unit: 'percent',
                        better: 'more',
                        description: 'Percent of the day; null: unknown.',
                      }),
                      down_seconds: Type.Integer({ unit: 'seconds', better: 'less', description: 'How long it was down.' }),
                    },
                    { description: 'A day.' },
                  ),
                  { description: 'The last 90 days, oldest first.' },
                ),
                response_ms: Nullable(Type.Integer(), {
                  unit: 'ms',
                  better: 'less',
                  description: 'Average of the last 24 hours; null where it is not shown.',
                }),
              },
              { description: 'A check.' },
            ),
            { description: 'Its checks.' },
          ),
        },
        { description: 'A group.' },
      ),
      { description: 'What is watched.' },
    ),
    incidents: Type.Array(PublicIncident, { description: 'Incidents that are not resolved.' }),
    maintenance: Type.Array(PublicIncident, { description: 'Maintenance going on or to come, the next first.' }),
    past: Type.Array(PublicIncident, { description: 'What is over, of 90 days, 25 at most.' }),
    at: DateTime({ description: 'When it was so.' }),
  },
  'How everything on a status page is.',
)

export const status_pages_show = operation({
  route: 'GET /status/{slug}',
  summary: 'How everything on a public status page is',
  description: 'For anyone. A browser is shown a page.',
  access: 'public',
  surfaces: ['http'],
  effect: 'read',
  path: { slug: Type.String({ maxLength: 64, description: 'Last part of the address of the page.' }) },
  input: {},
  output: PublicStatus,
  examples: [{ input: { slug: '{{status_slug}}' } }],
  async run({ db, input, now, config }) {
    const page = (await pageBySlug(db, input.slug)) ?? fail('not_found')
    return toPublic(await readStatus(db, page, now), config)
  },
})

type Base = Pick<Config, 'BASE_URL'>

export function toPublic(shown: Shown, config: Base): Static<typeof PublicStatus> {
  const { page, at } = shown
  const incident = (each: ShownIncident) => toPublicIncident(shown, each, config)
  return {
    name: page.name,
    description: page.description,
    url: addressOf(page, config),
    status: shown.condition,
    groups: shown.groups.map(({ name, checks }) => ({
      name,
      checks: checks.map(check => ({
        id: check.id,
        name: check.name,
        status: check.condition,
        uptime_90d: uptimeOf(check.days),
        days: check.days.map((day, i) => ({
          date: dateOf(Math.floor(at / dayMs) - check.days.length + 1 + i),
          uptime: day && percentOf({ up: day.up_ms, down: day.down_ms }),
          down_seconds: Math.round((day?.down_ms ?? 0) / 1000),
        })),
        response_ms: averageOf(check.responseMs),
      })),
    })),
    incidents: shown.incidents.map(incident),
    maintenance: shown.maintenance.map(incident),
    past: shown.past.map(incident),
    at: iso(at),
  }
}

function toPublicIncident(
  { page }: Shown,
  { row, status, updates, checks }: ShownIncident,
  { BASE_URL }: Base,
): Static<typeof PublicIncident> {
  return {
    id: row.id,
    url: BASE_URL + incidentPath(page, row.id),
    kind: among(kinds, row.kind),
    title: row.title,
    impact: among(impacts, row.impact),
    status,
    affects: checks.map(({ name }) => name),
    starts_at: iso(row.starts_at),
    ends_at: iso(row.ends_at),
    updates: updates.map(update => {
      const { id, status, body, created_at } = toUpdate(update)
      return { id, status, body, created_at }
    }),
  }
}

/** Percent that a check was up in these days; null where nothing is known. */
export function uptimeOf(days: readonly (Day | null)[]): number | null {
  const known = days.filter(day => day !== null)
  return percentOf({ up: known.reduce((sum, day) => sum + day.up_ms, 0), down: known.reduce((sum, day) => sum + day.down_ms, 0) })
}

export function averageOf(points: readonly (number | null)[]): number | null {
  const known = points.filter(point => point !== null)
  return known.length === 0 ? null : Math.round(known.reduce((sum, point) => sum + point, 0) / known.length)
}

export const dateOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10)
