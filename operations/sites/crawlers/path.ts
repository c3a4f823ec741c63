/** The page of a request in the form that reports have: without query, decoded, without hidden characters. */
import { withoutHidden } from '../../../runtime/values/hidden-characters.ts'
import { readable } from '../../../runtime/values/readable-path.ts'
import { truncateToBytes } from '../../../storage/values/truncate-utf8.ts'

const MOST_BYTES = 1_024

/** @param url path and query, or a whole address; '' where it is neither */
export function pathOf(url: string): string {
  const whole = /^https?:\/\/[^/?#]*/i.exec(url)
  const [path = ''] = (whole ? url.slice(whole[0].length) || '/' : url).split(/[?#]/, 1)
  if (!path.startsWith('/')) return ''
  return truncateToBytes(withoutHidden(readable(path)), MOST_BYTES)
}
