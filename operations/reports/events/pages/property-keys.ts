import { fill } from '../../../../runtime/ui/slot.ts'
import { propertyKeys } from '../../stats/records.ts'
import { event_properties_list } from '../operations.ts'

/** Most keys that are read: those that a panel offers, and some hidden ones. */
const MAX_KEYS = 20

export const keysOfProperties = fill(propertyKeys, async ({ page }) => {
  const found = (await page.ask(event_properties_list, { per_page: MAX_KEYS })) ?? []
  return found.filter(({ hidden }) => !hidden).map(({ key }) => key)
})
