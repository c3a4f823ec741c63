/** The names of sites in the audit log, which a lower wing draws. */
import { fill } from '../../../runtime/ui/slot.ts'
import { listOf } from '../../../runtime/ui/view.ts'
import { siteNames } from '../../people/audit/records.ts'
import { Site } from './records.ts'

export const namesOfSites = fill(siteNames, async ({ page }) => {
  const sites = await page.ask(listOf(Site), { per_page: 100 })
  return new Map(sites?.map(({ id, name }) => [id, name]))
})
