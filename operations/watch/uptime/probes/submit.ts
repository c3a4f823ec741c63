/** Results submitted by a probe: stored if they are recent, and belong to the probe's own location and to its workspace's checks. */
import { Type } from '@sinclair/typebox'
import type { Services } from '../../../../runtime/table/call-services.ts'
import { DateTime, Nullable, optional, record, type Static } from '../../../../runtime/table/schema.ts'
import type { Db } from '../../../../storage/store.ts'
import type { ProbeTokenRow } from '../../../../storage/tables/index.ts'
import { resultsReach } from '../checks.ts'
import { type CheckResult, type Outcome, recordResults } from '../record-results.ts'
import type { ProbeSubmission, Refusal } from './records.ts'
import { MINUTE_MS } from '../../../../storage/values/durations.ts'

/** Maximum time of `checked_at` ahead of now, ms (docs/decisions.md §5). */
const ahead = MINUTE_MS

export const ProbeResult = record(
  'ProbeResult',
  {
    check_id: Type.String({ maxLength: 64, description: 'The check.' }),
    location: optional(
      Type.String({
        maxLength: 32,
        description: 'Location of the probe: the location of the token. May be omitted.',
      }),
    ),
    ok: Type.Boolean({ description: 'Whether the probe succeeded.' }),
    status_code: optional(
      Nullable(Type.Integer({ minimum: 0, maximum: 999 }), {
        description: 'Status code of an http target; some targets use codes outside the standard, for example 999.',
      }),
    ),
    response_ms: optional(
      Nullable(Type.Integer({ minimum: 0, maximum: 600_000 }), {
        unit: 'ms',
        description: 'Response time.',
      }),
    ),
    error: optional(
      Nullable(Type.String({ maxLength: 100 }), {
        description:
          'Cause of the failure, for example `timeout` or `keyword_missing`. ' +
          'Defaults to `status_` and the status code, if there is one.',
      }),
    ),
    checked_at: DateTime({ description: 'Start of the probe.' }),
  },
  'The result of one probe of a check.',
)
type ProbeResult = Static<typeof ProbeResult>

type Submitting = Pick<Services, 'db' | 'store' | 'now' | 'emit' | 'newId'>

/** The reason to refuse all results: a probe may report only for its own location. */
export function foreignLocation(token: ProbeTokenRow, results: readonly ProbeResult[]): string | undefined {
  const foreign = results.find(({ location }) => location !== undefined && location !== token.location)?.location
  return foreign && `This token belongs to the location ${token.location}; received a result of ${JSON.stringify(foreign)}.`
}

export async function submitResults(
  services: Submitting,
  token: ProbeTokenRow,
  results: readonly ProbeResult[],
): Promise<Static<typeof ProbeSubmission>> {
  const { db, store, now } = services
  await noteUse(db, token, now)
  const numbers = await numbersOf(db, token, results)
  const judged = results.map((result): CheckResult | Refusal => {
    const at = Date.parse(result.checked_at)
    const checkNumber = numbers.get(result.check_id)
    if (checkNumber === undefined) return 'not_found'
    if (at < now - resultsReach) return 'too_old'
    if (at > now + ahead) return 'in_future'
    const { ok, response_ms: ms = null } = result
    return { checkNumber, location: token.location, at, ok, error: errorOf(result), ms }
  })
  const outcomes = await recordResults(db, {
    dialect: store.dialect,
    recording: services,
    results: judged.filter(each => typeof each !== 'string'),
  })
  const codes = judged.map((each): Outcome | Refusal => (typeof each === 'string' ? each : (outcomes.shift() ?? 'not_found')))
  const rejected = codes.flatMap((code, index) => (code === 'accepted' ? [] : [{ index, code }]))
  return { accepted: codes.length - rejected.length, rejected }
}

/** One line of visible text: it appears in incidents and messages. */
function errorOf({ ok, error, status_code }: ProbeResult): string | null {
  if (ok) return null
  const named = error?.replace(/[\p{C}\s]+/gu, ' ').trim()
  return named || (typeof status_code === 'number' ? `status_${status_code}` : null)
}

async function numbersOf(db: Db, { workspace_id }: ProbeTokenRow, results: readonly ProbeResult[]): Promise<ReadonlyMap<string, number>> {
  const ids = [...new Set(results.map(({ check_id }) => check_id))]
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('uptime_checks')
    .select(['id', 'number'])
    .where('workspace_id', '=', workspace_id)
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, number }) => [id, number]))
}

/** At most once a minute. */
export async function noteUse(db: Db, { id, last_used_at }: ProbeTokenRow, now: number): Promise<void> {
  if (last_used_at !== null && now - last_used_at < MINUTE_MS) return
  await db.updateTable('probe_tokens').set({ last_used_at: now }).where('id', '=', id).execute()
}
