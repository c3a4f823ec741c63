/** What alerts are measured with: one instant, and answers shared by all that ask the same of it. */
import type { Config } from '../../../../runtime/config.ts'
import type { Db } from '../../../../storage/store.ts'
import type { AlertRow } from '../../../../storage/tables/index.ts'
import type { Engine } from '../../../reports/stats/index.ts'
import { type LiveSite, site } from '../../../sites/sites/records.ts'
import { SETTLE_MS } from '../state.ts'

export interface MeasureContext {
  /** What is committed. */
  readonly db: Db
  readonly engine: Engine
  readonly config: Config
  /** When it is measured, epoch ms. */
  readonly now: number
  /** The answer to a question that has this key; asked once, however many ask. */
  once<T>(key: string, ask: () => Promise<T>): Promise<T>
}

export function measureContext(now: number, parts: Pick<MeasureContext, 'db' | 'engine' | 'config'>): MeasureContext {
  const answers = new Map<string, Promise<unknown>>()
  return {
    ...parts,
    now,
    once<T>(key: string, ask: () => Promise<T>): Promise<T> {
      const known = answers.get(key)
      if (known) return known as Promise<T> // a key stands for one question, so for one type of answer
      const asked = ask()
      answers.set(key, asked)
      return asked
    },
  }
}

/** What an alert measured, and whether that meets its condition. */
export interface Measured {
  readonly value: number
  readonly breached: boolean
  /** The value in words: `3 visitors in 60 minutes`. */
  readonly reads: string
  /** What it is compared with: `alerts below 10`. */
  readonly against: string
}

/** Of an alert whose subject is gone: what it told of is over. */
export const nothingLeft: Measured = Object.freeze({
  value: 0,
  breached: false,
  reads: 'nothing is watched',
  against: '',
})

/** Answers null where there is nothing to measure. Throws what the database or the engine throws. */
export type Measure = (alert: AlertRow, measuring: MeasureContext) => Promise<Measured | null>

/** A measure of a site; a site that was deleted has nothing to measure. */
export function ofSite(measure: (alert: AlertRow, site: LiveSite, measuring: MeasureContext) => Promise<Measured | null>): Measure {
  return async (alert, measuring) => {
    const id = alert.site_id ?? ''
    const found = await measuring.once(`site ${id}`, () => site.find(measuring.db, id))
    return found ? measure(alert, found.row, measuring) : null
  }
}

/** The window that an alert looks at: it ended a little ago. */
export function windowOf({ window_minutes }: Pick<AlertRow, 'window_minutes'>, { now }: MeasureContext): { from: number; to: number } {
  const to = now - SETTLE_MS
  return { from: to - window_minutes * 60_000, to }
}
