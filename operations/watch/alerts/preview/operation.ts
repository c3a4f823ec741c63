import { Type } from '@sinclair/typebox'
import { operation } from '../../../../runtime/table/operation.ts'
import { DateTime, iso, Nullable, optional, record, Sentence } from '../../../../runtime/table/schema.ts'
import { engine } from '../../../reports/stats/index.ts'
import { workspace } from '../../../people/workspaces/records.ts'
import { site } from '../../../sites/sites/records.ts'
import { ofEachKind } from '../examples.ts'
import { measureContext } from '../measures/measure-context.ts'
import { scopeOf, spanBetween } from '../measures/spans.ts'
import { alertInput, newAlert, reachOf } from '../new-alert.ts'
import { batched } from './batched.ts'
import { simulate, stepOf } from './simulate.ts'
import { DAY_MS } from '../../../../storage/values/durations.ts'

/** Days that a preview covers. */
const DAYS = 30
/** Anomalies compare with the eight weeks before. */
const BEFORE = 64 * DAY_MS
const MAX_INCIDENTS = 100

const AlertPreview = record(
  'AlertPreview',
  {
    from: DateTime({ description: 'Start of the evaluated time: 30 days ago, or later if the site was created since.' }),
    to: DateTime({ description: 'End of the evaluated time.' }),
    step_minutes: Type.Integer({
      unit: 'minutes',
      description: 'Time between two evaluations. A real alert is evaluated at least as often.',
    }),
    evaluations: Type.Integer({ unit: 'count', description: 'Evaluations that found a value.' }),
    triggered: Type.Integer({ unit: 'count', description: 'How often the alert would have been triggered.' }),
    open: Type.Boolean({ description: 'Whether it would be triggered now.' }),
    incidents: Type.Array(
      Type.Object({
        triggered_at: DateTime({ description: 'Time at which the condition was met.' }),
        resolved_at: Nullable(DateTime(), { description: 'End; null if it would still be open.' }),
        value: Type.Number({ description: 'Measured value when triggered.' }),
        message: Sentence({ description: 'Sentence that describes the event.' }),
      }),
      { description: `The times, newest first; at most ${MAX_INCIDENTS}.` },
    ),
  },
  'When an alert would have been triggered in the last 30 days.',
)

export const alerts_preview = operation({
  route: 'GET /workspaces/{workspace_id}/alerts/preview',
  summary: 'Preview an alert: how often it would have been triggered',
  title: 'Preview of an alert',
  place: 'aside',
  description:
    'Takes the input of `alerts_create` and evaluates the last 30 days. Stores nothing and sends no messages. Certificates are the present ones.',
  access: 'analytics.read',
  reach: ({ input }) => reachOf(input.kind),
  rate: 'costly',
  on: workspace,
  effect: 'read',
  input: { ...alertInput, name: optional(alertInput.name) },
  output: AlertPreview,
  examples: ofEachKind.map(({ summary, input: { name: _, ...input } }) => ({
    summary,
    input: { workspace_id: '{{workspace}}', ...input },
  })),
  async run({ db, workspace, caller, input, now, config, use }) {
    const alert = await newAlert({ db, workspace, caller, now }, { id: 'draft', name: '', ...input })
    const found = alert.site_id === null ? undefined : await site.find(db, alert.site_id)
    const watched = found?.row
    const since = Math.max(now - DAYS * DAY_MS, watched?.created_at ?? 0)
    const measuring = measureContext(now, { db, engine: batched(use(engine)), config })
    const scope = watched && (await scopeOf(db, watched, [spanBetween(watched.timezone, since - BEFORE, now)]))
    const { fired, evaluations } = await simulate(alert, { ...measuring, since, ...(scope && { scope: async () => scope }) })
    return {
      from: iso(since),
      to: iso(now),
      step_minutes: Math.round(stepOf(alert) / 60_000),
      evaluations,
      triggered: fired.length,
      open: fired.at(-1)?.resolvedAt === null,
      incidents: fired
        .slice(-MAX_INCIDENTS)
        .reverse()
        .map(({ triggeredAt, resolvedAt, ...rest }) => ({ triggered_at: iso(triggeredAt), resolved_at: iso(resolvedAt), ...rest })),
    }
  },
})
