/** The form of a notification channel: where messages go, and what that product needs. */
import type { Content } from '../../../runtime/table/page.ts'
import type { PlainMessage } from '../../../runtime/texts/message.ts'
import type { Reader } from '../../../runtime/texts/reader.ts'
import { say } from '../../../runtime/texts/say.ts'
import type { FormParts, KindCard } from '../../../runtime/ui/form-layout.ts'
import { valueWords } from '../../../runtime/ui/words.ts'
import { m } from './messages.ts'
import { kinds } from './target.ts'

type Kind = (typeof kinds)[number]

const icons: Readonly<Record<Kind, Pick<KindCard, 'icon' | 'mark'>>> = {
  email: { icon: 'mail' },
  slack: { mark: 'Slack' },
  discord: { mark: 'Discord' },
  teams: { mark: 'Teams' },
  webhook: { icon: 'webhook' },
}
const urlHelp: Readonly<Record<Exclude<Kind, 'email'>, PlainMessage>> = {
  slack: m.url_of_slack,
  discord: m.url_of_discord,
  teams: m.url_of_teams,
  webhook: m.url_of_webhook,
}
const order = Object.keys(icons) as Kind[] // a literal's own keys

type Field = 'name' | 'emails' | 'url'

/** A new channel: its kind, then what the kind needs. */
export function channelFields(parts: FormParts<Field | 'kind'>): Content {
  const { reader } = parts
  const kind = kindIn(parts.begin({ kind: 'email' }).kind)
  return (
    <>
      {parts.kinds(
        'kind',
        order.map(each => ({ value: each, ...icons[each], label: called(each, reader) })),
        { label: say(reader, m.messages_go_to) },
      )}
      {ofKind(kind, parts)}
    </>
  ) as Content
}

/** A change of a channel, which keeps its kind. */
export const channelChange = (parts: FormParts<Field>): Content => ofKind(kindIn(parts.record?.kind), parts)

function ofKind(kind: Kind, parts: FormParts<Field>): Content {
  const { reader, isNew, values } = parts
  const first: unknown = Array.isArray(values.emails) ? values.emails[0] : undefined
  const proposed = kind !== 'email' ? called(kind, reader) : typeof first === 'string' ? first : ''
  parts.without(kind === 'email' ? 'url' : 'emails')
  return (
    <>
      {kind === 'email'
        ? parts.field('emails', {
            label: say(reader, m.recipients),
            help: '',
            isRows: true,
            add: say(reader, m.add_recipient),
            isWanted: true,
          })
        : parts.field('url', {
            label: say(reader, m.address_of_channel),
            help: say(reader, isNew ? urlHelp[kind] : m.url_stays),
            placeholder: 'https://',
            isWanted: true,
          })}
      {parts.field('name', { help: '', proposed: isNew ? proposed : undefined })}
    </>
  ) as Content
}

const kindIn = (value: unknown): Kind => kinds.find(each => each === value) ?? 'email'
const called = (kind: Kind, reader: Reader): string =>
  kind === 'email' ? say(reader, m.by_email) : kind === 'webhook' ? say(reader, m.webhook) : valueWords(kind, reader)
