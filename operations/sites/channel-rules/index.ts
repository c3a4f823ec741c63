/** Exports of this area for other areas: new visits get their channel when they are stored. */
export type { OwnChannels } from './compile.ts'
export { patternMessage, patternsTooLarge } from './pattern-fault.ts'
export { type ChannelsOf, siteChannels } from './site-channels.ts'
