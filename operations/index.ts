/**
 * The table: one line an area, in the order of the wings. An area sees those above it alone, and of them what they
 * show (CONTRIBUTING.md).
 */
import { defineTable } from '../runtime/table/table.ts'
import workspaces from './people/workspaces/area.ts'
import plans from './people/plans/area.ts'
import members from './people/members/area.ts'
import tokens from './people/tokens/area.ts'
import workspaceCreation from './people/workspace-creation/area.ts'
import account from './people/account/area.ts'
import links from './people/links/area.ts'
import mail from './people/mail/area.ts'
import passkeys from './people/passkeys/area.ts'
import sessions from './people/sessions/area.ts'
import twoFactor from './people/two-factor/area.ts'
import sso from './people/sso/area.ts'
import signIn from './people/sign-in/area.ts'
import signUp from './people/sign-up/area.ts'
import invitations from './people/invitations/area.ts'
import roles from './people/roles/area.ts'
import audit from './people/audit/area.ts'
import scim from './people/scim/area.ts'
import oauth from './people/oauth/area.ts'
import sites from './sites/sites/area.ts'
import notes from './sites/notes/area.ts'
import goals from './sites/goals/area.ts'
import segments from './sites/segments/area.ts'
import channelRules from './sites/channel-rules/area.ts'
import trafficRules from './sites/traffic-rules/area.ts'
import crawlerRequests from './sites/crawlers/area.ts'
import collection from './sites/collection/area.ts'
import tracking from './sites/tracking/area.ts'
import stats from './reports/stats/area.ts'
import live from './reports/live/area.ts'
import events from './reports/events/area.ts'
import people from './reports/people/area.ts'
import visits from './reports/visits/area.ts'
import funnels from './reports/funnels/area.ts'
import journeys from './reports/journeys/area.ts'
import experiments from './reports/experiments/area.ts'
import retention from './reports/retention/area.ts'
import attribution from './reports/attribution/area.ts'
import insights from './reports/insights/area.ts'
import pages from './reports/pages/area.ts'
import performance from './reports/performance/area.ts'
import campaigns from './reports/campaigns/area.ts'
import crawlers from './reports/crawlers/area.ts'
import availability from './reports/availability/area.ts'
import dashboards from './reports/dashboards/area.ts'
import uptime from './watch/uptime/area.ts'
import channels from './watch/channels/area.ts'
import alerts from './watch/alerts/area.ts'
import statusPages from './watch/status-pages/area.ts'
import webhooks from './exchange/webhooks/area.ts'
import files from './exchange/files/area.ts'
import imports from './exchange/imports/area.ts'
import exports from './exchange/exports/area.ts'
import erasures from './exchange/erasures/area.ts'
import merges from './exchange/merges/area.ts'
import warehouse from './exchange/warehouse/area.ts'
import sharing from './exchange/sharing/area.ts'
import emailReports from './exchange/email-reports/area.ts'
import foreignApis from './exchange/foreign-apis/area.ts'
import assistant from './service/assistant/area.ts'
import documentation from './service/documentation/area.ts'
import search from './service/search/area.ts'
import installation from './service/installation/area.ts'
import help from './service/help/area.ts'
import website from './service/website/area.ts'
import usage from './service/usage/area.ts'
import billing from './service/billing/area.ts'
import affiliate from './service/affiliate/area.ts'
import setup from './service/setup/area.ts'
import deleted from './service/deleted/area.ts'
import housekeeping from './service/housekeeping/area.ts'

export const table = defineTable([
  // people
  workspaces,
  plans,
  members,
  tokens,
  workspaceCreation,
  account,
  mail,
  links,
  sessions,
  twoFactor,
  passkeys,
  signIn,
  signUp,
  invitations,
  roles,
  audit,
  scim,
  sso,
  oauth,
  // sites
  sites,
  notes,
  goals,
  segments,
  trafficRules,
  crawlerRequests,
  channelRules,
  collection,
  tracking,
  // reports
  stats,
  live,
  events,
  people,
  visits,
  funnels,
  journeys,
  experiments,
  retention,
  attribution,
  insights,
  pages,
  performance,
  campaigns,
  crawlers,
  availability,
  dashboards,
  // watch
  uptime,
  channels,
  alerts,
  statusPages,
  // exchange
  webhooks,
  files,
  imports,
  exports,
  erasures,
  merges,
  warehouse,
  sharing,
  emailReports,
  foreignApis,
  // service
  assistant,
  documentation,
  search,
  installation,
  help,
  website,
  usage,
  billing,
  affiliate,
  setup,
  deleted,
  housekeeping,
])
