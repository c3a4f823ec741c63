import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unavailableSentence } from '../../../runtime/call/unavailable.ts'
import { sayIn } from '../../../runtime/texts/say.ts'
import { StorageUnavailable } from '../../../storage/values/storage-unavailable.ts'

test('a report that is too large is refused in the language of the reader', async () => {
  const say = await sayIn('de')
  const sentence = unavailableSentence(new StorageUnavailable('report_too_large', 'for logs'))
  assert.equal(String(sentence), 'The report reads too much at once; ask for a shorter range.')
  assert.equal(say(sentence ?? ''), 'Der Bericht liest zu viel auf einmal; wähle einen kürzeren Zeitraum.')
})

test('a caller does not read what is wrong with the database', () => {
  assert.equal(unavailableSentence(new StorageUnavailable('away', 'no connection to 10.0.0.7')), undefined)
})
