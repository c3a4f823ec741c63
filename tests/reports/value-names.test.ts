/** Words of the service among the values of dimensions: each is declared, with a translation. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../../operations/reports/stats/messages.ts'
import '../../operations/sites/channel-rules/messages.ts'
import '../../operations/sites/collection/messages.ts'
import { CHANNELS } from '../../operations/sites/collection/enrich/channels.ts'
import { idOfValue, labelSaid, unnamedIn, valueIn } from '../../runtime/texts/code-names.ts'
import { loadTexts } from '../../runtime/texts/catalogues.ts'
import { declaredMessages } from '../../runtime/texts/message.ts'
import { deviceKinds } from '../../storage/engine/vocabulary/devices.ts'
import { dimensions, labelOf } from '../../storage/engine/vocabulary/dimensions.ts'

const label = (name: string, value: string): string => {
  const dimension = dimensions.get(name)
  assert.ok(dimension)
  return labelOf(dimension, value)
}

test('every channel, device, weekday and placeholder is declared under its id', () => {
  const words = [
    ...CHANNELS.map(channel => ['channel', channel] as const),
    ...deviceKinds.map(value => ['device', label('device', value)] as const),
    ...['1', '2', '3', '4', '5', '6', '7'].map(value => ['weekday', label('weekday', value)] as const),
    ...[...dimensions.values()].map(({ blank }) => ['none', blank] as const),
    ...['(other)', '(entrance)', '(exit)'].map(word => ['none', word] as const),
  ]
  for (const [dimension, word] of words) assert.equal(declaredMessages().get(idOfValue(dimension, word)), word)
})

test('values of the service are translated for the reader, and values of visitors are not', async () => {
  const reader = { locale: 'de' }
  await loadTexts(reader)
  assert.equal(labelSaid({ dimension: 'channel', value: 'Organic Search', label: 'Organic Search', reader }), 'Organische Suche')
  assert.equal(labelSaid({ dimension: 'device', value: 'mobile', label: 'Mobile', reader }), 'Mobil')
  assert.equal(labelSaid({ dimension: 'device', value: 'tv', label: label('device', 'tv'), reader }), 'Fernseher')
  assert.equal(labelSaid({ dimension: 'source', value: '', label: 'Direct / None', reader }), 'Direkt / keine')
  assert.equal(labelSaid({ dimension: 'page', value: 'Organic Search', label: 'Organic Search', reader }), 'Organic Search')
  assert.equal(valueIn('weekday', '1', reader), 'Montag')
  assert.equal(unnamedIn('(entrance) → /pricing → (mine)', reader), '(Einstieg) → /pricing → (mine)')
  assert.equal(unnamedIn('(other)', { locale: 'en' }), '(other)')
})
