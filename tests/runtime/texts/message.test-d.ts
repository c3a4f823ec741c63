/** Types of messages; the type check runs this file. */
import { forPeople, messages } from '../../../runtime/texts/message.ts'
import { say } from '../../../runtime/texts/say.ts'

const m = messages('test_of_types', {
  plain: 'Paused',
  two: '{name} has {count, plural, one {# visit in {days}} other {# visits in {days}}}',
})
const reader = { locale: 'en' }

m.plain()
say(reader, m.plain)
m.two({ name: 'a', count: 1, days: 'b' })
say(reader, m.two, { name: 'a', count: 1, days: 'b' })
// @ts-expect-error a parameter is misspelt
m.two({ nam: 'a', count: 1, days: 'b' })
// @ts-expect-error the parameter of a plural is a number
m.two({ name: 'a', count: '1', days: 'b' })
// @ts-expect-error a parameter is missing
say(reader, m.two, { name: 'a', count: 1 })
// @ts-expect-error the id is misspelt
say(reader, m.plein)

forPeople(m, { plain: 'It is paused', two: '{name} has visits' })
// @ts-expect-error the message has no such parameter
forPeople(m, { two: '{nam} has visits' })
// @ts-expect-error there is no such message
forPeople(m, { plein: 'It is paused' })
