import { Type } from '@sinclair/typebox'
import { event } from '../../../runtime/events/event.ts'
import { record } from '../../../runtime/table/schema.ts'
import { UptimeCheck } from '../../reports/availability/records.ts'
import { UptimeIncident } from './records.ts'

const UptimeEvent = record(
  'UptimeEvent',
  {
    check: UptimeCheck,
    incident: record(
      'UptimeEventIncident',
      {
        id: Type.String({ description: 'Prefix `inc_`; the same when it opens and when it closes.' }),
        ...UptimeIncident.properties,
      },
      'The incident that the event reports.',
    ),
  },
  'A check that went down or came up, and its incident.',
)

export const uptime_down = event({
  type: 'uptime.down',
  summary: 'A check went down, and an incident opened.',
  data: UptimeEvent,
})
export const uptime_up = event({
  type: 'uptime.up',
  summary: 'A check came up again, and its incident closed.',
  data: UptimeEvent,
})
