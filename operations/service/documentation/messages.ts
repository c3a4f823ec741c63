/** Messages of the manual's pages. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('documentation', {
  manual: 'Manual',
  chapters: 'Chapters of the manual',
  using: 'Using Footfall',
  running: 'Running it',
  building: 'Programs and agents',
  in_english: 'The manual is in English.',
  search_manual: 'Search the manual',
  found: 'In the manual about “{text}”',
  nothing_about: 'Nothing about “{text}” in the manual.',
  nothing_about_it: 'The manual has nothing about this. What Footfall does not do is in {limits}.',
  perhaps_not: 'If Footfall does not do something that people often look for, {limits} says so.',
  what_it_does_not: 'what it does not do',
})
