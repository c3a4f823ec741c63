import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toldNote } from '../../../adapters/pages/told.ts'
import { table } from '../../../operations/index.ts'
import { loadTexts } from '../../../runtime/languages/index.ts'

const left = 'Revenue leaves out amounts that came in on these days: 2 in another currency than USD, and are not converted'
const more = '; 3 that say no amount in a known currency, or more than is taken'

test('a note of a report calls an operation as pages call it, in the language of who reads', async () => {
  assert.match(
    toldNote(table, { locale: 'en' }, `${left}. collection_drops has them by day.`),
    /than USD, and are not converted. “Refused hits” has them/,
  )
  for (const locale of ['de', 'es', 'fr']) {
    await loadTexts({ locale })
    for (const amounts of ['', more]) {
      const told = toldNote(table, { locale }, `${left}${amounts}. collection_drops has them by day.`)
      assert.doesNotMatch(told, /Revenue|currency|amount|collection_drops/, locale)
    }
  }
})

test('what somebody named as an operation is called stays', () => {
  const message = 'filters/0: no event of this site ever passed "is" "collection_drops".'
  assert.equal(toldNote(table, { locale: 'en' }, message), message)
  const rows = 'Rows are those values of property:collection_drops that its own filters ask for.'
  assert.equal(toldNote(table, { locale: 'en' }, rows), rows)
})

test('notes of filters and of imports name no metrics and inputs as programs do, in any language', async () => {
  const messages = [
    'bounce_rate and visit_duration count only the visits that entered on a page the filter asks for.',
    'include_imported has nothing to add: this site has no imported history.',
  ]
  for (const locale of ['en', 'de', 'es', 'fr']) {
    await loadTexts({ locale })
    for (const message of messages) assert.doesNotMatch(toldNote(table, { locale }, message), /_/, locale)
  }
})
