import { area } from '../../../runtime/table/area.ts'
import * as events from './events.ts'
import * as meters from './meters.ts'
import * as operations from './operations.ts'
import { alerts_preview } from './preview/operation.ts'
import { ids } from './records.ts'
import * as subscribers from './subscribers.ts'
import * as tasks from './tasks.ts'

export default area({
  name: 'Alerts',
  description: 'Alerts watch a site or the workspace, and notify you when a condition is met.',
  operations: [operations, { alerts_preview }],
  manual: '/documentation/alerts',
  everyday: ['alerts_list', 'alerts_history', 'alerts_create', 'alerts_acknowledge', 'alerts_mute'],
  asked: {
    alerts_create:
      'notify me, tell me when, warn me, alert me, let me know when, send an alert, when traffic drops, when visitors spike, if no data comes in, email me when, get notified, new alert, watch a metric, threshold',
    alerts_list:
      'which alerts are firing, what alerts, my alerts, triggered alerts, open incidents, active alerts, alerts set up, do I have alerts, anything wrong',
    site_alerts_list: 'alerts of the site',
    alerts_history:
      'when was the alert triggered, past incidents, incident history, previous alerts, triggered before, how often did it fire',
    alerts_mute: 'snooze, silence, silence for hours, mute, quiet',
    alerts_acknowledge: 'seen the alert, acknowledge, i am on it, ack, taking care',
    alerts_update: 'change the threshold, disable an alert, turn off an alert',
    alerts_get: 'state of an alert',
    alerts_preview: 'how often would this alert fire, try an alert, test a threshold, which threshold is sensible, would it have fired',
  },
  events,
  tasks,
  subscribers,
  meters,
  views: () => import('./pages.tsx'),
  ids,
  tables: ['alerts', 'alert_channels', 'alert_incidents'],
  example: () => import('./example.ts'),
})
