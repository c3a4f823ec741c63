/** Hits for tests, with defaults for all fields. */
import { type FirstHitDimension, firstHitDimensions } from '../../storage/hits/dictionaries.ts'
import type { NewHit } from '../../storage/hits/new-hit.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** 2026-11-20 00:00 in Berlin. */
export const MIDNIGHT = Date.UTC(2026, 10, 19, 23)

type Fields = Partial<Omit<NewHit, 'visit'>> & { visitor?: string; visit?: Partial<NewHit['visit']> }

export function hit({ visitor = 'anna', visit = {}, ...fields }: Fields = {}): NewHit {
  return {
    site: 1,
    zone: 'Europe/Berlin',
    at: MIDNIGHT + 12 * HOUR,
    identity: { ip: '203.0.113.7', userAgent: visitor },
    kind: 'pageview',
    page: '/',
    event: '',
    interactive: true,
    revenue: 0,
    engagedMs: 0,
    scroll: 0,
    props: [],
    visit: { ...blank, ...visit },
    vitals: {},
    clicks: [],
    ...fields,
  }
}

export const event = (name: string, fields: Fields = {}): NewHit => hit({ kind: 'event', event: name, ...fields })

const blank = Object.fromEntries(firstHitDimensions.map(name => [name, ''])) as Record<FirstHitDimension, string>
