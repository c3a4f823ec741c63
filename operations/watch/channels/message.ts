/** A message to a channel, before it is translated and formatted for the channel's kind. */
import type { Say } from '../../../runtime/texts/say.ts'
import type { Sentence } from '../../../runtime/texts/message.ts'

/** The types of messages, and the tone of each. */
export const tones = { 'alert.triggered': 'alarm', 'alert.resolved': 'relief', 'channel.test': 'notice' } as const
export type MessageType = keyof typeof tones
export const messageTypes = Object.keys(tones) as MessageType[]

interface MessageIn<S> {
  readonly type: MessageType
  /** One line, for subjects and headings. */
  readonly title: S
  /** A sentence that describes the event. */
  readonly text: S
  /** Labelled facts. */
  readonly facts: readonly { readonly label: S; readonly value: S }[]
  /** The page to open. */
  readonly url: string
  /** Equal for all messages of one thread. */
  readonly thread: string
  /** The records that the message reports, for programs. */
  readonly data: Readonly<Record<string, unknown>>
}
export type Message = MessageIn<Sentence>

/** A message in the language of its recipients. */
export type SaidMessage = MessageIn<string>

export const saidIn = (say: Say, message: Message): SaidMessage => ({
  ...message,
  title: say(message.title),
  text: say(message.text),
  facts: message.facts.map(({ label, value }) => ({ label: say(label), value: say(value) })),
})
