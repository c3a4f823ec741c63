import { prompt } from '../../../runtime/table/prompt.ts'

export const set_up_a_site = prompt({
  title: 'Set up a site',
  description: 'Adds a site, returns the snippet for its pages, and sets goals, an alert and an uptime check.',
  arguments: {
    domain: { description: 'Domain of the pages, for example example.com.', required: true },
    goal: { description: 'Action that visitors should take, for example reach a page or send an event.', required: false },
  },
  text: ({ domain, goal }) => `Set up ${domain} here.

1. sites_list: it may be there already. If not, ask me for its time zone and currency, then sites_create.
2. Give me the line for the head of its pages: <script defer data-domain="${domain}" src="…/js/script.js"></script>, with the address of this service.
3. ${goal ? `goals_create for: ${goal}.` : 'Ask me what visitors should do there, then goals_create for it.'}
4. Ask me whether I want to hear when no data comes in (alerts_create with kind no_data; channels_list has where I can be told), and whether its uptime is to be checked (uptime_checks_create).
5. When I say that the line is in place, live_get tells whether hits come in; collection_drops says why they do not.

Ask before you create anything that I did not ask for.`,
})
