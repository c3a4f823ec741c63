/** Links to the previous and the next page of the rows of a report, if there is another one. */
import { plainNumber, type Viewer } from '../../../../runtime/ui/format.ts'
import { ui } from '../../../../runtime/ui/messages.ts'
import { withQuery } from '../../../../runtime/ui/words.ts'
import { say } from '../../../../runtime/texts/say.ts'
import { m } from '../messages.ts'

export const ROWS_ON_PAGE = 50

interface PagesProps {
  readonly total: number
  /** Rows of a page, unless the address says `limit`. */
  readonly size?: number
  readonly url: URL
  readonly viewer: Viewer
}

export function Pages({ total, size: usual = ROWS_ON_PAGE, url, viewer }: PagesProps) {
  const page = Number(url.searchParams.get('page') ?? 1)
  const size = Number(url.searchParams.get('limit') ?? usual)
  if (page === 1 && total <= size) return null
  const [from, to] = [(page - 1) * size + 1, Math.min(page * size, total)]
  const shown = (count: number) => plainNumber(count, viewer)
  return (
    <nav class="paging" aria-label={say(viewer, ui.list_pages)}>
      {page > 1 && (
        <a class="button plain" rel="prev" href={withQuery(url, { page: page === 2 ? undefined : String(page - 1) })}>
          {say(viewer, ui.previous)}
        </a>
      )}
      <span>
        {from > total
          ? say(viewer, m.total_count, { total: shown(total) })
          : say(viewer, m.rows_of, { from: shown(from), to: shown(to), total: shown(total) })}
      </span>
      {page * size < total && (
        <a class="button plain" rel="next" href={withQuery(url, { page: String(page + 1) })}>
          {say(viewer, ui.next)}
        </a>
      )}
    </nav>
  )
}
