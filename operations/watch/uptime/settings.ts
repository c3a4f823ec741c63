import { ranges, setting } from '../../../runtime/settings/setting.ts'

export const PROBE_LOCATION = setting({
  default: 'local',
  description: 'What this installation calls itself as a location of uptime checks',
  parse: text => (isLocation(text) ? text : undefined),
  wants: 'small letters, digits and dashes, at most 32',
})
export const PROBE_RANGES = setting({
  default: '',
  description: 'Comma list of addresses and CIDR ranges its probes come from, shown for allow-listing',
  ...ranges,
})

/** Whether the text can be a location's name, which becomes part of a label, a header and a key. */
export function isLocation(text: string): boolean {
  return /^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$/.test(text)
}
