import { ranges, setting } from '../../../runtime/settings/setting.ts'

export const PROBE_LOCATION = setting({
  default: 'local',
  description: 'Name of this installation as a location of uptime checks',
  parse: text => (isLocation(text) ? text : undefined),
  wants: 'at most 32 lower-case letters, digits and dashes',
})
export const PROBE_RANGES = setting({
  default: '',
  description: 'Comma-separated addresses and CIDR ranges of its probes, shown for allow-lists',
  ...ranges,
})

/** Whether the text can be a location's name, which becomes part of a label, a header and a key. */
export function isLocation(text: string): boolean {
  return /^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$/.test(text)
}
