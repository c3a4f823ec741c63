/** The tracker's scripts, and the places in them that the service fills in. */

/** The tracker as served to browsers. */
export type Tracker = Readonly<{ script: string; vitals: string; plausible: string; site: string }>

/** Placeholder in `plausible` for the words in the name it is requested by. */
export const VARIANT = '%variant%'

/** Placeholder in `site` for its settings, JSON. */
export const SETTINGS = '%settings%'
