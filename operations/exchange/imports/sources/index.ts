/** The sources, one row each, by the name that imports give. */
import { deviceDetectorNames } from '../names/device-detector.ts'
import { ga4Names } from '../names/ga4.ts'
import { namesBy } from '../names/names.ts'
import { accessLog } from './access-log.ts'
import { familyFiles } from './family-files.ts'
import { fathom } from './fathom.ts'
import { footfall } from './footfall.ts'
import { ga4BigQuery } from './ga4-bigquery.ts'
import { goatcounterCsv } from './goatcounter-csv.ts'
import { goatcounterJson } from './goatcounter-json.ts'
import { matomo } from './matomo.ts'
import { simpleAnalytics } from './simple-analytics.ts'
import type { Source } from './source.ts'
import { umami } from './umami.ts'

export const sources = Object.freeze({
  footfall,
  plausible: {
    kind: 'aggregates',
    title: 'Plausible: the zip of its export, or its CSVs',
    read: familyFiles('Plausible', namesBy(deviceDetectorNames)),
  },
  umami,
  goatcounter_csv: goatcounterCsv,
  simple_analytics: simpleAnalytics,
  ga4_report: {
    kind: 'aggregates',
    title: 'Google Analytics 4: CSVs of the script in docs/import.md',
    read: familyFiles('the script', namesBy(ga4Names)),
  },
  goatcounter_json: goatcounterJson,
  fathom,
  matomo,
  ga4_bigquery: ga4BigQuery,
  access_log: accessLog,
} as const satisfies Record<string, Source>)

export type SourceName = keyof typeof sources
export const sourceNames = Object.keys(sources) as readonly SourceName[] // a literal's own keys
export const sourceOf = (name: string): Source | undefined => (isSource(name) ? sources[name] : undefined)
const isSource = (name: string): name is SourceName => Object.hasOwn(sources, name)
