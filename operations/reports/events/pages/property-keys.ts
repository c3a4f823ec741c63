import { fill } from '../../../../runtime/ui/slot.ts'
import { propertyKeys } from '../../stats/records.ts'
import { event_properties_list } from '../operations.ts'

/** As many as a panel offers, and some that are hidden. */
const MAX_KEYS = 20

export const keysOfProperties = fill(propertyKeys, async ({ page }) => {
  const found = (await page.ask(event_properties_list, { per_page: MAX_KEYS })) ?? []
  return found.filter(({ hidden }) => !hidden).map(({ key }) => key)
})
