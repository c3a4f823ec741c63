/** The source of Matomo's visits. Addresses of visited pages lack the parameters of campaigns, which are fields of the visit. */
import { type JsonObject, sourceOfTag } from '../../../sites/collection/index.ts'
import { textIn } from './values.ts'

/** Channels of kinds of sources, for visits whose referring address is not stored. */
const channels: ReadonlyMap<string, string> = new Map([
  ['search', 'Organic Search'],
  ['social', 'Organic Social'],
  ['ai-assistant', 'AI Assistants'],
])

/** Matomo's names of sources that our table has under other names, or that are not spellings of them. */
const names: ReadonlyMap<string, string> = new Map(
  [
    ['360 Search', 'Haosou'],
    ['Ask', 'Ask'],
    ['BIGLOBE', 'Biglobe Images'],
    ['Bing', 'Bing Images'],
    ['Coc Coc', 'Cốc Cốc'],
    ['Ernie', 'Baidu AI'],
    ['goo', 'goo'],
    ['Google', 'Google Blogsearch | Google Custom Search | Google Images | Google Video | Google syndicated search'],
    ['Google Translate', 'Google Translations'],
    ['Karma Search', 'KARMA'],
    ['Mail.ru Search', 'Mailru'],
    ['Nate', 'Nate'],
    ['Seznam', 'Seznam Videa'],
    ['Startpage', 'IxQuick'],
    ['T-Online Search', 'T-Online'],
    ['Taringa', 'Taringa!'],
    ['WEB.DE Search', 'Web.de'],
    ['Yahoo', 'Yahoo! Directory | Yahoo! Images | Yahoo! Japan | Yahoo! Japan Images | Yahoo! Japan Videos'],
    ['Yandex', 'Yandex Images'],
    ['Yep', 'Yep'],
    ['You.com', 'You'],
    ['Z.ai', 'ChatGLM'],
  ].flatMap(([ours = '', theirs = '']) => theirs.split(' | ').map(name => [name, ours] as const)),
)

/** The source of a visit whose referring address is not stored. Channels of sources that our table has follow from it. */
function namedSource(type: string, name: string): JsonObject {
  const source = names.get(name) ?? sourceOfTag(name)?.name ?? name
  return { source, channel: sourceOfTag(source) ? '' : (channels.get(type) ?? '') }
}

/** The fields of a hit for the source of its visit. */
export function acquisitionOf(visit: JsonObject): JsonObject {
  const type = textIn(visit, 'referrerType')
  const [url, name] = [textIn(visit, 'referrerUrl'), textIn(visit, 'referrerName')]
  if (type === 'campaign') return campaignOf(visit, { url, name })
  if (url !== '' || name === '' || type === 'direct') return { referrer: url }
  if (type === 'website') return { referrer: /^https?:/.test(name) ? name : `https://${name}` }
  return namedSource(type, name)
}

/**
 * Source, medium and content are fields of the plugin MarketingCampaignsReporting. Without them, the name is the value of the
 * first parameter of utm_campaign, utm_source and utm_medium, so it also names the source of a visit without a referrer.
 */
function campaignOf(visit: JsonObject, { url, name }: { url: string; name: string }): JsonObject {
  const [source, medium, campaign, content, term] = ['Source', 'Medium', 'Name', 'Content', 'Keyword'].map(part =>
    textIn(visit, `campaign${part}`),
  )
  const isByPlugin = [source, medium, campaign, content, term].some(Boolean)
  return {
    referrer: url,
    source: url === '' && !isByPlugin ? name : '',
    utm_source: source,
    utm_medium: medium,
    utm_campaign: isByPlugin ? campaign : name,
    utm_content: content,
    utm_term: isByPlugin ? term : textIn(visit, 'referrerKeyword'),
  }
}
