/** Time zones to choose from. */
import type { ChoiceOption } from './fields/select.tsx'

let known: readonly ChoiceOption[] | undefined
/** `['America/New_York', 'America/New York']`; the same list each time, so that forms draw it once. */
export const timeZones = (): readonly ChoiceOption[] =>
  (known ??= [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].map(zone => [zone, zone.replaceAll('_', ' ')] as const))
