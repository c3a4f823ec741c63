/**
 * Synonyms in requests. The first word of a row is the term of this service. An area declares phrases for a single operation
 * (`asked`).
 */
const rows = [
  'visitor people user audience person customer reader guest',
  'visit session',
  'traffic visitor visit',
  'pageview view impression hit',
  'site website domain',
  'page article post url path',
  'revenue money sale income earning turnover order',
  'goal conversion convert target',
  'country nation geography location',
  'source origin referrer referral',
  'campaign marketing newsletter ad advertising utm',
  'device phone smartphone desktop tablet tv television',
  'event action interaction',
  'click tap',
  'experiment test',
  'variant variation',
  'alert alarm notification notify warn',
  'channel slack discord teams',
  'incident outage problem',
  'uptime availability monitor monitoring downtime',
  'check monitor',
  'certificate ssl tls',
  'member colleague teammate team employee coworker',
  'token key credential',
  'role permission right',
  'workspace organization organisation company',
  'segment cohort filter',
  'note annotation',
  'deploy release launch ship',
  'webhook callback hook',
  'trend growth development evolution chart graph',
  'drop fall decline decrease',
  'rise increase grow spike jump surge',
  'fast speed slow performance',
  'now currently moment live',
  'email mail',
  'top best popular biggest',
  'delete remove erase',
  'create add make build new',
  'update change edit rename modify adjust',
  'pause stop suspend',
] as const

/** Returns the stems with the same meaning as a stem, by that stem. */
export function synonymsOf(stem: (word: string) => string): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  for (const row of rows) {
    const stems = row.split(' ').map(stem)
    for (const each of stems) {
      const known = found.get(each) ?? new Set()
      for (const other of stems) known.add(other)
      found.set(each, known)
    }
  }
  return found
}
