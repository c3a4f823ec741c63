import { Type } from '@sinclair/typebox'
import { fail, failWith } from '../../../runtime/table/errors.ts'
import { outcomeOf } from '../../../runtime/table/outcome.ts'
import { list, operation } from '../../../runtime/table/operation.ts'
import { Name, Nullable, OneOf, optional, shownWith } from '../../../runtime/table/schema.ts'
import { locked } from '../../../runtime/table/subject.ts'
import { secretBox } from '../../../runtime/settings/secret-box.ts'
import { countOf, pageOf } from '../../../storage/sql/page.ts'
import type { ChannelRow } from '../../../storage/tables/index.ts'
import { workspace } from '../../people/workspaces/records.ts'
import type { Message } from './message.ts'
import { notify } from './queue.ts'
import { Channel, channel, Notification, notificationStates, toChannel, toNotification, ids } from './records.ts'
import { kept, kinds, settleTarget } from './target.ts'
import { m } from './messages.ts'

/** An upper bound, far above what a workspace needs. */
const MAX_CHANNELS = 100

const name = Name({
  maxLength: 100,
  description: 'Name shown in lists, on one line.',
})
const emails = optional(
  Nullable(Type.Array(Type.String({ format: 'email' }), { maxItems: 20 }), {
    [shownWith]: { field: 'kind', values: ['email'] },
    description: 'email: addresses of the recipients.',
  }),
)
const url = optional(
  Nullable(Type.String({ maxLength: 2_000 }), {
    [shownWith]: { field: 'kind', values: ['webhook', 'slack', 'discord', 'teams'] },
    description:
      'webhook, slack, discord, teams: URL that receives the messages, an incoming webhook of that product. ' +
      'Requires https; http works only within OUTBOUND_ALLOW_CIDRS.',
  }),
)
const ofWorkspace = { workspace_id: '{{workspace}}' }
const ofChannel = { ...ofWorkspace, id: '{{channel}}' }

export const channels_create = operation({
  route: 'POST /workspaces/{workspace_id}/channels',
  summary: 'Create a notification channel: e-mail, Slack, Discord, Teams',
  description:
    'Alerts send messages to it. Depending on its kind it needs addresses or a URL, of which only the end is shown later. To notify programs, use `webhooks_create`.',
  access: 'workspace.manage',
  on: locked(workspace),
  effect: 'create',
  contacts: true,
  input: { name, kind: OneOf(kinds, { description: 'Product that receives the messages; it cannot be changed later.' }), emails, url },
  output: Channel,
  secrets: ['url'],
  examples: [
    {
      summary: 'By e-mail',
      input: { ...ofWorkspace, name: 'On call', kind: 'email', emails: ['on-call@example.com'] },
    },
    {
      summary: 'To Slack',
      input: { ...ofWorkspace, name: '#traffic', kind: 'slack', url: 'https://hooks.slack.com/services/T0/B0/x' },
    },
  ],
  async run({ db, workspace, input, config, now, newId, use }) {
    const { target, faults } = settleTarget({ kind: input.kind, input, config })
    failWith(faults)
    if (!target) throw new Error('settleTarget returned no target and no faults')
    const count = await countOf(db.selectFrom('channels').where('workspace_id', '=', workspace.id))
    if (count >= MAX_CHANNELS) fail('limit_reached', m.too_many_channels({ most: MAX_CHANNELS }))
    const id = newId(ids.channel)
    const row: ChannelRow = {
      id,
      workspace_id: workspace.id,
      name: input.name,
      kind: input.kind,
      ...(await kept(use(secretBox), { db, id, target })),
      last_sent_at: null,
      last_error: null,
      last_error_at: null,
      created_at: now,
      updated_at: now,
    }
    await db.insertInto('channels').values(row).execute()
    return toChannel(row)
  },
})

export const channels_list = list({
  route: 'GET /workspaces/{workspace_id}/channels',
  summary: 'List notification channels',
  empty: {
    says: 'A channel is where alerts are sent: Slack, Discord, Teams, e-mail or a webhook.',
    like: [
      ['team@example.com', 'E-mail'],
      ['#alerts', 'Slack'],
    ],
  },
  title: 'Notification channels',
  place: 'watching',
  icon: 'mail',
  description: 'Recipients of alerts: e-mail addresses, channels of Slack, Discord and Teams, and webhooks. Newest first.',
  access: 'analytics.read',
  on: workspace,
  effect: 'read',
  input: { kind: optional(OneOf(kinds, { description: 'Only channels of this kind.' })) },
  of: Channel,
  examples: [{ input: ofWorkspace }],
  async run({ db, workspace, input, page }) {
    let query = db.selectFrom('channels').selectAll().where('workspace_id', '=', workspace.id)
    if (input.kind) query = query.where('kind', '=', input.kind)
    const { rows, total } = await pageOf(query.orderBy('created_at', 'desc').orderBy('id', 'desc'), page)
    return { rows: rows.map(toChannel), total }
  },
})

export const channels_get = operation({
  route: 'GET /workspaces/{workspace_id}/channels/{id}',
  summary: 'Get a notification channel',
  access: 'analytics.read',
  on: [workspace, channel],
  effect: 'read',
  input: {},
  output: Channel,
  examples: [{ input: ofChannel }],
  run: ({ channel }) => toChannel(channel),
})

export const channels_update = operation({
  route: 'PATCH /workspaces/{workspace_id}/channels/{id}',
  summary: 'Change a notification channel',
  description: 'Omitted fields stay unchanged. The URL stays, too, if its masked form is sent back.',
  help: 'The URL stays unchanged while the field shows only its end.',
  access: 'workspace.manage',
  on: [workspace, channel],
  effect: 'update',
  contacts: true,
  input: { name: optional(name), emails, url },
  output: Channel,
  secrets: ['url'],
  examples: [{ input: { ...ofChannel, name: 'Nights' } }],
  async run({ db, channel, input, config, now, use }) {
    const { target, faults } = settleTarget({ kind: channel.kind, input, config, before: channel })
    failWith(faults)
    const moved = target && (await kept(use(secretBox), { db, id: channel.id, target }))
    const row = await db
      .updateTable('channels')
      .set({ name: input.name, updated_at: now, ...(moved && { ...moved, last_error: null, last_error_at: null }) })
      .where('id', '=', channel.id)
      .returningAll()
      .executeTakeFirst()
    return toChannel(row ?? fail('not_found'))
  },
})

export const channels_delete = operation({
  route: 'DELETE /workspaces/{workspace_id}/channels/{id}',
  summary: 'Delete a notification channel',
  description: 'Removes it from its alerts. Queued messages to it are not sent.',
  access: 'workspace.manage',
  on: [workspace, channel],
  effect: 'delete',
  input: {},
  output: Channel,
  examples: [{ input: ofChannel }],
  async run({ db, channel }) {
    const deleted = await db.deleteFrom('channels').where('id', '=', channel.id).returningAll().executeTakeFirst()
    return toChannel(deleted ?? fail('not_found'))
  },
})

const tested = {
  succeeded: m.test_sent,
  failed: m.test_failed,
  pending: m.test_pending,
}

export const channels_test = operation({
  route: 'POST /workspaces/{workspace_id}/channels/{id}/test',
  summary: 'Send a test message to a notification channel',
  label: 'Send a test message',
  done: 'Test message sent.',
  description: 'Footfall sends it within seconds; `channel_notifications_list` shows the result.',
  access: 'workspace.manage',
  on: [workspace, channel],
  effect: 'update',
  contacts: true,
  rate: 'costly',
  input: {},
  output: Notification,
  outcome: ({ status, error }) => outcomeOf(status, tested, error),
  examples: [{ input: ofChannel }],
  async run({ db, channel, now, newId, config }) {
    const message: Message = {
      type: 'channel.test',
      title: m.test_title(),
      text: m.test_text({ name: channel.name }),
      facts: [],
      url: `${config.BASE_URL}/workspaces/${channel.workspace_id}/channels/${channel.id}`,
      thread: channel.id,
      data: {},
    }
    const [row] = await notify({ db, now, newId }, [channel.id], message)
    return toNotification(row ?? fail('not_found'))
  },
})

export const channel_notifications_list = list({
  route: 'GET /workspaces/{workspace_id}/channels/{channel_id}/notifications',
  summary: 'List messages to a notification channel',
  empty: {
    says: 'Every message to this channel appears here, with its outcome.',
    like: [
      ['alert.triggered', '✓'],
      ['alert.resolved', '✓'],
    ],
  },
  description: 'Shows which messages were sent, newest first. Messages are kept for 90 days.',
  access: 'analytics.read',
  reach: 'workspace',
  on: [workspace, channel],
  effect: 'read',
  input: { status: optional(OneOf(notificationStates, { description: 'Only messages in this state.' })) },
  of: Notification,
  examples: [{ input: { workspace_id: '{{workspace}}', channel_id: '{{channel}}' } }],
  async run({ db, channel, input, page }) {
    let query = db.selectFrom('notifications').selectAll().where('channel_id', '=', channel.id)
    if (input.status) query = query.where('status', '=', input.status)
    const { rows, total } = await pageOf(query.orderBy('created_at', 'desc').orderBy('id', 'desc'), page)
    return { rows: rows.map(toNotification), total }
  },
})
