/** A draft of a goal: nothing is created until a person confirms it. */
import { plain } from '../../figures.ts'
import { Unclear } from '../extract.ts'
import type { Answering, PartAnswer } from './answering.ts'
import { m } from '../../messages.ts'

export function draft({ part, asking: { say } }: Answering): PartAnswer {
  const { done, path } = part
  const draftAnswer = (draft: NonNullable<PartAnswer['draft']>, who: string): PartAnswer => ({
    text: `${who} ${say(m.it_is_a_draft)}`,
    draft,
  })
  const ofPage = (page: string): string => say(m.goal_of_page, { page: plain(page) })
  const none = { property: null, value: null }
  if (done?.dimension === 'event')
    return draftAnswer(
      { name: done.label, kind: 'event', path: null, event: done.value, ...none },
      say(m.goal_of_event, { label: plain(done.label) }),
    )
  if (path !== null) return draftAnswer({ name: path, kind: 'page', path, event: null, ...none }, ofPage(path))
  const page = part.filters.find(({ dimension, isNegative }) => dimension === 'page' && !isNegative)?.values[0]
  if (page !== undefined) return draftAnswer({ name: page, kind: 'page', path: page, event: null, ...none }, ofPage(page))
  throw new Unclear(m.name_page_or_event())
}
