import { Type } from '@sinclair/typebox'
import { event } from '../../../runtime/events/event.ts'
import { Nullable, OneOf, record } from '../../../runtime/table/schema.ts'
import { Alert, AlertIncident } from './records.ts'

const Incident = record(
  'AlertEventIncident',
  {
    id: Type.String({ description: 'Prefix `inc_`; the same when it opens and when it closes.' }),
    ...AlertIncident.properties,
    resolution: Nullable(OneOf(['recovered', 'rule_changed', 'disabled', 'deleted']), {
      description: 'Reason for which it was resolved; null while it is open.',
    }),
  },
  'The incident that the event reports.',
)

const AlertEvent = record(
  'AlertEvent',
  {
    alert: Alert,
    incident: Incident,
    muted: Type.Boolean({ description: 'Whether the alert is muted. A muted alert notifies webhooks, but not its channels.' }),
  },
  'An alert, and its incident that opened or closed.',
)

export const alert_triggered = event({
  type: 'alert.triggered',
  summary: 'An incident of an alert opened.',
  data: AlertEvent,
})
export const alert_resolved = event({
  type: 'alert.resolved',
  summary: 'An incident of an alert closed.',
  data: AlertEvent,
})
export const goal_completed_threshold = event({
  type: 'goal.completed_threshold',
  summary: 'A goal alert opened an incident.',
  data: record(
    'GoalThresholdEvent',
    {
      goal_id: Type.String({ description: 'The goal.' }),
      completions: Type.Integer({ unit: 'count', description: 'Completions in the window.' }),
      threshold: Type.Number({ unit: 'count', description: 'Completions at which the alert is triggered.' }),
      window_minutes: Type.Integer({ unit: 'minutes', description: 'Length of the evaluated window.' }),
    },
    'A goal whose completions met the condition of an alert.',
  ),
})
