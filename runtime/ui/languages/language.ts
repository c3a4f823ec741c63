import type { en } from './en.ts'

export type Key = keyof typeof en
/** The words of pages in a language: all that English has. */
export interface Language {
  readonly own: Readonly<Record<Key, string>>
}
