/** A message for a program, as JSON. A retry has the same `id`. */
import type { SaidMessage } from '../message.ts'

export function webhookBody(id: string, { type, title, text, facts, url, data }: SaidMessage): object {
  return { id, type, title, text, facts, url, ...data }
}
