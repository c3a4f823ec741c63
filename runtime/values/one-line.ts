/**
 * The rule for names of records, and everything else that is shown on one line: in lists, subjects of mail and chat.
 * Line breaks and control characters become a space; other hidden characters are dropped. Composed, so that two names that look
 * alike are one (UAX #15).
 */
import { composed } from '../../storage/values/composed.ts'
import { withoutHidden } from './hidden-characters.ts'

const breaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu

export const oneLine = (text: string): string => composed(withoutHidden(text.replace(breaks, ' ')).trim())
