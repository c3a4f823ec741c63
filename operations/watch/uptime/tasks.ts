import { guardOf } from '../../../runtime/outbound/outbound.ts'
import { task } from '../../../runtime/table/task.ts'
import { queue as domains, refreshDomains } from './domains/refresh.ts'
import { probeDue, queue as checks } from './probing/probe-due.ts'
import { rollUp } from './roll-up.ts'
import { MINUTE_MS, SECOND_MS } from '../../../storage/values/durations.ts'

export const uptime_probe = task({
  name: 'uptime_probe',
  summary: 'Probes the targets of uptime checks that are due',
  every: SECOND_MS / 4, // the latest start of a probe after its due time, while the service keeps up
  lease: MINUTE_MS,
  shared: true,
  queue: checks,
  run: context => probeDue(context, guardOf(context.config)),
})

export const uptime_roll_up = task({
  name: 'uptime_roll_up',
  summary: 'Summarizes old results of uptime checks, so that they take less space',
  every: 10 * MINUTE_MS,
  lease: MINUTE_MS,
  run: context => rollUp(context.store, context.now(), context),
})

export const domains_refresh = task({
  name: 'domains_refresh',
  summary: 'Asks registries once a day when the domains of uptime checks expire',
  every: MINUTE_MS,
  lease: 2 * MINUTE_MS,
  queue: domains,
  run: context => refreshDomains(context, guardOf(context.config)),
})
