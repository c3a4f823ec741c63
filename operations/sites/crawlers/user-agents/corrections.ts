/** Applies the corrections of user-agent-table.ts. */
import type { Device } from '../../../../storage/engine/vocabulary/devices.ts'
import { CORRECTIONS, type Verdict } from './user-agent-table.ts'

const rowsOf = (verdict: Verdict) => CORRECTIONS.filter(([each]) => each === verdict).map(([, expression]) => `(?:${expression})`)

const BOT = new RegExp(rowsOf('bot').join('|'), 'i')
const PERSON = new RegExp(rowsOf('person').join('|'), 'gi')
const DEVICES = CORRECTIONS.flatMap(([verdict, expression]) =>
  verdict === 'bot' || verdict === 'person' ? [] : [{ device: verdict, matches: new RegExp(expression, 'i') }],
)

export const isKnownProgram = (userAgent: string): boolean => BOT.test(userAgent)

/** Replaces the texts that browsers and devices of people share with bots by `~`, which belongs to no expression of isbot. */
export const withoutPeople = (userAgent: string): string => userAgent.replace(PERSON, '~')

/** The device of the first row that matches. */
export function correctedDevice(userAgent: string): Device | undefined {
  return DEVICES.find(({ matches }) => matches.test(userAgent))?.device
}
