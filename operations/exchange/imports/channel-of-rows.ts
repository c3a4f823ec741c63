import type { ImportedRow } from '../../../storage/tables/imported-families.ts'
import { channelOfTotals, isChannel } from '../../sites/collection/index.ts'

/** Gives rows of sources their channel, whatever product they come from. */
export function withChannel(row: ImportedRow): ImportedRow {
  if (row.family !== 'sources' || isChannel(row.texts.channel ?? '')) return row
  return { ...row, texts: { ...row.texts, channel: channelOfTotals(row.texts) } }
}
