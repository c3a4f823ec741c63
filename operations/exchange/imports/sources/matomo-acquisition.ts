/** The source of Matomo's visits. Addresses of visited pages lack the parameters of campaigns, which are fields of the visit. */
import type { JsonObject } from '../../../sites/collection/index.ts'
import { textIn } from './values.ts'

/** Channels of kinds of sources, for visits whose referring address is not stored. */
const channels: ReadonlyMap<string, string> = new Map([
  ['search', 'Organic Search'],
  ['social', 'Organic Social'],
  ['ai-assistant', 'AI Assistants'],
])

/** The fields of a hit for the source of its visit. */
export function acquisitionOf(visit: JsonObject): JsonObject {
  const type = textIn(visit, 'referrerType')
  const [url, name] = [textIn(visit, 'referrerUrl'), textIn(visit, 'referrerName')]
  if (type === 'campaign') return campaignOf(visit, { url, name })
  if (url !== '' || name === '' || type === 'direct') return { referrer: url }
  if (type === 'website') return { referrer: /^https?:/.test(name) ? name : `https://${name}` }
  return { source: name, channel: channels.get(type) ?? '' }
}

/**
 * Source, medium and content are fields of the plugin MarketingCampaignsReporting. Without them, the name is that of the
 * first parameter of utm_campaign, utm_source and utm_medium, so it also names the source of a visit without a referrer.
 */
function campaignOf(visit: JsonObject, { url, name }: { url: string; name: string }): JsonObject {
  const source = textIn(visit, 'campaignSource')
  const campaign = textIn(visit, 'campaignName') || name
  return {
    referrer: url,
    source: source === '' && url === '' ? campaign : '',
    utm_source: source,
    utm_medium: textIn(visit, 'campaignMedium'),
    utm_campaign: campaign,
    utm_content: textIn(visit, 'campaignContent'),
    utm_term: textIn(visit, 'campaignKeyword') || textIn(visit, 'referrerKeyword'),
  }
}
