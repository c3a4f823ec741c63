/**
 * Families of imported totals: one row of a family counts one combination of texts on one day. Columns are those of
 * Plausible's exports (docs/import.md) and a few of our own, each family a table `imported_<family>`, and the same list reads and writes such
 * files. A new column needs a migration as well; none is renamed.
 */

/** Columns counted in a family, in the order of its file. Durations are ms here, and seconds in files. */
export const imported = Object.freeze({
  visitors: family([], ['visitors', 'pageviews', 'bounces', 'visits', 'visit_duration']),
  sources: family(
    ['source', 'referrer', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term', 'channel'],
    ['pageviews', 'visitors', 'visits', 'visit_duration', 'bounces'],
  ),
  pages: family(
    ['hostname', 'page'],
    [
      'visits',
      'visitors',
      'pageviews',
      'total_scroll_depth',
      'total_scroll_depth_visits',
      'total_time_on_page',
      'total_time_on_page_visits',
    ],
  ),
  entry_pages: family(['entry_page'], ['visitors', 'entrances', 'visit_duration', 'bounces', 'pageviews']),
  exit_pages: family(['exit_page'], ['visitors', 'visit_duration', 'exits', 'bounces', 'pageviews']),
  custom_events: family(['name', 'link_url', 'path'], ['visitors', 'events']),
  locations: family(['country', 'region', 'city'], ['visitors', 'visits', 'visit_duration', 'bounces', 'pageviews']),
  devices: family(['device'], ['visitors', 'visits', 'visit_duration', 'bounces', 'pageviews']),
  browsers: family(['browser', 'browser_version'], ['visitors', 'visits', 'visit_duration', 'bounces', 'pageviews']),
  operating_systems: family(
    ['operating_system', 'operating_system_version'],
    ['visitors', 'visits', 'visit_duration', 'bounces', 'pageviews'],
  ),
  // Every sum of our own reports by the value of a dimension, and of all visits under the dimension ''. Only our exports have it.
  values: family(
    ['dimension', 'value', 'currency'],
    [
      'visitors',
      'visits',
      'pageviews',
      'events',
      'revenue',
      'purchases',
      'entries',
      'bounces',
      'visit_duration',
      'exits',
      'total_time_on_page',
    ],
  ),
})

/** Texts that were added to a family's table later. */
export const addedTexts: ReadonlySet<string> = new Set(['channel', 'city'])

export interface Family {
  /** The columns that say what a row is about; '' if it is unknown. */
  readonly texts: readonly string[]
  /** Whole numbers; null if the file does not have them. */
  readonly counts: readonly string[]
}
export type FamilyName = keyof typeof imported
export const familyNames = Object.keys(imported) as readonly FamilyName[] // a literal's own keys
export const isFamily = (name: string): name is FamilyName => Object.hasOwn(imported, name)

/** Counts that may be below 0: refunds. */
export const signedCounts: ReadonlySet<string> = new Set(['revenue'])

/** Counts that are seconds in files and ms in tables. */
export const durations: ReadonlySet<string> = new Set(['visit_duration', 'total_time_on_page'])

/** One row of a family. */
export interface ImportedRow {
  readonly family: FamilyName
  /** Days since 1970-01-01, of the calendar of the site that the file is from. */
  readonly day: number
  readonly texts: Readonly<Record<string, string>>
  readonly counts: Readonly<Record<string, number | null>>
}

function family(texts: readonly string[], counts: readonly string[]): Family {
  return Object.freeze({ texts: Object.freeze(texts), counts: Object.freeze(counts) })
}
