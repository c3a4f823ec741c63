/** Fields of Matomo's visits and actions that do not become part of a hit. */
import { m } from '../messages.ts'
import type { Sentence } from '../../../../runtime/texts/message.ts'
import type { JsonObject } from '../../../sites/collection/index.ts'
import { isBlank, type LeaveOut } from '../left-out.ts'

interface Fields {
  /** Fields that are read, or that repeat others: sums, labels and pictures. */
  readonly known: ReadonlySet<string>
  readonly left: ReadonlyMap<string, Sentence>
}

const words = (text: string) => text.split(' ')
const personal = m.left_personal()
const unreported = m.left_unreported()

export const ofVisits: Fields = {
  known: new Set([
    ...words('idSite idVisit visitorId fingerprint actionDetails siteCurrency siteCurrencySymbol siteName goalConversions'),
    ...words('serverDate visitServerHour lastActionTimestamp lastActionDateTime serverTimestamp firstActionTimestamp'),
    ...words('visitorType visitConverted visitCount visitEcommerceStatus visitDuration searches actions interactions events'),
    ...words('daysSinceFirstVisit secondsSinceFirstVisit daysSinceLastVisit secondsSinceLastVisit daysSinceLastEcommerceOrder'),
    ...words('secondsSinceLastEcommerceOrder totalEcommerceRevenue totalEcommerceConversions totalEcommerceItems'),
    ...words('totalAbandonedCartsRevenue totalAbandonedCarts totalAbandonedCartsItems formConversions'),
    ...words('referrerType referrerTypeName referrerName referrerUrl referrerSearchEngineUrl referrerSocialNetworkUrl'),
    ...words('campaignName campaignKeyword campaignSource campaignMedium campaignContent'),
    ...words('languageCode language deviceType operatingSystem operatingSystemName operatingSystemCode operatingSystemVersion'),
    ...words('browserFamily browserFamilyDescription browser browserName browserCode browserVersion resolution'),
    ...words('continent continentCode country countryCode countryFlag region regionCode city location customVariables'),
    ' duplicate',
  ]),
  left: new Map([
    ...words('userId visitIp latitude longitude').map(name => [name, personal] as const),
    ...words(
      'referrerKeyword referrerKeywordPosition deviceBrand deviceModel plugins provider providerName visitLocalTime visitLocalHour',
    ).map(name => [name, unreported] as const),
    ...words('campaignId campaignGroup campaignPlacement').map(name => [name, unreported] as const),
  ]),
}

export const ofActions: Fields = {
  known: new Set([
    ...words('type url timestamp idpageview pageId pageIdAction goalPageId pageviewPosition timeSpent title subtitle icon'),
    ...words('eventCategory eventAction eventName eventValue siteSearchKeyword siteSearchCategory siteSearchCount'),
    ...words('goalName goalId revenue orderId items revenueSubTotal revenueTax revenueShipping revenueDiscount'),
    ...words('referrerType referrerName referrerKeyword customVariables pageLoadTime generationTime'),
    ...words('contentName contentPiece contentTarget contentInteraction'),
  ]),
  left: new Map([
    ['pageTitle', m.left_titles()],
    ...words('pageLoadTimeMilliseconds generationTimeMilliseconds bandwidth itemDetails').map(name => [name, unreported] as const),
    ...words('productViewName productViewSku productViewPrice productViewCategories').map(name => [name, unreported] as const),
  ]),
}

/** Labels and pictures of other fields, and custom dimensions, which become properties. */
const derived = /(?:Icon|Icons|SVG|Pretty|PrettyFirstAction|_pretty)$|^(?:dimension\d+)$/

/** Names the fields of a record that are left out. */
export function leaveFields(record: JsonObject, { known, left }: Fields, leaveOut: LeaveOut): void {
  const prefix = known === ofActions.known ? 'actionDetails: ' : ''
  for (const name of Object.keys(record)) {
    if (known.has(name) || derived.test(name) || isBlank(record, name) || isEmpty(record[name])) continue
    leaveOut(prefix + name, left.get(name) ?? m.field_not_read())
  }
}

const isEmpty = (value: unknown): boolean => value === 0 || (Array.isArray(value) && value.length === 0)
