/**
 * Adds suggestions to failures: the choices for an id that is not found, and the id of the record that already exists. They
 * come from the lists that the caller may see, as in complete-path.ts.
 */
import { Failure, type Fault } from '../table/errors.ts'
import { referenceOf, subjectListedAs } from '../table/subject-finders.ts'
import { clipped } from '../values/clip.ts'
import { isObject } from '../values/json.ts'
import type { Call } from './call.ts'
import { type Choices, choicesOf, choicesShown, idsIn, inWords, isCalled, notFound } from './complete-path.ts'
import { m } from './messages.ts'

/** @returns what was thrown, or a failure of the same code with suggestions */
export async function explained(call: Call, thrown: unknown): Promise<unknown> {
  if (!(thrown instanceof Failure)) return thrown
  const aside: Call = { ...call, db: call.core.store.read } // its transaction, if there was one, is over
  if (thrown.code === 'already_exists') return withTheOther(aside, thrown)
  if (call.request.completes !== true) return thrown
  if (thrown.code === 'validation_failed') return withChoices(aside, thrown)
  const subject = call.operation.on[call.operation.onParameters.indexOf(call.sought ?? '')]
  if (thrown.code !== 'not_found' || !subject || call.sought === undefined) return thrown
  return notFound(call.sought, subject.name, await choicesShown(aside, subject.name))
}

/** Characters of a name within the message. */
const MAX_NAME_LENGTH = 100

/** Names the existing record, found by its name in the list of the records that the operation makes or changes. */
async function withTheOther(call: Call, thrown: Failure): Promise<Failure> {
  const { operation, input, core } = call
  const subject = subjectListedAs(core.table, operation.output)
  if (!subject) return thrown
  const { calledBy = 'name' } = subject
  const wanted = calledBy === null ? undefined : input[calledBy]
  const choices = await choicesOf(call, { subject: subject.name, wanted: typeof wanted === 'string' ? wanted : undefined })
  const given = Object.values(input).filter(value => typeof value === 'string')
  const other = choices?.records.find(record => record.id !== input.id && given.some(value => isCalled(record, value)))
  return other
    ? new Failure(
        thrown.code,
        m.the_other_one({ message: thrown.sentence, name: clipped(other.names[0] ?? '', MAX_NAME_LENGTH), id: other.id }),
        {
          details: thrown.details,
          headers: thrown.headers,
        },
      )
    : thrown
}

/** The field of a pointer: `/cards/3/params/funnel_id` and `/funnel_ids/2` name a funnel. */
const idPointer = /\/(\w+_ids?)(\/\d+)?$/
/** Most lists that are read for one answer. */
const maxLists = 5

/** Adds the choices to each fault of an id that is not found. */
async function withChoices(call: Call, thrown: Failure): Promise<Failure> {
  const lists = new Map<string, Promise<Choices | undefined>>()
  const details = await Promise.all(
    thrown.details.map(async (fault): Promise<Fault> => {
      const { pointer, code, message } = fault
      const [, field] = (code === 'not_found' && idPointer.exec(pointer)) || []
      const subject = field === undefined ? undefined : referenceOf(call.core.table, field)?.subject
      if (subject === undefined) return fault
      const nested = idsAlong(call.input, pointer, subject)
      const list = JSON.stringify([subject, ...nested])
      if (!lists.has(list) && lists.size < maxLists) lists.set(list, choicesOf(call, { subject, wanted: undefined, nested }))
      const choices = await lists.get(list)
      const isSaid = choices?.records.some(({ id }) => String(message).includes(id))
      return choices && !isSaid ? { ...fault, message: m.with_choices({ message, choices: inWords(choices) }) } : fault
    }),
  )
  return new Failure(thrown.code, thrown.sentence, { details, headers: thrown.headers })
}

/** Ids of other subjects in the objects along a pointer, such as the site of the card that names a funnel. */
function idsAlong(input: unknown, pointer: string, but: string): Map<string, string> {
  const known = new Map<string, string>()
  let value = input
  for (const key of pointer.split('/').slice(1)) {
    if (isObject(value)) for (const [subject, id] of idsIn(value, but)) known.set(subject, id)
    value = isObject(value) || Array.isArray(value) ? Reflect.get(value, key) : undefined
  }
  return known
}
