import { exampleRecords } from '../../../runtime/table/example.ts'
import { ids } from './records.ts'

export const example = exampleRecords(async ({ db, now, domain, id, newId }) => {
  const [campaign, link] = [newId(ids.campaign), newId(ids.campaign_link)]
  await db
    .insertInto('campaigns')
    .values({
      id: campaign,
      site_id: id('site'),
      name: 'Spring',
      utm_campaign: 'spring-26',
      starts_on: '2026-03-01',
      ends_on: '2026-03-31',
      cost_cents: 310_00,
      goal_id: id('goal'),
      created_at: now,
      updated_at: now,
    })
    .execute()
  await db
    .insertInto('campaign_links')
    .values({
      id: link,
      site_id: id('site'),
      slug: link.slice(-12),
      url: `https://${domain}/spring?color=green`,
      utm_source: 'newsletter',
      utm_medium: 'email',
      utm_campaign: 'spring-26',
      utm_content: null,
      utm_term: null,
      clicks: 0,
      last_clicked_at: null,
      created_at: now,
      updated_at: now,
    })
    .execute()
  const host = newId(ids.link_host)
  await db
    .insertInto('link_hosts')
    .values({ id: host, workspace_id: id('workspace'), host: `partner.${domain}`, created_at: now })
    .execute()
  return { campaign, campaign_link: link, link_host: host }
})
