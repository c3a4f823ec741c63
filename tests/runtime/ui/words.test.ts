/** Small things that pages say: durations, conditions, places on the map. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WorldMap } from '../../../runtime/ui/charts/map.tsx'
import { conditionWords } from '../../../runtime/ui/conditions.ts'
import { duration, percent, pointLabel } from '../../../runtime/ui/format.ts'
import { loadTexts } from '../../../runtime/texts/catalogues.ts'
import { itemWords, valueWords, words } from '../../../runtime/ui/words.ts'

const viewer = { locale: 'en', timezone: 'UTC', currency: 'EUR' }

test('A point of a series is labelled by its interval; a quarter is not labelled as a month', () => {
  const label = (interval: Parameters<typeof pointLabel>[1], locale = 'en') =>
    pointLabel('2026-04-01T00:00:00+02:00', interval, { ...viewer, locale })
  assert.deepEqual([label('month'), label('quarter'), label('year'), label('quarter', 'fr')], ['Apr 2026', 'Q2 2026', '2026', 'T2 2026'])
})

test('a duration of nothing is in seconds, as the others beside it', () => {
  assert.deepEqual(
    [0, 0.2, 250, 1_000, 66_000].map(ms => duration(ms, viewer)),
    ['0s', '0s', '250 ms', '1s', '1m 6s'],
  )
})

test('a share too small for one digit is not 0%, which would mean none', () => {
  assert.deepEqual(
    [0, 0.01, -0.01, 0.05, 99.94, 250].map(share => percent(share, viewer)),
    ['0%', '<0.1%', '<0.1%', '0.1%', '99.9%', '250%'],
  )
})

test('units and numbers are written as the language has them', async () => {
  const said = (locale: string) => [0, 66_000, 90_000_000].map(ms => duration(ms, { ...viewer, locale }).replaceAll(/\s/g, ' '))
  assert.deepEqual(said('fr'), ['0 s', '1 min 6 s', '1 j 1 h'])
  assert.deepEqual(said('es'), ['0 s', '1 min 6 s', '1 d 1 h'])
  assert.deepEqual(said('de'), ['0s', '1m 6s', '1 T 1h'])
  await loadTexts({ locale: 'es' })
  assert.equal(conditionWords(['device', 'is', 'mobile'], { ...viewer, locale: 'es' }), 'Dispositivo es Móvil')
})

test('conditions name countries and languages; what is no code stays as it was typed', () => {
  const said = (condition: unknown) => conditionWords(condition, viewer)
  assert.equal(said(['country', 'is', 'DE']), 'Country is Germany')
  assert.equal(said(['language', 'any_of', ['fr', 'xx-<b>']]), 'Language is French or xx-<b>')
  assert.equal(said(['country', 'contains', 'not a code']), 'Country contains not a code')
  assert.equal(said(['visit_duration', 'gt', '5']), 'Visit duration above 5 ms')
})

test('fields and values are shown in words', () => {
  assert.deepEqual(['at', 'timezone', 'created_at'].map(words), ['Time', 'Time zone', 'Created at'])
  assert.deepEqual(
    ['cards', 'entries', 'steps'].map(name => itemWords(name)),
    ['Card', 'Entry', 'Step'],
  )
  assert.equal(valueWords('lte', viewer), 'at most')
})

test('visits of no known country colour no land', () => {
  const map = String(
    WorldMap({
      label: 'Map',
      values: [
        { country: '', value: 5, says: 'nowhere' },
        { country: 'DE', value: 3, says: 'Germany' },
      ],
    }),
  )
  assert.match(map, /Germany/)
  assert.doesNotMatch(map, /nowhere/)
})
