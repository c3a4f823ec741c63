/** What is told to a channel, before it takes the form of one. */
import { type Static, Type } from '@sinclair/typebox'
import { OneOf } from '../../../runtime/schema.ts'

/** Which messages there are, and how loud each is. */
export const tones = { 'alert.triggered': 'alarm', 'alert.resolved': 'relief', 'channel.test': 'notice' } as const
export type MessageType = keyof typeof tones
export const messageTypes = Object.keys(tones) as MessageType[]

export const Message = Type.Object({
  type: OneOf(messageTypes),
  /** One line, for subjects and headings. */
  title: Type.String(),
  /** One sentence: what happened. */
  text: Type.String(),
  /** What to know, label by label. */
  facts: Type.Array(Type.Object({ label: Type.String(), value: Type.String() })),
  /** Where to look and act. */
  url: Type.String(),
  /** Messages of one thread say the same here. */
  thread: Type.String(),
  /** The records it is about, for programs. */
  data: Type.Record(Type.String(), Type.Unknown()),
})
export type Message = Static<typeof Message>
