/**
 * The only place that maps events to their shown names: events are renamed, merged and hidden when read, and stored
 * data never changes. (Every `!` reads inside the list.)
 */
import { prepared } from '../../sql/prepared.ts'
import type { Dictionary } from './dictionary.ts'

/** Settings of an event, by the name that is sent. */
export interface EventSetting {
  readonly name: string
  readonly display_name: string | null
  readonly hidden: number
}

export interface EventNames {
  /** The shown name of each id, including hidden events; '' if the event was deleted. */
  readonly shown: Dictionary
  /** The id under which each id is counted: the lowest with the same shown name; 0 if hidden or deleted. */
  readonly groups: Uint32Array
  /** Whether some events are merged, so that their visitors cannot be added up. */
  readonly merged: boolean
  /** Sent names of hidden events, sorted: their ids have another order in each site of a group. */
  readonly hidden: readonly string[]
}

export function eventNames(sent: Dictionary, settings: readonly EventSetting[]): EventNames {
  const settingOf = new Map(settings.map(setting => [setting.name, setting]))
  const shown = sent.map(name => settingOf.get(name)?.display_name ?? name)
  const first = new Map<string, number>()
  const groups = new Uint32Array(sent.length)
  const hidden: string[] = []
  let merged = false
  for (let id = 1; id < sent.length; id++) {
    if (sent[id] === '') continue
    if (settingOf.get(sent[id]!)?.hidden === 1) {
      hidden.push(sent[id]!)
      continue
    }
    const group = first.get(shown[id]!) ?? id
    if (group === id) first.set(shown[id]!, id)
    else merged = true
    groups[id] = group
  }
  return { shown, groups, merged, hidden: hidden.sort() }
}

/** The ids of events whose hits are being deleted. */
export const eventsBeingDeleted = prepared('event-names.deletions', (db, site: number) =>
  db
    .selectFrom('event_deletions')
    .select('event')
    .where('finished_at', 'is', null)
    .where('site_id', '=', ({ selectFrom }) => selectFrom('sites').select('id').where('number', '=', site)),
)

export const settingsOfEvents = prepared('event-names.settings', (db, site: number) =>
  db
    .selectFrom('event_settings')
    .select(['name', 'display_name', 'hidden'])
    .where('site_id', '=', ({ selectFrom }) => selectFrom('sites').select('id').where('number', '=', site)),
)
