/** The context of measures: one instant, and results shared by all alerts that query the same. */
import type { Config } from '../../../../runtime/settings/config.ts'
import type { Message } from '../../../../runtime/texts/message.ts'
import type { Db } from '../../../../storage/store.ts'
import type { AlertRow } from '../../../../storage/tables/index.ts'
import type { Engine, Scope, Span } from '../../../reports/stats/index.ts'
import { type LiveSite, site } from '../../../sites/sites/records.ts'
import { m } from '../messages.ts'
import { scopeOf } from './spans.ts'
import { SETTLE_MS } from '../state.ts'

export interface MeasureContext {
  /** Reads committed data. */
  readonly db: Db
  readonly engine: Pick<Engine, 'query'>
  readonly config: Config
  /** The instant of the measurement, epoch ms. */
  readonly now: number
  /** In a preview, the instant from which it measures the past, epoch ms. States then belong to `now`. */
  readonly since?: number
  /** All visits of a site in these spans. */
  scope(site: LiveSite, spans: readonly Span[]): Promise<Scope>
  /** Runs `ask` once for each key and shares its result. */
  once<T>(key: string, ask: () => Promise<T>): Promise<T>
}

export function measureContext(now: number, parts: Pick<MeasureContext, 'db' | 'engine' | 'config'>): MeasureContext {
  const answers = new Map<string, Promise<unknown>>()
  return {
    ...parts,
    now,
    scope: (site, spans) => scopeOf(parts.db, site, spans),
    once<T>(key: string, ask: () => Promise<T>): Promise<T> {
      const known = answers.get(key)
      if (known) return known as Promise<T> // a key belongs to one query, and so to one result type
      const asked = ask()
      answers.set(key, asked)
      return asked
    },
  }
}

/** A measured value, and whether it meets the alert's condition. */
export interface Measured {
  readonly value: number
  readonly breached: boolean
  /** The value in words: `3 visitors in 60 minutes`. */
  readonly reads: Message
  /** The comparison in words: `alerts below 10`. */
  readonly against: Message
}

/** The result for an alert whose subject no longer exists: its incident resolves. */
export const nothingLeft: Measured = Object.freeze({
  value: 0,
  breached: false,
  reads: m.nothing_watched(),
  against: m.checks_watched({ count: 0 }),
})

/** Resolves to null if there is nothing to measure. Throws what the database or the engine throws. */
export type Measure = (alert: AlertRow, measuring: MeasureContext) => Promise<Measured | null>

/** A measure of a site; if the site was deleted, or moved while the alert was changed, there is nothing to measure. */
export function ofSite(measure: (alert: AlertRow, site: LiveSite, measuring: MeasureContext) => Promise<Measured | null>): Measure {
  return async (alert, measuring) => {
    const id = alert.site_id ?? ''
    const found = await measuring.once(`site ${id}`, async () => site.find(measuring.db, id))
    return found?.row.workspace_id === alert.workspace_id ? measure(alert, found.row, measuring) : null
  }
}

/** The window that an alert evaluates. It ends shortly before now. */
export function windowOf({ window_minutes }: Pick<AlertRow, 'window_minutes'>, { now }: MeasureContext): { from: number; to: number } {
  const to = now - SETTLE_MS
  return { from: to - window_minutes * 60_000, to }
}
