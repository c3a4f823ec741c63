/** Properties of Umami's events, one row each in a separate file. They stay in memory until the events are read. */
import { m } from '../messages.ts'
import type { Ignored } from '../left-out.ts'
import { JobFailure } from '../../../../runtime/tasks/job.ts'
import type { JsonObject } from '../../../sites/collection/index.ts'
import { csvRecords } from '../csv.ts'
import { type Archive, textsOf } from './archive.ts'
import { textIn } from './values.ts'

/** The field of a record that receives them. */
export const PROPS = 'event_data'
const MAX_VALUES = 2_000_000
const MAX_CHARACTERS = 128 * 1024 * 1024

export const base = (name: string): string => name.split('/').at(-1) ?? ''

/** @param onIgnored receives further files of the archive, and how many lines of this one cannot be read */
export async function eventData({ parts }: Archive, onIgnored: (ignored: Ignored) => void): Promise<(record: JsonObject) => JsonObject> {
  if (parts.length > 1) {
    for (const { name } of parts)
      if (!/^(website_event|event_data)\.csv$/.test(base(name)))
        onIgnored({ what: name.slice(0, 100), why: m.file_not_needed(), rows: null })
  }
  const part = parts.find(({ name }) => base(name) === 'event_data.csv')
  if (!part) return record => record
  const byEvent = new Map<string, Record<string, string>>()
  let [values, characters, broken] = [0, 0, 0]
  const records = csvRecords(textsOf(part), { skip: 0, onHeader: () => {} })
  for await (const piece of records) {
    for (const each of piece) {
      if (!('record' in each)) {
        broken++
        continue
      }
      const { event, key, value } = propertyIn(each.record)
      if (event === '' || key === '' || value === '') continue
      values++
      characters += event.length + key.length + value.length
      if (values > MAX_VALUES || characters > MAX_CHARACTERS) throw new JobFailure('too_large', m.too_many_values({ most: MAX_VALUES }))
      const known = byEvent.get(event)
      if (known) known[key] = value
      else byEvent.set(event, Object.assign(Object.create(null), { [key]: value }))
    }
  }
  if (broken > 0) onIgnored({ what: 'event_data.csv', why: m.lines_broken(), rows: broken })
  return record => {
    const props = byEvent.get(textIn(record, 'event_id'))
    return props ? { ...record, [PROPS]: { ...props } } : record
  }
}

/**
 * The event is `website_event_id` in Umami's database, and `event_id` in its cloud. The text of a number has four decimals, and a
 * list is JSON, whose values are joined as in collected hits.
 */
function propertyIn(record: JsonObject): { event: string; key: string; value: string } {
  const number = textIn(record, 'number_value')
  const type = textIn(record, 'data_type')
  const text = textIn(record, 'string_value')
  const value = type === '2' && number !== '' ? String(Number(number)) : type === '5' ? joined(text) : text
  return {
    event: textIn(record, 'website_event_id') || textIn(record, 'event_id'),
    key: textIn(record, 'data_key'),
    value: value || textIn(record, 'date_value'),
  }
}

function joined(text: string): string {
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list.filter(each => ['string', 'number', 'boolean'].includes(typeof each)).join(', ') : text
  } catch {
    return text // Umami cut it
  }
}
