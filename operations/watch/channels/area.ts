import { area } from '../../../runtime/table/area.ts'
import * as meters from './meters.ts'
import * as operations from './operations.ts'
import { ids } from './records.ts'
import * as tasks from './tasks.ts'

export default area({
  name: 'Notification channels',
  description: 'Destinations of alerts: e-mail, webhooks, Slack, Discord, Teams.',
  manual: '/documentation/alerts',
  operations,
  views: () => import('./pages.tsx'),
  everyday: ['channels_list'],
  asked: {
    channels_create:
      'add slack, connect slack, microsoft teams, discord, telegram, send alerts to, new channel, email recipients, notify by email',
    channels_list:
      'where notifications are sent, where alerts go, slack channels, who is notified, recipients, who gets the alerts, who gets alert mails, addressees, who is told',
    channels_test: 'try the channel, test message, does slack work',
    channel_notifications_list: 'was the notification delivered, sent notifications, did the message arrive, notification log',
    channels_update: 'change recipients',
  },
  tasks,
  meters,
  ids,
  tables: ['channels', 'notifications'],
  sealed: [{ table: 'channels', column: 'target' }],
  example: () => import('./example.ts'),
})
