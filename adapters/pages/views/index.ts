/** Views made for a purpose, by the record that they show (`[Site]`: a list of it). What has none is shown by its schema. */
import { breakdown } from './breakdown.tsx'
import { overview } from './overview.tsx'
import { sites } from './sites.tsx'
import { timeseries } from './timeseries.tsx'
import type { View } from './view.ts'

export const views: Readonly<Record<string, View>> = { Overview: overview, Timeseries: timeseries, Breakdown: breakdown, '[Site]': sites }
