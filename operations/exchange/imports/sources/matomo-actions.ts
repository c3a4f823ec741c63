/** Actions of Matomo's visits: pages, events, searches, downloads, outlinks, conversions of goals, orders and carts. */
import { m } from '../messages.ts'
import { isObject } from '../../../../runtime/values/json.ts'
import type { JsonObject } from '../../../sites/collection/index.ts'
import type { LeaveOut } from '../left-out.ts'
import { textIn, withoutBlank } from './values.ts'

export interface Context {
  readonly visit: JsonObject
  /** Whether a page was viewed in the same second. A goal that a page reaches has its time. */
  readonly isWithPage: boolean
  /** Address of the page on which it happened. */
  readonly page: string
  /** Whether it is the last page of the visit. */
  readonly isLast: boolean
  readonly leaveOut: LeaveOut
}
type Read = (action: JsonObject, context: Context) => JsonObject

/** The address of an action. Matomo stores it without its scheme, and some versions and plugins answer it like that. */
function urlIn(action: JsonObject): string {
  const url = textIn(action, 'url')
  return url === '' || url.startsWith('/') || /^[a-z][a-z\d+.-]*:\/\//i.test(url) ? url : `https://${url}`
}

const linked =
  (name: string): Read =>
  (action, { page }) => ({ name, url: page, props: propsOf(action, { url: 'url' }) })
const moneyOf = (action: JsonObject, visit: JsonObject) => {
  const amount = textIn(action, 'revenue')
  return amount === '' || Number(amount) === 0 ? undefined : { amount, currency: textIn(visit, 'siteCurrency') || undefined }
}

/** One row for each type. Trackers use the same names of events. */
const types: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['action', action => ({ name: 'pageview', url: urlIn(action), props: pageFields(action).props })],
  [
    'event',
    (action, { page }) => ({
      name: joined(textIn(action, 'eventCategory'), textIn(action, 'eventAction')) || 'event',
      url: page,
      props: propsOf(action, { category: 'eventCategory', action: 'eventAction', name: 'eventName', value: 'eventValue' }),
    }),
  ],
  [
    'search',
    (action, { page }) => ({
      name: 'Search',
      url: page,
      props: propsOf(action, { keyword: 'siteSearchKeyword', category: 'siteSearchCategory', results: 'siteSearchCount' }),
    }),
  ],
  ['download', linked('File Download')],
  ['outlink', linked('Outbound Link: Click')],
  [
    'goal',
    (action, { visit, page, isWithPage }) => ({
      interactive: isWithPage ? false : undefined,
      name: clipped(textIn(action, 'goalName')) || joined('Goal', textIn(action, 'goalId')),
      url: page,
      revenue: moneyOf(action, visit),
      props: propsOf(action, {}),
    }),
  ],
  [
    'ecommerceOrder',
    (action, { visit, page }) => ({
      name: 'Purchase',
      url: page,
      revenue: moneyOf(action, visit),
      props: propsOf(action, {
        ...{ order_id: 'orderId', items: 'items', subtotal: 'revenueSubTotal', tax: 'revenueTax' },
        ...{ shipping: 'revenueShipping', discount: 'revenueDiscount' },
      }),
    }),
  ],
  [
    'ecommerceAbandonedCart',
    (action, { page }) => ({
      name: 'Abandoned Cart',
      url: page,
      props: propsOf(action, { items: 'items', value: 'revenue' }),
    }),
  ],
])
export const conversions: ReadonlySet<string> = new Set(['goal', 'ecommerceOrder', 'ecommerceAbandonedCart'])
/** Types that the API writes as a number, by name. */
const numbers: ReadonlyMap<string, string> = new Map([['13', 'content']])

/** The hit of an action, without the fields of its visit; undefined if it is left out. */
export function hitOf(action: JsonObject, context: Context): JsonObject | undefined {
  const type = textIn(action, 'type')
  const read = types.get(type)
  if (!read) {
    context.leaveOut(`actionDetails: ${numbers.get(type) ?? (type || 'no type')}`, m.kind_not_read())
    return undefined
  }
  const seconds = Number(textIn(action, 'timeSpent') || 0)
  const visitProps = pageFields(context.visit).props
  const hit = read(action, context)
  const props = { ...(isObject(visitProps) && visitProps), ...(isObject(hit.props) && hit.props) }
  return {
    ...hit,
    props: Object.keys(props).length === 0 ? undefined : props,
    engaged_ms: type === 'action' && !context.isLast && seconds > 0 ? seconds * 1000 : undefined,
  }
}

/** The page on which each action happened: its own address, the pageview with its id, or the page before it. */
export function pagesOf(actions: readonly JsonObject[]): readonly string[] {
  const isPage = (action: JsonObject) => textIn(action, 'type') === 'action' && textIn(action, 'url') !== ''
  const pages = actions.filter(isPage)
  const byId = new Map(pages.map(action => [textIn(action, 'idpageview'), urlIn(action)]))
  byId.delete('')
  let before = urlIn(pages[0] ?? {}) || '/'
  return actions.map(action => {
    const type = textIn(action, 'type')
    if (isPage(action)) before = urlIn(action)
    const own = type === 'download' || type === 'outlink' ? '' : urlIn(action)
    return own || byId.get(textIn(action, 'idpageview')) || before
  })
}

/** Custom variables and custom dimensions, which become properties. */
export function pageFields(record: JsonObject): { readonly props?: JsonObject } {
  const { customVariables } = record
  const variables = (isObject(customVariables) ? Object.values(customVariables) : Array.isArray(customVariables) ? customVariables : [])
    .filter(isObject)
    .map(variable => {
      const [key = '', value = ''] = ['Name', 'Value'].map(part => {
        const field = Object.keys(variable).find(
          name => name.startsWith('customVariable') && name.replace(/(?<!\d)\d+$/, '').endsWith(part),
        )
        return field === undefined ? '' : textIn(variable, field)
      })
      return [key, value] as const
    })
  const dimensions = Object.keys(record)
    .filter(name => /^dimension\d+$/.test(name))
    .map(name => [name, textIn(record, name)] as const)
  const props = withoutBlank(Object.fromEntries([...variables, ...dimensions].filter(([key]) => key !== '')))
  return Object.keys(props).length === 0 ? {} : { props }
}

/** Conversions have a source of their own if another visit is credited with them. */
export function leavePage(action: JsonObject, visit: JsonObject, leaveOut: LeaveOut): void {
  const isOther = ['referrerType', 'referrerName'].some(name => textIn(action, name) !== '' && textIn(action, name) !== textIn(visit, name))
  if (isOther) leaveOut('actionDetails: referrerType, referrerName', m.conversion_of_another_source())
}

function propsOf(action: JsonObject, fields: Readonly<Record<string, string>>): JsonObject | undefined {
  const own = Object.fromEntries(Object.entries(fields).map(([ours, theirs]) => [ours, textIn(action, theirs)]))
  const props = withoutBlank({ ...own, ...pageFields(action).props })
  return Object.keys(props).length === 0 ? undefined : props
}

/** Longest name of an event. */
const MAX_NAME = 120
const clipped = (text: string): string => text.slice(0, MAX_NAME)
const joined = (...parts: readonly string[]): string => clipped(parts.filter(Boolean).join(' '))
