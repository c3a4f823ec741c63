/** A message for a program: its parts as JSON. The same `id` again is the same message again. */
import type { Message } from '../message.ts'

export function webhookBody(id: string, { type, title, text, facts, url, data }: Message): object {
  return { id, type, title, text, facts, url, ...data }
}
