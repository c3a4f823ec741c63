/** The kinds of events a webhook may be of. A test holds the list to the table of events. */
export const eventKinds = [
  'alert.triggered', 'alert.resolved', 'goal.completed_threshold', 'uptime.down', 'uptime.up', 'export.ready',
  'import.completed', 'import.failed', 'site.created', 'site.deleted', 'member.added', 'usage.threshold',
] as const
export type EventKindName = (typeof eventKinds)[number]
