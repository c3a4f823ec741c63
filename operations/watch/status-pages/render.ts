import { type Static, Type } from '@sinclair/typebox'
import type { Config } from '../../../runtime/settings/config.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { operation } from '../../../runtime/table/operation.ts'
import { among, DateTime, iso, Nullable, OneOf, record } from '../../../runtime/table/schema.ts'
import { percentOf } from '../../reports/availability/index.ts'
import { addressOf, incidentPath, StatusUpdate, toUpdate } from './records.ts'
import { conditions, type Day, pageBySlug, readStatus, type Shown, type ShownIncident } from './status.ts'
import { impacts, kinds, statuses } from './timeline.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

const ConditionField = (description: string) => OneOf(conditions, { description })

const PublicIncident = record(
  'PublicIncident',
  {
    id: Type.String({ description: 'Prefix `sti_`.' }),
    url: Type.String({ description: 'Public URL.' }),
    kind: OneOf(kinds, { description: 'An incident, or planned maintenance.' }),
    title: Type.String({ description: 'Title, on one line.' }),
    impact: OneOf(impacts, { description: 'Severity.' }),
    status: OneOf(statuses, { description: 'Current status.' }),
    affects: Type.Array(Type.String(), { description: 'Names of the affected checks.' }),
    starts_at: DateTime({ description: 'Start; for maintenance, the planned start.' }),
    ends_at: Nullable(DateTime(), { description: 'End; for maintenance, the planned end.' }),
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
      {
        description:
          'Its updates, newest first. Beyond 200,000 characters or 1,000 updates of all incidents, the oldest of each are left out.',
      },
    ),
  },
  'An incident or maintenance, as the public sees it.',
)

export const PublicStatus = record(
  'PublicStatus',
  {
    name: Type.String({ description: 'Name of the service or company.' }),
    description: Type.String({ description: 'A sentence about the page.' }),
    url: Type.String({ description: 'Public URL of the page.' }),
    status: ConditionField('Overall state.'),
    groups: Type.Array(
      Type.Object(
        {
          name: Type.String({ description: 'Heading of the group.' }),
          checks: Type.Array(
            Type.Object(
              {
                id: Type.String({ description: 'Id of the check.' }),
                name: Type.String({ description: 'Name on the page.' }),
                status: ConditionField('State of the check.'),
                uptime_90d: Nullable(Type.Number(), {
                  unit: 'percent',
                  better: 'more',
                  description: 'Percentage of the last 90 days that it was up, without maintenance.',
                }),
                days: Type.Array(
                  Type.Object(
                    {
                      date: Type.String({ format: 'date', description: 'Day, UTC.' }),
                      uptime: Nullable(Type.Number(), {
                        unit: 'percent',
                        better: 'more',
                        description: 'Percentage of the day that it was up; null if unknown.',
                      }),
                      down_seconds: Type.Integer({ unit: 'seconds', better: 'less', description: 'Downtime of the day.' }),
                    },
                    { description: 'A day.' },
                  ),
                  { description: 'The last 90 days, oldest first.' },
                ),
                response_ms: Nullable(Type.Integer(), {
                  unit: 'ms',
                  better: 'less',
                  description: 'Average of the last 24 hours; null if the page does not show response times.',
                }),
              },
              { description: 'A check.' },
            ),
            { description: 'Checks of the group.' },
          ),
        },
        { description: 'A group.' },
      ),
      { description: 'Groups of checks.' },
    ),
    incidents: Type.Array(PublicIncident, { description: 'Incidents that are not resolved.' }),
    maintenance: Type.Array(PublicIncident, { description: 'Current and planned maintenance, the earliest first.' }),
    past: Type.Array(PublicIncident, { description: 'Ended incidents and maintenance of the last 90 days, at most 25.' }),
    at: DateTime({ description: 'Time of this state.' }),
  },
  'The current state of a status page.',
)

export const status_pages_show = operation({
  route: 'GET /status/{slug}',
  summary: 'Show the current state of a public status page',
  description: 'Anyone may read it. A browser gets a page.',
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
          date: dateOf(Math.floor(at / DAY_MS) - check.days.length + 1 + i),
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

/** The percentage of these days that a check was up; null without data. */
export function uptimeOf(days: readonly (Day | null)[]): number | null {
  const known = days.filter(day => day !== null)
  return percentOf({ up: known.reduce((sum, day) => sum + day.up_ms, 0), down: known.reduce((sum, day) => sum + day.down_ms, 0) })
}

export function averageOf(points: readonly (number | null)[]): number | null {
  const known = points.filter(point => point !== null)
  return known.length === 0 ? null : Math.round(known.reduce((sum, point) => sum + point, 0) / known.length)
}

export const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)
