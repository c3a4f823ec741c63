/** Messages: stored as code and parameters, said in the language of the reader. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parametersOf } from '../../../runtime/texts/format.ts'
import {
  dayTerm,
  declaredMessages,
  fieldTerm,
  forPeople,
  keepMessages,
  Message,
  messages,
  restoreMessages,
  sentenceOf,
  storedSentence,
} from '../../../runtime/texts/message.ts'
import { say, sayFault, sayParts } from '../../../runtime/texts/say.ts'

const m = messages('test_of_messages', {
  plain: 'It isn’t paused.',
  limit: 'A site has at most {max, number} {what}.',
  incidents: '{count, plural, one {# incident of {name}} other {# incidents of {name}}}',
  nested: 'Resolved. Before: {before}',
  field: '{field} is required.',
})
const english = { locale: 'en' }

test('a message has its English text as a string and in JSON', () => {
  assert.equal(String(m.plain()), 'It isn’t paused.')
  assert.equal(JSON.stringify({ message: m.limit({ max: 1250, what: 'links' }) }), '{"message":"A site has at most 1,250 links."}')
  assert.equal(say(english, m.incidents, { count: 1, name: 'Shop' }), '1 incident of Shop')
  assert.equal(say(english, m.incidents({ count: 3, name: 'Shop' })), '3 incidents of Shop')
})

test('a field has its name for programs and its label for people', () => {
  const message = m.field({ field: fieldTerm('window_minutes') })
  assert.equal(String(message), 'window_minutes is required.')
  assert.equal(sayFault(english, message), '“Window minutes” is required.')
  assert.equal(say(english, message), 'Window minutes is required.')
})

test('a message with an English for people has its own English in JSON', () => {
  const spoken = messages('spoken', { required: '{field} is required: {type}.', plain: 'It is plain.' })
  forPeople(spoken, { required: '{field} is missing.' })
  const message = spoken.required({ field: fieldTerm('goal_id'), type: 'a string' })
  assert.deepEqual([String(message), JSON.stringify(message)], ['goal_id is required: a string.', '"goal_id is required: a string."'])
  assert.equal(sayFault(english, message), '“Goal” is missing.')
  assert.equal(say(english, spoken.plain()), 'It is plain.')
  assert.equal(declaredMessages().get('spoken.required'), '{field} is missing.') // what translators translate
})

test('a day is an ISO date for programs, and written in the way of its readers for people', () => {
  const message = m.nested({ before: dayTerm('2026-03-01') })
  assert.equal(String(message), 'Resolved. Before: 2026-03-01')
  assert.equal(say(english, message), 'Resolved. Before: Mar 1, 2026')
  assert.equal(say({ locale: 'de' }, dayTerm('2026-03-01')), '01.03.2026')
  assert.deepEqual(sentenceOf(storedSentence(message)), message)
  assert.equal(say(english, dayTerm('no day')), 'no day')
})

test('a stored message is formatted like the original, with messages and terms in it', () => {
  const message = m.nested({ before: m.field({ field: fieldTerm('goal_id') }) })
  const read = sentenceOf(storedSentence(message))
  assert.ok(read instanceof Message)
  assert.deepEqual(read, message)
  assert.equal(say(english, read), 'Resolved. Before: Goal is required.')
  assert.equal(sentenceOf('The certificate expires in 2 days'), 'The certificate expires in 2 days')
  assert.equal(sentenceOf('{"code":3}'), '{"code":3}')
  assert.equal(sentenceOf('{"code":"a.b'), '{"code":"a.b')
})

test('an answer that is kept for a repeated request keeps its messages', () => {
  const answer = { data: [{ error: m.plain(), name: 'x' }] }
  const kept: unknown = JSON.parse(JSON.stringify(answer, keepMessages), restoreMessages)
  assert.deepEqual(kept, answer)
})

test('elements of a page can be parameters', () => {
  const element = { tag: 'b' }
  assert.deepEqual(sayParts(english, m.nested, { before: element }), ['Resolved. Before: ', element])
})

test('two messages of one code stop the start with the code', () => {
  assert.throws(() => messages('test_of_messages', { plain: 'Again' }), /test_of_messages\.plain/)
})

test('the parameters that the compiler reads from a text are those of the parser', () => {
  for (const [code, text] of declaredMessages()) assert.doesNotThrow(() => parametersOf(text), code)
})
