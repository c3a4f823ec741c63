/** The field of a search, and whether only one site is searched. */
import type { Static } from '../../../runtime/table/schema.ts'
import type { Viewer } from '../../../runtime/ui/format.ts'
import type { Site } from '../../sites/sites/records.ts'
import { Form } from '../../../runtime/ui/form.tsx'
import { ui } from '../../../runtime/ui/messages.ts'
import { m } from './messages.ts'
import { say } from '../../../runtime/texts/say.ts'

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
      <Form method="GET" class="find-form" hidden={{ site_id: site?.id }}>
        <input
          type="search"
          name="q"
          required
          maxlength={100}
          value={wanted}
          autocomplete="off"
          autofocus
          aria-label={say(viewer, ui.search)}
        />
        <button type="submit">{say(viewer, ui.search)}</button>
      </Form>
    </search>
    {site && (
      <p class="help">
        {say(viewer, m.searched_site, { site: site.name })}{' '}
        <a href={`${path}${wanted === '' ? '' : `?${new URLSearchParams({ q: wanted })}`}`}>{say(viewer, m.search_all)}</a>
      </p>
    )}
  </>
)
