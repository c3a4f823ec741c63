import { view } from '../../../runtime/ui/view.ts'
import { Site } from '../../sites/sites/records.ts'
import { ListedConversation } from '../assistant/records.ts'
import { openableResults } from './openable-results.ts'
import { SearchResults } from './records.ts'
import { ResultsByKind } from './results-by-kind.tsx'
import { Destinations } from './destinations.tsx'
import { SearchForm } from './search-form.tsx'
import { m } from './messages.ts'
import { say } from '../../../runtime/texts/say.ts'

/** Results of a search by name, by kind; arrow keys go through them. */
export const search = view(
  SearchResults,
  async ({ data, page }) => {
    const { url, viewer } = page
    const wanted = url.searchParams.get('q') ?? ''
    const site_id = url.searchParams.get('site_id') ?? ''
    // The page is a page of the workspace, so its address is all that names a site.
    const site = site_id === '' ? undefined : await page.ask(Site, { site_id })
    const destinations = (await page.destinations(wanted, site?.id)).slice(0, MAX_DESTINATIONS)
    const ask = site_id !== '' && /\S\s+\S/.test(wanted) ? page.formFor(ListedConversation, { question: wanted }, { site_id }) : undefined
    return (
      <>
        <SearchForm wanted={wanted} site={site} path={url.pathname} viewer={viewer} />
        <Destinations of={destinations} here={`${url.pathname}${url.search}`} viewer={viewer} />
        <ResultsByKind results={openableResults(data?.rows ?? [], page)} wanted={wanted} viewer={viewer} isMore={destinations.length > 0} />
        {ask !== undefined && (
          <div class="found">
            <p class="card">
              <a href={ask}>{say(viewer, m.ask_this, { question: wanted })}</a>
            </p>
          </div>
        )}
      </>
    )
  },
  { isAsked: true },
)

const MAX_DESTINATIONS = 8
