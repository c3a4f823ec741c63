/** A goal that somebody wants to have: nothing is made until a person confirms it. */
import { plain } from '../../figures.ts'
import { Unclear } from '../parts.ts'
import type { Answering, PartAnswer } from './answering.ts'

export function draft({ part }: Answering): PartAnswer {
  const { done, path } = part
  const none = { property: null, value: null }
  if (done?.dimension === 'event')
    return told(
      { name: done.label, kind: 'event', path: null, event: done.value, ...none },
      `everybody who sends the event “${plain(done.label)}”`,
    )
  if (path !== null) return told({ name: path, kind: 'page', path, event: null, ...none }, `everybody who sees the page ${plain(path)}`)
  const page = part.filters.find(({ dimension, isNegative }) => dimension === 'page' && !isNegative)?.values[0]
  if (page !== undefined)
    return told({ name: page, kind: 'page', path: page, event: null, ...none }, `everybody who sees the page ${plain(page)}`)
  throw new Unclear('Name a page (`/thanks`) or an event of the site that should count as a goal.')
}

const told = (draft: NonNullable<PartAnswer['draft']>, who: string): PartAnswer => ({
  text: `This goal would count ${who}. It is a draft: nothing is made until you create it.`,
  draft,
})
