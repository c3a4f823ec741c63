/** Converts the URL of a request to a page as in reports: without query, decoded, without hidden characters. */
import { composed } from '../../../storage/values/composed.ts'
import { withoutHidden } from '../../../runtime/values/hidden-characters.ts'
import { readable } from '../../../runtime/values/readable-path.ts'
import { truncateToBytes } from '../../../storage/values/truncate-utf8.ts'

const MAX_BYTES = 1_024

/** @param url path and query, or a whole URL @returns '' if it is neither */
export function pathOf(url: string): string {
  const whole = /^https?:\/\/[^/?#]*/i.exec(url)
  const [path = ''] = (whole ? url.slice(whole[0].length) || '/' : url).split(/[?#]/, 1)
  if (!path.startsWith('/')) return ''
  return truncateToBytes(composed(withoutHidden(readable(path))), MAX_BYTES)
}
