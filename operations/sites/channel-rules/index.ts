/** What other areas may use of this one: visits get their channel where they come in. */
export type { OwnChannels } from './compile.ts'
export { patternMessage, patternsTooLarge } from './pattern-fault.ts'
export { type ChannelsOf, siteChannels } from './site-channels.ts'
