/**
 * Targets of channels: mail addresses, or a URL. Anyone who has the URL can write into the channel, so it is stored
 * sealed and only shown masked.
 */
import type { Config } from '../../../runtime/settings/config.ts'
import type { Fault } from '../../../runtime/table/errors.ts'
import { urlFaults } from '../../../runtime/outbound/outbound.ts'
import { fieldTerm, type Message, type Term, valueTerm } from '../../../runtime/texts/message.ts'
import { m } from './messages.ts'
import type { SecretBox } from '../../../runtime/settings/secret-box.ts'
import type { Db } from '../../../storage/store.ts'
import type { ChannelRow } from '../../../storage/tables/index.ts'

export const kinds = ['email', 'webhook', 'slack', 'discord', 'teams'] as const satisfies ChannelRow['kind'][]
export type Kind = ChannelRow['kind']

export type Target = { readonly mailboxes: readonly string[] } | { readonly url: string }

export interface TargetInput {
  readonly emails?: readonly string[] | null | undefined
  readonly url?: string | null | undefined
}

interface SettleTarget {
  readonly kind: Kind
  readonly input: TargetInput
  readonly config: Pick<Config, 'OUTBOUND_ALLOW_CIDRS'>
  readonly before?: ChannelRow | undefined
}

/** The target of a new or changed channel; null if the target stays, because it was omitted or sent back masked. */
export function settleTarget({ kind, input: { emails, url }, config, before }: SettleTarget): { target: Target | null; faults: Fault[] } {
  const refuse = (field: 'url' | 'emails', code: Fault['code'], wanted: (params: { field: Term; kind: Term }) => Message) => {
    const message = wanted({ field: fieldTerm(field), kind: valueTerm(kind) })
    return { target: null, faults: [{ pointer: `/${field}`, code, message }] }
  }
  if (kind === 'email') {
    if (url) return refuse('url', 'mismatch', m.field_not_used)
    if (emails === undefined && before) return { target: null, faults: [] }
    if (!emails || emails.length === 0) return refuse('emails', 'required', m.emails_required)
    return { target: { mailboxes: [...new Set(emails)] }, faults: [] }
  }
  if (emails && emails.length > 0) return refuse('emails', 'mismatch', m.emails_not_used)
  if (before && (url === undefined || url === before.shown)) return { target: null, faults: [] }
  return url ? { target: { url }, faults: urlFaults(url, config) } : refuse('url', 'required', m.field_required)
}

/** The columns that store a channel's target. */
export async function kept(
  box: SecretBox,
  { db, id, target }: { db: Db; id: string; target: Target },
): Promise<Pick<ChannelRow, 'target' | 'shown'>> {
  if ('mailboxes' in target) return { target: JSON.stringify(target.mailboxes), shown: null }
  return { target: await box.seal(db, target.url, id), shown: masked(target.url) }
}

/** The URL of any kind but email; null if it can no longer be decrypted. */
export const urlOf = (box: SecretBox, db: Db, { id, target }: ChannelRow): Promise<string | null> => box.unseal(db, target, id)

export const mailboxesOf = ({ kind, target }: ChannelRow): string[] => (kind === 'email' ? (JSON.parse(target) as string[]) : []) // written by us as a list of strings

/** Masks a URL so that it can be recognized by its origin and last characters. A short path is masked completely. */
function masked(url: string): string {
  const { origin, href } = new URL(url)
  const secret = href.slice(origin.length + 1)
  return `${origin}/…${secret.length >= 16 ? secret.slice(-4) : ''}`
}
