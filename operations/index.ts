/** The table: one line an area. */
import { area, defineTable } from '../runtime/table.ts'
import * as account from './people/account/operations.ts'
import * as alerts from './watch/alerts/operations.ts'
import * as alertEvents from './watch/alerts/events.ts'
import { hurryAlerts } from './watch/alerts/hurry.ts'
import * as alertTasks from './watch/alerts/tasks.ts'
import { api_token } from './people/tokens/authenticator.ts'
import * as apiTokens from './people/tokens/operations.ts'
import * as audit from './people/audit/operations.ts'
import * as badges from './exchange/sharing/operations.ts'
import * as channels from './watch/channels/operations.ts'
import * as channelTasks from './watch/channels/tasks.ts'
import * as dashboards from './reports/dashboards/operations.ts'
import * as funnels from './reports/funnels/operations.ts'
import * as events from './reports/events/operations.ts'
import * as eventTasks from './reports/events/tasks.ts'
import * as goals from './sites/goals/operations.ts'
import * as housekeepingTasks from './service/housekeeping/tasks.ts'
import * as live from './reports/live/operations.ts'
import * as members from './people/members/operations.ts'
import * as notes from './sites/notes/operations.ts'
import * as roles from './people/roles/operations.ts'
import * as segments from './sites/segments/operations.ts'
import * as experiments from './reports/experiments/operations.ts'
import * as insights from './reports/insights/operations.ts'
import * as journeys from './reports/journeys/operations.ts'
import * as pages from './reports/pages/operations.ts'
import * as analytics from './reports/stats/operations.ts'
import * as analyticsTasks from './reports/stats/tasks.ts'
import * as collectionEndpoints from './sites/collection/endpoints.ts'
import * as collection from './sites/collection/operations.ts'
import * as collectionTasks from './sites/collection/tasks.ts'
import * as sites from './sites/sites/operations.ts'
import * as siteEvents from './sites/sites/events.ts'
import * as uptimeEvents from './watch/uptime/events.ts'
import * as uptime from './watch/uptime/operations.ts'
import * as uptimeProbes from './watch/uptime/probes/operations.ts'
import { probe } from './watch/uptime/probes/records.ts'
import * as uptimeTasks from './watch/uptime/tasks.ts'
import * as usageEvents from './service/usage/events.ts'
import * as usageTasks from './service/usage/tasks.ts'
import { subscribeWebhooks } from './exchange/webhooks/deliveries.ts'
import * as webhookEvents from './exchange/webhooks/events.ts'
import * as webhooks from './exchange/webhooks/operations.ts'
import * as webhookTasks from './exchange/webhooks/tasks.ts'
import * as workspaces from './people/workspaces/operations.ts'

export const table = defineTable(
  [
    area('Workspaces', 'Workspaces hold members, API tokens and sites.', workspaces),
    area('Sites', 'Sites send hits and have reports.', sites),
    area('API tokens', 'Tokens that programs call with: what they may do, for which sites, from where, until when.', apiTokens),
    area('Account', 'The account of the member who owns the token.', account),
    area('Members', 'The members of a workspace and their roles.', members),
    area('Roles', 'What the roles of members allow.', roles),
    area('Notes', 'Notes mark moments of a site, such as deploys.', notes),
    area('Goals', 'Goals are the pages and events of a site that count as conversions.', goals),
    area('Segments', 'Segments are filters of reports with a name.', segments),
    area('Funnels', 'Funnels are steps that a visit is to take in order, and how far visits come.', funnels),
    area('Audit log', 'Every change that was made in a workspace.', audit),
    area('Analytics', 'Reports: headline metrics, series over time, and the top values of a dimension.', { ...analytics, ...experiments, ...insights, ...journeys, ...pages }),
    area('Live', 'Who is on a site now.', live),
    area('Dashboards', 'Dashboards are cards that each show one report of one site.', dashboards),
    area('Sharing', 'What of a public site anyone may see.', badges),
    area('Events', 'The events of a site: how often, by whom, with what; how they are shown, and their end.', events),
    area('Alerts', 'Alerts watch a site or the workspace, and tell when a condition is met.', alerts),
    area('Notification channels', 'Where alerts are told to people: e-mail, webhooks, Slack, Discord, Teams.', channels),
    area('Uptime', 'Checks that probe targets from several locations, and tell when they go down.', { ...uptime, ...uptimeProbes }),
    area('Webhooks', 'Endpoints that are told of events, and what became of each time they were.', webhooks),
    area('Collection', 'How hits come in, and what became of those that were not kept.', collection),
  ],
  Object.values({ ...siteEvents, ...alertEvents, ...usageEvents, ...uptimeEvents, ...webhookEvents }),
  Object.values({ ...collectionEndpoints }),
  Object.values({ ...alertTasks, ...channelTasks, ...usageTasks, ...eventTasks, ...housekeepingTasks, ...collectionTasks, ...uptimeTasks, ...webhookTasks, ...analyticsTasks }),
  [hurryAlerts, subscribeWebhooks],
  [api_token, probe],
)
