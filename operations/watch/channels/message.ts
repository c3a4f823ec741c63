/** A message to a channel, before it is formatted for the channel's kind. */
import { type Static, Type } from '@sinclair/typebox'
import { OneOf } from '../../../runtime/table/schema.ts'

/** The types of messages, and the tone of each. */
export const tones = { 'alert.triggered': 'alarm', 'alert.resolved': 'relief', 'channel.test': 'notice' } as const
export type MessageType = keyof typeof tones
export const messageTypes = Object.keys(tones) as MessageType[]

export const Message = Type.Object({
  type: OneOf(messageTypes),
  /** One line, for subjects and headings. */
  title: Type.String(),
  /** One sentence on what happened. */
  text: Type.String(),
  /** Labelled facts. */
  facts: Type.Array(Type.Object({ label: Type.String(), value: Type.String() })),
  /** The page to open. */
  url: Type.String(),
  /** Equal for all messages of one thread. */
  thread: Type.String(),
  /** The records it is about, for programs. */
  data: Type.Record(Type.String(), Type.Unknown()),
})
export type Message = Static<typeof Message>
