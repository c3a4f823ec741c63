/** The input fields of an alert, and the filters of lists of alerts. */
import { Type } from '@sinclair/typebox'
import { brief, Name, Id, Nullable, OneOf, optional, shownWith, help } from '../../../runtime/table/schema.ts'
import { kinds, kindsWith, metrics, operators } from './condition.ts'
import { sensitivities, states } from './records.ts'

export const fields = {
  name: Name({
    maxLength: 100,
    description: 'Name shown in lists and notifications, on one line.',
    [brief]: { description: 'Name, on one line.' },
  }),
  kind: OneOf(kinds, {
    description:
      'The watched value: a metric against a threshold, an unusual metric, completions of a goal, ' +
      'missing hits, use of the plan, uptime checks, certificates, or web vitals.',
    [brief]: { description: 'usage: of the plan; ssl: certificates; vitals: web vitals.' },
  }),
  window_minutes: Type.Integer({
    unit: 'minutes',
    minimum: 5,
    maximum: 10_080,
    description: 'Length of the window that is evaluated.',
    [brief]: { description: 'Evaluated minutes.' },
  }),
  sensitivity: OneOf(sensitivities, {
    [shownWith]: { field: 'kind', values: ['anomaly'] },
    description: 'anomaly: how small a deviation is reported.',
  }),
  channel_ids: Type.Array(Id({ description: 'A channel.' }), {
    maxItems: 20,
    description: 'Channels to notify, by their ids (`channels_list`).',
    [brief]: { description: 'Channels to notify (`channels_list`).' },
    [help]: 'Channels that receive messages.',
  }),
  enabled: Type.Boolean({ description: 'Whether Footfall evaluates the alert.', [brief]: { description: 'Whether it is evaluated.' } }),
}

/** Which of these apply depends on the alert's kind: condition.ts. */
export const conditionFields = {
  site_id: optional(
    Nullable(Id({}), {
      [shownWith]: { field: 'kind', values: kindsWith('site_id') },
      description: 'Site to watch. Required, except for usage alerts, which have none.',
      [brief]: { description: 'Required, except for usage.' },
    }),
  ),
  metric: optional(
    Nullable(OneOf(metrics), {
      [shownWith]: { field: 'kind', values: kindsWith('metric') },
      description:
        'threshold (required) and anomaly (default visitors): visitors, visits, pageviews, bounce_rate, ' +
        'conversion. vitals (required): lcp, inp, cls, fcp, ttfb, at the 75th percentile.',
      [brief]: { description: 'threshold (required), anomaly (default visitors): the first five. vitals (required): the others.' },
      [help]: 'The measured value; web vitals at the 75th percentile.',
    }),
  ),
  operator: optional(
    Nullable(OneOf([...operators, '']), {
      [shownWith]: { field: 'kind', values: kindsWith('operator') },
      description:
        'threshold: required. goal and usage: default gte. ssl: default lte. vitals: default gt. ' +
        'anomaly: lt alerts only on drops, gt only on spikes, empty on both.',
      [brief]: {
        description: 'threshold: required. goal, usage: default gte. ssl: lte. vitals: gt. anomaly: lt only drops, gt only spikes.',
      },
    }),
  ),
  threshold: optional(
    Nullable(Type.Number({ minimum: 0, maximum: 1e12 }), {
      [shownWith]: { field: 'kind', values: kindsWith('threshold') },
      description:
        'threshold: metric value, required. goal: completions, default 1. no_data: hours, default 24. ' +
        'usage: percent, default 80. ssl: days, default 14. vitals: milliseconds (cls: score), required.',
      [brief]: {
        description:
          'threshold: of the metric, required. goal: completions (1). no_data: hours (24). usage: percent (80). ssl: days (14). vitals: ms (cls: score), required.',
      },
      [help]:
        'A value of the metric; completions of a goal (1); hours without hits (24); percent of the plan (80); days that a certificate is valid (14); milliseconds of a web vital (CLS: its score).',
    }),
  ),
  goal_id: optional(
    Nullable(Id({}), {
      [shownWith]: { field: 'kind', values: kindsWith('goal_id') },
      description: 'Goal of the site. Required for goal alerts and for the metric conversion.',
      [brief]: { description: 'For goal, and the metric conversion.' },
    }),
  ),
  uptime_check_id: optional(
    Nullable(Id({}), {
      [shownWith]: { field: 'kind', values: kindsWith('uptime_check_id') },
      description: "uptime and ssl: one uptime check; default: all of the site's checks.",
      [brief]: { description: 'uptime and ssl: one check; default: all.' },
    }),
  ),
}

export const filters = {
  state: optional(OneOf(states, { description: 'Only alerts in this state.' })),
  kind: optional(OneOf(kinds, { description: 'Only alerts of this kind.' })),
}
