/** Domains as people read them. */
import { safeLetters } from '../../storage/engine/vocabulary/idn.ts'

/** `bücher.example` of `xn--bcher-kva.example`, unless its letters would mislead; other domains as they are. */
export const domainText = (domain: string): string => safeLetters(domain)
