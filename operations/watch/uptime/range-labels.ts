/** Ranges of availability and response times, with their labels. */
import { periodMessages } from '../../../runtime/ui/messages.ts'
import { m } from './messages.ts'

export const ranges = [
  { range: '24h', label: m.range_24h },
  { range: '7d', label: periodMessages['7d'] },
  { range: '30d', label: periodMessages['30d'] },
] as const
