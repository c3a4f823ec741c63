/** How the types of cards are shown. */
import type { Child } from 'hono/jsx'
import type { IconName } from '../../../runtime/table/icons.ts'
import type { PlainMessage } from '../../../runtime/texts/message.ts'
import { sayParts } from '../../../runtime/texts/say.ts'
import type { Viewer } from '../../../runtime/ui/format.ts'
import { m } from './messages.ts'
import type { CardType } from './records.ts'

interface Slots {
  readonly site: Child
  readonly metric: Child
  readonly dimension: Child
  readonly funnel: Child
  readonly period: Child
  readonly table: Child
}
type Sentence = (viewer: Viewer, slots: Slots) => readonly Child[]

/** Types of cards: icon, name, and the sentence with the settings of the type. */
export const cardKinds: Readonly<Record<CardType, { readonly icon: IconName; readonly name: PlainMessage; readonly sentence: Sentence }>> =
  {
    metric: { icon: 'hash', name: m.type_metric, sentence: (viewer, slots) => sayParts(viewer, m.shows_metric, slots) },
    chart: { icon: 'series', name: m.type_chart, sentence: (viewer, slots) => sayParts(viewer, m.shows_metric, slots) },
    breakdown: { icon: 'overview', name: m.type_breakdown, sentence: (viewer, slots) => sayParts(viewer, m.shows_top, slots) },
    goal: { icon: 'goal', name: m.type_goal, sentence: (viewer, slots) => sayParts(viewer, m.shows_site, slots) },
    funnel: { icon: 'funnel', name: m.type_funnel, sentence: (viewer, slots) => sayParts(viewer, m.shows_funnel, slots) },
    live: { icon: 'live', name: m.type_live, sentence: (viewer, slots) => sayParts(viewer, m.shows_now, slots) },
    uptime: { icon: 'uptime', name: m.type_uptime, sentence: (viewer, slots) => sayParts(viewer, m.shows_now, slots) },
    vitals: { icon: 'vitals', name: m.type_vitals, sentence: (viewer, slots) => sayParts(viewer, m.shows_site, slots) },
    table: { icon: 'explore', name: m.table, sentence: (viewer, slots) => sayParts(viewer, m.shows_table, slots) },
  }
