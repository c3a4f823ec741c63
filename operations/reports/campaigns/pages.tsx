import { bare } from '../../../runtime/ui/cell.tsx'
import { FigureTable } from '../../../runtime/ui/figure-table.tsx'
import { inUnit } from '../../../runtime/ui/format.ts'
import { linkTo } from '../../../runtime/ui/links.ts'
import { Bar, Nothing } from '../../../runtime/ui/share.tsx'
import { withCondition } from '../../../runtime/ui/toolbar.tsx'
import { form } from '../../../runtime/ui/form-layout.ts'
import { view } from '../../../runtime/ui/view.ts'
import { headingWords } from '../../../runtime/ui/words.ts'
import { campaignFields, campaignLinkFields } from './form.tsx'
import { campaigns_create, campaigns_update } from './campaigns.ts'
import { campaign_links_create } from './links.ts'
import { Overview } from '../stats/index.ts'
import { CampaignReport, CampaignResult } from './records.ts'
import { ui } from '../../../runtime/ui/messages.ts'
import { m } from './messages.ts'
import { say, sayParts } from '../../../runtime/texts/say.ts'

export const createCampaign = form(campaigns_create, campaignFields)
export const changeCampaign = form(campaigns_update, campaignFields)
export const createCampaignLink = form(campaign_links_create, campaignLinkFields)

const figures = [
  'visitors',
  'visits',
  'revenue',
  'conversions',
  'conversion_rate',
  'cost_cents',
  'cost_per_conversion_cents',
  'return_rate',
] as const

/** Campaigns with what they brought and what that cost. A click on one shows its visits. */
export const campaignReport = view(CampaignReport, ({ data: { rows }, page: { url, viewer, pathOf } }) => {
  if (rows.length === 0)
    return (
      <Nothing
        like={{
          icon: 'campaign',
          rows: [
            ['spring-sale', '€ 1,204'],
            ['newsletter-14', '€ 312'],
          ],
        }}
        help={sayParts(viewer, m.tag_links, { code: <code>?utm_campaign=spring-sale</code> })}
      >
        {say(viewer, ui.nothing_in_period)}
      </Nothing>
    )
  const max = Math.max(1, ...rows.map(({ visitors }) => visitors))
  const columns = figures
    .filter(name => rows.some(row => typeof row[name] === 'number'))
    .map(name => ({
      name,
      heading: headingWords(name, name.endsWith('_cents') ? 'minor_units' : undefined, viewer),
      unit: bare(CampaignResult.properties[name]).schema.unit,
    }))
  const overview = linkTo(pathOf(Overview), url)
  return (
    <FigureTable
      label={say(viewer, m.campaign)}
      of={say(viewer, m.campaign)}
      columns={columns.map(({ heading }) => heading)}
      rows={rows.map(row => ({
        head: (
          <>
            <Bar value={row.visitors} max={max} />
            <a href={overview && withCondition(new URL(overview, url), { dimension: 'utm_campaign', value: row.utm_campaign })}>
              {row.name || say(viewer, ui.unnamed)}
            </a>
            {row.name !== row.utm_campaign && <span class="help beside-name">{row.utm_campaign}</span>}
          </>
        ),
        cells: columns.map(({ name, unit }) => {
          const value = row[name]
          return typeof value === 'number' ? inUnit(value, unit, viewer) : '–'
        }),
      }))}
      hasBars
    />
  )
})
