/** The tracker's scripts, and the places in them that the service fills in. */

/** The tracker as served to browsers. */
export type Tracker = Readonly<{
  script: string
  vitals: string
  plausible: string
  site: string
  /** The script of `<footfall-count>`, read when it is first asked for. */
  count: () => Promise<string>
  /** A script in place of another product's script, read when it is first asked for. */
  foreign: (name: ForeignScript) => Promise<string>
}>

/** Scripts in place of other products' scripts. */
export const foreignScripts = ['cloudflare', 'fathom', 'goatcounter', 'gtag', 'matomo', 'simple-analytics', 'umami'] as const
export type ForeignScript = (typeof foreignScripts)[number]

/** Placeholder in `plausible` for the words in the name it is requested by. */
export const VARIANT = '%variant%'

/** Placeholder in `site` for its settings, JSON. */
export const SETTINGS = '%settings%'
