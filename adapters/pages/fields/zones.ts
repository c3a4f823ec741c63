/** Time zones to choose from. */
import type { Option } from './field.tsx'

let zoneNames: readonly Option[] | undefined
/** @param current what is chosen, which may be a name that is no longer listed */
export function zones(current: string): readonly Option[] {
  zoneNames ??= ['UTC', ...Intl.supportedValuesOf('timeZone').filter(zone => zone !== 'UTC')].map(id => ({
    id,
    name: id.replaceAll('_', ' '),
  }))
  return current === '' || zoneNames.some(({ id }) => id === current) ? zoneNames : [{ id: current, name: current }, ...zoneNames]
}
