import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toldNote } from '../../../adapters/pages/told.ts'
import { table } from '../../../operations/index.ts'
import { loadTexts, told } from '../../../runtime/texts/index.ts'

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
      const said = toldNote(table, { locale }, `${left}${amounts}. collection_drops has them by day.`)
      assert.doesNotMatch(said, /Revenue|currency|amount|collection_drops/, locale)
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

test('why a domain of sign-in is not verified is told in the language of who reads, and what its record says stays', async () => {
  const name = '_sso-verification.acme.example'
  const reasons = [
    `There is no TXT record at ${name} yet. A new one can take up to an hour to be seen.`,
    `${name} has another TXT record: "v=spf1 -all".`,
    `The name server did not answer for ${name} (ETIMEOUT); try again.`,
  ]
  for (const locale of ['de', 'es', 'fr']) {
    await loadTexts({ locale })
    for (const reason of reasons) {
      const inWords = told({ locale }, reason)
      assert.doesNotMatch(inWords, /There is|another TXT|try again/, locale)
      for (const own of [name, '"v=spf1 -all"', 'ETIMEOUT'].filter(each => reason.includes(each))) assert.ok(inWords.includes(own), inWords)
    }
  }
})
