/** Notes of a report on its own numbers. */
import { fieldTerm, type Message, type Sentence, valueTerm } from '../../../runtime/texts/message.ts'
import type { Note as EngineNote, Test } from '../../../storage/engine/vocabulary/scope.ts'
import { sense } from '../../../storage/engine/vocabulary/operators.ts'
import { m } from './messages.ts'

export interface Note {
  /** For programs. */
  readonly code: string
  /** For people. */
  readonly message: Sentence
}

/** Largest number of names in a note. */
const MAX_NAMES = 20

/** Converts a note of the engine, which has only a code and values, to a message. Returns notes of reports unchanged. */
export const noteOf = (note: Note | EngineNote): Note => ('message' in note ? note : { code: note.code, message: sayNote(note) })

function sayNote(note: EngineNote): Message {
  if (note.code === 'bounces_of_entries')
    return m.bounces_of_entries({ bounce_rate: fieldTerm('bounce_rate'), visit_duration: fieldTerm('visit_duration') })
  if (note.code === 'only_matching_hits') return m.only_matching_hits({ dimension: dimensionTerm(note.dimension) })
  if (note.code === 'hidden_events')
    return m.hidden_events({ names: note.events.slice(0, MAX_NAMES), more: Math.max(0, note.events.length - MAX_NAMES) })
  if ('pointers' in note) {
    const filters = { pointers: note.pointers.map(fieldTerm), dimension: dimensionTerm(note.dimension) }
    return note.code === 'filters_exclude' ? m.filters_exclude(filters) : m.pages_apart({ ...filters, pageviews: fieldTerm('pageviews') })
  }
  if (note.of === 'condition') return noValue(note.condition)
  const value = JSON.stringify(note.value)
  return note.of === 'page' ? m.no_such_page({ path: fieldTerm('path'), value }) : m.no_such_event({ name: fieldTerm('name'), value })
}

function noValue({ pointer, dimension, operator, values }: Test): Message {
  const value = JSON.stringify(values.length === 1 ? values[0] : values)
  const { positive } = sense(operator)
  const said = values.length === 1 && positive === 'any_of' ? 'is' : positive
  return m.no_such_value({ pointer: fieldTerm(pointer), dimension: dimensionTerm(dimension), operator: valueTerm(said), value })
}

/** Properties have site-specific names, which are not translated. */
const dimensionTerm = (name: string) => (name.includes(':') ? name : fieldTerm(name))
