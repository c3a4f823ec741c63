/** The field of a search, and whether only one site is searched. */
import type { Static } from '../../../runtime/table/schema.ts'
import { say } from '../../../runtime/ui/languages/index.ts'
import type { Viewer } from '../../../runtime/ui/format.ts'
import type { Site } from '../../sites/sites/records.ts'

export interface SearchFormProps {
  readonly wanted: string
  /** The site that is searched; undefined for the whole workspace. */
  readonly site: Static<typeof Site> | undefined
  /** Path of the page. */
  readonly path: string
  readonly viewer: Viewer
}

export const SearchForm = ({ wanted, site, path, viewer }: SearchFormProps) => (
  <>
    <search>
      <form method="get" class="find-form">
        {site && <input type="hidden" name="site_id" value={site.id} />}
        <input
          type="search"
          name="q"
          required
          maxlength={100}
          value={wanted}
          autocomplete="off"
          autofocus
          aria-label={say(viewer, 'search')}
        />
        <button type="submit">{say(viewer, 'search')}</button>
      </form>
    </search>
    {site && (
      <p class="help">
        {say(viewer, 'searched_site', { site: site.name })}{' '}
        <a href={`${path}${wanted === '' ? '' : `?${new URLSearchParams({ q: wanted })}`}`}>{say(viewer, 'search_all')}</a>
      </p>
    )}
  </>
)
