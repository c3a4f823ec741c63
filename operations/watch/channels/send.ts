/** One attempt to send one message. */
import { bodyText, clipped } from '../../../runtime/values/clip.ts'
import { endpointGuard, guardedFetch, OutboundError } from '../../../runtime/outbound/outbound.ts'
import { secretBox } from '../../../runtime/settings/secret-box.ts'
import type { Sentence } from '../../../runtime/texts/message.ts'
import { sayEnglish } from '../../../runtime/texts/say.ts'
import type { TaskContext } from '../../../runtime/table/task.ts'
import type { ChannelRow, NotificationRow } from '../../../storage/tables/index.ts'
import { mailer, sayToAll } from '../../people/mail/index.ts'
import { discordBody } from './forms/discord.ts'
import { email } from './forms/email.ts'
import { slackBody } from './forms/slack.ts'
import { teamsBody } from './forms/teams.ts'
import { webhookBody } from './forms/webhook.ts'
import { type SaidMessage, saidIn } from './message.ts'
import { m } from './messages.ts'
import { messageOf } from './records.ts'
import { type Kind, mailboxesOf, urlOf } from './target.ts'

export type SendResult =
  /** `warning`: sent, but not to all addresses. */
  | { readonly ok: true; readonly warning: Sentence | null }
  /** `final`: a retry would fail the same way. */
  | { readonly ok: false; readonly error: Sentence; readonly final: boolean }

/** Stored characters of an error, at most. */
const maxErrorLength = 500

type Sending = Pick<TaskContext, 'config' | 'store' | 'use'>

const forms: Readonly<Record<Exclude<Kind, 'email'>, (id: string, message: SaidMessage) => object>> = {
  webhook: webhookBody,
  slack: (_, message) => slackBody(message),
  discord: (_, message) => discordBody(message),
  teams: (_, message) => teamsBody(message),
}

const LIMITS = { timeoutMs: 15_000, connectMs: 5_000, maxBytes: 2_048, redirects: 0 } as const

/** Never throws. */
export async function send(channel: ChannelRow, notification: NotificationRow, sending: Sending): Promise<SendResult> {
  try {
    if (channel.kind === 'email') return await sendMail(mailboxesOf(channel), notification, sending)
    const url = await urlOf(sending.use(secretBox), sending.store.read, channel)
    if (url === null) return failed(m.url_unreadable())
    // A product has no account with a language.
    return await post(url, forms[channel.kind](notification.id, saidIn(sayEnglish, messageOf(notification))), sending)
  } catch (thrown) {
    return failed(sentenceOfThrown(thrown), isFinal(thrown))
  }
}

async function sendMail(to: string[], notification: NotificationRow, { config, store, use }: Sending): Promise<SendResult> {
  const server = use(mailer)
  if (!server) return failed(m.no_mail())
  const say = await sayToAll(store.read, to)
  const mail = await email(notification.id, saidIn(say, messageOf(notification)), { baseUrl: config.BASE_URL, say })
  const { refused } = await server.send({ to, ...mail })
  if (refused.length === 0) return { ok: true, warning: null }
  return { ok: true, warning: m.mailboxes_refused({ addresses: clipped(refused.join(', '), maxErrorLength) }) }
}

async function post(url: string, body: object, { config }: Sending): Promise<SendResult> {
  const { status, body: answer } = await guardedFetch(url, {
    ...endpointGuard(new URL(url), config),
    ...LIMITS,
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'User-Agent': 'Footfall' },
    body: JSON.stringify(body),
  })
  if (status >= 200 && status < 300) return { ok: true, warning: null }
  const text = bodyText(answer, maxErrorLength).trim()
  const final = status < 500 && status !== 408 && status !== 429
  return failed(text === '' ? m.answered({ status }) : m.answered_with({ status, text }), final)
}

const failed = (error: Sentence, final = true): SendResult => ({ ok: false, error, final })

function sentenceOfThrown(thrown: unknown): Sentence {
  if (thrown instanceof OutboundError) return thrown.sentence
  return clipped(thrown instanceof Error ? thrown.message : String(thrown), maxErrorLength)
}

/** The mail server refused permanently (RFC 5321 §4.2.1), or the target must not be called. */
function isFinal(thrown: unknown): boolean {
  if (thrown instanceof OutboundError) return thrown.code === 'blocked' || thrown.code === 'invalid_target'
  const answered: unknown = thrown instanceof Error && 'responseCode' in thrown ? thrown.responseCode : undefined
  return typeof answered === 'number' && answered >= 500
}
