import type { Texts } from './texts.ts'

/** Descriptions that speak to programs, as people are told them. The others are said as they are declared. */
export const en: Texts = {
  // Forms
  'A field left out stays as it is. Another kind drops the field that it has no use for.':
    'Another kind drops the field that it has no use for.',
  'A field left out stays as it is; steps given replace all.': 'It counts at once for hits of the past too.',
  'A field left out stays as it is; groups given replace all. Another slug ends links to the old one.':
    'Another slug ends links to the old one.',
  'A field left out stays as it is; subscribers get no message. To report progress: status_incident_updates_create.':
    'Subscribers get no message. To report progress: status_incident_updates_create.',
  'A field left out stays as it is, and so does the URL where its mask is sent back.': 'The URL stays while only its end stands there.',
  'A field left out stays as it is. Lists replace those that there are; who unsubscribed stays so.': 'Who unsubscribed stays so.',
  'A field left out stays as it is. It holds at once, for who looks at it now too; another password ends all that was opened.':
    'It holds at once, for who looks at it now too; another password ends all that was opened.',
  'A field left out stays as it is. Refused to tokens that do not see every card.': 'All who see the dashboard see the change.',
  'Refused to tokens that do not see every card.': 'The figures that it showed stay.',
  'Changes how reports show it; what was stored stays. A field left out stays as it is.':
    'Changes how reports show it; what was stored stays.',
  'Changes how reports show an event, its past included; what was stored stays. A field left out stays as it is. Filters find it by both names; goals and funnels by the one that is sent. Several as one: events_merge.':
    'Changes how reports show an event, its past included; what was stored stays. Filters find it by both names; goals and funnels by the one that is sent. Several as one: events_merge.',
  'For an event that was sent under different spellings. Their visitors and visits count once, in the past too; events_update with an empty display name takes one out again. Answers the setting of the first.':
    'For an event that was sent under different spellings. Their visitors and visits count once, in the past too; events_update with an empty display name takes one out again.',
  'Null takes a field back to the default of its kind. Another kind starts a new condition on the same site. Changing what is watched, or disabling, resolves an open incident.':
    'Empty fields take the default of their kind. Changing what is watched, or disabling, resolves an open incident.',
  'When traffic drops or spikes, a goal is reached, hits stop coming, the site is down, a certificate expires, web vitals worsen, or the plan is nearly used up. Messages go to its channels. A field that its kind has no use for is refused.':
    'When traffic drops or spikes, a goal is reached, hits stop coming, the site is down, a certificate expires, web vitals worsen, or the plan is nearly used up. Messages go to its channels.',
  'Requests a page (http), looks for a text in it (keyword), connects to a port (tcp) or resolves a name (dns), at once and then every few minutes. A field that its kind has no use for is refused.':
    'Requests a page (HTTP), looks for a text in it (keyword), connects to a port (TCP) or resolves a name (DNS), at once and then every few minutes.',
  'As uptime_checks_create, for a mail server or another service. Tokens restricted to sites cannot make such checks and do not see them.':
    'For a mail server or another service. What belongs to a site is better made there.',
  'It belongs to the member who makes it and never does more than they may at the time, nor more than the token used here: not other permissions or sites, not from other addresses, not for longer. Its secret is in this answer only.':
    'It is yours, and never does more than you may at the time. Its secret is shown once.',
  'What it may do; only what the caller holds. Left out: all of it.': 'What it may do, of what you may; none checked: all of it.',
  'When it stops being accepted; empty means never, or when the token used here does.': 'When it stops being accepted; empty: never.',
  'Addresses and CIDR ranges it accepts requests from; empty means any, or the addresses of the token used here.':
    'Addresses and CIDR ranges it accepts requests from; empty: any.',
  'For the identity provider, in every state of the configuration. It revokes the one before. Its secret is in this answer only.':
    'For the identity provider, in every state of the configuration. It revokes the one before. Its secret is shown once.',
  'For `npm run probe` on a machine elsewhere: it probes every check of the workspace, and counts as one more location. Its secret is in this answer only.':
    'For `npm run probe` on a machine elsewhere: it probes every check of the workspace, and counts as one more location. Its secret is shown once.',
  'The caller becomes its owner. A token reaches one workspace, so the answer carries a first token for the new one.':
    'You become its owner. It has sites, members and a first API token of its own.',
  'Their tokens for this workspace end at once (401 `invalid_token`); the account stays. Only owners remove owners, and the last active owner stays.':
    'They are out at once, and so are their API tokens; the account stays. Only owners remove owners, and the last active owner stays.',
  'Counts from the next call of each of their tokens and sessions. Nobody gives a role that may more than they may themselves. Only owners make, change or deactivate owners, and the last active owner stays one.':
    'It counts at once. You give only roles that may no more than you. Only owners make, change or deactivate owners, and the last active owner stays one.',
  'Tokens and sessions of a deactivated member are refused.': 'A deactivated member sees nothing of the workspace any more.',
  'From the next request on it is refused, and it cannot renew its token. Applies to your own apps, and with tokens.manage to those of any member.':
    'From the next request on it is refused.',
  'Answers a new link, good for 7 days, and mails another one; those before end.':
    'There is a new link, good for 7 days, and another one is mailed; those before end.',
  'Covers the last day, week or month that is over, and goes only to the caller. If the mail server refuses it, the error says why.':
    'Covers the last day, week or month that is over, and goes only to you. If the mail server refuses it, the error says why.',
  'Covers whole days, weeks or months of the site, compared with the previous ones. Recipients need no account. If nothing can be sent, the answer says why.':
    'Covers whole days, weeks or months of the site, compared with the previous ones. Recipients need no account.',
  'The file is sent after this: from the page of the import, or by PUT to `upload_url`, whole or in pieces, then imports_start. With a URL it is fetched from there, and the import starts by itself.':
    'The file is sent from this computer, or fetched from a URL.',
  'CSV, NDJSON or Parquet; hits and totals can be imported again. The event export.ready and a mail announce that the file is there.':
    'CSV, NDJSON or Parquet; hits and totals can be imported again. A mail announces that the file is there.',
  // Fields
  'Only with this value of the property; null: with any.': 'Only with this value of the property; empty: with any.',
  'Name of the step; null: the name of its goal, its path or event.': 'Name of the step; empty: the name of its goal, its path or event.',
  'Channels to notify, by their ids (channels_list).': 'Where messages go.',
  'IANA time zone that its days are cut by; a change counts from the next local midnight. Default: the workspace’s.':
    'Its days begin at midnight there. Empty: that of the workspace.',
  'IANA time zone that its days are cut by; a change counts from the next local midnight.':
    'Its days begin at midnight there; a change counts from the next one.',
  'ISO 4217 currency of its revenue. Default: the workspace’s.': 'Of its revenue, such as EUR. Empty: that of the workspace.',
  'ISO 4217 currency of its revenue.': 'Of its revenue, such as EUR.',
  'IANA time zone of new sites.': 'That new sites begin with.',
  'ISO 4217 currency of new sites.': 'That new sites begin with, such as EUR.',
  'ISO 4217 currency of amounts that come without one; empty for none.': 'Of amounts that come without one, such as EUR; empty for none.',
  'Days that its reports reach back, today included, what they compare with too. Null: all.':
    'Days that its reports reach back, today included, what they compare with too. Empty: all.',
  'threshold (required) and anomaly (default visitors): visitors, visits, pageviews, bounce_rate, conversion. vitals (required): lcp, inp, cls, fcp, ttfb, at the 75th percentile.':
    'What is measured; web vitals at the 75th percentile.',
  'threshold: metric value, required. goal: completions, default 1. no_data: hours, default 24. usage: percent, default 80. ssl: days, default 14. vitals: milliseconds (cls: score), required.':
    'A value of the metric; completions of a goal (1); hours without hits (24); percent of the plan (80); days that a certificate is valid (14); milliseconds of a web vital (CLS: its score).',
  // Lists
  "Programs that members have let in by OAuth, newest first: one's own, and with tokens.manage everybody's.":
    'Programs that were let in to read and change what is here.',
  'Bots, unknown domains, other currencies and other reasons, counted by day, newest first. The sender also gets the reason, in the header `X-Footfall-Dropped`.':
    'Bots, unknown domains, other currencies and other reasons, counted by day.',
  'In the order of the file, the first 10,000; as a file: `refused.csv?per_page=10000`.': 'The first 10,000, in the order of the file.',
}
