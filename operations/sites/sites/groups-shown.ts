/** The groups of a workspace, as its pages show them. */
import { say } from '../../../runtime/texts/say.ts'
import type { ViewedPage } from '../../../runtime/ui/viewed-page.ts'
import { site_groups_list } from './groups.ts'
import { m } from './messages.ts'

export interface ShownGroup {
  readonly id: string
  readonly name: string
  readonly domain: null
  /** How many sites it has. */
  readonly sites: number
}

/** Groups with sites, the group of all sites first and in the words of the reader; none if the viewer may see none. */
export async function groupsShown({ ask, viewer }: ViewedPage): Promise<ShownGroup[]> {
  const groups = (await ask(site_groups_list, { per_page: 100 })) ?? []
  return groups
    .filter(({ site_ids }) => site_ids.length > 0)
    .map(({ id, name, kind, site_ids }) => ({
      ...{ id, domain: null, sites: site_ids.length },
      name: kind === 'all' ? say(viewer, m.all_of_them) : name,
    }))
}
