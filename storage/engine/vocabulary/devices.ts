/** Kinds of devices, with their English labels. Every list of devices is made from this table. */
const labels = {
  desktop: 'Desktop',
  mobile: 'Mobile',
  tablet: 'Tablet',
  tv: 'TV',
  console: 'Console',
  wearable: 'Wearable',
  embedded: 'Embedded',
} as const

export type Device = keyof typeof labels
export const DEVICES: ReadonlyMap<string, string> = new Map(Object.entries(labels))
export const deviceKinds: readonly string[] = [...DEVICES.keys()]

/** For descriptions: `desktop`, `mobile` … */
export const DEVICES_KNOWN = deviceKinds.map(kind => `\`${kind}\``).join(', ')
