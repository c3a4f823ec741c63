/** Parts of forms with conditions, which other areas draw as well. */
import type { Suggestions } from '../../../runtime/ui/fields/suggestions.ts'
import type { ViewedPage } from '../../../runtime/ui/viewed-page.ts'
import { knownValues } from '../sites/records.ts'

/** Known values of the dimensions of conditions, by dimension. */
export async function knownIn(filters: readonly unknown[], page: ViewedPage): Promise<ReadonlyMap<string, Suggestions>> {
  const texts = new Map(
    filters.flatMap(each => (Array.isArray(each) && each.length === 3 ? [[String(each[0]), String(each[2])] as const] : [])),
  )
  const found = await Promise.all(
    [['property', ''] as const, ...texts].map(async ([dimension, text]) => {
      if (dimension === '') return []
      const values = await page.fill(knownValues, { siteId: page.siteId ?? '', dimension, text })
      return values ? [[dimension, values] as const] : []
    }),
  )
  return new Map(found.flat())
}
