/** The channel of imported totals, from the texts that their file has instead of the first hit of a visit. */
import { bareHost } from '../formats/address.ts'
import { NO_SOURCE } from './acquisition.ts'
import { type Channel, channelOf } from './channels.ts'
import { sourceOfHost, sourceOfTag } from './sources.ts'

type TotalsTexts = Readonly<Partial<Record<'source' | 'referrer' | 'utm_source' | 'utm_medium' | 'utm_campaign', string>>>

/** Plausible writes a click id without a medium so. */
const PAID_CLICK = /^\((gclid|msclkid)\)$/i

export function channelOfTotals({ source = '', referrer = '', utm_source = '', utm_medium = '', utm_campaign = '' }: TotalsTexts): Channel {
  const tag = (utm_source || source).replace(NO_SOURCE, '')
  const host = bareHost(referrer.replace(/^https?:\/\//, '').split('/')[0] ?? '')
  // A source without a tag is the product's name of the referrer, which may not be ours.
  const isFromReferrer = tag === '' || utm_source === ''
  const known = (tag ? sourceOfTag(tag) : undefined) ?? (host && isFromReferrer ? sourceOfHost(host) : undefined)
  return channelOf({
    kind: known?.kind,
    source: (known?.name ?? (tag || host)).toLowerCase(),
    medium: utm_medium.toLowerCase(),
    campaign: utm_campaign.toLowerCase(),
    ad: known?.paid === true || PAID_CLICK.test(utm_medium),
  })
}
